import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, expect, it } from 'vitest';
import { checkAudit } from '../crash/books-checks.ts';
import type { Answer, ApiClient } from '../support/api-client.ts';
import { ODD_VALUES } from '../support/bad-values.ts';
import { inParallel } from '../support/parallel.ts';
import { randomSource, seed } from '../support/seed.ts';
import { balancesOf, placed } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';

/**
 * What holds for every route that the venue declares, whatever it does: who has no token gets no
 * answer, and nothing that anybody sends makes it fail. New routes are found in the API document.
 */
const server = useServer();
const random = randomSource(seed);
const WIDTH = 8;
/** Odd requests for each route and caller; a few of these are slow by design. */
const ROUNDS = Number(process.env['FUZZ_ROUNDS'] ?? 25);
const ODD_SEGMENTS = ['0', '-1', 'x', '%00', '%zz', '999999999', '__proto__', '%2e%2e', 'ü', '*'];
const UUID = '00000000-0000-4000-8000-000000000000';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly isPublic: boolean;
  readonly fields: readonly string[];
  readonly queries: readonly string[];
  readonly mediaType: string;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
}

interface DocumentOperation {
  readonly security?: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: BodySchema }>> };
}

interface BodySchema {
  readonly properties?: Readonly<Record<string, BodySchema>>;
}

let document: Document;
let operations: readonly Operation[] = [];
let callers: readonly ApiClient[] = [];
let bob: ApiClient;
let before: unknown;

beforeAll(async () => {
  process.stdout.write(`SEED=${seed}\n`);
  const answer = await server().anonymous().get<Document>('/openapi.json');
  document = answer.body;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, declared]) => operationOf(method, path, declared)),
  );
  const alice = await server().trader('alice');
  const admin = await server().user('admin');
  callers = [server().anonymous(), alice, admin];
  bob = await server().trader('bob');
  await placed(bob);
  before = await balancesOf(bob);
});

function operationOf(method: string, path: string, declared: DocumentOperation): Operation {
  const [mediaType = '', body] = Object.entries(declared.requestBody?.content ?? {})[0] ?? [];
  return {
    method: method.toUpperCase(),
    path,
    isPublic: (declared.security ?? []).length === 0,
    fields: Object.keys(body?.schema.properties ?? {}),
    queries: (declared.parameters ?? [])
      .filter((parameter) => parameter.in === 'query')
      .map(({ name }) => name),
    mediaType,
  };
}

const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;

function pathOf({ path }: Operation): string {
  return path.replace(/\{[^}]+\}/g, () => (random() < 0.3 ? UUID : pick(ODD_SEGMENTS)));
}

function queryOf({ queries }: Operation): string {
  const named = queries.filter(() => random() < 0.5);
  if (random() < 0.1) named.push('surprise');
  const pairs = named.map((name) => `${name}=${encodeURIComponent(oddText())}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function oddText(): string {
  const value: unknown = JSON.parse(pick(ODD_VALUES));
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // A lone surrogate has no percent-encoding; on its way through UTF-8 it becomes something that has.
  return Buffer.from(text.slice(0, 200)).toString();
}

function bodyOf({ fields, mediaType }: Operation): string | undefined {
  if (mediaType === '') return undefined;
  const known = fields.filter(() => random() < 0.8);
  if (mediaType !== 'application/json') {
    return known.map((name) => `${name}=${encodeURIComponent(oddText())}`).join('&');
  }
  if (random() < 0.05) return pick(ODD_VALUES);
  return `{${known.map((name) => `"${name}":${pick(ODD_VALUES)}`).join(',')}}`;
}

function send(caller: ApiClient, operation: Operation, path: string): Promise<Answer> {
  const body = bodyOf(operation);
  const headers = body === undefined ? {} : { 'content-type': operation.mediaType };
  return caller.send(operation.method, path, body, { headers });
}

it('has no route that does more for nobody than it says', async () => {
  expect(operations.length).toBeGreaterThan(30);
  const nobody = server().anonymous();
  for (const operation of operations.filter(({ isPublic }) => !isPublic)) {
    const answer = await send(nobody, operation, operation.path.replace(/\{[^}]+\}/g, '1'));
    const { status, code } = answer;
    const name = `${operation.method} ${operation.path}`;
    expect({ name, status, code }).toEqual({ name, status: 401, code: 'TR0100' });
  }
});

it('fails at nothing that anybody sends anywhere', async () => {
  const requests = operations.flatMap((operation) =>
    callers.flatMap((caller) => Array.from({ length: ROUNDS }, () => ({ operation, caller }))),
  );
  const failures: string[] = [];
  await inParallel(requests, WIDTH, async ({ operation, caller }) => {
    const path = pathOf(operation) + queryOf(operation);
    const answer = await send(caller, operation, path);
    const isTurnedAway = answer.status === 503 && answer.headers['retry-after'] !== undefined;
    if (answer.status >= 500 && !isTurnedAway) {
      failures.push(`${operation.method} ${path}: ${answer.status} ${answer.text}`);
    }
    if (/\bat .*\.js:\d+|node_modules|SQLITE_/.test(answer.text)) {
      failures.push(`${operation.method} ${path} tells of its inside: ${answer.text}`);
    }
  });
  expect(failures.slice(0, 10)).toEqual([]);
  expect(server().isRunning).toBe(true);
});

it('answers what its document says, where a GET needs no more than a token', async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  for (const { method, path } of operations) {
    if (method !== 'GET' || path.includes('{')) continue;
    for (const caller of callers) {
      const answer = await caller.get(path);
      if (answer.status !== 200) continue;
      const type = (answer.headers['content-type'] ?? '').split(';')[0];
      if (type !== 'application/json' || path === '/openapi.json') continue;
      const pointer = ['paths', path, 'get', 'responses', '200', 'content', type, 'schema']
        .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
        .join('/');
      const validate = ajv.compile({ $ref: `document#/${pointer}` });
      expect(validate(answer.body), `${path}: ${JSON.stringify(validate.errors)}`).toBe(true);
    }
  }
});

it('has moved nobody else\u2019s money, and its books add up', async () => {
  expect(await balancesOf(bob)).toEqual(before);
  expect(await checkAudit(server())).toEqual([]);
});
