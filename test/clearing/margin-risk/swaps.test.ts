import { describe, expect, it } from 'vitest';
import { type SwapTerms, swapAmount } from '../../../core/clearing/margin/swaps.ts';

/** EUR/USD: prices of 10^-5, steps of 0.01 lots of 100000, a quote asset of 2 decimals. */
const FOREX: SwapTerms = {
  type: 'Points',
  size: 0,
  nights: 1,
  doubledPrice: 2 * 108_500,
  // Tick × step = 10^-5 × 0.01 × 100000 = 0.01 quote: one unit.
  scale: { numerator: 1n, denominator: 1n },
  lotScale: 2,
  rate: { numerator: 1n, denominator: 1n },
};

describe('what a position gets at the end of a day', () => {
  const cases: readonly (readonly [string, number, Partial<SwapTerms>, bigint])[] = [
    // 1 lot, 0.65 ticks a night: 0.65 × 10^-5 × 100000 = 0.65.
    ['points', 100, { size: 65_000_000 }, -65n],
    ['points, three nights', 100, { size: 65_000_000, nights: 3 }, -195n],
    ['points, a rebate', 100, { size: -65_000_000 }, 65n],
    ['points, a charge of 0.0065 is rounded up to 0.01', 1, { size: 65_000_000 }, -1n],
    ['points, a rebate of 0.0065 is rounded down to nothing', 1, { size: -65_000_000 }, 0n],
    ['no night, no charge', 100, { size: 65_000_000, nights: 0 }, 0n],
    // 1 lot at 1.085 is 108500; 0.007 % of it is 7.595.
    ['percent', 100, { type: 'Percent', size: 7_000 }, -760n],
    [
      'percent, three nights are rounded once',
      100,
      { type: 'Percent', size: 7_000, nights: 3 },
      -2_279n,
    ],
    ['percent, a rebate', 100, { type: 'Percent', size: -7_000 }, 759n],
    [
      'percent, at a middle between ticks',
      100,
      { type: 'Percent', size: 100_000_000, doubledPrice: 217_001 },
      -10_850_050n,
    ],
    // 2.50 a lot, of 0.37 lots: 0.925.
    [
      'fixed for a lot',
      37,
      { type: 'FixPerLot', size: 250_000_000, rate: { numerator: 100n, denominator: 1n } },
      -93n,
    ],
    [
      'fixed, a rebate',
      37,
      { type: 'FixPerLot', size: -250_000_000, rate: { numerator: 100n, denominator: 1n } },
      92n,
    ],
    // The size counts an asset that is worth 1.25 root.
    [
      'fixed, in another asset',
      200,
      { type: 'FixPerLot', size: 100_000_000, rate: { numerator: 125n, denominator: 1n } },
      -250n,
    ],
    // Quote to root at 0.8.
    [
      'points, converted',
      100,
      { size: 65_000_000, rate: { numerator: 8n, denominator: 10n } },
      -52n,
    ],
  ];
  it.each(cases)('%s', (_, quantity, more, expected) => {
    expect(swapAmount(quantity, { ...FOREX, ...more })).toBe(expected);
  });
});
