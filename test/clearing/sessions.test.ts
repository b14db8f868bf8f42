import { expect, describe as group, it } from 'vitest';
import { endOfDay, TradingSessions } from '../../core/market/index.ts';
import type { Calendar, TimeInterval } from '../../core/messages/configuration.ts';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const HOUR = 3_600_000;

const at = (instant: string) => Date.parse(instant);
const interval = (text: string): TimeInterval => {
  const [start = '', end = ''] = text.split('-');
  return { start, end };
};

/** The same intervals (`09:30-16:00`) on some days of every week. */
function calendar(
  timeZoneId: string,
  days: readonly string[],
  intervals: readonly string[],
  overrides: Readonly<Record<string, readonly string[] | null>> = {},
): Calendar {
  return {
    timeZoneId,
    tradingSessions: days.map((dayOfWeek) => ({
      dayOfWeek,
      timeIntervals: intervals.map(interval),
    })),
    sessionOverrides: Object.entries(overrides).map(([date, times]) => ({
      date,
      timeIntervals: times === null ? null : times.map(interval),
    })),
  };
}

/** Asserts open and closed at each instant, with a fresh object and with one that has seen them all. */
function expectOpen(of: Calendar, expected: readonly (readonly [string, boolean])[]): void {
  const seasoned = new TradingSessions(of);
  for (const round of [expected, expected.toReversed(), expected]) {
    for (const [instant, open] of round) {
      expect(`${instant} ${seasoned.isOpen(at(instant))}`).toBe(`${instant} ${open}`);
      expect(new TradingSessions(of).isOpen(at(instant))).toBe(open);
    }
  }
}

const WEEKDAYS = DAYS.slice(0, 5);
const stocks = calendar('America/New_York', WEEKDAYS, ['09:30-16:00'], {
  '2026-07-03': null,
  '2026-11-27': ['09:30-13:00'],
  '2026-11-28': ['10:00-11:00'],
});

group('trading sessions', () => {
  it('without a calendar are always on', () => {
    expect(new TradingSessions(null).isOpen(0)).toBe(true);
    expect(new TradingSessions(null).nextOpening(0)).toBeUndefined();
  });

  it('contain their start and not their end', () => {
    expectOpen(stocks, [
      ['2026-03-02T14:29:59.999Z', false],
      ['2026-03-02T14:30:00Z', true],
      ['2026-03-02T20:59:59.999Z', true],
      ['2026-03-02T21:00:00Z', false],
    ]);
  });

  it('follow the clocks of their own zone into summer and back', () => {
    expectOpen(stocks, [
      ['2026-03-06T14:30:00Z', true],
      ['2026-03-06T14:29:59Z', false],
      // New York moves on 8 March, London only on the 29th.
      ['2026-03-09T13:30:00Z', true],
      ['2026-03-09T13:29:59Z', false],
      ['2026-10-30T13:30:00Z', true],
      ['2026-11-02T13:30:00Z', false],
      ['2026-11-02T14:30:00Z', true],
    ]);
    const london = calendar('Europe/London', WEEKDAYS, ['08:00-16:30']);
    expectOpen(london, [
      ['2026-03-27T08:00:00Z', true],
      ['2026-03-27T07:00:00Z', false],
      ['2026-03-30T07:00:00Z', true],
      ['2026-03-30T15:30:00Z', false],
      ['2026-10-26T07:30:00Z', false],
    ]);
  });

  it('are closed at the weekend and open at its end', () => {
    const metals = calendar(
      'America/New_York',
      ['Monday', 'Tuesday', 'Wednesday', 'Thursday'],
      ['00:00-17:00', '18:00-24:00'],
    );
    const week: Calendar = {
      ...metals,
      tradingSessions: [
        ...metals.tradingSessions,
        { dayOfWeek: 'Friday', timeIntervals: [interval('00:00-17:00')] },
        { dayOfWeek: 'Sunday', timeIntervals: [interval('18:00-00:00')] },
      ],
    };
    expectOpen(week, [
      ['2026-03-06T21:59:59Z', true],
      ['2026-03-06T22:00:00Z', false],
      ['2026-03-07T18:00:00Z', false],
      ['2026-03-08T21:59:59Z', false],
      ['2026-03-08T22:00:00Z', true],
      ['2026-03-09T04:00:00Z', true],
      ['2026-03-09T21:30:00Z', false],
    ]);
    const sessions = new TradingSessions(week);
    expect(sessions.nextOpening(at('2026-03-06T23:00:00Z'))).toBe(at('2026-03-08T22:00:00Z'));
  });

  it('that meet at midnight are one', () => {
    const always = calendar('Europe/Berlin', DAYS, ['00:00-24:00']);
    const sessions = new TradingSessions(always);
    for (let hour = 0; hour < 24 * 400; hour++) {
      expect(sessions.isOpen(at('2026-01-01T00:00:00Z') + hour * HOUR)).toBe(true);
    }
    expectOpen(calendar('Europe/Berlin', DAYS, ['00:00-00:00']), [['2026-05-05T22:00:00Z', true]]);
  });

  it('that begin in a gap of the clocks begin when it ends', () => {
    const night = calendar('America/New_York', DAYS, ['02:30-04:00']);
    expectOpen(night, [
      // 02:30 does not exist on 8 March 2026: it counts as 03:30 summer time.
      ['2026-03-08T07:00:00Z', false],
      ['2026-03-08T07:29:59Z', false],
      ['2026-03-08T07:30:00Z', true],
      ['2026-03-08T08:00:00Z', false],
    ]);
    expectOpen(calendar('America/New_York', DAYS, ['02:00-02:30', '05:00-06:00']), [
      ['2026-03-08T06:59:59Z', false],
      ['2026-03-08T07:00:00Z', true],
      ['2026-03-08T07:30:00Z', false],
      ['2026-03-08T09:00:00Z', true],
    ]);
  });

  it('that begin or end in a repeated hour mean its first time', () => {
    const night = calendar('America/New_York', DAYS, ['01:30-03:00']);
    expectOpen(night, [
      ['2026-11-01T05:29:59Z', false],
      ['2026-11-01T05:30:00Z', true],
      ['2026-11-01T06:30:00Z', true],
      ['2026-11-01T07:59:59Z', true],
      ['2026-11-01T08:00:00Z', false],
    ]);
    expectOpen(calendar('America/New_York', DAYS, ['00:00-01:30']), [
      ['2026-11-01T05:29:59Z', true],
      ['2026-11-01T05:30:00Z', false],
      ['2026-11-01T06:00:00Z', false],
    ]);
  });

  it('may overlap', () => {
    expectOpen(calendar('UTC', DAYS, ['08:00-12:00', '10:00-14:00']), [
      ['2026-05-05T07:59:59Z', false],
      ['2026-05-05T11:00:00Z', true],
      ['2026-05-05T13:00:00Z', true],
      ['2026-05-05T14:00:00Z', false],
    ]);
  });

  it('give way to overrides of a date: shorter, closed, or open on a day off', () => {
    expectOpen(stocks, [
      ['2026-07-03T14:00:00Z', false],
      ['2026-11-27T17:59:59Z', true],
      ['2026-11-27T18:00:00Z', false],
      ['2026-11-28T15:30:00Z', true],
    ]);
    const sessions = new TradingSessions(stocks);
    expect(sessions.nextOpening(at('2026-07-02T20:00:00Z'))).toBe(at('2026-07-06T13:30:00Z'));
    expect(sessions.nextOpening(at('2026-11-27T18:00:00Z'))).toBe(at('2026-11-28T15:00:00Z'));
  });

  it('know their next opening also after many questions, forwards and backwards', () => {
    const sessions = new TradingSessions(stocks);
    const opening = at('2026-03-09T13:30:00Z');
    const friday = at('2026-03-06T14:30:00Z');
    for (const now of ['2026-03-07T00:00Z', '2026-03-09T13:29:59Z', '2026-03-06T22:00Z']) {
      expect(sessions.nextOpening(at(now))).toBe(opening);
    }
    expect(sessions.nextOpening(friday - 1)).toBe(friday);
    expect(sessions.nextOpening(friday)).toBe(opening);
    expect(new TradingSessions(calendar('UTC', [], [])).nextOpening(0)).toBeUndefined();
  });

  it.each<[string, Calendar]>([
    ['a zone', calendar('Mars/Olympus', DAYS, [])],
    ['a day', calendar('UTC', ['Mo'], ['09:00-10:00'])],
    ['a time', calendar('UTC', DAYS, ['9:00-10:00'])],
    ['a time past midnight', calendar('UTC', DAYS, ['09:00-24:30'])],
    ['an interval that ends before it starts', calendar('UTC', DAYS, ['10:00-09:00'])],
    ['an interval of nothing', calendar('UTC', DAYS, ['10:00-10:00'])],
    ['a date', calendar('UTC', DAYS, [], { '2026-02-30': null })],
    ['another spelling of a date', calendar('UTC', DAYS, [], { '20260228': null })],
  ])('refuse what is not %s', (_, wrong) => {
    expect(() => new TradingSessions(wrong)).toThrow(RangeError);
  });
});

group('the end of a day', () => {
  it.each([
    ['2026-03-02T12:00:00Z', 'UTC', '2026-03-02T23:59:59.999Z'],
    ['2026-03-02T23:59:59.999Z', 'UTC', '2026-03-02T23:59:59.999Z'],
    ['2026-03-03T00:00:00Z', 'UTC', '2026-03-03T23:59:59.999Z'],
    // A day of 23 hours and one of 25.
    ['2026-03-08T06:00:00Z', 'America/New_York', '2026-03-09T03:59:59.999Z'],
    ['2026-11-01T04:00:00Z', 'America/New_York', '2026-11-02T04:59:59.999Z'],
    // Midnight itself is skipped.
    ['2026-04-23T12:00:00Z', 'Africa/Cairo', '2026-04-23T21:59:59.999Z'],
    ['2026-04-23T22:00:00Z', 'Africa/Cairo', '2026-04-24T20:59:59.999Z'],
  ])('that contains %s in %s is %s', (now, zone, end) => {
    expect(new Date(endOfDay(at(now), zone)).toISOString()).toBe(new Date(end).toISOString());
  });
});
