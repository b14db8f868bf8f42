/** What an order traded and pays, from first principles: exact fractions, rounded at the very end. */

export interface Fraction {
  readonly above: bigint;
  readonly below: bigint;
}

export function fraction(above: bigint, below = 1n): Fraction {
  return { above, below };
}

export function times(a: Fraction, b: Fraction): Fraction {
  return fraction(a.above * b.above, a.below * b.below);
}

/** For what is not negative. */
export function roundedDown({ above, below }: Fraction): bigint {
  return (above - (above % below)) / below;
}

export function roundedUp(value: Fraction): bigint {
  const down = roundedDown(value);
  return down * value.below === value.above ? down : down + 1n;
}

export function powerOfTen(exponent: number): Fraction {
  const power = 10n ** BigInt(Math.abs(exponent));
  return exponent >= 0 ? fraction(power) : fraction(1n, power);
}

export interface Trade {
  readonly price: number;
  readonly amount: number;
}

/** In units of the quote asset: Σ price × amount, exactly. */
export function worthOf(trades: readonly Trade[], unit: Fraction): Fraction {
  const ticks = trades.reduce((sum, { price, amount }) => sum + BigInt(price) * BigInt(amount), 0n);
  return times(fraction(ticks), unit);
}

export interface Fee {
  /** 10^-8. */
  readonly rate: number;
  /** Quote units. */
  readonly minimum: bigint;
}

/** The commission on trades of one order, in quote units. */
export function commissionOn(trades: readonly Trade[], unit: Fraction, fee: Fee): bigint {
  if (trades.length === 0) return 0n;
  const byRate = roundedUp(times(worthOf(trades, unit), fraction(BigInt(fee.rate), 100_000_000n)));
  if (byRate < fee.minimum) return fee.minimum;
  return byRate;
}

/** What a buyer pays in all, commission included, for trades of one order. */
export function costOf(trades: readonly Trade[], unit: Fraction, fee: Fee): bigint {
  return roundedUp(worthOf(trades, unit)) + commissionOn(trades, unit, fee);
}

/** Decimal text in units of 10^-scale; undefined where it is no positive number of them. */
export function unitsOf(text: string, scale: number): bigint | undefined {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) return undefined;
  const [, whole = '', places = ''] = match;
  const digits = places.replace(/0+$/, '');
  if (digits.length > scale) return undefined;
  const units = BigInt(whole + digits.padEnd(scale, '0'));
  return units > 0n ? units : undefined;
}
