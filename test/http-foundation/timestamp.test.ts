import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatTimestamp, parseTimestamp } from '../../core/messages/timestamp.ts';
import { seed } from './support/seed.ts';

const YEAR_ONE = Date.parse('0001-01-01T00:00:00.000Z');
const YEAR_9999 = Date.parse('9999-12-31T23:59:59.999Z');
const instant = fc.integer({ min: YEAR_ONE, max: YEAR_9999 });

describe('timestamps', () => {
  test('are formatted as Date does', () => {
    const run = fc.property(instant, (milliseconds) => {
      expect(formatTimestamp(milliseconds)).toBe(new Date(milliseconds).toISOString());
    });
    fc.assert(run, { seed, numRuns: 5000 });
  });

  test('next to one another are formatted as if they were alone', () => {
    const steps = fc.array(fc.integer({ min: -90_000_000, max: 90_000_000 }), { maxLength: 30 });
    const run = fc.property(instant, steps, (start, offsets) => {
      for (const offset of offsets) {
        const milliseconds = Math.min(YEAR_9999, Math.max(YEAR_ONE, start + offset));
        expect(formatTimestamp(milliseconds)).toBe(new Date(milliseconds).toISOString());
      }
    });
    fc.assert(run, { seed, numRuns: 300 });
  });

  test('are read back as the instant that was written', () => {
    const run = fc.property(instant, (milliseconds) => {
      expect(parseTimestamp(formatTimestamp(milliseconds))).toBe(milliseconds);
    });
    fc.assert(run, { seed, numRuns: 5000 });
  });

  test.each([
    ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00:00.1Z', '2026-03-01T12:00:00.100Z'],
    ['2026-03-01T12:00:00.12Z', '2026-03-01T12:00:00.120Z'],
    ['2026-03-01T12:00:00.1239999Z', '2026-03-01T12:00:00.123Z'],
    ['2024-02-29T23:59:59.999999999Z', '2024-02-29T23:59:59.999Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['2026-03-01T12:00:00+00:00', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00:00.123456+02:30', '2026-03-01T09:30:00.123Z'],
    ['2026-02-28T23:30:00-01:00', '2026-03-01T00:30:00.000Z'],
    ['2026-03-01T00:00:00.5-00:00', '2026-03-01T00:00:00.500Z'],
  ])('%s is %s', (text, iso) => {
    expect(parseTimestamp(text)).toBe(Date.parse(iso));
  });

  test.each([
    '',
    '2026-03-01',
    '2026-03-01T12:00:00',
    '2026-03-01T12:00:00+0000',
    '2026-03-01T12:00:00+00',
    '2026-03-01T12:00:00 00:00',
    '2026-03-01T12:00:00+24:00',
    '2026-03-01T12:00:00+01:60',
    '2026-03-01T12:00:00Z+01:00',
    '2026-03-01T12:00+01:00',
    '+01:00',
    '2026-03-01 12:00:00Z',
    '2026-03-01t12:00:00z',
    '2026-13-01T12:00:00Z',
    '2026-00-01T12:00:00Z',
    '2026-02-29T12:00:00Z',
    '1900-02-29T12:00:00Z',
    '2026-04-31T12:00:00Z',
    '2026-03-00T12:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T12:60:00Z',
    '2026-03-01T12:00:60Z',
    '2026-03-01T12:00:00.Z',
    '2026-03-01T12:00:00.1234567890Z',
    '2026-03-01T12:00:00.12x4Z',
    '2026-03-01T12:00:00,123Z',
    '+002026-03-01T12:00:00Z',
    '2026-3-1T12:00:00Z',
    '2026-03-01T1２:00:00Z',
    ' 2026-03-01T12:00:00Z',
    '2026-03-01T12:00:00ZZ',
  ])('%s is refused', (text) => {
    expect(parseTimestamp(text)).toBeNaN();
  });

  test('no other text is mistaken for one', () => {
    const characters = fc.constantFrom(...'0123456789-:.TZ ');
    const run = fc.property(
      instant,
      fc.nat(23),
      fc.string({ unit: characters, minLength: 1, maxLength: 1 }),
      (milliseconds, at, character) => {
        const text = formatTimestamp(milliseconds);
        const mutated = text.slice(0, at) + character + text.slice(at + 1);
        const value = parseTimestamp(mutated);
        if (!Number.isNaN(value)) expect(Date.parse(mutated)).toBe(value);
      },
    );
    fc.assert(run, { seed, numRuns: 5000 });
  });
});
