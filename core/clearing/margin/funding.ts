import { divide } from '../../fixed-point/index.ts';
import type { FundingSettings } from '../../messages/configuration.ts';
import type { NotionalScale } from '../charges.ts';
import type { Rate } from '../rates.ts';

/** Rates and premiums count in 10^-8. */
const RATE_UNIT = 100_000_000;
/** What holding the quote asset instead of the base is worth: 0.01 % in 8 hours. */
const INTEREST = 10_000;
/** The interest pulls a premium towards itself by no more than 0.05 %. */
const DAMPING = 50_000;
const INTEREST_HOURS = 8;
const MS_PER_HOUR = 3_600_000;
const MS_PER_DAY = 24 * MS_PER_HOUR;

/**
 * How far the book stands off the index, in 10^-8 of it, rounded half away from zero:
 * (max(0, bid - index) - max(0, index - ask)) / index. Prices in the same unit, 0 for an empty side.
 */
export function premiumOf(bid: bigint, ask: bigint, index: bigint): number {
  const above = bid > index ? bid - index : 0n;
  const below = ask > 0n && index > ask ? index - ask : 0n;
  return rounded((above - below) * BigInt(RATE_UNIT), index);
}

/**
 * The rate of one settlement in 10^-8, positive where longs pay, from the premiums of its interval:
 * [P + clamp(I - P, ±0.05 %)] / (8 / hours), within ±cap. Average and result are rounded half away
 * from zero. Without a premium it is 0: nothing is known of the interval.
 */
export function fundingRate(sum: number, count: number, settings: FundingSettings): number {
  if (count === 0) return 0;
  const average = rounded(BigInt(sum), BigInt(count));
  const pull = Math.min(DAMPING, Math.max(-DAMPING, INTEREST - average));
  const hours = BigInt(settings.intervalHours);
  const rate = rounded(BigInt(average + pull) * hours, BigInt(INTEREST_HOURS));
  return Math.min(settings.cap, Math.max(-settings.cap, rate));
}

/** The last settlement that is due at `now`, UTC ms: startTime and every intervalHours, at `now` included. */
export function lastFundingAt(settings: FundingSettings, now: number): number {
  const [hours = 0, minutes = 0, seconds = 0] = settings.startTime.split(':').map(Number);
  const interval = settings.intervalHours * MS_PER_HOUR;
  const start = ((hours * 60 + minutes) * 60 + seconds) * 1000;
  const day = Math.floor(now / MS_PER_DAY) * MS_PER_DAY;
  // Intervals divide the day, so that every day has the same times.
  return day + start + Math.floor((now - day - start) / interval) * interval;
}

export function nextFundingAt(settings: FundingSettings, now: number): number {
  return lastFundingAt(settings, now) + settings.intervalHours * MS_PER_HOUR;
}

/** What a settlement is computed with. */
export interface FundingTerms {
  /** 10^-8, positive where longs pay. */
  readonly fundingRate: number;
  /** Ticks. */
  readonly markPrice: number;
  /** Ticks × steps → quote units. */
  readonly scale: NotionalScale;
  /** Root units for one quote unit. */
  readonly rate: Rate;
}

/**
 * What each position gets in root units, negative for what it pays, for signed quantities in steps
 * (positive is long). Rounding runs over the sum: after every position what all before it have got is
 * the exact sum, rounded down. So the payments sum to exactly nothing where longs equal shorts, and are
 * less than one unit off otherwise.
 */
export function fundingAmounts(signedQuantities: Float64Array, terms: FundingTerms): BigInt64Array {
  const { scale, rate } = terms;
  const amounts = new BigInt64Array(signedQuantities.length);
  const perPrice = scale.numerator * rate.numerator;
  const perStep = -BigInt(terms.fundingRate) * BigInt(terms.markPrice) * perPrice;
  const denominator = BigInt(RATE_UNIT) * scale.denominator * rate.denominator;
  let quantity = 0n;
  let before = 0n;
  signedQuantities.forEach((signed, position) => {
    quantity += BigInt(signed);
    const after = divide(quantity * perStep, denominator, 'floor');
    amounts[position] = after - before;
    before = after;
  });
  return amounts;
}

/** A quotient rounded half away from zero, as a safe integer. */
function rounded(numerator: bigint, denominator: bigint): number {
  return Number(divide(numerator, denominator, 'half-up'));
}
