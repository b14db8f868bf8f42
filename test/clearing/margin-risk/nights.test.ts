import { describe, expect, it } from 'vitest';
import { nextMidnight, TradingSessions } from '../../../core/market/sessions.ts';
import type { Calendar } from '../../../core/messages/configuration.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];
const allDay = [{ start: '00:00', end: '24:00' }];

function weekdays(
  timeZoneId: string,
  closed: readonly string[] = [],
  open: readonly string[] = [],
) {
  const calendar: Calendar = {
    timeZoneId,
    tradingSessions: WEEKDAYS.map((dayOfWeek) => ({ dayOfWeek, timeIntervals: allDay })),
    sessionOverrides: [
      ...closed.map((date) => ({ date, timeIntervals: null })),
      ...open.map((date) => ({ date, timeIntervals: allDay })),
    ],
  };
  return new TradingSessions(calendar);
}

/** The nights of the end of each of the days in `zone`, which follow each other. */
function nightsOf(sessions: TradingSessions, zone: string, from: string, days: number): number[] {
  const nights: number[] = [];
  let now = Date.parse(from);
  for (let day = 0; day < days; day++) {
    now = nextMidnight(now, zone);
    nights.push(sessions.nights(now, zone));
  }
  return nights;
}

describe('the nights that the end of a day stands for', () => {
  it('a week with a closed weekend: Friday stands for three', () => {
    const nights = nightsOf(weekdays('UTC'), 'UTC', '2026-03-02T12:00:00Z', 7);
    expect(nights).toEqual([1, 1, 1, 1, 3, 0, 0]);
  });

  it('without a calendar every night is one', () => {
    const nights = nightsOf(new TradingSessions(null), 'UTC', '2026-03-02T12:00:00Z', 7);
    expect(nights).toEqual([1, 1, 1, 1, 1, 1, 1]);
  });

  it('a closed Monday: Friday stands for four', () => {
    const nights = nightsOf(weekdays('UTC', ['2026-03-09']), 'UTC', '2026-03-05T12:00:00Z', 6);
    expect(nights).toEqual([1, 4, 0, 0, 0, 1]);
  });

  it('a holiday in the week: the day before stands for two', () => {
    const nights = nightsOf(weekdays('UTC', ['2026-03-04']), 'UTC', '2026-03-02T12:00:00Z', 4);
    expect(nights).toEqual([1, 2, 0, 1]);
  });

  it('an open Saturday: Friday stands for one and Saturday for two', () => {
    const sessions = weekdays('UTC', [], ['2026-03-07']);
    expect(nightsOf(sessions, 'UTC', '2026-03-06T12:00:00Z', 3)).toEqual([1, 2, 0]);
  });

  it('a date between New York and UTC is the one of the platform', () => {
    const zone = 'America/New_York';
    const nights = nightsOf(weekdays(zone), zone, '2026-03-06T12:00:00Z', 4);
    expect(nights).toEqual([3, 0, 0, 1]);
  });

  it('a market that never trades again charges a single night', () => {
    const calendar = { timeZoneId: 'UTC', tradingSessions: [], sessionOverrides: [] };
    const once = { ...calendar, sessionOverrides: [{ date: '2026-03-02', timeIntervals: allDay }] };
    const nights = nightsOf(new TradingSessions(once), 'UTC', '2026-03-02T12:00:00Z', 3);
    expect(nights).toEqual([1, 0, 0]);
  });
});

describe('the ends of days over a change of the clocks', () => {
  const hours = (from: string, zone: string): number => {
    const begin = nextMidnight(Date.parse(from) - 24 * 3_600_000, zone);
    return (nextMidnight(begin, zone) - begin) / 3_600_000;
  };

  it('a day in spring has 23 hours, one in autumn 25', () => {
    expect(hours('2026-03-29T12:00:00Z', 'Europe/Berlin')).toBe(23);
    expect(hours('2026-10-25T12:00:00Z', 'Europe/Berlin')).toBe(25);
    expect(hours('2026-03-29T12:00:00Z', 'UTC')).toBe(24);
  });

  it('midnight moves with the clocks', () => {
    const zone = 'America/New_York';
    const march7 = nextMidnight(Date.parse('2026-03-07T12:00:00Z'), zone);
    const march8 = nextMidnight(Date.parse('2026-03-08T12:00:00Z'), zone);
    expect(new Date(march7).toISOString()).toBe('2026-03-08T05:00:00.000Z');
    expect(new Date(march8).toISOString()).toBe('2026-03-09T04:00:00.000Z');
  });

  it('the weekend of the change stands for three nights all the same', () => {
    const nights = nightsOf(
      weekdays('America/New_York'),
      'America/New_York',
      '2026-03-06T12:00:00Z',
      4,
    );
    expect(nights).toEqual([3, 0, 0, 1]);
  });
});
