import { isUtf8 } from 'node:buffer';
import { Refusals } from '../../core/messages/refusals.ts';
import { type Anomaly, findAnomaly } from './json-anomaly.ts';
import { isExactNumber } from './json-number.ts';
import { type Refused, refuse } from './refused.ts';

/**
 * Reads request bodies: RFC 8259, strictly. What `JSON.parse` lets pass and this does not:
 * a key that appears twice, a number that no double holds exactly, half a surrogate pair, bytes that
 * are no UTF-8, a byte order mark, more nesting or more keys than any request needs.
 *
 * One pass over the bytes counts what the parsed value alone cannot show; `JSON.parse` does the rest.
 * Keys are checked by counting: colons outside strings on the wire against keys in the value, so that
 * the usual document pays nothing for the check. Only a refused document is walked again, to name
 * the field.
 */

export const JSON_DEPTH_MAX = 32;
export const JSON_KEYS_MAX = 4096;

/** Any number of this many characters without an exponent is exact in a double. */
const PLAIN_NUMBER_LENGTH_MAX = 15;

const QUOTE = 0x22;
const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const UPPER_E = 0x45;
const LOWER_E = 0x65;

/** What the last scan saw; the reader is not re-entered, so one record serves all. */
const seen = { keys: 0, deepest: 0, ascii: true, escapes: false, exact: true };

function scan(bytes: Buffer): void {
  const length = bytes.length;
  let keys = 0;
  let depth = 0;
  let deepest = 0;
  let high = 0;
  let escapes = false;
  let exact = true;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      for (at++; at < length; at++) {
        const inner = bytes[at] ?? 0;
        if (inner === QUOTE) break;
        high |= inner;
        if (inner === BACKSLASH) {
          escapes = true;
          at++;
        }
      }
    } else if (byte === COLON) {
      keys++;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++depth > deepest) deepest = depth;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--;
    } else if (byte === MINUS || (byte >= ZERO && byte <= NINE)) {
      const start = at;
      let exponent = false;
      for (at++; at < length; at++) {
        const inner = bytes[at] ?? 0;
        if (inner >= ZERO && inner <= NINE) continue;
        if (inner === LOWER_E || inner === UPPER_E) exponent = true;
        else if (inner !== DOT && inner !== PLUS && inner !== MINUS) break;
      }
      if (exponent || at - start > PLAIN_NUMBER_LENGTH_MAX) {
        exact &&= isExactNumber(bytes.toString('latin1', start, at));
      }
      at--;
    } else {
      high |= byte;
    }
  }
  seen.keys = keys;
  seen.deepest = deepest;
  seen.ascii = high < 0x80;
  seen.escapes = escapes;
  seen.exact = exact;
}

/** The number of keys in all objects of a parsed value. Depth is bounded by the scan before. */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      if (typeof item === 'object') count += countKeys(item);
    }
    return count;
  }
  const members = value as Record<string, unknown>;
  for (const key in members) {
    count++;
    const member = members[key];
    if (typeof member === 'object') count += countKeys(member);
  }
  return count;
}

const ANOMALIES = {
  'duplicate key': Refusals.DuplicateKey,
  'inexact number': Refusals.NumberNotExact,
  'lone surrogate': Refusals.LoneSurrogate,
} as const satisfies Record<Anomaly['kind'], unknown>;

function refuseAnomaly(text: string): Refused | undefined {
  const anomaly = findAnomaly(text);
  if (anomaly === undefined) return undefined;
  return refuse(ANOMALIES[anomaly.kind], { field: anomaly.path, value: anomaly.token });
}

/** `at byte 17`, where the parser says so. */
function whereBroken(error: unknown): string {
  const position = /position (\d+)/.exec(String(error))?.[1];
  return position === undefined ? 'it ends too early' : `unexpected character at ${position}`;
}

/** The value that these bytes denote, or why they are refused. */
export function readJson(bytes: Buffer): unknown {
  scan(bytes);
  const { keys, ascii, escapes, exact } = seen;
  if (seen.deepest > JSON_DEPTH_MAX) return refuse(Refusals.TooDeep, { limit: JSON_DEPTH_MAX });
  if (keys > JSON_KEYS_MAX) return refuse(Refusals.TooManyKeys, { limit: JSON_KEYS_MAX });
  if (!ascii && !isUtf8(bytes)) return refuse(Refusals.NotUtf8);
  const text = bytes.toString(ascii ? 'latin1' : 'utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = text.charCodeAt(0) === 0xfeff ? 'a byte order mark' : whereBroken(error);
    return refuse(Refusals.MalformedJson, { value: reason });
  }
  if (!exact || escapes || countKeys(value) !== keys) return refuseAnomaly(text) ?? value;
  return value;
}
