import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BasisAverage, FINE, markPrice } from '../../core/clearing/margin/mark-price.ts';
import * as naive from '../model/margin/payments.ts';
import { halfUp, over, plus, rational } from '../model/margin/rational.ts';
import { seed } from '../support/seed.ts';

const HOUR = 3_600_000;
const fine = (ticks: number): bigint => BigInt(ticks) * FINE;

interface Inputs {
  readonly index: number;
  readonly lastFundingRate: number;
  readonly timeToFunding: number;
  /** Ticks, the oldest first. */
  readonly basis: readonly number[];
  /** 0 for none. */
  readonly last: number;
}

function coreMark({ index, lastFundingRate, timeToFunding, basis, last }: Inputs): number {
  const average = new BasisAverage();
  for (const sample of basis) average.sample(fine(sample));
  return markPrice({
    index: fine(index),
    lastFundingRate,
    timeToFunding,
    interval: 8 * HOUR,
    basisAverage: average.value,
    last: last === 0 ? undefined : fine(last),
  });
}

function naiveMark(inputs: Inputs): number {
  const { basis, last, ...rest } = inputs;
  const recent = basis.slice(-30);
  return Number(naive.markPrice({ ...rest, interval: 8 * HOUR, basis: recent, contract: last }));
}

describe('the mark price', () => {
  const index = 600_000;
  const base = { index, lastFundingRate: 10_000, timeToFunding: 4 * HOUR, basis: [100], last: 0 };
  // Price 1 is 600000 × (1 + 0.0001 × 4/8) = 600030, price 2 is 600000 + 100 = 600100.
  const TABLE: readonly (readonly [string, Inputs, number])[] = [
    ['is the last trade between the two', { ...base, last: 600_050 }, 600_050],
    ['is price 1 where the last trade is below', { ...base, last: 600_000 }, 600_030],
    ['is price 2 where the last trade is above', { ...base, last: 700_000 }, 600_100],
    // (600030 + 600100) / 2 = 600065
    ['is the middle of the two without a trade', base, 600_065],
    // (600030 + 600051) / 2 = 600040.5
    ['rounds half a tick up', { ...base, basis: [], last: 600_051 }, 600_041],
    ['is price 1 where there is nothing else', { ...base, basis: [] }, 600_030],
    // -0.0002 × 1 = -120 ticks
    [
      'is lower while shorts pay',
      { ...base, lastFundingRate: -20_000, timeToFunding: 8 * HOUR, basis: [] },
      599_880,
    ],
    // 31 samples: the first does not count any more; 29 of 0 and one of 300 make 10
    [
      'has the basis of the last 30 seconds only',
      {
        ...base,
        timeToFunding: 0,
        basis: [90_000, ...Array<number>(29).fill(0), 300],
        last: 700_000,
      },
      600_010,
    ],
  ];
  it.each(TABLE)('%s', (_, inputs, expected) => {
    expect(coreMark(inputs)).toBe(expected);
    expect(naiveMark(inputs)).toBe(expected);
  });

  it('is what exact fractions give, but for a tick where those lie on the edge of one', () => {
    const inputs = fc.record({
      index: fc.integer({ min: 1_000, max: 10_000_000 }),
      lastFundingRate: fc.integer({ min: -1_000_000, max: 1_000_000 }),
      timeToFunding: fc.integer({ min: 0, max: 8 * HOUR }),
      basis: fc.array(fc.integer({ min: -500, max: 500 }), { maxLength: 40 }),
      last: fc.integer({ min: 0, max: 10_000_000 }),
    });
    fc.assert(
      fc.property(inputs, (each) => {
        expect(Math.abs(coreMark(each) - naiveMark(each))).toBeLessThanOrEqual(
          onTheEdge(each) ? 1 : 0,
        );
      }),
      { seed, numRuns: 500 },
    );
  });
});

/** Within 10^-5 of a tick of where rounding turns: prices inside have 6 decimals of a tick. */
function onTheEdge(inputs: Inputs): boolean {
  const shifted = [-1n, 1n].map((sign) => {
    const shift = rational(sign, 100_000n);
    const { basis, last, index, ...rest } = inputs;
    const nudged = { ...rest, index: plus(index, shift), basis: basis.slice(-30) };
    return naive.markPrice({ ...nudged, interval: 8 * HOUR, contract: last });
  });
  return shifted[0] !== shifted[1];
}

it('averages what it has of a basis', () => {
  const average = new BasisAverage();
  expect(average.value).toBeUndefined();
  const samples = [3, -4, 9];
  for (const sample of samples) average.sample(BigInt(sample));
  // 8 / 3
  expect(average.value).toBe(3n);
  expect(halfUp(over(plus(...samples), samples.length))).toBe(3n);
});
