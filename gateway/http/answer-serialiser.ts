import type { Static, TSchema } from '@sinclair/typebox';
import fastJsonStringify from 'fast-json-stringify';
import { compileTemplate } from './json-template.ts';
import { JsonText, RenderedJson } from './reply.ts';
import type { Responses } from './route.ts';

/** How the body of one status goes out. */
export interface AnswerFormat {
  readonly contentType: string;
  serialise(body: unknown): string | Uint8Array;
}

const NOTHING: AnswerFormat = { contentType: '', serialise: () => '' };

/** Texts that this process makes itself and that never hold a character to escape. */
const PLAIN_FORMATS: ReadonlySet<unknown> = new Set(['decimal', 'date-time']);

/** Half of an order is decimals, timestamps and enumerations: those are written without escaping. */
function withoutNeedlessEscapes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNeedlessEscapes);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { format, enum: names, ...rest } = schema as Readonly<Record<string, unknown>>;
  const parts = Object.entries(rest).map(([key, part]) => [key, withoutNeedlessEscapes(part)]);
  const copy: Record<string, unknown> = Object.fromEntries(parts);
  const isPlain = PLAIN_FORMATS.has(format) || isPlainEnumeration(names);
  if (isPlain) return { ...copy, format: 'unsafe' };
  return {
    ...copy,
    ...(format === undefined ? {} : { format: withoutNeedlessEscapes(format) }),
    ...(names === undefined ? {} : { enum: withoutNeedlessEscapes(names) }),
  };
}

function isPlainEnumeration(names: unknown): boolean {
  const isPlain = (name: unknown) => name === null || /^[\w .-]+$/.test(String(name));
  return (
    Array.isArray(names) && names.some((name) => typeof name === 'string') && names.every(isPlain)
  );
}

/** Compiles a response schema; fields that it does not have never leave. */
function compileAnswer(schema: TSchema | null): AnswerFormat {
  if (schema === null) return NOTHING;
  const { contentMediaType } = schema as { contentMediaType?: unknown };
  if (typeof contentMediaType === 'string') {
    return { contentType: contentMediaType, serialise: String };
  }
  const stringify = compileJson(schema);
  return {
    contentType: 'application/json',
    serialise: (body) => {
      if (body instanceof RenderedJson) return body.bytes;
      return body instanceof JsonText ? body.text : stringify(body);
    },
  };
}

/** Most answers are of the usual kind; the rest, and what does not fit its schema, goes the general way. */
function compileJson(schema: TSchema): (body: unknown) => string {
  const plain = withoutNeedlessEscapes(schema) as TSchema;
  const stringify = fastJsonStringify(plain);
  const template = compileTemplate(plain);
  return template === undefined ? stringify : (body) => template(body) ?? stringify(body);
}

/** Renders bodies ahead of their answers, just as a route with this response schema does. */
export function compileRenderer<S extends TSchema>(
  schema: S,
): (body: Static<S>) => RenderedJson<Static<S>> {
  const stringify = compileJson(schema);
  return (body) => new RenderedJson(Buffer.from(stringify(body)));
}

export function compileAnswers(responses: Responses): ReadonlyMap<number, AnswerFormat> {
  return new Map(
    Object.entries(responses).map(([status, schema]) => [Number(status), compileAnswer(schema)]),
  );
}
