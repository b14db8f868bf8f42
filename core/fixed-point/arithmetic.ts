/**
 * Exact integer arithmetic. Every quotient is computed from the full product and rounded once, by a
 * rule that the caller names. Amounts are bigint, or safe integers where a bound is known.
 */

/** The largest number of units that a ledger, a hold or a total may reach, either way: 2^63 - 1. */
export const MAX_UNITS = 2n ** 63n - 1n;

/**
 * - `floor`: towards minus infinity (credits to a client)
 * - `ceiling`: towards plus infinity (fees, holds and required margin)
 * - `half-up`: to the nearest, ties away from zero (averages for display)
 */
export type Rounding = 'floor' | 'ceiling' | 'half-up';

/** A result does not fit into +-(2^63 - 1) units. */
export class AmountOverflowError extends RangeError {
  readonly code = 'AMOUNT_OVERFLOW';

  constructor(operation: string) {
    super(`${operation} is beyond 2^63 - 1 units`);
    this.name = 'AmountOverflowError';
  }
}

const MAX_TABLED_EXPONENT = 64;
const BIGINT_POWERS = Array.from({ length: MAX_TABLED_EXPONENT + 1 }, (_, n) => 10n ** BigInt(n));
const MAX_SAFE_EXPONENT = 15;
const NUMBER_POWERS = Array.from({ length: MAX_SAFE_EXPONENT + 1 }, (_, n) => 10 ** n);

/** 10^exponent as a bigint, for any exponent >= 0. */
export function powerOfTen(exponent: number): bigint {
  return BIGINT_POWERS[exponent] ?? 10n ** BigInt(exponent);
}

/** 10^exponent as a safe integer: 0 <= exponent <= 15. */
export function powerOfTenNumber(exponent: number): number {
  const power = NUMBER_POWERS[exponent];
  if (power === undefined) throw new RangeError(`10^${exponent} is not a safe integer`);
  return power;
}

/** Returns `units` unchanged, or throws `AmountOverflowError` where they are beyond +-(2^63 - 1). */
export function checkUnits(units: bigint, operation: string): bigint {
  if (units > MAX_UNITS || units < -MAX_UNITS) throw new AmountOverflowError(operation);
  return units;
}

/** a + b, or `AmountOverflowError`. */
export function addUnits(a: bigint, b: bigint): bigint {
  return checkUnits(a + b, 'a sum');
}

/** a - b, or `AmountOverflowError`. */
export function subtractUnits(a: bigint, b: bigint): bigint {
  return checkUnits(a - b, 'a difference');
}

/** numerator / denominator, rounded once. Unbounded; throws where the denominator is 0. */
export function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  if (denominator === 0n) throw new RangeError('division by zero');
  const quotient = numerator / denominator;
  const remainder = numerator % denominator;
  if (remainder === 0n) return quotient;
  const negative = numerator < 0n !== denominator < 0n;
  switch (rounding) {
    case 'floor':
      return negative ? quotient - 1n : quotient;
    case 'ceiling':
      return negative ? quotient : quotient + 1n;
    case 'half-up': {
      const twice = 2n * magnitude(remainder);
      if (twice < magnitude(denominator)) return quotient;
      return negative ? quotient - 1n : quotient + 1n;
    }
  }
}

/** a * b / divisor, rounded once, or `AmountOverflowError`. */
export function mulDiv(a: bigint, b: bigint, divisor: bigint, rounding: Rounding): bigint {
  return checkUnits(divide(a * b, divisor, rounding), 'a product');
}

/**
 * a * b / divisor for safe integers with divisor > 0, rounded once, or `AmountOverflowError`. Does
 * without bigint arithmetic where the product is itself a safe integer.
 */
export function mulDivNumbers(a: number, b: number, divisor: number, rounding: Rounding): bigint {
  const product = a * b;
  if (!Number.isSafeInteger(product) || !(divisor > 0)) {
    return mulDiv(BigInt(a), BigInt(b), BigInt(divisor), rounding);
  }
  return BigInt(divideSafe(product, divisor, rounding));
}

/**
 * numerator / divisor for safe integers with divisor > 0, rounded once. Every step is exact: the
 * remainder of two safe integers is, and so is the quotient of a multiple by its divisor.
 */
function divideSafe(numerator: number, divisor: number, rounding: Rounding): number {
  const remainder = numerator % divisor;
  const quotient = (numerator - remainder) / divisor;
  if (remainder === 0) return quotient;
  switch (rounding) {
    case 'floor':
      return remainder < 0 ? quotient - 1 : quotient;
    case 'ceiling':
      return remainder > 0 ? quotient + 1 : quotient;
    case 'half-up': {
      const distance = Math.abs(remainder);
      if (distance < divisor - distance) return quotient;
      return remainder < 0 ? quotient - 1 : quotient + 1;
    }
  }
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
