import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  periodEnd,
  periodStart,
  TIMEFRAMES,
  timeframeIndex,
} from '../../persistence/views/timeframes.ts';
import { seedOf } from '../persistence/support/random.ts';

const seed = seedOf('views timeframes');

/** timeframe, time, start and end of its period. */
const table = [
  ['1m', '2026-03-05T10:59:59.999Z', '2026-03-05T10:59:00.000Z', '2026-03-05T11:00:00.000Z'],
  ['5m', '2026-03-05T11:00:00.000Z', '2026-03-05T11:00:00.000Z', '2026-03-05T11:05:00.000Z'],
  ['15m', '2026-03-05T10:59:59.999Z', '2026-03-05T10:45:00.000Z', '2026-03-05T11:00:00.000Z'],
  ['30m', '2026-03-05T10:59:59.999Z', '2026-03-05T10:30:00.000Z', '2026-03-05T11:00:00.000Z'],
  ['1h', '2026-03-05T10:59:59.999Z', '2026-03-05T10:00:00.000Z', '2026-03-05T11:00:00.000Z'],
  ['4h', '2026-03-05T10:59:59.999Z', '2026-03-05T08:00:00.000Z', '2026-03-05T12:00:00.000Z'],
  ['12h', '2026-03-05T12:00:00.000Z', '2026-03-05T12:00:00.000Z', '2026-03-06T00:00:00.000Z'],
  ['1d', '2024-02-29T23:59:59.999Z', '2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
  // A Sunday belongs to the week that began on the Monday before, also over a new year.
  ['1w', '2026-03-08T23:59:59.999Z', '2026-03-02T00:00:00.000Z', '2026-03-09T00:00:00.000Z'],
  ['1w', '2026-03-09T00:00:00.000Z', '2026-03-09T00:00:00.000Z', '2026-03-16T00:00:00.000Z'],
  ['1w', '2026-01-01T12:00:00.000Z', '2025-12-29T00:00:00.000Z', '2026-01-05T00:00:00.000Z'],
  ['1w', '1970-01-01T00:00:00.000Z', '1969-12-29T00:00:00.000Z', '1970-01-05T00:00:00.000Z'],
  ['1M', '2024-02-29T23:59:59.999Z', '2024-02-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
  ['1M', '2025-12-31T23:59:59.999Z', '2025-12-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
] as const;

describe('the periods of candles', () => {
  test.each(table)('%s: %s lies in %s to %s', (timeframe, time, start, end) => {
    const index = timeframeIndex(timeframe);
    const found = periodStart(index, Date.parse(time));
    expect(new Date(found).toISOString()).toBe(start);
    expect(new Date(periodEnd(index, found)).toISOString()).toBe(end);
  });

  test('cover all time without gap or overlap', () => {
    const times = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2100, 0, 1) });
    const indexes = fc.nat(TIMEFRAMES.length - 1);
    fc.assert(
      fc.property(indexes, times, (index, time) => {
        const start = periodStart(index, time);
        const end = periodEnd(index, start);
        expect(start).toBeLessThanOrEqual(time);
        expect(time).toBeLessThan(end);
        expect(periodStart(index, start)).toBe(start);
        expect(periodStart(index, end)).toBe(end);
        expect(periodStart(index, end - 1)).toBe(start);
      }),
      { seed },
    );
  });
});
