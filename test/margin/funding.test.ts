import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { notionalScale } from '../../core/clearing/charges.ts';
import {
  fundingAmounts,
  fundingRate,
  lastFundingAt,
  nextFundingAt,
  premiumOf,
} from '../../core/clearing/margin/funding.ts';
import { MAX_UNITS } from '../../core/fixed-point/index.ts';
import { Side } from '../../core/messages/enums.ts';
import * as naive from '../model/margin/payments.ts';
import type { MarketTerms } from '../model/margin/terms.ts';
import { seed } from '../support/seed.ts';

/** BTC/USDT: ticks of 0.1, steps of 0.001 BTC, root and quote USDT with 6 decimals. */
const PERP: MarketTerms = {
  priceScale: 1,
  amountScale: 3,
  lotSize: 1,
  quoteScale: 6,
  rootScale: 6,
};
const PAR = 10n ** 12n;

function coreAmounts(
  terms: MarketTerms,
  signed: readonly number[],
  markPrice: number,
  rate8: number,
  rate: bigint,
): bigint[] {
  const { priceScale, amountScale, lotSize, quoteScale, rootScale } = terms;
  const plain = notionalScale(priceScale, amountScale, quoteScale);
  const scale = { ...plain, numerator: plain.numerator * BigInt(lotSize) };
  const shift = 10n ** BigInt(Math.abs(rootScale - quoteScale));
  const exactRate =
    rootScale >= quoteScale
      ? { numerator: rate * shift, denominator: PAR }
      : { numerator: rate, denominator: PAR * shift };
  const figures = { fundingRate: rate8, markPrice, scale, rate: exactRate };
  return [...fundingAmounts(Float64Array.from(signed), figures)];
}

function naiveAmounts(
  terms: MarketTerms,
  signed: readonly number[],
  markPrice: number,
  rate8: number,
  rate: bigint,
): bigint[] {
  const holdings = signed.map((quantity) => ({
    side: quantity > 0 ? Side.Buy : Side.Sell,
    quantity: BigInt(Math.abs(quantity)),
  }));
  return naive.fundingPayments(terms, holdings, markPrice, rate8, rate);
}

describe('what a funding settlement pays', () => {
  // Signed steps, mark in ticks, rate in 10^-8, root for quote in 10^-12; amounts in 10^-6 USDT.
  const TABLE: readonly (readonly [string, number[], number, number, bigint, bigint[]])[] = [
    // 1 BTC × 60000.0 × 0.0001 = 6 USDT
    [
      'the long pays at a positive rate',
      [1_000, -1_000],
      600_000,
      10_000,
      PAR,
      [-6_000_000n, 6_000_000n],
    ],
    // 2.5 BTC × 60000.0 × 0.00025 = 37.5 USDT
    [
      'the short pays at a negative rate',
      [2_500, -2_500],
      600_000,
      -25_000,
      PAR,
      [37_500_000n, -37_500_000n],
    ],
    // 2 BTC × 60000.0 × 0.0001 × 0.95 = 11.4
    [
      'at the rate to the root asset',
      [2_000, -2_000],
      600_000,
      10_000,
      950_000_000_000n,
      [-11_400_000n, 11_400_000n],
    ],
    // A step at 0.1 is 100 units, 0.01 of a unit at 0.0001: running sums -0.01, -0.02, 0 round down to -1, -1, 0
    ['rounded as a running sum', [1, 1, -2], 1, 10_000, PAR, [-1n, 0n, 1n]],
    // Running sums 0.01, -0.01, 0 round down to 0, -1, 0
    ['whatever the order of the positions', [-1, 2, -1], 1, 10_000, PAR, [0n, -1n, 1n]],
    ['nothing at a rate of 0', [5, -5], 600_000, 0, PAR, [0n, 0n]],
    ['nothing without positions', [], 600_000, 10_000, PAR, []],
  ];
  it.each(TABLE)('%s', (_, signed, mark, rate8, rate, expected) => {
    expect(coreAmounts(PERP, signed, mark, rate8, rate)).toEqual(expected);
    expect(naiveAmounts(PERP, signed, mark, rate8, rate)).toEqual(expected);
  });

  it('sums to zero to the last unit, and is what exact fractions give', () => {
    const terms = fc.record({
      priceScale: fc.integer({ min: 0, max: 8 }),
      amountScale: fc.integer({ min: 0, max: 5 }),
      lotSize: fc.constantFrom(1, 10, 100_000),
      quoteScale: fc.integer({ min: 0, max: 8 }),
      rootScale: fc.integer({ min: 0, max: 8 }),
    });
    const signed = fc
      .array(fc.integer({ min: -1_000_000, max: 1_000_000 }).filter((value) => value !== 0))
      .map((values) => {
        const sum = values.reduce((total, value) => total + value, 0);
        return sum === 0 ? values : [...values, -sum];
      });
    const price = fc.integer({ min: 1, max: 10_000_000 });
    const rate8 = fc.integer({ min: -10_000_000, max: 10_000_000 });
    const rate = fc.bigInt({ min: 1n, max: 10n ** 14n });
    fc.assert(
      fc.property(terms, signed, price, rate8, rate, (...given) => {
        const due = naiveAmounts(...given);
        fc.pre(due.every((amount) => amount < MAX_UNITS && amount > -MAX_UNITS));
        const amounts = coreAmounts(...given);
        expect(amounts).toEqual(due);
        expect(amounts.reduce((sum, amount) => sum + amount, 0n)).toBe(0n);
      }),
      { seed, numRuns: 500 },
    );
  });
});

describe('the funding rate of an interval', () => {
  const CAP = 750_000;
  // Average premium, hours, rate: [P + clamp(0.0001 - P, ±0.0005)] × hours / 8, all in 10^-8.
  const TABLE: readonly (readonly [string, number, number, number])[] = [
    ['is the interest where the book stands on the index', 0, 8, 10_000],
    ['is the interest while the premium is within 0.05 % of it', 30_000, 8, 10_000],
    ['follows a premium beyond that: 100000 - 50000', 100_000, 8, 50_000],
    ['follows a discount: -100000 + 50000', -100_000, 8, -50_000],
    ['ends at the cap: 2000000 - 50000', 2_000_000, 8, 750_000],
    ['ends at the cap on the other side', -2_000_000, 8, -750_000],
    ['is half of it in 4 hours', 100_000, 4, 25_000],
    ['is an eighth of it in an hour', 0, 1, 1_250],
    ['is three eighths of it in 3 hours', 0, 3, 3_750],
    ['is three times that in a day', 100_000, 24, 150_000],
    ['rounds 50001 / 8 = 6250.125 down', 100_001, 1, 6_250],
    ['rounds 50004 / 8 = 6250.5 up', 100_004, 1, 6_251],
    ['rounds -50004 / 8 = -6250.5 away from zero', -100_004, 1, -6_251],
  ];
  it.each(TABLE)('%s', (_, average, intervalHours, expected) => {
    const settings = { startTime: '00:00:00', intervalHours, cap: CAP };
    expect(fundingRate(average, 1, settings)).toBe(expected);
    expect(Number(naive.fundingRate(average, intervalHours, CAP))).toBe(expected);
  });

  it('is what exact fractions give of any premiums', () => {
    const premiums = fc.array(fc.integer({ min: -3_000_000, max: 3_000_000 }), { minLength: 1 });
    const hours = fc.constantFrom(1, 2, 3, 4, 6, 8, 12, 24);
    fc.assert(
      fc.property(premiums, hours, fc.integer({ min: 1, max: 10_000_000 }), (list, each, cap) => {
        const sum = list.reduce((total, value) => total + value, 0);
        const settings = { startTime: '00:00:00', intervalHours: each, cap };
        const average = naive.averageOf(list);
        expect(fundingRate(sum, list.length, settings)).toBe(
          Number(naive.fundingRate(average, each, cap)),
        );
      }),
      { seed, numRuns: 500 },
    );
  });
});

describe('the premium of a book over its index', () => {
  const TABLE: readonly (readonly [string, number, number, number, number])[] = [
    // 10 / 60000 = 0.000166666…
    ['is positive where the bid is above', 60_010, 60_020, 60_000, 16_667],
    ['is negative where the ask is below', 59_980, 59_990, 60_000, -16_667],
    ['is none where the index is between', 59_990, 60_010, 60_000, 0],
    ['is none where the book is empty', 0, 0, 60_000, 0],
    ['needs no ask', 60_010, 0, 60_000, 16_667],
    ['needs no bid', 0, 59_990, 60_000, -16_667],
  ];
  it.each(TABLE)('%s', (_, bid, ask, index, expected) => {
    expect(premiumOf(BigInt(bid), BigInt(ask), BigInt(index))).toBe(expected);
    expect(Number(naive.premium(bid, ask, index))).toBe(expected);
  });
});

describe('settlement times', () => {
  const at = (text: string): number => Date.parse(`2026-${text}Z`);
  // startTime, hours, now, the last one due, the next one
  const TABLE: readonly (readonly [string, number, string, string, string])[] = [
    ['00:00:00', 8, '03-02T12:00:00', '03-02T08:00:00', '03-02T16:00:00'],
    ['00:00:00', 8, '03-02T16:00:00', '03-02T16:00:00', '03-03T00:00:00'],
    ['00:00:00', 8, '03-02T15:59:59', '03-02T08:00:00', '03-02T16:00:00'],
    ['02:30:00', 4, '03-02T01:00:00', '03-01T22:30:00', '03-02T02:30:00'],
    ['05:00:15', 24, '03-01T05:00:14', '02-28T05:00:15', '03-01T05:00:15'],
    // Europe's clocks change at 01:00 UTC on 29 March: settlements do not.
    ['00:00:00', 1, '03-29T01:30:00', '03-29T01:00:00', '03-29T02:00:00'],
  ];
  it.each(TABLE)(
    'from %s every %i hours at %s: %s, then %s',
    (startTime, intervalHours, ...when) => {
      const [now, last, next] = when.map(at) as [number, number, number];
      const settings = { startTime, intervalHours, cap: 0 };
      expect(lastFundingAt(settings, now)).toBe(last);
      expect(nextFundingAt(settings, now)).toBe(next);
    },
  );
});
