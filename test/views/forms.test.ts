import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { averagePrice, fillFactor } from '../../core/messages/order-figures.ts';
import { addProduct } from '../../persistence/views/exact-sum.ts';
import { seedOf } from '../persistence/support/random.ts';
import { decimal } from './support/naive.ts';

const seed = seedOf('views forms');
const safe = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

describe('an average price', () => {
  test.each([
    [0n, 0, 2, '0'],
    [250_000n, 100, 2, '25'],
    [250_001n, 100, 2, '25.0001'],
    [100n, 3, 2, '0.33333333'],
    [200n, 3, 2, '0.66666667'],
    // Exactly half of the last digit is rounded up.
    [1n, 2 ** 7, 0, '0.007813'],
  ])('of %i ticks × steps over %i steps at scale %i is %s', (notional, filled, scale, expected) => {
    expect(averagePrice(notional, filled, scale)).toBe(expected);
  });

  test('is the exact quotient rounded once, however large', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 2n ** 63n), safe, fc.nat(8), (notional, filled, scale) => {
        const denominator = BigInt(filled) * 10n ** BigInt(scale);
        expect(averagePrice(notional, filled, scale)).toBe(
          decimal(notional, denominator, scale + 6, true),
        );
      }),
      { seed },
    );
  });
});

describe('a fill factor', () => {
  test.each([
    [0, 7, '0'],
    [7, 7, '1'],
    [1, 2, '0.5'],
    [1, 3, '0.33333333'],
    [2, 3, '0.66666666'],
    [Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER, '0.99999999'],
    [1, Number.MAX_SAFE_INTEGER, '0'],
  ])('of %i in %i is %s', (filled, requested, expected) => {
    expect(fillFactor(filled, requested)).toBe(expected);
  });
});

describe('a sum of products', () => {
  test('is exact beyond the safe integers', () => {
    const products = fc.array(fc.tuple(safe, safe), { maxLength: 8 });
    const small = fc.array(fc.tuple(fc.nat(2 ** 30), fc.nat(2 ** 24)), { maxLength: 8 });
    fc.assert(
      fc.property(fc.oneof(products, small), (pairs) => {
        const sum = pairs.reduce<number | bigint>((total, [a, b]) => addProduct(total, a, b), 0);
        const expected = pairs.reduce((total, [a, b]) => total + BigInt(a) * BigInt(b), 0n);
        expect(BigInt(sum)).toBe(expected);
      }),
      { seed },
    );
  });
});
