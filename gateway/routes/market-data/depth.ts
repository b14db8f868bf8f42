import { Type } from '@sinclair/typebox';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import { DEPTH_LEVELS_MAX } from '../../../core/market/index.ts';
import type { DepthAnswer } from '../../../core/messages/answers.ts';
import { Refused } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { DecimalOutput, Int32 } from '../../http/schema.ts';
import type { MarketEntry } from '../../venue/reference.ts';
import type { Venue } from '../../venue/venue.ts';
import type { RouteContext } from '../context.ts';
import { SharedReads } from '../shared-reads.ts';
import { marketOfSymbol } from './symbol.ts';

const LEVELS_DEFAULT = 50;

const Level = Type.Object({
  price: DecimalOutput(),
  amount: DecimalOutput({ description: 'In the base asset, also where orders count in lots.' }),
  total: DecimalOutput({ description: 'price × amount' }),
});
export const Depth = Type.Object({
  marketId: Type.String(),
  bids: Type.Array(Level, { description: 'Highest price first.' }),
  asks: Type.Array(Level, { description: 'Lowest price first.' }),
});

export const LevelsQuery = Type.Object({
  levels: Int32({
    minimum: 1,
    maximum: DEPTH_LEVELS_MAX,
    default: LEVELS_DEFAULT,
    description: 'Levels a side.',
  }),
});

/** Order books, aggregated by price. */
export function depthRoutes({ venue }: RouteContext, reader: DepthReader): Route[] {
  return [
    route({
      method: 'GET',
      path: '/marketdata/api/v4/instruments/{marketSymbol}/depth',
      area: 'trading',
      operation: 'trading-ui',
      extension: true,
      summary: 'The best levels of an order book.',
      query: LevelsQuery,
      responses: { 200: Depth },
      handler: async ({ params, query, now }) => {
        const market = marketOfSymbol(venue.reference, params.marketSymbol);
        if (market instanceof Refused) return market;
        return await reader.read(market, query.levels, now);
      },
    }),
  ];
}

interface LevelForm {
  readonly price: string;
  readonly amount: string;
  readonly total: string;
}

interface DepthForm {
  readonly marketId: string;
  readonly bids: LevelForm[];
  readonly asks: LevelForm[];
}

/**
 * Reads order books. Those who ask for the same while it is under way share one answer: it is not
 * older than anything that was acknowledged before they asked, because answers keep their order.
 */
export class DepthReader {
  private readonly venue: Venue;
  private readonly shared = new SharedReads<DepthForm | Refused>();

  constructor(venue: Venue) {
    this.venue = venue;
  }

  read(market: MarketEntry, levels: number, now: number): Promise<DepthForm | Refused> {
    return this.shared.read(`${market.index}/${levels}`, () => this.ask(market, levels, now));
  }

  private async ask(
    market: MarketEntry,
    levels: number,
    now: number,
  ): Promise<DepthForm | Refused> {
    const answer = await this.venue.depth(now, market.index, levels);
    return answer instanceof Refused ? answer : depthForm(answer, market);
  }
}

function depthForm({ bids, asks, levels }: DepthAnswer, { configuration }: MarketEntry): DepthForm {
  const { marketId, priceScale, amountScale, margin } = configuration;
  const lotSize = BigInt(margin?.lotSize ?? 1);
  const numbers = new DataView(levels.buffer, levels.byteOffset, levels.byteLength);
  const level = (index: number): LevelForm => {
    const price = numbers.getFloat64(index * 16, true);
    const amount = BigInt(numbers.getFloat64(index * 16 + 8, true)) * lotSize;
    return {
      price: formatUnits(price, priceScale),
      amount: formatUnits(amount, amountScale),
      total: formatUnits(BigInt(price) * amount, priceScale + amountScale),
    };
  };
  return {
    marketId,
    bids: Array.from({ length: bids }, (_, index) => level(index)),
    asks: Array.from({ length: asks }, (_, index) => level(bids + index)),
  };
}
