/** Candle periods. In rows each travels as its index in the list, so the list may only grow. */
export const TIMEFRAMES = ['1m', '5m', '15m', '30m', '1h', '4h', '12h', '1d', '1w', '1M'] as const;
export type Timeframe = (typeof TIMEFRAMES)[number];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** 1970-01-01 was a Thursday; the week around it began three days before. */
const FIRST_MONDAY = -3 * DAY;

/** Length and a start of the periods that are equally long; months are not. */
const fixed: readonly { readonly length: number; readonly origin: number }[] = [
  { length: MINUTE, origin: 0 },
  { length: 5 * MINUTE, origin: 0 },
  { length: 15 * MINUTE, origin: 0 },
  { length: 30 * MINUTE, origin: 0 },
  { length: HOUR, origin: 0 },
  { length: 4 * HOUR, origin: 0 },
  { length: 12 * HOUR, origin: 0 },
  { length: DAY, origin: 0 },
  { length: WEEK, origin: FIRST_MONDAY },
];

export const ONE_MINUTE = 0;
export const ONE_HOUR = 4;

export function timeframeIndex(timeframe: Timeframe): number {
  return TIMEFRAMES.indexOf(timeframe);
}

/** When the period around `time` (UTC ms) began. Days begin at midnight UTC, weeks on Monday. */
export function periodStart(timeframe: number, time: number): number {
  const period = fixed[timeframe];
  if (period === undefined) return monthStart(time, 0);
  const { length, origin } = period;
  return Math.floor((time - origin) / length) * length + origin;
}

/** When the period that began at `start` ends: the start of the next one. */
export function periodEnd(timeframe: number, start: number): number {
  const period = fixed[timeframe];
  return period === undefined ? monthStart(start, 1) : start + period.length;
}

function monthStart(time: number, later: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
}
