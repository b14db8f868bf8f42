import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AmountOverflowError,
  addUnits,
  checkUnits,
  divide,
  MAX_UNITS,
  mulDiv,
  mulDivNumbers,
  powerOfTen,
  powerOfTenNumber,
  type Rounding,
  subtractUnits,
} from '../../../core/fixed-point/index.ts';
import { seed } from '../../support/seed.ts';

const options = { seed, numRuns: 2_000 };
const rounding = fc.constantFrom<Rounding>('floor', 'ceiling', 'half-up');
const wide = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
const units = fc.bigInt({ min: -MAX_UNITS, max: MAX_UNITS });

/** Whether `quotient` is what the rule asks of numerator / denominator, by its definition alone. */
function obeys(quotient: bigint, numerator: bigint, denominator: bigint, rule: Rounding): boolean {
  const sign = denominator < 0n ? -1n : 1n;
  const n = numerator * sign;
  const d = denominator * sign;
  const error = n - quotient * d;
  switch (rule) {
    case 'floor':
      return error >= 0n && error < d;
    case 'ceiling':
      return error <= 0n && error > -d;
    case 'half-up': {
      const twice = 2n * error;
      const tie = twice === d || twice === -d;
      const awayFromZero = n < 0n ? twice > 0n : twice < 0n;
      return tie ? awayFromZero : twice > -d && twice < d;
    }
  }
}

describe(`exact arithmetic, SEED=${seed}`, () => {
  it('divides by the rule that is named', () => {
    fc.assert(
      fc.property(wide, wide, rounding, (numerator, denominator, rule) => {
        fc.pre(denominator !== 0n);
        return obeys(divide(numerator, denominator, rule), numerator, denominator, rule);
      }),
      options,
    );
  });

  it('divides small numbers by the rule, where ties are frequent', () => {
    for (let numerator = -24n; numerator <= 24n; numerator++) {
      for (let denominator = -8n; denominator <= 8n; denominator++) {
        if (denominator === 0n) continue;
        for (const rule of ['floor', 'ceiling', 'half-up'] as const) {
          const quotient = divide(numerator, denominator, rule);
          expect(obeys(quotient, numerator, denominator, rule)).toBe(true);
        }
      }
    }
  });

  it('refuses to divide by zero', () => {
    expect(() => divide(1n, 0n, 'floor')).toThrow(RangeError);
    expect(() => mulDivNumbers(1, 1, 0, 'floor')).toThrow(RangeError);
  });

  it('multiplies and divides with one rounding, or tells that the result is too large', () => {
    fc.assert(
      fc.property(units, units, units, rounding, (a, b, divisor, rule) => {
        fc.pre(divisor !== 0n);
        const exact = divide(a * b, divisor, rule);
        if (exact > MAX_UNITS || exact < -MAX_UNITS) {
          expect(() => mulDiv(a, b, divisor, rule)).toThrow(AmountOverflowError);
        } else {
          expect(mulDiv(a, b, divisor, rule)).toBe(exact);
        }
      }),
      options,
    );
  });

  it('gives the same for numbers as for bigints', () => {
    const small = fc.integer({ min: -20, max: 20 });
    const number = fc.oneof(fc.maxSafeInteger(), small, fc.integer());
    const positive = fc.oneof(fc.integer({ min: 1 }), fc.constantFrom(1, 2, 3, 10, 1e15));
    fc.assert(
      fc.property(number, number, positive, rounding, (a, b, divisor, rule) => {
        const exact = divide(BigInt(a) * BigInt(b), BigInt(divisor), rule);
        if (exact > MAX_UNITS || exact < -MAX_UNITS) {
          expect(() => mulDivNumbers(a, b, divisor, rule)).toThrow(AmountOverflowError);
        } else {
          expect(mulDivNumbers(a, b, divisor, rule)).toBe(exact);
        }
      }),
      options,
    );
  });

  it('adds and subtracts up to the bound and not beyond', () => {
    expect(addUnits(MAX_UNITS - 1n, 1n)).toBe(MAX_UNITS);
    expect(subtractUnits(1n - MAX_UNITS, 1n)).toBe(-MAX_UNITS);
    expect(() => addUnits(MAX_UNITS, 1n)).toThrow(AmountOverflowError);
    expect(() => subtractUnits(-MAX_UNITS, 1n)).toThrow(AmountOverflowError);
    expect(() => checkUnits(MAX_UNITS + 1n, 'a test')).toThrow('a test is beyond');
  });

  it('knows the powers of ten, tabled or not', () => {
    for (const n of [0, 1, 15, 18, 64, 65, 500]) expect(powerOfTen(n)).toBe(10n ** BigInt(n));
    for (let n = 0; n <= 15; n++) expect(powerOfTenNumber(n)).toBe(10 ** n);
    expect(() => powerOfTenNumber(16)).toThrow(RangeError);
    expect(() => powerOfTenNumber(-1)).toThrow(RangeError);
  });
});
