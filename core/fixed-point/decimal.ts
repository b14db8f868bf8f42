import { divide, MAX_UNITS, powerOfTen, type Rounding } from './arithmetic.ts';

/**
 * An exact decimal: coefficient / 10^scale, canonical (the scale is the smallest that is possible,
 * and zero has scale 0), so that two equal decimals have equal fields.
 */
export interface Decimal {
  readonly coefficient: bigint;
  readonly scale: number;
}

/** Longer texts and larger exponents are no decimals: no input costs more than microseconds. */
const MAX_DECIMAL_LENGTH = 64;
const MAX_DECIMAL_EXPONENT = 400;

/** What `parseUnits` answers instead of units; all are below zero, and no valid result is. */
export const NOT_A_DECIMAL = -1;
export const NEGATIVE = -2;
export const OFF_STEP = -3;
export const TOO_LARGE = -4;

const DECIMAL = /^([+-]?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,3}))?$/;

/**
 * Reads a decimal: optional sign, digits, optionally a point with digits after it, optionally an
 * exponent. That is the number of JSON with a leading `+` and leading zeros tolerated. NaN, Infinity,
 * hexadecimal, blanks, separators, `1.` and `.5` are refused.
 */
export function parseDecimal(text: string): Decimal | undefined {
  if (text.length > MAX_DECIMAL_LENGTH) return undefined;
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const [, sign, whole, fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > MAX_DECIMAL_EXPONENT) return undefined;
  const digits = BigInt(`${whole}${fraction}`);
  return canonical(sign === '-' ? -digits : digits, fraction.length - exponent);
}

/**
 * The decimal as an integer number of units of 10^-scale, exactly: never rounds. `off-step` where it
 * is no multiple of a unit, `too-large` beyond +-(2^63 - 1) units.
 */
export function toUnits(decimal: Decimal, scale: number): bigint | 'off-step' | 'too-large' {
  if (decimal.scale > scale) return 'off-step';
  const units = decimal.coefficient * powerOfTen(scale - decimal.scale);
  return units > MAX_UNITS || units < -MAX_UNITS ? 'too-large' : units;
}

/**
 * Reads a text straight into units of 10^-scale (0 <= scale <= 18), for prices and amounts: a safe
 * integer >= 0, or one of `NOT_A_DECIMAL`, `NEGATIVE`, `OFF_STEP` (no multiple of a unit; never
 * rounds) and `TOO_LARGE` (beyond 2^53 - 1 units). Takes what `parseDecimal` takes; plain digits with
 * an optional point allocate nothing.
 */
export function parseUnits(text: string, scale: number): number {
  const length = text.length;
  let units = 0;
  let index = 0;
  for (; index < length; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) break;
    units = units * 10 + digit;
  }
  if (index === 0 || length > MAX_DECIMAL_LENGTH) return parseUnitsSlowly(text, scale);
  let places = 0;
  if (index < length && text.charCodeAt(index) === 46) {
    index++;
    if (index === length) return NOT_A_DECIMAL;
    for (; index < length; index++) {
      const digit = text.charCodeAt(index) - 48;
      if (digit < 0 || digit > 9) break;
      if (places < scale) {
        units = units * 10 + digit;
        places++;
      } else if (digit !== 0) return parseUnitsSlowly(text, scale);
    }
  }
  if (index !== length) return parseUnitsSlowly(text, scale);
  // Below 2^53 every step was exact; beyond it rounding cannot lead back below, so the end tells.
  while (places < scale && units <= Number.MAX_SAFE_INTEGER) {
    units *= 10;
    places++;
  }
  return units <= Number.MAX_SAFE_INTEGER ? units : TOO_LARGE;
}

/** Everything out of the ordinary: signs, exponents, off-step input, garbage. */
function parseUnitsSlowly(text: string, scale: number): number {
  const decimal = parseDecimal(text);
  if (decimal === undefined) return NOT_A_DECIMAL;
  if (decimal.coefficient < 0n) return NEGATIVE;
  const units = toUnits(decimal, scale);
  if (units === 'off-step') return OFF_STEP;
  if (units === 'too-large' || units > BigInt(Number.MAX_SAFE_INTEGER)) return TOO_LARGE;
  return Number(units);
}

/**
 * Prints units of 10^-scale as a plain canonical decimal: no exponent, no padding, no negative zero
 * ("0.1", "12", "0", "-3.05"). A number must be a safe integer.
 */
export function formatUnits(units: bigint | number, scale: number): string {
  const digits = String(units);
  if (scale === 0 || digits === '0') return digits;
  return digits.charCodeAt(0) === 45
    ? `-${placePoint(digits.slice(1), scale)}`
    : placePoint(digits, scale);
}

/** Prints a decimal the way `formatUnits` does. */
export function formatDecimal(decimal: Decimal): string {
  return formatUnits(decimal.coefficient, decimal.scale);
}

/** Prints numerator / denominator with at most `maxScale` places after the point, rounded once. */
export function formatQuotient(
  numerator: bigint,
  denominator: bigint,
  maxScale: number,
  rounding: Rounding,
): string {
  return formatUnits(divide(numerator * powerOfTen(maxScale), denominator, rounding), maxScale);
}

function placePoint(digits: string, scale: number): string {
  let end = digits.length;
  const wholeDigits = end - scale;
  const firstPlace = Math.max(wholeDigits, 0);
  while (end > firstPlace && digits.charCodeAt(end - 1) === 48) end--;
  if (wholeDigits <= 0) return `0.${'0'.repeat(-wholeDigits)}${digits.slice(0, end)}`;
  if (end === wholeDigits) return digits.slice(0, end);
  return `${digits.slice(0, wholeDigits)}.${digits.slice(wholeDigits, end)}`;
}

function canonical(coefficient: bigint, scale: number): Decimal {
  if (coefficient === 0n) return { coefficient, scale: 0 };
  if (scale < 0) return { coefficient: coefficient * powerOfTen(-scale), scale: 0 };
  while (scale > 0 && coefficient % 10n === 0n) {
    coefficient /= 10n;
    scale--;
  }
  return { coefficient, scale };
}
