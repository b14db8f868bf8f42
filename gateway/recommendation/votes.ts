import type { Indicators } from './indicators.ts';

/** What a rule makes of a market: 1 speaks for buying, -1 for selling, 0 for neither. */
export type Vote = 1 | 0 | -1;

export const RULES = ['Trend', 'Momentum', 'Strength', 'Bands', 'Book'] as const;
export type Rule = (typeof RULES)[number];
export type Votes = Readonly<Record<Rule, Vote>>;

const OVERSOLD = 30;
const OVERBOUGHT = 70;
/** A side of the book that holds more than this share of both outweighs the other. */
const HEAVY_SHARE = 0.6;
/** Differences below this share of the price are none: sums of floats leave such. */
const NOTHING = 1e-9;

/** `bidShare` is the bids' part of what the best levels hold; null where the book is empty. */
export function votesOf(indicators: Indicators, bidShare: number | null): Votes {
  const { close, ema12, ema26, macdHistogram, rsi, lowerBand, upperBand } = indicators;
  const isFlat = upperBand - lowerBand <= NOTHING * close;
  return {
    Trend: direction(ema12 - ema26, close),
    Momentum: direction(macdHistogram, close),
    Strength: isFlat ? 0 : between(rsi, OVERSOLD, OVERBOUGHT),
    Bands: isFlat ? 0 : between(close, lowerBand, upperBand),
    Book: bidShare === null ? 0 : between(1 - bidShare, 1 - HEAVY_SHARE, HEAVY_SHARE),
  };
}

function direction(difference: number, price: number): Vote {
  if (Math.abs(difference) <= NOTHING * price) return 0;
  return difference > 0 ? 1 : -1;
}

/** Below the lower bound something is cheap, above the upper one dear. */
function between(value: number, lower: number, upper: number): Vote {
  if (value < lower) return 1;
  return value > upper ? -1 : 0;
}
