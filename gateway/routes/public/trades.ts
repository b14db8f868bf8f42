import { Type } from '@sinclair/typebox';
import { PAGE_LIMITS } from '../../../persistence/views/index.ts';
import { Refused } from '../../http/refused.ts';
import { JsonText } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { DecimalOutput, Int32, OneOf } from '../../http/schema.ts';
import { textOf } from '../../venue/views-read.ts';
import type { RouteContext } from '../context.ts';
import { SharedReads } from '../shared-reads.ts';
import { marketOfPair } from './pairs.ts';
import { dayBefore, PUBLIC } from './public.ts';

const Trade = Type.Object({
  tradeID: Type.Integer(),
  price: DecimalOutput(),
  base_volume: DecimalOutput(),
  quote_volume: DecimalOutput({ description: 'price × base_volume' }),
  trade_timestamp: Type.Integer({ description: 'UNIX time, seconds.' }),
  type: OneOf(['buy', 'sell'], { description: 'What the taker did.' }),
});

const TradesQuery = Type.Object({
  limit: Int32({
    minimum: 1,
    maximum: PAGE_LIMITS.trades,
    default: PAGE_LIMITS.trades,
    description: 'Extension. The newest so many.',
  }),
  lastTradeID: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Extension. Continues after this trade, the last of the page before.',
    }),
  ),
});

/** The trades of a pair in the last 24 hours. */
export function publicTradeRoutes({ venue, views }: RouteContext): Route[] {
  const shared = new SharedReads<JsonText | Refused>();
  return [
    route({
      ...PUBLIC,
      method: 'GET',
      path: '/public/trades/{instrument}',
      summary: 'The trades of the last 24 hours, newest first.',
      query: TradesQuery,
      responses: { 200: Type.Array(Trade) },
      handler: ({ params, query, now }) => {
        const market = marketOfPair(venue.reference, params.instrument);
        if (market instanceof Refused) return market;
        const { durableSequence } = venue;
        const request = {
          market: market.index,
          from: dayBefore(now),
          limit: query.limit,
          lastTradeId: query.lastTradeID ?? null,
        };
        return shared.read(`${durableSequence}/${JSON.stringify(request)}`, async () => {
          const text = textOf(await views.trades(request, durableSequence));
          return text instanceof Refused ? text : new JsonText(text ?? '[]');
        });
      },
    }),
  ];
}
