import { powerOfTen } from '../fixed-point/index.ts';

/** Commission rates count in 10^-8: 100000 is 0.001. */
const RATE_UNIT = 100_000_000n;

/** Ticks × amount steps: what an order trades for, before it is scaled to quote units. */
export type Notional = bigint;

/** The commission terms of an order, frozen when it was admitted. */
export interface FeeTerms {
  /** A fraction in 10^-8 of what it trades as a taker. */
  readonly rate: bigint;
  /** The same of what it trades as a maker: once it rests. */
  readonly makerRate: bigint;
  /** The least an order with any fill pays, in quote units. */
  readonly minimum: bigint;
}

/** Ticks × steps → quote units, as an exact fraction `numerator / denominator`. */
export interface NotionalScale {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export function notionalScale(
  priceScale: number,
  amountScale: number,
  quoteScale: number,
): NotionalScale {
  const excess = priceScale + amountScale - quoteScale;
  return excess >= 0
    ? { numerator: 1n, denominator: powerOfTen(excess) }
    : { numerator: powerOfTen(-excess), denominator: 1n };
}

/** Price in ticks times quantity in steps, exactly. */
export function notionalOf(price: number, quantity: number): Notional {
  const product = price * quantity;
  return product <= Number.MAX_SAFE_INTEGER ? BigInt(product) : BigInt(price) * BigInt(quantity);
}

/*
 * An order pays on what it traded in all, rounded once: each fill is charged the difference between
 * the rounded totals after and before it. So many small fills cost no more than one large one, and
 * the sum of the debits can never pass what was held for the whole.
 */

/** What a buyer pays for `notional` in all, in quote units: rounded up. */
export function debitOf(notional: Notional, scale: NotionalScale): bigint {
  const units = notional * scale.numerator;
  return scale.denominator === 1n ? units : (units + scale.denominator - 1n) / scale.denominator;
}

/** What a seller gets for `notional` in all, in quote units: rounded down. */
export function creditOf(notional: Notional, scale: NotionalScale): bigint {
  return (notional * scale.numerator) / scale.denominator;
}

/**
 * The commission on `notional` in all, in quote units: rounded up, at least the minimum. `asTaker` is
 * the part of it that was traded as a taker; it matters only where makers pay another rate.
 */
export function feeOf(
  notional: Notional,
  scale: NotionalScale,
  terms: FeeTerms,
  asTaker: Notional = notional,
): bigint {
  if (notional === 0n) return 0n;
  const { rate, makerRate, minimum } = terms;
  const rated =
    rate === makerRate ? notional * rate : asTaker * rate + (notional - asTaker) * makerRate;
  const denominator = scale.denominator * RATE_UNIT;
  const fee = (rated * scale.numerator + denominator - 1n) / denominator;
  return fee > minimum ? fee : minimum;
}

/**
 * What a buy must still hold, in quote units, so that its rest can trade at its worst price and as
 * what it pays more for, taker or maker: debit and commission of the whole, less what was already paid.
 */
export function buyHoldOf(
  traded: Notional,
  price: number,
  remaining: number,
  scale: NotionalScale,
  terms: FeeTerms,
  asTaker: Notional = traded,
): bigint {
  if (remaining === 0) return 0n;
  const rest = notionalOf(price, remaining);
  const whole = traded + rest;
  const wholeAsTaker = terms.rate < terms.makerRate ? asTaker : asTaker + rest;
  const cost = debitOf(whole, scale) + feeOf(whole, scale, terms, wholeAsTaker);
  return cost - debitOf(traded, scale) - feeOf(traded, scale, terms, asTaker);
}

export function lesser(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

export function greater(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}
