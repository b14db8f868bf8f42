import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type FundingTerms,
  fundingAmounts,
  fundingRate,
  lastFundingAt,
  nextFundingAt,
  premiumOf,
} from '../../../core/clearing/margin/funding.ts';
import { seed } from '../../support/seed.ts';

fc.configureGlobal({ seed });

const PAR = { numerator: 1n, denominator: 1n };
/** Prices of 10^-2, steps of 10^-2 lots of 1, a quote asset of 10^-6. */
const SCALE = { numerator: 100n, denominator: 1n };
const eightHours = { startTime: '00:00:00', intervalHours: 8, cap: 1_000_000 };

describe('the premium', () => {
  const cases: readonly (readonly [string, bigint, bigint, bigint, number])[] = [
    ['a book around the index has none', 59_990n, 60_010n, 60_000n, 0],
    ['a bid above the index', 60_060n, 60_070n, 60_000n, 100_000],
    ['an ask below the index', 59_900n, 59_940n, 60_000n, -100_000],
    ['no book has none', 0n, 0n, 60_000n, 0],
    ['only a bid, above', 60_003n, 0n, 60_000n, 5_000],
    ['only a bid, below', 59_000n, 0n, 60_000n, 0],
    ['a third of 10^-8 is nothing', 300_000_001n, 300_000_002n, 300_000_000n, 0],
    ['two thirds of 10^-8 are one', 300_000_002n, 300_000_003n, 300_000_000n, 1],
    ['and one below', 299_999_997n, 299_999_998n, 300_000_000n, -1],
  ];
  it.each(cases)('%s', (_, bid, ask, index, expected) => {
    expect(premiumOf(bid, ask, index)).toBe(expected);
  });
});

describe('the funding rate', () => {
  const cases: readonly (readonly [string, number, number, number, number, number])[] = [
    // sum, count, hours, cap, expected; all rates in 10^-8
    ['no premium pays the interest of 0.01 % in 8 hours', 0, 10, 8, 1_000_000, 10_000],
    ['and half of it in 4', 0, 10, 4, 1_000_000, 5_000],
    ['and an eighth in 1', 0, 10, 1, 1_000_000, 1_250],
    ['and three times in 24', 0, 10, 24, 1_000_000, 30_000],
    ['a premium near the interest is pulled to it', 300_000, 10, 8, 1_000_000, 10_000],
    ['a premium of 0.06 % is pulled all the way', 600_000, 10, 8, 1_000_000, 10_000],
    ['a premium of 0.1 % is pulled by 0.05 %', 1_000_000, 10, 8, 1_000_000, 50_000],
    ['a discount of 0.1 % is pulled by 0.05 %', -1_000_000, 10, 8, 1_000_000, -50_000],
    ['a premium of 5 % meets the cap', 50_000_000, 10, 8, 300_000, 300_000],
    ['a discount of 5 % meets the cap', -50_000_000, 10, 8, 300_000, -300_000],
    ['the average is rounded', 200_001, 2, 8, 1_000_000, 50_001],
    ['what nobody sampled costs nothing', 0, 0, 8, 1_000_000, 0],
  ];
  it.each(cases)('%s', (_, sum, count, intervalHours, cap, expected) => {
    expect(fundingRate(sum, count, { startTime: '00:00:00', intervalHours, cap })).toBe(expected);
  });
});

describe('the schedule of funding', () => {
  const at = (time: string) => Date.parse(`2026-03-02T${time}Z`);
  const cases: readonly (readonly [string, string, number, string, string, string])[] = [
    ['midnight', '00:00:00', 8, '12:00:00', '2026-03-02T08:00:00Z', '2026-03-02T16:00:00Z'],
    ['exactly then', '00:00:00', 8, '16:00:00', '2026-03-02T16:00:00Z', '2026-03-03T00:00:00Z'],
    ['before the start', '04:30:00', 8, '01:00:00', '2026-03-01T20:30:00Z', '2026-03-02T04:30:00Z'],
    [
      'a start in the evening',
      '20:00:00',
      6,
      '07:59:59',
      '2026-03-02T02:00:00Z',
      '2026-03-02T08:00:00Z',
    ],
    ['once a day', '12:34:56', 24, '12:34:55', '2026-03-01T12:34:56Z', '2026-03-02T12:34:56Z'],
  ];
  it.each(cases)('%s', (_, startTime, intervalHours, now, last, next) => {
    const settings = { startTime, intervalHours, cap: 0 };
    expect(lastFundingAt(settings, at(now))).toBe(Date.parse(last));
    expect(nextFundingAt(settings, at(now))).toBe(Date.parse(next));
  });

  it('every time is its own last one', () => {
    const times = fc.integer({ min: 0, max: 4_000_000_000_000 });
    fc.assert(
      fc.property(times, fc.constantFrom(1, 2, 3, 4, 6, 8, 12, 24), (now, intervalHours) => {
        const settings = { ...eightHours, startTime: '01:02:03', intervalHours };
        const last = lastFundingAt(settings, now);
        expect(last).toBeLessThanOrEqual(now);
        expect(nextFundingAt(settings, now)).toBeGreaterThan(now);
        expect(lastFundingAt(settings, last)).toBe(last);
      }),
    );
  });
});

describe('payments of funding', () => {
  const terms = (more: Partial<FundingTerms>): FundingTerms => ({
    fundingRate: 10_000,
    markPrice: 6_000_000,
    scale: SCALE,
    rate: PAR,
    ...more,
  });
  const pay = (quantities: readonly number[], more: Partial<FundingTerms> = {}): bigint[] => [
    ...fundingAmounts(Float64Array.from(quantities), terms(more)),
  ];

  it('a long of 1 pays 0.01 % of 60000 to a short of 1', () => {
    expect(pay([100, -100])).toEqual([-6_000_000n, 6_000_000n]);
  });

  it('a negative rate pays the other way', () => {
    expect(pay([100, -100], { fundingRate: -10_000 })).toEqual([6_000_000n, -6_000_000n]);
  });

  it('at a rate of 0.92 root for one quote, in a root of two decimals', () => {
    // 6 quote are 5.52 root; the quote has 6 decimals, the root 2.
    const rate = { numerator: 92n, denominator: 1_000_000n };
    expect(pay([100, -100], { rate })).toEqual([-552n, 552n]);
  });

  it('thirds are rounded over the running sum', () => {
    // A step is worth 1/3 unit: -1/3, -2/3, -1, then back up.
    const scale = { numerator: 1n, denominator: 3n };
    const third = { fundingRate: 100_000_000, markPrice: 1, scale };
    expect(pay([1, 1, 1, -1, -1, -1], third)).toEqual([-1n, 0n, 0n, 0n, 0n, 1n]);
  });

  it('sums to nothing where longs equal shorts, and is never a unit off what is exact', () => {
    const quantity = fc.integer({ min: 1, max: 1_000_000_000 });
    fc.assert(
      fc.property(
        fc.array(quantity, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: -1_000_000, max: 1_000_000 }),
        fc.integer({ min: 1, max: 100_000_000 }),
        (longs, rate, mark) => {
          const shorts = longs.map((long) => -long).reverse();
          const scale = { numerator: 1n, denominator: 1_000n };
          const quantities = [...longs, ...shorts];
          const amounts = pay(quantities, { fundingRate: rate, markPrice: mark, scale });
          expect(amounts.reduce((sum, amount) => sum + amount, 0n)).toBe(0n);
          amounts.forEach((amount, position) => {
            const exact = -BigInt(quantities[position]!) * BigInt(rate) * BigInt(mark);
            const off = amount * 100_000_000n * 1_000n - exact;
            expect(off < 100_000_000_000n && off > -100_000_000_000n).toBe(true);
          });
        },
      ),
    );
  });
});
