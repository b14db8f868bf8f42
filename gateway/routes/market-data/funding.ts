import { Type } from '@sinclair/typebox';
import { Refusals } from '../../../core/messages/refusals.ts';
import { PAGE_DEFAULT, PAGE_LIMITS } from '../../../persistence/views/index.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { JsonText } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { DecimalOutput, Int32, PathText, TimestampOutput } from '../../http/schema.ts';
import type { MarketEntry } from '../../venue/reference.ts';
import { textOf } from '../../venue/views-read.ts';
import type { RouteContext } from '../context.ts';
import { DateInput, momentOf } from '../dates.ts';
import { visibleMarket } from '../reference/visible-markets.ts';
import { marketOfSymbol } from './symbol.ts';

export const FundingQuery = Type.Object({
  limit: Type.Optional(
    Int32({
      minimum: 1,
      description: `${PAGE_DEFAULT} by default; more than ${PAGE_LIMITS.funding} count as ${PAGE_LIMITS.funding}.`,
    }),
  ),
  offset: Type.Optional(
    Int32({ minimum: 0, description: 'Leaves out so many, the newest first.' }),
  ),
  appliedAtFrom: DateInput('A timestamp, or a date: from its beginning in UTC.'),
  appliedAtTo: DateInput('A timestamp, inclusive, or a date: to its end in UTC.'),
});
export const FundingHistory = Type.Object({
  fundingData: Type.Array(
    Type.Object({
      appliedAt: TimestampOutput(),
      interval: Type.Integer({ description: 'Hours.' }),
      rate: DecimalOutput({ description: 'A fraction; positive where longs paid shorts.' }),
    }),
    { description: 'Newest first.' },
  ),
  hasMore: Type.Boolean(),
});

interface Filter {
  readonly limit?: number;
  readonly offset?: number;
  readonly appliedAtFrom?: string;
  readonly appliedAtTo?: string;
}

/** What positions in Perp markets were charged, settlement by settlement. */
export function fundingRoutes(context: RouteContext): Route[] {
  return [
    route({
      method: 'GET',
      path: '/marketdata/api/v4/instruments/{marketSymbol}/funding',
      params: Type.Object({ marketSymbol: PathText('perp.btc_usdt') }),
      area: 'trading',
      operation: 'trading-ui',
      rateClass: 'history',
      summary: 'Funding settlements of a Perp market, newest first.',
      query: FundingQuery,
      responses: { 200: FundingHistory },
      handler: ({ params: { marketSymbol }, query }) => {
        const { reference } = context.venue;
        const named = marketOfSymbol(reference, marketSymbol);
        if (named instanceof Refused) return named;
        const market = visibleMarket(reference, named.configuration.marketId, 'marketSymbol');
        return market instanceof Refused ? market : readFunding(context, market, query);
      },
    }),
  ];
}

export async function readFunding(
  { venue, views }: RouteContext,
  { index, configuration }: MarketEntry,
  filter: Filter,
): Promise<JsonText | Refused> {
  if (configuration.type !== 'Perp') {
    const { marketId: value } = configuration;
    return refuse(Refusals.MarketTypeMismatch, { field: 'marketSymbol', value, limit: 'Perp' });
  }
  const appliedAtFrom = momentOf(filter.appliedAtFrom, 'appliedAtFrom', 'beginning');
  if (appliedAtFrom instanceof Refused) return appliedAtFrom;
  const appliedAtTo = momentOf(filter.appliedAtTo, 'appliedAtTo', 'end');
  if (appliedAtTo instanceof Refused) return appliedAtTo;
  if (appliedAtFrom !== null && appliedAtTo !== null && appliedAtFrom > appliedAtTo) {
    return refuse(Refusals.WindowReversed, { field: 'appliedAtFrom', limit: 'appliedAtTo' });
  }
  const { limit = null, offset = null } = filter;
  const request = { market: index, limit, offset, appliedAtFrom, appliedAtTo };
  const text = textOf(await views.funding(request, venue.durableSequence));
  if (text instanceof Refused) return text;
  return new JsonText(text ?? '{"fundingData":[],"hasMore":false}');
}
