import { Type } from '@sinclair/typebox';
import { Refusals } from '../../core/messages/refusals.ts';
import { parseTimestamp } from '../../core/messages/timestamp.ts';
import { type Refused, refuse } from '../http/refused.ts';

const DAY_MS = 86_400_000;
const LENGTH_MAX = 32;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** One end of a period in a request: a timestamp, or a date in UTC. `momentOf` reads it. */
export function DateInput(description: string) {
  return Type.Optional(Type.String({ minLength: 1, maxLength: LENGTH_MAX, description }));
}

/**
 * UTC ms of a timestamp; of a date, its first or its last, as it is the beginning or the end of a
 * period; null where nothing was sent.
 */
export function momentOf(
  text: string | undefined,
  field: string,
  side: 'beginning' | 'end',
): number | null | Refused {
  if (text === undefined) return null;
  const ofDay = side === 'beginning' ? 0 : DAY_MS - 1;
  const time = DATE.test(text) ? parseTimestamp(`${text}T00:00:00Z`) + ofDay : parseTimestamp(text);
  if (!Number.isNaN(time)) return time;
  const limit = 'YYYY-MM-DD or YYYY-MM-DDTHH:MM:SS.sssZ';
  return refuse(Refusals.BadFormat, { field, value: text, limit });
}
