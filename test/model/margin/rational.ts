/** Exact fractions with a sign; `below` is above 0. Rounded only where a rule says so, and once. */
export interface Rational {
  readonly above: bigint;
  readonly below: bigint;
}

export type Exact = Rational | bigint | number;

export function rational(above: bigint, below = 1n): Rational {
  if (below === 0n) throw new RangeError('a fraction of zero');
  return below > 0n ? { above, below } : { above: -above, below: -below };
}

export const ZERO = rational(0n);

/** Integers as they are; what is not a whole number is no exact number. */
export function exact(value: Exact): Rational {
  if (typeof value === 'object') return value;
  return rational(BigInt(value));
}

/** 10^exponent, of either sign. */
export function tenTo(exponent: number): Rational {
  const power = 10n ** BigInt(Math.abs(exponent));
  return exponent >= 0 ? rational(power) : rational(1n, power);
}

export function plus(...terms: readonly Exact[]): Rational {
  return terms.reduce<Rational>((sum, term) => {
    const { above, below } = exact(term);
    return rational(sum.above * below + above * sum.below, sum.below * below);
  }, ZERO);
}

export function times(...factors: readonly Exact[]): Rational {
  return factors.reduce<Rational>((product, factor) => {
    const { above, below } = exact(factor);
    return rational(product.above * above, product.below * below);
  }, rational(1n));
}

export function minus(a: Exact, b: Exact): Rational {
  return plus(a, times(-1, b));
}

export function over(a: Exact, b: Exact): Rational {
  const { above, below } = exact(b);
  return times(a, rational(below, above));
}

export function compare(a: Exact, b: Exact): number {
  const { above } = minus(a, b);
  return above < 0n ? -1 : above > 0n ? 1 : 0;
}

export function greater(a: Exact, b: Exact): Rational {
  return exact(compare(a, b) >= 0 ? a : b);
}

export function lesser(a: Exact, b: Exact): Rational {
  return exact(compare(a, b) <= 0 ? a : b);
}

export function clamp(value: Exact, least: Exact, most: Exact): Rational {
  return greater(least, lesser(value, most));
}

/** Towards minus infinity. */
export function floor(value: Exact): bigint {
  const { above, below } = exact(value);
  const rest = ((above % below) + below) % below;
  return (above - rest) / below;
}

/** Towards plus infinity. */
export function ceiling(value: Exact): bigint {
  return -floor(times(-1, value));
}

/** To the nearest, ties away from zero. */
export function halfUp(value: Exact): bigint {
  const half = rational(1n, 2n);
  return compare(value, 0) >= 0 ? floor(plus(value, half)) : ceiling(minus(value, half));
}
