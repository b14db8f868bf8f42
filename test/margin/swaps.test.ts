import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { notionalScale } from '../../core/clearing/charges.ts';
import { swapAmount } from '../../core/clearing/margin/swaps.ts';
import { nextMidnight, TradingSessions } from '../../core/market/sessions.ts';
import type { Calendar, TimeInterval } from '../../core/messages/configuration.ts';
import { Side, SWAP_TYPES, type SwapTypeName } from '../../core/messages/enums.ts';
import { rational } from '../model/margin/rational.ts';
import * as naive from '../model/margin/swaps.ts';
import type { MarketTerms } from '../model/margin/terms.ts';
import { seed } from '../support/seed.ts';

/** EUR/USD: ticks of 0.00001, steps of 0.01 lots of 100,000; USD has 2 decimals and is the root. */
const FOREX: MarketTerms = {
  priceScale: 5,
  amountScale: 2,
  lotSize: 100_000,
  quoteScale: 2,
  rootScale: 2,
};
const PAR = 10n ** 12n;

interface Night {
  readonly terms: MarketTerms;
  readonly type: SwapTypeName;
  readonly size: number;
  readonly quantity: number;
  readonly nights: number;
  /** Ticks, twice. */
  readonly doubledPrice: number;
  /** Root for the quote asset or, of FixPerLot, for the asset of its size: 10^-12. */
  readonly rate: bigint;
}

function coreSwap({ terms, type, size, quantity, nights, doubledPrice, rate }: Night): bigint {
  const { priceScale, amountScale, lotSize, quoteScale, rootScale } = terms;
  const plain = notionalScale(priceScale, amountScale, quoteScale);
  const fromScale = type === 'FixPerLot' ? 0 : quoteScale;
  const shift = 10n ** BigInt(Math.abs(rootScale - fromScale));
  return swapAmount(quantity, {
    type,
    size,
    nights,
    doubledPrice,
    scale: { ...plain, numerator: plain.numerator * BigInt(lotSize) },
    lotScale: amountScale,
    rate:
      rootScale >= fromScale
        ? { numerator: rate * shift, denominator: PAR }
        : { numerator: rate, denominator: PAR * shift },
  });
}

function naiveSwap({ terms, type, size, quantity, nights, doubledPrice, rate }: Night): bigint {
  const side = { size, assetId: null };
  const position = { side: Side.Buy, quantity: BigInt(quantity) };
  const close = rational(BigInt(doubledPrice), 2n);
  const prices = { close, rate, sizeRate: rate };
  const cost = naive.swapCost(terms, { type, long: side, short: side }, position, nights, prices);
  return naive.swapAmount(cost);
}

describe('what the end of a day pays', () => {
  const lot = { terms: FOREX, quantity: 100, nights: 1, doubledPrice: 220_000, rate: PAR };
  const percent = { ...lot, type: 'Percent' as const };
  const points = { ...lot, type: 'Points' as const };
  const fixed = { ...lot, type: 'FixPerLot' as const };
  // 1 lot at 1.10000 is 110,000 USD, a tick of it 1 USD. Amounts in cents, negative for a charge.
  const TABLE: readonly (readonly [string, Night, bigint])[] = [
    // 110000 × 0.00005 = 5.50
    ['Percent charges a share of the notional', { ...percent, size: 5_000 }, -550n],
    ['three times before a weekend', { ...percent, size: 5_000, nights: 3 }, -1_650n],
    ['not at all on a closed day', { ...percent, size: 5_000, nights: 0 }, 0n],
    // 110000 × -0.00002 = -2.20
    ['Percent below zero is a rebate', { ...percent, size: -2_000 }, 220n],
    // 1100 × 0.00005 = 0.055: 5.5 cents
    ['a charge is rounded up', { ...percent, size: 5_000, quantity: 1 }, -6n],
    ['a rebate is rounded down', { ...percent, size: -5_000, quantity: 1 }, 5n],
    // 1.100005 × 100000 × 0.0001 = 11.00005
    [
      'the middle of two prices is exact',
      { ...percent, size: 10_000, doubledPrice: 220_001 },
      -1_101n,
    ],
    // 6.5 ticks of 1 USD
    ['Points charge ticks', { ...points, size: 650_000_000 }, -650n],
    ['three nights of ticks', { ...points, size: 650_000_000, nights: 3 }, -1_950n],
    // 6.5 × 1.08
    [
      'at the rate of the quote asset',
      { ...points, size: 650_000_000, rate: 1_080_000_000_000n },
      -702n,
    ],
    ['Points below zero are a rebate', { ...points, size: -325_000_000 }, 325n],
    // 7 × 0.5 lots
    ['FixPerLot charges by the lot', { ...fixed, size: 700_000_000, quantity: 50 }, -350n],
    // 7 × 0.5 × 0.9 × 2
    [
      'in an asset of its own, by its rate',
      { ...fixed, size: 700_000_000, quantity: 50, rate: 900_000_000_000n, nights: 2 },
      -630n,
    ],
    // 0.01 lots × 0.10 = 0.1 cents
    ['a part of a cent is a cent', { ...fixed, size: 10_000_000, quantity: 1 }, -1n],
  ];
  it.each(TABLE)('%s', (_, night, expected) => {
    expect(coreSwap(night)).toBe(expected);
    expect(naiveSwap(night)).toBe(expected);
  });

  it('is what exact fractions give', () => {
    const night = fc.record({
      terms: fc.record({
        priceScale: fc.integer({ min: 0, max: 8 }),
        amountScale: fc.integer({ min: 0, max: 5 }),
        lotSize: fc.constantFrom(1, 10, 100_000),
        quoteScale: fc.integer({ min: 0, max: 8 }),
        rootScale: fc.integer({ min: 0, max: 8 }),
      }),
      type: fc.constantFrom(...SWAP_TYPES),
      size: fc.integer({ min: -(10 ** 9), max: 10 ** 9 }),
      quantity: fc.integer({ min: 1, max: 10 ** 7 }),
      nights: fc.integer({ min: 0, max: 5 }),
      doubledPrice: fc.integer({ min: 1, max: 10 ** 7 }),
      rate: fc.bigInt({ min: 1n, max: 10n ** 14n }),
    });
    fc.assert(
      fc.property(night, (each) => {
        expect(coreSwap(each)).toBe(naiveSwap(each));
      }),
      { seed, numRuns: 1_000 },
    );
  });
});

const HOURS: readonly TimeInterval[] = [{ start: '09:00', end: '17:00' }];
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];

function calendar(days: readonly string[], overrides: Calendar['sessionOverrides'] = []): Calendar {
  return {
    timeZoneId: 'America/New_York',
    tradingSessions: days.map((dayOfWeek) => ({ dayOfWeek, timeIntervals: HOURS })),
    sessionOverrides: overrides,
  };
}

const closed = (date: string) => ({ date, timeIntervals: null });

describe('how many nights an end of day stands for', () => {
  // The calendar, the last day before midnight in the platform's zone, nights.
  const weekdays = calendar(WEEKDAYS);
  const TABLE: readonly (readonly [string, Calendar | null, string, number])[] = [
    ['one without a calendar', null, '2026-03-06', 1],
    ['one without a calendar on a Saturday too', null, '2026-03-07', 1],
    ['one on a Monday', weekdays, '2026-03-02', 1],
    ['one on a Thursday', weekdays, '2026-03-05', 1],
    ['three on a Friday', weekdays, '2026-03-06', 3],
    ['none on a Saturday, which Friday has charged', weekdays, '2026-03-07', 0],
    ['none on a Sunday', weekdays, '2026-03-08', 0],
    [
      'four on a Thursday before a closed Friday',
      calendar(WEEKDAYS, [closed('2026-04-03')]),
      '2026-04-02',
      4,
    ],
    ['none on the closed Friday', calendar(WEEKDAYS, [closed('2026-04-03')]), '2026-04-03', 0],
    [
      'four on a Friday before a closed Monday',
      calendar(WEEKDAYS, [closed('2026-04-06')]),
      '2026-04-03',
      4,
    ],
    [
      'one on a Friday before an open Saturday',
      calendar(WEEKDAYS, [{ date: '2026-03-07', timeIntervals: HOURS }]),
      '2026-03-06',
      1,
    ],
    [
      'two on that Saturday',
      calendar(WEEKDAYS, [{ date: '2026-03-07', timeIntervals: HOURS }]),
      '2026-03-07',
      2,
    ],
    [
      'a date without intervals is closed',
      calendar(WEEKDAYS, [{ date: '2026-04-03', timeIntervals: [] }]),
      '2026-04-02',
      4,
    ],
    ['two on a Friday where Sunday trades', calendar([...WEEKDAYS, 'Sunday']), '2026-03-06', 2],
    ['seven where it trades once a week', calendar(['Wednesday']), '2026-03-04', 7],
    // Clocks go forward on Sunday, 8 March 2026, and back on Sunday, 1 November 2026.
    ['three over the weekend that loses an hour', weekdays, '2026-03-06', 3],
    ['three over the weekend that gains an hour', weekdays, '2026-10-30', 3],
    [
      'three over the turn of the year',
      calendar(WEEKDAYS, [closed('2027-01-01')]),
      '2026-12-31',
      4,
    ],
  ];
  it.each(TABLE)('%s', (_, each, date, expected) => {
    expect(
      new TradingSessions(each).nights(endOf(date, 'America/New_York'), 'America/New_York'),
    ).toBe(expected);
    expect(naive.nights(each, date)).toBe(expected);
  });

  it('charges every night of a year once, whatever the calendar and the zone', () => {
    const days = fc.uniqueArray(fc.constantFrom(...WEEKDAYS, 'Saturday', 'Sunday'), {
      minLength: 1,
    });
    const override = fc.record({
      date: fc
        .date({ min: new Date('2026-01-05'), max: new Date('2026-12-20'), noInvalidDate: true })
        .map((date) => date.toISOString().slice(0, 10)),
      timeIntervals: fc.constantFrom(null, [], HOURS),
    });
    const overrides = fc.uniqueArray(override, { selector: ({ date }) => date, maxLength: 10 });
    const zone = fc.constantFrom('UTC', 'America/New_York', 'Europe/Berlin', 'Pacific/Auckland');
    fc.assert(
      fc.property(days, overrides, zone, (open, changes, timeZoneId) => {
        const each = calendar(open, changes);
        const sessions = new TradingSessions(each);
        const charged = dates('2026-01-01', '2026-12-31').map((date) => {
          const count = sessions.nights(endOf(date, timeZoneId), timeZoneId);
          expect(count).toBe(naive.nights(each, date));
          return count;
        });
        const first = charged.findIndex((count) => count > 0);
        let next = first;
        charged.forEach((count, day) => {
          expect(count > 0).toBe(day === next && day >= first);
          if (day === next) next += count;
        });
      }),
      { seed, numRuns: 6 },
    );
  });
});

describe('the end of the platform’s day', () => {
  // Zone, an instant, the midnight after it.
  const TABLE: readonly (readonly [string, string, string])[] = [
    ['UTC', '2026-03-02T12:00:00Z', '2026-03-03T00:00:00Z'],
    ['Europe/Berlin', '2026-03-27T12:00:00Z', '2026-03-27T23:00:00Z'],
    // Summer time from 29 March, 01:00 UTC: the day has 23 hours.
    ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
    // Winter time from 25 October, 01:00 UTC: the day has 25 hours.
    ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
    ['America/New_York', '2026-03-07T12:00:00Z', '2026-03-08T05:00:00Z'],
    ['America/New_York', '2026-03-08T12:00:00Z', '2026-03-09T04:00:00Z'],
  ];
  it.each(TABLE)('in %s after %s is %s', (zone, now, midnight) => {
    expect(nextMidnight(Date.parse(now), zone)).toBe(Date.parse(midnight));
  });
});

/** The instant at which a date ends in a zone: found by trying, without a calendar of zones. */
function endOf(date: string, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone });
  const middle = Date.parse(`${date}T12:00:00Z`);
  for (let minutes = -36 * 60; minutes <= 36 * 60; minutes += 30) {
    const instant = middle + minutes * 60_000;
    if (format.format(instant - 1) === date && format.format(instant) !== date) return instant;
  }
  throw new RangeError(`${date} never ends in ${timeZone}`);
}

function dates(from: string, until: string): string[] {
  const list: string[] = [];
  for (let day = Date.parse(from); day <= Date.parse(until); day += 86_400_000) {
    list.push(new Date(day).toISOString().slice(0, 10));
  }
  return list;
}
