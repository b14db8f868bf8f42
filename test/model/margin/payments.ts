import { Side } from '../../../core/messages/enums.ts';
import {
  clamp,
  compare,
  type Exact,
  exact,
  floor,
  greater,
  halfUp,
  minus,
  over,
  plus,
  type Rational,
  rational,
  tenTo,
  times,
  ZERO,
} from './rational.ts';
import { inRoot, type MarketTerms, worth } from './terms.ts';

/** Ticks: the middle of the values, the mean of the two middle ones where they are even in number. */
function median(values: readonly Exact[]): bigint {
  const sorted = values.map(exact).sort(compare);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  if (low === undefined || high === undefined) throw new RangeError('the median of nothing');
  return halfUp(over(plus(low, high), 2));
}

export interface MarkInputs {
  /** Ticks, exact. */
  readonly index: Exact;
  /** 10^-8. */
  readonly lastFundingRate: number;
  readonly timeToFunding: number;
  readonly interval: number;
  /** Mid less index, one a second, of the last 30 seconds. */
  readonly basis: readonly Exact[];
  /** The last trade; 0 for none. */
  readonly contract: number;
}

export function markPrice(inputs: MarkInputs): bigint {
  const { index, lastFundingRate, timeToFunding, interval, basis, contract } = inputs;
  const funded = times(
    lastFundingRate,
    tenTo(-8),
    rational(BigInt(timeToFunding), BigInt(interval)),
  );
  const first = times(index, plus(1, funded));
  const prices: Rational[] = [first];
  if (basis.length > 0) prices.push(plus(index, over(plus(...basis), basis.length)));
  if (contract > 0) prices.push(exact(contract));
  return median(prices);
}

/** How far the book is beyond the index: 10^-8 of it, to the nearest; a price of 0 is none. */
export function premium(bid: number, ask: number, index: number): bigint {
  const above = bid === 0 ? ZERO : greater(0, minus(bid, index));
  const below = ask === 0 ? ZERO : greater(0, minus(index, ask));
  return halfUp(times(over(minus(above, below), index), tenTo(8)));
}

/** Premiums of an interval, 10^-8, to the nearest. */
export function averageOf(premiums: readonly Exact[]): bigint {
  return halfUp(over(plus(...premiums), premiums.length));
}

const INTEREST = 10_000;
const DAMPER = 50_000;

/** The rate of one settlement, 10^-8; `averagePremium` in 10^-8. */
export function fundingRate(averagePremium: Exact, intervalHours: number, cap: number): bigint {
  const damped = clamp(minus(INTEREST, averagePremium), -DAMPER, DAMPER);
  const eightHours = plus(averagePremium, damped);
  const rate = over(times(eightHours, intervalHours), 8);
  return halfUp(clamp(rate, -cap, cap));
}

export interface Holding {
  readonly side: number;
  readonly quantity: bigint;
}

/** Root units that a position gets, exactly: a long pays at a rate above 0. */
export function fundingDue(
  terms: MarketTerms,
  { side, quantity }: Holding,
  markPriceTicks: Exact,
  rate8: Exact,
  rate: bigint,
): Rational {
  const sign = side === Side.Buy ? -1 : 1;
  const notional = inRoot(terms, worth(terms, times(markPriceTicks, quantity)), rate);
  return times(sign, notional, rate8, tenTo(-8));
}

/** Root units that each position gets, negative for what it pays: rounded as a running total. */
export function fundingPayments(
  terms: MarketTerms,
  positions: readonly Holding[],
  markPriceTicks: Exact,
  rate8: Exact,
  rate: bigint,
): bigint[] {
  let running = ZERO;
  return positions.map((position) => {
    const before = floor(running);
    running = plus(running, fundingDue(terms, position, markPriceTicks, rate8, rate));
    return floor(running) - before;
  });
}
