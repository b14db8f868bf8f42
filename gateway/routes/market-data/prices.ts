import { Type } from '@sinclair/typebox';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import type { MarketPricesAnswer } from '../../../core/messages/queries.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { DecimalOutput, Nullable, PathText, TimestampOutput } from '../../http/schema.ts';
import type { MarketEntry } from '../../venue/reference.ts';
import type { Venue } from '../../venue/venue.ts';
import type { RouteContext } from '../context.ts';
import { visibleMarket } from '../reference/visible-markets.ts';
import { SharedReads } from '../shared-reads.ts';
import { marketOfSymbol } from './symbol.ts';

/** Funding rates count in 10^-8. */
const RATE_SCALE = 8;

const price = (description: string) => Nullable(DecimalOutput({ description }));
export const MarketPrices = Type.Object({
  marketId: Type.String(),
  bid: price('The best of the book.'),
  ask: price('The best of the book.'),
  last: price('The last trade.'),
  mark: price('What positions of a Perp market are valued at.'),
  index: price('What the market follows: a price from outside, or that of its Spot market.'),
  fundingRate: price('Of the running interval as it would be applied now; Perp only.'),
  nextFundingAt: Nullable(TimestampOutput()),
});

/** What Cfd and Perp markets are worth at this moment. */
export function priceRoutes({ venue }: RouteContext, reader: PriceReader): Route[] {
  return [
    route({
      method: 'GET',
      path: '/marketdata/api/v4/instruments/{marketSymbol}/prices',
      params: Type.Object({ marketSymbol: PathText('perp.btc_usdt') }),
      area: 'trading',
      operation: 'trading-ui',
      extension: true,
      summary: 'The prices of a Cfd or Perp market, and the funding rate of a Perp.',
      responses: { 200: MarketPrices },
      handler: ({ params: { marketSymbol }, now }) => {
        const named = marketOfSymbol(venue.reference, marketSymbol);
        if (named instanceof Refused) return named;
        const { marketId } = named.configuration;
        const market = visibleMarket(venue.reference, marketId, 'marketSymbol');
        return market instanceof Refused ? market : reader.read(market, now);
      },
    }),
  ];
}

interface PricesForm {
  readonly marketId: string;
  readonly bid: string | null;
  readonly ask: string | null;
  readonly last: string | null;
  readonly mark: string | null;
  readonly index: string | null;
  readonly fundingRate: string | null;
  readonly nextFundingAt: string | null;
}

/** Reads prices; those who ask for the same market meanwhile share one answer. */
export class PriceReader {
  private readonly venue: Venue;
  private readonly shared = new SharedReads<PricesForm | Refused>();

  constructor(venue: Venue) {
    this.venue = venue;
  }

  async read(market: MarketEntry, now: number): Promise<PricesForm | Refused> {
    const { type, marketId: value } = market.configuration;
    if (type === 'Spot') {
      const limit = 'Cfd or Perp';
      return refuse(Refusals.MarketTypeMismatch, { field: 'marketSymbol', value, limit });
    }
    return this.shared.read(String(market.index), () => this.ask(market, now));
  }

  private async ask(market: MarketEntry, now: number): Promise<PricesForm | Refused> {
    const query = { type: 'MarketPrices', market: market.index } as const;
    const answer = await this.venue.cold<MarketPricesAnswer>(now, query);
    return answer instanceof Refused ? answer : pricesForm(answer, market);
  }
}

function pricesForm(answer: MarketPricesAnswer, { configuration }: MarketEntry): PricesForm {
  const { marketId, priceScale } = configuration;
  const priceOf = (ticks: number) => (ticks === 0 ? null : formatUnits(ticks, priceScale));
  const { fundingRate, nextFundingAt } = answer;
  return {
    marketId,
    bid: priceOf(answer.bid),
    ask: priceOf(answer.ask),
    last: priceOf(answer.last),
    mark: priceOf(answer.mark),
    index: priceOf(answer.index),
    fundingRate: fundingRate === null ? null : formatUnits(fundingRate, RATE_SCALE),
    nextFundingAt: nextFundingAt === null ? null : formatTimestamp(nextFundingAt),
  };
}
