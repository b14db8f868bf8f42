import type { TSchema } from '@sinclair/typebox';
import fastJsonStringify from 'fast-json-stringify';
import type { Responses } from './route.ts';

/** How the body of one status goes out. */
export interface AnswerFormat {
  readonly contentType: string;
  serialise(body: unknown): string;
}

const NOTHING: AnswerFormat = { contentType: '', serialise: () => '' };

/** Compiles a response schema; fields that it does not have never leave. */
export function compileAnswer(schema: TSchema | null): AnswerFormat {
  if (schema === null) return NOTHING;
  const { contentMediaType } = schema as { contentMediaType?: unknown };
  if (typeof contentMediaType === 'string') {
    return { contentType: contentMediaType, serialise: String };
  }
  const stringify = fastJsonStringify(schema);
  return { contentType: 'application/json', serialise: (body) => stringify(body) };
}

export function compileAnswers(responses: Responses): ReadonlyMap<number, AnswerFormat> {
  return new Map(
    Object.entries(responses).map(([status, schema]) => [Number(status), compileAnswer(schema)]),
  );
}
