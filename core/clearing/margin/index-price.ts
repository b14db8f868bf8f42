import { powerOfTen } from '../../fixed-point/index.ts';
import type { Market } from '../market.ts';
import { FINE } from './mark-price.ts';

/**
 * What the underlying of a market is worth, in fine ticks of that market: the price that a feed has set,
 * else the middle of the Spot market of the same pair, else the last trade there, else the market's own
 * last trade. Undefined where there is none.
 */
export function indexPrice(
  market: Market,
  fed: number,
  twin: Market | undefined,
): bigint | undefined {
  if (fed > 0) return BigInt(fed) * FINE;
  const spot = twin === undefined ? 0n : middleOrLast(twin);
  if (twin !== undefined && spot > 0n) {
    const { priceScale } = market.configuration;
    return (spot * powerOfTen(priceScale)) / powerOfTen(twin.configuration.priceScale);
  }
  return market.lastPrice > 0 ? BigInt(market.lastPrice) * FINE : undefined;
}

/** The Spot market of the same pair of assets. */
export function spotTwin(market: Market, markets: readonly Market[]): Market | undefined {
  return markets.find(
    ({ configuration, base, quote }) =>
      configuration.type === 'Spot' &&
      base.index === market.base.index &&
      quote.index === market.quote.index,
  );
}

/** The middle of the book in fine ticks; undefined where a side is empty. */
export function middle({ bestBid, bestAsk }: Market): bigint | undefined {
  if (bestBid === 0 || bestAsk === 0) return undefined;
  return (BigInt(bestBid) + BigInt(bestAsk)) * (FINE / 2n);
}

function middleOrLast(market: Market): bigint {
  return middle(market) ?? BigInt(market.lastPrice) * FINE;
}
