import { parseTimestamp } from '../../core/messages/timestamp.ts';

/** Numbers below this are seconds, others milliseconds: as either they are after 1973. */
const MILLISECONDS_FROM = 100_000_000_000;

/**
 * UTC milliseconds of a moment as programs of the signed interface write it: `YYYY-MM-DDTHH:MM:SS`
 * with up to nine fractional digits and perhaps a `Z` or an offset, UTC without; or UNIX time in
 * milliseconds or seconds. NaN for anything else.
 */
export function momentOf(value: string | number): number {
  const text = String(value);
  if (/^[0-9]{1,15}$/.test(text)) {
    const count = Number(text);
    return count < MILLISECONDS_FROM ? count * 1000 : count;
  }
  const moment = parseTimestamp(text);
  return Number.isNaN(moment) ? parseTimestamp(`${text}Z`) : moment;
}
