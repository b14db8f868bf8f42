import { formatQuotient, formatUnits, powerOfTen } from '../fixed-point/index.ts';

/** Digits of an average price beyond the market's own scale. */
const AVERAGE_EXTRA_DIGITS = 6;
const FILL_FACTOR_DIGITS = 8;

/**
 * The volume-weighted average price of what an order traded: Σ price × quantity / Σ quantity, rounded
 * half up to six digits beyond the market's price scale. `0` where nothing traded.
 */
export function averagePrice(
  tradedNotional: bigint,
  filled: number | bigint,
  priceScale: number,
): string {
  const steps = BigInt(filled);
  if (steps === 0n) return '0';
  if (tradedNotional % steps === 0n) return formatUnits(tradedNotional / steps, priceScale);
  const denominator = steps * powerOfTen(priceScale);
  return formatQuotient(tradedNotional, denominator, priceScale + AVERAGE_EXTRA_DIGITS, 'half-up');
}

/** Filled / requested, rounded down to eight digits: 1 only when all of it is filled. */
export function fillFactor(filled: number, requested: number): string {
  if (filled === 0) return '0';
  if (filled === requested) return '1';
  return formatQuotient(BigInt(filled), BigInt(requested), FILL_FACTOR_DIGITS, 'floor');
}

/** A price in ticks as a decimal; null for a Market order's 0. */
export function requestedPrice(price: number, priceScale: number): string | null {
  return price === 0 ? null : formatUnits(price, priceScale);
}

/** A quantity in base assets, as a decimal: of lots, what is in them. */
export function baseAmount(
  quantity: number,
  { amount, lotSize }: { readonly amount: number; readonly lotSize: number },
): string {
  if (lotSize === 1) return formatUnits(quantity, amount);
  return formatUnits(BigInt(quantity) * BigInt(lotSize), amount);
}
