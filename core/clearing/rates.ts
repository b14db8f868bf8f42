import { powerOfTen } from '../fixed-point/index.ts';
import type { Market } from './market.ts';
import type { ClearingState } from './state.ts';

/** Units of one asset for units of another: `numerator / denominator`, exact. */
export interface Rate {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const PAR: Rate = { numerator: 1n, denominator: 1n };

/**
 * How many units of `to` one unit of `from` is worth, by the venue's own Spot markets: at par for the
 * same asset, else by the market of the two in either direction, at the middle of its best prices or,
 * where a side is empty, at its last trade. Undefined where there is no such price.
 */
export function conversionRate(state: ClearingState, from: number, to: number): Rate | undefined {
  if (from === to) return PAR;
  for (const market of state.markets) {
    if (market.configuration.type !== 'Spot') continue;
    const forward = market.base.index === from && market.quote.index === to;
    const backward = market.base.index === to && market.quote.index === from;
    if (!forward && !backward) continue;
    const rate = baseToQuote(market);
    if (rate === undefined) continue;
    if (forward) return rate;
    return { numerator: rate.denominator, denominator: rate.numerator };
  }
  return undefined;
}

/** Twice the middle price is an integer in ticks, so the rate is exact. */
function baseToQuote(market: Market): Rate | undefined {
  const { bestBid, bestAsk, lastPrice, configuration, base, quote } = market;
  const doubled = bestBid > 0 && bestAsk > 0 ? bestBid + bestAsk : 2 * lastPrice;
  if (doubled === 0) return undefined;
  return {
    numerator: BigInt(doubled) * powerOfTen(quote.configuration.scale),
    denominator: 2n * powerOfTen(configuration.priceScale + base.configuration.scale),
  };
}
