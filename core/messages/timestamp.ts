/**
 * Timestamps on the wire, `YYYY-MM-DDTHH:MM:SS.sssZ`, and UTC milliseconds inside. Both ways are on
 * hot paths, so neither goes through `Date`.
 */

const DAY = 86_400_000;
const ZERO = 0x30;

/** Days from 1970-01-01 to this date of the proleptic Gregorian calendar. */
function daysFromCivil(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  return era * 146_097 + dayOfEra + dayOfYear - 719_468;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** The number in `length` decimal digits of `text` from `from`; NaN where there are others. */
function digits(text: string, from: number, length: number): number {
  let value = 0;
  for (let at = from; at < from + length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** Milliseconds of `.123456Z` at the end of a timestamp; what is finer than one is cut off. */
function fraction(text: string): number {
  const end = text.length - 1;
  const length = end - 20;
  if (text[19] !== '.' || length < 1 || length > 9) return Number.NaN;
  if (Number.isNaN(digits(text, 20, length))) return Number.NaN;
  return length >= 3 ? digits(text, 20, 3) : digits(text, 20, length) * (length === 2 ? 10 : 100);
}

/** The milliseconds of `+HH:MM` or `-HH:MM` at the end of a timestamp. */
function offset(text: string): number {
  const at = text.length - 6;
  const sign = text[at];
  if (at < 19 || (sign !== '+' && sign !== '-') || text[at + 3] !== ':') return Number.NaN;
  const hours = digits(text, at + 1, 2);
  const minutes = digits(text, at + 4, 2);
  if (!(hours <= 23 && minutes <= 59)) return Number.NaN;
  return (sign === '+' ? 60_000 : -60_000) * (hours * 60 + minutes);
}

/**
 * UTC milliseconds of `YYYY-MM-DDTHH:MM:SSZ` with 0 to 9 fractional digits, or with an offset such as
 * `+02:00` in place of its `Z`; NaN for anything else, and for a date that the calendar does not have.
 */
export function parseTimestamp(text: string): number {
  const last = text.length - 1;
  if (text[last] !== 'Z') {
    const ahead = offset(text);
    return Number.isNaN(ahead) ? ahead : parseTimestamp(`${text.slice(0, -6)}Z`) - ahead;
  }
  if (last < 19) return Number.NaN;
  if (text[4] !== '-' || text[7] !== '-' || text[10] !== 'T') return Number.NaN;
  if (text[13] !== ':' || text[16] !== ':') return Number.NaN;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 2);
  const day = digits(text, 8, 2);
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)))
    return Number.NaN;
  const hour = digits(text, 11, 2);
  const minute = digits(text, 14, 2);
  const second = digits(text, 17, 2);
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return Number.NaN;
  const milliseconds = last === 19 ? 0 : fraction(text);
  const seconds = (hour * 60 + minute) * 60 + second;
  return daysFromCivil(year, month, day) * DAY + seconds * 1000 + milliseconds;
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));
const MILLISECONDS = Array.from(
  { length: 1000 },
  (_, value) => `.${String(value).padStart(3, '0')}Z`,
);

let cachedDay = Number.NaN;
let cachedDate = '';
let cachedSecond = Number.NaN;
let cachedText = '';

/** `YYYY-MM-DDTHH:MM:SS.sssZ` of UTC milliseconds. Timestamps near one another share their work. */
export function formatTimestamp(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  if (second !== cachedSecond) {
    cachedText = secondText(second);
    cachedSecond = second;
  }
  return cachedText + MILLISECONDS[milliseconds - second * 1000];
}

function secondText(second: number): string {
  const day = Math.floor(second / 86_400);
  if (day !== cachedDay) {
    cachedDate = new Date(day * DAY).toISOString().slice(0, -13);
    cachedDay = day;
  }
  const rest = second - day * 86_400;
  const hour = Math.floor(rest / 3600);
  const minute = Math.floor((rest - hour * 3600) / 60);
  return `${cachedDate}${TWO_DIGITS[hour]}:${TWO_DIGITS[minute]}:${TWO_DIGITS[rest % 60]}`;
}
