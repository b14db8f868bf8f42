import type { TObject } from '@sinclair/typebox';
import { Refusals } from '../../core/messages/refusals.ts';
import { type Refused, refuse } from './refused.ts';
import { compileValidator } from './validation.ts';

/**
 * Fields that arrive as text: path, query, headers, forms. Each is converted by the type that its
 * schema declares and then validated like any other value.
 */

/** Reads names and texts in turn, `[name, text, name, text]`, into one object. */
export type FieldReader = (pairs: readonly string[]) => object | Refused;

type Convert = (text: string) => unknown;

function integer(text: string): unknown {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

function boolean(text: string): unknown {
  const lower = text.toLowerCase();
  if (lower === 'true') return true;
  return lower === 'false' ? false : text;
}

function asIs(text: string): unknown {
  return text;
}

function converter(schema: Readonly<Record<string, unknown>>): Convert {
  const { type } = schema;
  const includes = (name: string) => type === name || (Array.isArray(type) && type.includes(name));
  if (includes('string')) return asIs;
  if (includes('integer')) return integer;
  return includes('boolean') ? boolean : asIs;
}

interface Field {
  readonly convert: Convert;
  readonly repeats: boolean;
}

function fieldOf(schema: Readonly<Record<string, unknown>>): Field {
  const { type, items } = schema;
  if (type !== 'array') return { convert: converter(schema), repeats: false };
  return { convert: converter(items as Readonly<Record<string, unknown>>), repeats: true };
}

/** Compiles the reader of a group of text fields. An empty text counts as a field not given. */
export function compileFields(schema: TObject): FieldReader {
  const fields = new Map<string, Field>();
  for (const [name, part] of Object.entries(schema.properties)) fields.set(name, fieldOf(part));
  const isOpen = schema.additionalProperties === true;
  const validate = compileValidator(schema);
  return (pairs) => {
    const values: Record<string, unknown> = {};
    for (let at = 0; at < pairs.length; at += 2) {
      const name = pairs[at] ?? '';
      const text = pairs[at + 1] ?? '';
      const field = fields.get(name);
      if (field === undefined) {
        if (isOpen) continue;
        return refuse(Refusals.UnknownField, { field: name });
      }
      if (text === '') continue;
      const refused = put(values, name, text, field);
      if (refused !== undefined) return refused;
    }
    return validate(values) ?? values;
  };
}

function put(
  values: Record<string, unknown>,
  name: string,
  text: string,
  field: Field,
): Refused | undefined {
  const value = field.convert(text);
  const before = values[name];
  if (field.repeats) {
    if (Array.isArray(before)) before.push(value);
    else values[name] = [value];
    return undefined;
  }
  if (before !== undefined) return refuse(Refusals.DuplicateKey, { field: name });
  values[name] = value;
  return undefined;
}

/** One percent-encoded text; undefined where an escape is broken or its bytes are no UTF-8. */
export function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The pairs of `a=1&b=2`, as in a query or an urlencoded form. */
export function parsePairs(text: string): string[] | Refused {
  const isPlain = !text.includes('%') && !text.includes('+');
  const pairs: string[] = [];
  for (let start = 0; start < text.length; ) {
    const ampersand = text.indexOf('&', start);
    const end = ampersand < 0 ? text.length : ampersand;
    const equals = text.indexOf('=', start);
    const nameEnd = equals < 0 || equals > end ? end : equals;
    if (end > start) pairs.push(text.slice(start, nameEnd), text.slice(nameEnd + 1, end));
    start = end + 1;
  }
  return isPlain ? pairs : decodePairs(pairs);
}

function decodePairs(pairs: readonly string[]): string[] | Refused {
  const decoded: string[] = [];
  for (const text of pairs) {
    const plain = decodePercent(text.replaceAll('+', ' '));
    if (plain === undefined) {
      const name = decoded.length % 2 === 0 ? 'query' : decoded.at(-1);
      return refuse(Refusals.BadEscape, { field: name });
    }
    decoded.push(plain);
  }
  return decoded;
}
