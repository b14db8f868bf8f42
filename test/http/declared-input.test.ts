import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { hmac, nextNonce, utcNow } from '../signed/support/signed-client.ts';
import type { Answer, ApiClient } from '../support/api-client.ts';
import {
  faultsOf,
  type Schema,
  sampleOf,
  textsThatDoNotFit,
  withFault,
  writtenPath,
} from '../support/declared-input.ts';
import { inParallel } from '../support/parallel.ts';
import { useServer } from '../support/use-server.ts';

/**
 * For every route that the venue declares, every field of it missing, null, of another type, too long,
 * out of range, in another form, unknown: refused in the shape of its area, with the field named, and
 * afterwards everything reads as before. What there is to be sent follows from the API document.
 */
const server = useServer({ GUEST_RATE_PER_SECOND: '1000000', GUEST_RATE_BURST: '1000000' });
const WIDTH = 6;
const KEY = 'demo-key-alice';
const SECRET = 'demo-secret-alice';
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}
interface Operation {
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly 'x-required-operation'?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses: Readonly<
      Record<string, { content: Readonly<Record<string, { schema: object }>> }>
    >;
  };
}

interface Endpoint {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** A request with one thing wrong, and what its refusal must name. */
interface Case {
  readonly endpoint: Endpoint;
  readonly how: string;
  readonly field: string;
  readonly path: string;
  readonly query: string;
  readonly body: string | undefined;
  readonly mediaType: string;
}

let document: Document;
let endpoints: Endpoint[] = [];
let clients: Readonly<Record<'nobody' | 'alice' | 'admin' | 'app', ApiClient>>;
let before: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  const nobody = server().anonymous();
  const alice = await server().trader('alice');
  const { accountId } = alice;
  const admin = (await server().user('admin')).with({ accountId });
  const credentials = Buffer.from('demo-partner:demo-partner-secret').toString('base64');
  const headers = { authorization: `Basic ${credentials}`, 'content-type': FORM_TYPE };
  const form = 'grant_type=client_credentials';
  const token = await nobody.post<{ access_token: string }>('/tokens', form, { headers });
  const app = nobody.with({ token: token.body.access_token });
  clients = { nobody, alice, admin, app };
  document = (await nobody.get<Document>('/openapi.json')).body;
  endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
  before = await everything();
});

/** Who may do it. */
function clientOf({ operation }: Endpoint): ApiClient {
  const required = operation['x-required-operation'];
  if (required === undefined) return clients.nobody;
  if (required === 'read' || required === 'write') return clients.app;
  return required === 'trading-ui' || required === 'signed-in' ? clients.alice : clients.admin;
}

/** What tells of the moment, and not of what anybody did. */
const MOMENTARY = /^\/(health|metrics|openapi\.json)$|\/info(\/time-zones)?$/;

/** All that can be read without naming anything, by whoever may read it. */
async function everything(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const reads = endpoints.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
  for (const endpoint of reads) {
    if (MOMENTARY.test(endpoint.path) || isSigned(endpoint)) continue;
    const { status, text } = await clientOf(endpoint).get(endpoint.path);
    // A key was used to ask with, whatever became of it.
    found[endpoint.path] = `${status} ${text.replace(/"lastUsedAt":("[^"]*"|null)/g, '')}`;
  }
  return found;
}

const isSigned = ({ operation }: Endpoint): boolean =>
  operation.security.some((scheme) => 'sign' in scheme);

function parametersIn({ operation }: Endpoint, place: Parameter['in']): Parameter[] {
  return operation.parameters.filter((parameter) => parameter.in === place);
}

/** What a signed request must have fresh in it, each time. */
function fresh(name: string, value: unknown): unknown {
  if (name === 'ts') return utcNow();
  return name === 'nonce' ? nextNonce() : value;
}

function textOf({ name, schema }: Parameter): string {
  const sample = sampleOf(schema);
  return encodeURIComponent(String(fresh(name, Array.isArray(sample) ? sample[0] : sample)));
}

function pathOf(endpoint: Endpoint, replaced: Readonly<Record<string, string>> = {}): string {
  return parametersIn(endpoint, 'path').reduce((path, parameter) => {
    return path.replace(`{${parameter.name}}`, replaced[parameter.name] ?? textOf(parameter));
  }, endpoint.path);
}

/** The query with what must be in it, but for `left`, and `more` behind it. */
function queryOf(endpoint: Endpoint, left = '', more: readonly string[] = []): string {
  const pairs = parametersIn(endpoint, 'query')
    .filter(({ name, required }) => required && name !== left)
    .map((parameter) => `${parameter.name}=${textOf(parameter)}`);
  const all = [...pairs, ...more];
  return all.length === 0 ? '' : `?${all.join('&')}`;
}

function bodyOf({ operation }: Endpoint): { mediaType: string; schema: Schema } | undefined {
  const content = operation.requestBody?.content ?? {};
  const mediaType = JSON_TYPE in content ? JSON_TYPE : FORM_TYPE;
  const schema = content[mediaType]?.schema;
  return schema === undefined ? undefined : { mediaType, schema };
}

function sampleBody(schema: Schema): Record<string, unknown> {
  const sample = sampleOf(schema) as Record<string, unknown>;
  if (Array.isArray(sample)) return sample as unknown as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(sample).map(([name, part]) => [name, fresh(name, part)]),
  );
}

function* casesOf(endpoint: Endpoint): Generator<Case> {
  const described = bodyOf(endpoint);
  const isForm = described?.mediaType === FORM_TYPE;
  const sample = described === undefined || isForm ? undefined : sampleBody(described.schema);
  const base = {
    endpoint,
    mediaType: described?.mediaType ?? '',
    path: pathOf(endpoint),
    query: queryOf(endpoint),
    body: sample === undefined ? undefined : JSON.stringify(sample),
  };
  for (const { name, schema } of parametersIn(endpoint, 'path')) {
    for (const { how, text } of textsThatDoNotFit(schema)) {
      const path = pathOf(endpoint, { [name]: encodeURIComponent(text) });
      yield { ...base, how, field: name, path };
    }
  }
  const queries = parametersIn(endpoint, 'query');
  for (const parameter of queries) {
    const { name, required, schema } = parameter;
    if (required) yield { ...base, how: 'missing', field: name, query: queryOf(endpoint, name) };
    const single = schema.type === 'array' ? (schema.items ?? {}) : schema;
    for (const { how, text } of textsThatDoNotFit(single)) {
      const pair = `${name}=${encodeURIComponent(text)}`;
      yield { ...base, how, field: name, query: queryOf(endpoint, name, [pair]) };
    }
    if (schema.type === 'array') continue;
    const pair = `${name}=${textOf(parameter)}`;
    yield { ...base, how: 'twice', field: name, query: queryOf(endpoint, name, [pair, pair]) };
  }
  if (!OPEN.test(endpoint.path)) {
    const query = queryOf(endpoint, '', ['surprise=1']);
    yield { ...base, how: 'unknown', field: 'surprise', query };
  }
  if (described === undefined) return;
  if (isForm) yield* formCases(base, described.schema);
  else yield* jsonCases(base, described.schema, sample);
}

type Base = Omit<Case, 'how' | 'field'>;

function* jsonCases(base: Base, schema: Schema, sample: unknown): Generator<Case> {
  for (const fault of faultsOf(schema)) {
    const body = JSON.stringify(withFault(sample, fault));
    yield { ...base, how: fault.how, field: writtenPath(fault.path), body };
  }
}

function* formCases(base: Base, schema: Schema): Generator<Case> {
  const fields = Object.entries(schema.properties ?? {});
  const pairOf = ([name, part]: readonly [string, Schema]): string =>
    `${name}=${encodeURIComponent(String(sampleOf(part)))}`;
  const isRequired = (name: string): boolean => schema.required?.includes(name) === true;
  const others = (name: string): string[] =>
    fields.filter(([other]) => other !== name && isRequired(other)).map(pairOf);
  for (const [name, part] of fields) {
    if (isRequired(name)) {
      yield { ...base, how: 'missing', field: name, body: others(name).join('&') };
    }
    for (const { how, text } of textsThatDoNotFit(part)) {
      const pair = `${name}=${encodeURIComponent(text)}`;
      yield { ...base, how, field: name, body: [...others(name), pair].join('&') };
    }
    const pair = pairOf([name, part]);
    yield { ...base, how: 'twice', field: name, body: [...others(name), pair, pair].join('&') };
  }
  if (OPEN.test(base.endpoint.path)) return;
  const body = [...others(''), 'surprise=1'].join('&');
  yield { ...base, how: 'unknown', field: 'surprise', body };
}

async function send({ endpoint, path, query, body, mediaType }: Case): Promise<Answer> {
  const { method } = endpoint;
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['content-type'] = mediaType;
  if (isSigned(endpoint)) {
    headers['key'] = KEY;
    headers['sign'] = hmac(SECRET, method === 'POST' ? (body ?? '') : query);
  }
  for (;;) {
    const answer = await clientOf(endpoint).send(method, path + query, body, { headers });
    if (answer.status !== 429) return answer;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/**
 * Refusals that name no field: of an order type that is empty or null, which the interface words
 * itself, and of a list that is too long for any body.
 */
const NAMELESS = ['TR0020', 'TR0033'];
/** Longer names are cut off behind so many characters. */
const SHOWN = 64;
/** OAuth 2.0 (RFC 6749, 3.1 and 3.2): parameters that are not known are ignored. */
const OPEN = /^\/identity\/(connect\/(authorize|token)|sign-in-done)$/;

describe('what a route declares', () => {
  it('is all that it takes, and what it does not take changes nothing', async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const shapes = new Map(
      Object.entries(document.components.responses).map(([name, { content }]) => [
        name,
        ajv.compile(content[JSON_TYPE]?.schema ?? {}),
      ]),
    );
    const cases = endpoints.flatMap((endpoint) => [...casesOf(endpoint)]);
    expect(endpoints.length).toBeGreaterThan(100);
    expect(cases.length).toBeGreaterThan(1000);
    const wrong: object[] = [];
    await inParallel(cases, WIDTH, async (each) => {
      const { endpoint, how, field } = each;
      const answer = await send(each);
      const { status, code, text, body } = answer;
      const isRefusal = status >= 400 && status < 500 && /^TR\d{4}$/.test(code);
      const isShaped = shapes.get(`${endpoint.operation.tags[0]}Refusal`)?.(body) === true;
      const isNamed = text.includes(field.slice(0, SHOWN)) || NAMELESS.includes(code);
      if (isRefusal && isShaped && isNamed) return;
      wrong.push({ name: endpoint.name, how, field, status, text: text.slice(0, 200) });
    });
    process.stdout.write(`${cases.length} requests to ${endpoints.length} routes\n`);
    expect(wrong.slice(0, 20)).toEqual([]);
    expect(Object.keys(before).length).toBeGreaterThan(30);
    expect(await everything()).toEqual(before);
    expect(server().isRunning).toBe(true);
  });
});
