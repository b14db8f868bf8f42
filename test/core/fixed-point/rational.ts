/** An exact fraction, for checking the code against school arithmetic. The denominator is above 0. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** digits x 10^shift. */
export function rational(digits: bigint, shift: number): Rational {
  const power = 10n ** BigInt(Math.abs(shift));
  return shift < 0
    ? { numerator: digits, denominator: power }
    : { numerator: digits * power, denominator: 1n };
}

export function sameValue(a: Rational, b: Rational): boolean {
  return a.numerator * b.denominator === b.numerator * a.denominator;
}
