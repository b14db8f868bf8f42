import { Temporal } from 'temporal-polyfill';
import type { Calendar, TimeInterval } from '../messages/configuration.ts';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MS_PER_DAY = 86_400_000;
/** How far ahead an opening is looked for: a calendar closed for longer has no next one. */
const LOOKAHEAD_DAYS = 400;
/** The most nights that one end of day can stand for. */
const NIGHTS_MAX = 255;

interface Session {
  readonly from: number;
  readonly until: number;
}

/**
 * When a market trades. Local times become instants date by date by the rules of the calendar's
 * zone: a time that daylight saving skips moves forward, one that it repeats means the first.
 * All instants are UTC milliseconds; an interval contains its start and not its end.
 */
export class TradingSessions {
  private readonly calendar: Calendar | null;
  /** What is known without looking: the market is `knownOpen` in [knownFrom, knownUntil). */
  private knownFrom = 0;
  private knownUntil = 0;
  private knownOpen = false;
  /** The next opening for every time in [openingFrom, openingUntil). */
  private opening: number | undefined;
  private openingFrom = 0;
  private openingUntil = 0;

  /** `calendar` null: always open. Throws a RangeError where zone, day, date or time is invalid. */
  constructor(calendar: Calendar | null) {
    this.calendar = calendar;
    if (calendar !== null) validate(calendar);
  }

  isOpen(now: number): boolean {
    if (this.calendar === null) return true;
    if (now < this.knownFrom || now >= this.knownUntil) this.look(this.calendar, now);
    return this.knownOpen;
  }

  /** The start of the first session after `now`; undefined where none comes within 400 days. */
  nextOpening(now: number): number | undefined {
    if (this.calendar === null) return undefined;
    // Every order that a closed market refuses names its opening: it is looked for once.
    if (now < this.openingFrom || now >= this.openingUntil) {
      this.opening = openingAfter(this.calendar, now);
      this.openingFrom = now;
      this.openingUntil = this.opening ?? now + MS_PER_DAY;
    }
    return this.opening;
  }

  /**
   * How many nights the end of the day that ends at `endOfDay` (an instant) stands for: the days from it
   * to the next one on which the market trades, so that the last day before a closed weekend stands for
   * three, and 0 for a day without trading, which an earlier one has stood for. Days are dates in
   * `timeZoneId`, and each is looked up in the calendar under its date.
   */
  nights(endOfDay: number, timeZoneId: string): number {
    const { calendar } = this;
    if (calendar === null) return 1;
    const instant = Temporal.Instant.fromEpochMilliseconds(endOfDay - 1);
    const day = instant.toZonedDateTimeISO(timeZoneId).toPlainDate();
    if (!trades(calendar, day)) return 0;
    for (let days = 1; days <= NIGHTS_MAX; days++) {
      if (trades(calendar, day.add({ days }))) return days;
    }
    // It never trades again: there is no next day to charge ahead for.
    return 1;
  }

  private look(calendar: Calendar, now: number): void {
    const today = dateAt(calendar, now);
    const around = [-1, 0, 1].flatMap((days) => sessionsOn(calendar, today.add({ days })));
    this.knownFrom = now - MS_PER_DAY / 2;
    this.knownUntil = now + MS_PER_DAY / 2;
    this.knownOpen = false;
    for (const { from, until } of around) {
      if (from <= now && now < until) {
        this.knownFrom = from;
        this.knownUntil = until;
        this.knownOpen = true;
        return;
      }
      if (until <= now) this.knownFrom = Math.max(this.knownFrom, until);
      if (from > now) this.knownUntil = Math.min(this.knownUntil, from);
    }
  }
}

function openingAfter(calendar: Calendar, now: number): number | undefined {
  const today = dateAt(calendar, now);
  for (let days = 0; days <= LOOKAHEAD_DAYS; days++) {
    for (const session of sessionsOn(calendar, today.add({ days }))) {
      if (session.from > now) return session.from;
    }
  }
  return undefined;
}

/** The last millisecond of the day that `now` falls on in `timeZoneId`: where a Day order ends. */
export function endOfDay(now: number, timeZoneId: string): number {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZoneId);
  return today.add({ days: 1 }).startOfDay().epochMilliseconds - 1;
}

/** The first instant of the day after the one that `now` falls on in `timeZoneId`. */
export function nextMidnight(now: number, timeZoneId: string): number {
  return endOfDay(now, timeZoneId) + 1;
}

/** The date that `now` falls on in `timeZoneId`, as days since 1970-01-01. */
export function dayNumber(now: number, timeZoneId: string): number {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZoneId);
  const epoch = Temporal.PlainDate.from('1970-01-01');
  return today.toPlainDate().since(epoch, { largestUnit: 'day' }).days;
}

function trades(calendar: Calendar, date: Temporal.PlainDate): boolean {
  return sessionsOn(calendar, date).length > 0;
}

function dateAt(calendar: Calendar, now: number): Temporal.PlainDate {
  const instant = Temporal.Instant.fromEpochMilliseconds(now);
  return instant.toZonedDateTimeISO(calendar.timeZoneId).toPlainDate();
}

/** The sessions that begin on a local date, earliest first. */
function sessionsOn(calendar: Calendar, date: Temporal.PlainDate): Session[] {
  return intervalsOn(calendar, date)
    .map((interval) => ({
      from: instantOf(calendar, date, interval.start),
      until: instantOf(calendar, date, isMidnight(interval.end) ? '24:00' : interval.end),
    }))
    .filter((session) => session.from < session.until)
    .sort((a, b) => a.from - b.from);
}

function intervalsOn(calendar: Calendar, date: Temporal.PlainDate): readonly TimeInterval[] {
  const text = date.toString();
  const override = calendar.sessionOverrides.find((candidate) => candidate.date === text);
  if (override !== undefined) return override.timeIntervals ?? [];
  const day = DAYS[date.dayOfWeek - 1];
  return calendar.tradingSessions
    .filter((session) => session.dayOfWeek === day)
    .flatMap((session) => session.timeIntervals);
}

function instantOf(calendar: Calendar, date: Temporal.PlainDate, time: string): number {
  const nextDay = time.startsWith('24');
  const plainTime = Temporal.PlainTime.from(nextDay ? '00:00' : time);
  const local = (nextDay ? date.add({ days: 1 }) : date).toPlainDateTime(plainTime);
  return local.toZonedDateTime(calendar.timeZoneId).epochMilliseconds;
}

function isMidnight(time: string): boolean {
  return /^(00|24):00(:00)?$/.test(time);
}

function validate(calendar: Calendar): void {
  dateAt(calendar, 0);
  for (const session of calendar.tradingSessions) {
    if (!DAYS.includes(session.dayOfWeek)) throw new RangeError(`day ${session.dayOfWeek}`);
    session.timeIntervals.forEach(validateInterval);
  }
  for (const override of calendar.sessionOverrides) {
    // Other spellings of a date are dates too, but would never be found under it.
    if (Temporal.PlainDate.from(override.date).toString() !== override.date) {
      throw new RangeError(`date ${override.date}`);
    }
    override.timeIntervals?.forEach(validateInterval);
  }
}

function validateInterval({ start, end }: TimeInterval): void {
  for (const time of [start, end]) {
    if (!/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$|^24:00(:00)?$/.test(time)) {
      throw new RangeError(`time ${time}`);
    }
  }
  if (!isMidnight(end) && end <= start) throw new RangeError(`interval ${start} to ${end}`);
}
