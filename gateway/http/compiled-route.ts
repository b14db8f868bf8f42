import { type TObject, Type } from '@sinclair/typebox';
import { type AnswerFormat, compileAnswers } from './answer-serialiser.ts';
import { type BodyReader, compileBody } from './body-reader.ts';
import { compileFields, type FieldReader } from './fields.ts';
import type { HttpLimits } from './limits.ts';
import { compilePath, type PathReader } from './path-reader.ts';
import type { RateClass, Route } from './route.ts';

/** A route with everything that can be worked out before its first request. */
export interface CompiledRoute {
  readonly route: Route;
  /** Its place in the route table: how observers know it. */
  readonly index: number;
  readonly pathNames: readonly string[];
  readonly readPath: PathReader;
  readonly readQuery: FieldReader;
  /** Whether an empty query is worth reading: there may be defaults and required fields. */
  readonly readsQuery: boolean;
  /** The declared headers; undefined when there are none. */
  readonly headerNames: ReadonlySet<string> | undefined;
  readonly readHeaders: FieldReader;
  readonly readBody: BodyReader;
  readonly takesBody: boolean;
  readonly bodyBytesMax: number;
  readonly rateClass: RateClass;
  readonly isSigned: boolean;
  /** Changes nothing, by its rate class. */
  readonly isRead: boolean;
  readonly successStatus: number;
  readonly answers: ReadonlyMap<number, AnswerFormat>;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

const PATH_NAME = /\{([^}]+)\}/g;

function pathNames(path: string): string[] {
  return [...path.matchAll(PATH_NAME)].map(([, name = '']) => name);
}

/** The path as uWebSockets.js writes it: `/orders/:orderId`. */
export function routerPattern(path: string): string {
  return path.replace(PATH_NAME, ':$1');
}

/** The schema of the path: declared, or a short text for each name. */
export function pathSchema(route: Route): TObject {
  if (route.params !== undefined) return route.params;
  const text = Type.String({ minLength: 1, maxLength: 128 });
  return Type.Object(Object.fromEntries(pathNames(route.path).map((name) => [name, text])));
}

function rateClassOf({ rateClass, area, operation, method }: Route): RateClass {
  if (rateClass !== undefined) return rateClass;
  if (area === 'operations') return 'none';
  if (area === 'identity') return 'identity';
  if (operation === 'none') return 'guest';
  return method === 'GET' ? 'read' : 'write';
}

/** The status of a plain returned body. */
export function successStatusOf({ successStatus, responses, method, path }: Route): number {
  if (successStatus !== undefined) return successStatus;
  const [status, ...others] = Object.keys(responses)
    .map(Number)
    .filter((code) => code < 400);
  if (status === undefined || others.some((code) => code < 300)) {
    throw new Error(`${method} ${path} must declare one success status, or name it`);
  }
  return status;
}

/** Header names arrive in lower case, so that is how a declaration writes them. */
function headerNamesOf({ headers, method, path }: Route): ReadonlySet<string> | undefined {
  if (headers === undefined) return undefined;
  const names = Object.keys(headers.properties);
  if (names.some((name) => name !== name.toLowerCase())) {
    throw new Error(`${method} ${path} must declare its headers in lower case`);
  }
  return new Set(names);
}

const READ_CLASSES: ReadonlySet<RateClass> = new Set(['read', 'history', 'guest', 'none']);

const NO_FIELDS = Type.Object({});

export function compileRoute(route: Route, index: number, limits: HttpLimits): CompiledRoute {
  return {
    route,
    index,
    pathNames: pathNames(route.path),
    readPath: compilePath(pathNames(route.path), pathSchema(route)),
    readQuery: compileFields(route.query ?? NO_FIELDS),
    readsQuery: route.query !== undefined,
    headerNames: headerNamesOf(route),
    readHeaders: compileFields(route.headers ?? NO_FIELDS),
    readBody: compileBody(route),
    takesBody: route.method !== 'GET',
    bodyBytesMax: route.bodyBytesMax ?? limits.bodyBytesMax,
    rateClass: rateClassOf(route),
    isRead: READ_CLASSES.has(rateClassOf(route)),
    isSigned: route.area === 'signed' && route.operation !== 'none',
    successStatus: successStatusOf(route),
    answers: compileAnswers(route.responses),
    headers: Object.entries(route.responseHeaders ?? {}),
  };
}
