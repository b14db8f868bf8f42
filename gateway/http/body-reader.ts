import { isUtf8 } from 'node:buffer';
import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import { Refusals } from '../../core/messages/refusals.ts';
import { compileFields, parsePairs } from './fields.ts';
import { readJson } from './json.ts';
import { Refused, refuse } from './refused.ts';
import type { Route } from './route.ts';
import { compileValidator } from './validation.ts';

/** Reads a whole body: its media type, its syntax, its schema. */
export type BodyReader = (contentType: string, bytes: Buffer) => unknown;

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Content types that were judged before; clients send the same few. */
const JUDGED_MAX = 64;

/** Whether a Content-Type, with whatever parameters, is this media type in UTF-8. */
function mediaTypeJudge(mediaType: string): (contentType: string) => boolean {
  const judged = new Map<string, boolean>([[mediaType, true]]);
  return (contentType) => {
    const before = judged.get(contentType);
    if (before !== undefined) return before;
    const verdict = isMediaType(contentType, mediaType);
    if (judged.size < JUDGED_MAX) judged.set(contentType, verdict);
    return verdict;
  };
}

function isMediaType(contentType: string, mediaType: string): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith('charset='));
  const isReadable = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  return type.trim() === mediaType && isReadable;
}

/**
 * Puts quotes around the integers of these names. Inside a JSON text nothing but a key is a name in
 * bare quotes before a colon; bytes stay what they are.
 */
function quoter(names: readonly string[]): (bytes: Buffer) => Buffer {
  if (names.length === 0) return (bytes) => bytes;
  const integer = `(-?(?:0|[1-9][0-9]*))(?=[ \\t\\r\\n]*[,}])`;
  const pattern = new RegExp(
    `(?<!\\\\)("(?:${names.join('|')})"[ \\t\\r\\n]*:[ \\t\\r\\n]*)${integer}`,
    'g',
  );
  return (bytes) => Buffer.from(bytes.toString('latin1').replace(pattern, '$1"$2"'), 'latin1');
}

function compileJson(schema: TSchema, wideIntegers: readonly string[] = []): BodyReader {
  const isJson = mediaTypeJudge(JSON_TYPE);
  const validate = compileValidator(schema);
  const quoteWide = quoter(wideIntegers);
  return (contentType, bytes) => {
    if (bytes.length === 0) {
      const nothing = {};
      return validate(nothing) ?? nothing;
    }
    if (!isJson(contentType)) return refuse(Refusals.UnsupportedMediaType, { limit: JSON_TYPE });
    const value = readJson(quoteWide(bytes));
    if (value instanceof Refused) return value;
    return validate(value) ?? value;
  };
}

function compileForm(schema: TObject): BodyReader {
  const isForm = mediaTypeJudge(FORM_TYPE);
  const read = compileFields(schema);
  return (contentType, bytes) => {
    if (bytes.length > 0 && !isForm(contentType)) {
      return refuse(Refusals.UnsupportedMediaType, { limit: FORM_TYPE });
    }
    if (!isUtf8(bytes)) return refuse(Refusals.NotUtf8);
    const pairs = parsePairs(bytes.toString('utf8'));
    return pairs instanceof Refused ? pairs : read(pairs);
  };
}

/** A form where the client says so, else JSON. */
function compileEither(schema: TObject): BodyReader {
  const isForm = mediaTypeJudge(FORM_TYPE);
  const form = compileForm(schema);
  const json = compileJson(schema);
  return (contentType, bytes) =>
    isForm(contentType) ? form(contentType, bytes) : json(contentType, bytes);
}

/**
 * The body reader of a route. An empty body reads as `{}`; a route that declares no body takes
 * nothing or `{}`.
 */
export function compileBody(route: Route): BodyReader {
  const schema = route.body ?? Type.Object({});
  switch (route.bodyFormat) {
    case 'form':
      return compileForm(schema as TObject);
    case 'either':
      return compileEither(schema as TObject);
    default:
      return compileJson(schema, route.wideIntegers);
  }
}
