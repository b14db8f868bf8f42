import { type Static, type TSchema, type TString, type TUnsafe, Type } from '@sinclair/typebox';
import type { RefusalName } from '../../core/messages/refusals.ts';

/**
 * The schema parts that routes are written with. Each one is plain JSON Schema (draft 2020-12), so it
 * serves validation, serialisation and the API document alike; `x-convert` tells the reader of a
 * request what the handler gets in place of the JSON value.
 */

/** A value that the handler sees in another form than the wire has it. */
export const CONVERT = 'x-convert';
export type Conversion = 'decimal' | 'timestamp' | 'uuid';

/** Names the refusal (by its name in the catalogue) of a field that is missing, null or empty. */
export const REFUSAL = 'x-refusal';

/** The longest text of a decimal: any amount in range fits, a 40-digit one is still read and judged. */
const DECIMAL_LENGTH_MAX = 64;
/** Exponents reach as far as those that are read: nothing passes that handlers cannot compute with. */
const DECIMAL_PATTERN = '^[+-]?[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?(?:[0-3]?[0-9]{1,2}|400))?$';

/**
 * A decimal in a request: a JSON string or a JSON number. The handler gets its text, exactly as sent
 * (a number: its shortest exact text); scale and sign are for the handler to judge.
 */
export function DecimalInput(options: { description?: string } = {}): TUnsafe<string> {
  return Type.Unsafe<string>({
    type: ['string', 'number'],
    format: 'decimal',
    pattern: DECIMAL_PATTERN,
    maxLength: DECIMAL_LENGTH_MAX,
    [CONVERT]: 'decimal' satisfies Conversion,
    ...options,
  });
}

/** A decimal in a response: a plain decimal string, no exponent, no padding. */
export function DecimalOutput(options: { description?: string } = {}): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', format: 'decimal', ...options });
}

/** An ISO 8601 UTC timestamp in a request; the handler gets UTC milliseconds. */
export function TimestampInput(
  options: { description?: string; examples?: readonly string[] } = {},
): TUnsafe<number> {
  return Type.Unsafe<number>({
    type: 'string',
    format: 'date-time',
    [CONVERT]: 'timestamp' satisfies Conversion,
    ...options,
  });
}

/** A UUID in a request, in either case; the handler gets it in lower case, as ids are kept. */
export function UuidInput(options: { description?: string } = {}): TUnsafe<string> {
  return Type.Unsafe<string>({
    type: 'string',
    format: 'uuid',
    [CONVERT]: 'uuid' satisfies Conversion,
    ...options,
  });
}

/** A timestamp in a response: the text that `formatTimestamp` makes. */
export function TimestampOutput(options: { description?: string } = {}): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', format: 'date-time', ...options });
}

/** A 32-bit integer. In a query, path or header it is read from its decimal digits. */
export function Int32(
  options: { minimum?: number; maximum?: number; description?: string; default?: number } = {},
): TUnsafe<number> {
  return Type.Unsafe<number>({
    type: 'integer',
    format: 'int32',
    minimum: -2147483648,
    maximum: 2147483647,
    ...options,
  });
}

/** A text of a path, where the API document shows another one than for others of its name. */
export function PathText(example: string): TString {
  return Type.String({ minLength: 1, maxLength: 128, examples: [example] });
}

/** One of a list of names, case-sensitive. */
export function OneOf<const L extends readonly string[]>(
  names: L,
  options: { description?: string; default?: L[number]; [REFUSAL]?: RefusalName } = {},
): TUnsafe<L[number]> {
  return Type.Unsafe<L[number]>({ type: 'string', enum: [...names], ...options });
}

/** The same value, or null. */
export function Nullable<S extends TSchema>(schema: S): TUnsafe<Static<S> | null> {
  const { type, enum: choices } = schema as Readonly<Record<string, unknown>>;
  if (typeof type !== 'string' && !Array.isArray(type)) {
    return Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }] });
  }
  const types: unknown[] = Array.isArray(type) ? type : [type];
  return Type.Unsafe<Static<S> | null>({
    ...schema,
    type: [...types, 'null'],
    ...(Array.isArray(choices) ? { enum: [...choices, null] } : {}),
  });
}

/** A response that is not JSON: the handler returns the text itself. */
export function TextOutput(mediaType: string): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', contentMediaType: mediaType });
}
