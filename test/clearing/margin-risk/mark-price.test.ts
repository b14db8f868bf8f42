import { describe, expect, it } from 'vitest';
import {
  BasisAverage,
  FINE,
  type MarkInputs,
  markPrice,
} from '../../../core/clearing/margin/mark-price.ts';

const NOTHING: MarkInputs = {
  index: undefined,
  lastFundingRate: 0,
  timeToFunding: 4,
  interval: 8,
  basisAverage: undefined,
  last: undefined,
};
const ticks = (price: number): bigint => BigInt(Math.round(price * 100)) * (FINE / 100n);

describe('the mark price', () => {
  const cases: readonly (readonly [string, Partial<MarkInputs>, number])[] = [
    ['nothing is no price', {}, 0],
    ['the last trade alone', { last: ticks(6_000) }, 6_000],
    ['the index alone', { index: ticks(6_000) }, 6_000],
    // 0.1 % for half of the interval: 6000 × 1.0005 = 6003.
    [
      'the index with half of its funding to come',
      { index: ticks(6_000), lastFundingRate: 100_000 },
      6_003,
    ],
    ['the middle of two', { index: ticks(6_000), last: ticks(6_005) }, 6_003],
    ['the middle of two, half up', { index: ticks(6_000), last: ticks(6_001) }, 6_001],
    [
      'the median: index with funding',
      {
        index: ticks(6_000),
        lastFundingRate: 100_000,
        basisAverage: ticks(10),
        last: ticks(5_990),
      },
      6_003,
    ],
    [
      'the median: index with basis',
      { index: ticks(6_000), lastFundingRate: 100_000, basisAverage: ticks(2), last: ticks(5_990) },
      6_002,
    ],
    [
      'the median: last trade',
      {
        index: ticks(6_000),
        lastFundingRate: 100_000,
        basisAverage: ticks(10),
        last: ticks(6_007),
      },
      6_007,
    ],
    [
      'a spike of the last trade does not move it',
      { index: ticks(6_000), basisAverage: ticks(1), last: ticks(9_000) },
      6_001,
    ],
    ['half a tick is rounded up', { index: ticks(6_000.5) }, 6_001],
    ['less is rounded down', { index: ticks(6_000.49) }, 6_000],
  ];
  it.each(cases)('%s', (_, more, expected) => {
    expect(markPrice({ ...NOTHING, ...more })).toBe(expected);
  });
});

describe('the average of the basis', () => {
  it('is that of the last 30 samples', () => {
    const average = new BasisAverage();
    expect(average.value).toBeUndefined();
    for (let sample = 1; sample <= 10; sample++) average.sample(BigInt(sample));
    // (1 + … + 10) / 10 = 5.5
    expect(average.value).toBe(6n);
    for (let sample = 11; sample <= 40; sample++) average.sample(BigInt(sample));
    // 11 to 40
    expect(average.value).toBe(26n);
    for (let sample = 0; sample < 30; sample++) average.sample(-7n);
    expect(average.value).toBe(-7n);
  });
});
