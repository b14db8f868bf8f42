import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, ApiClient } from '../support/api-client.ts';
import { inParallel } from '../support/parallel.ts';
import { ORDERS, RESTING } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';

const VERSIONS = ['1.0', '2.0', '4.0', '99.99', '-1', 'latest', 'x'.repeat(200)];
const CONTENT_TYPES = [
  'application/json; x-api-version=4.0',
  'application/json;x-api-version=4.0',
  'application/json; charset=utf-8; x-api-version=4.0',
  'application/json; X-Api-Version="2.0"; charset=UTF-8',
  'Application/JSON ; x-api-version=99.99',
  'application/json; x-api-version',
];
const WIDTH = 4;

const server = useServer();
let alice: ApiClient;
let admin: ApiClient;

interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly takesJson: boolean;
}
interface Document {
  readonly info: { readonly description: string };
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<string, { readonly requestBody?: { readonly content: Record<string, unknown> } }>
      >
    >
  >;
}
let document: Document;
let endpoints: Endpoint[] = [];

beforeAll(async () => {
  alice = await server().trader('alice');
  const { accountId } = alice;
  admin = (await server().user('admin')).with({ accountId });
  document = (await admin.get<Document>('/openapi.json')).body;
  endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.replace(/\{[^}]+\}/g, '1'),
      takesJson: operation.requestBody?.content['application/json'] !== undefined,
    })),
  );
});

const outcomeOf = ({ status, code }: Answer): string => `${status} ${code}`;

describe('the header x-api-version', () => {
  it('changes nothing on any route that is read, whatever it says', async () => {
    // What reports the moment itself would differ between two reads of it; its status does not.
    const reads = endpoints.filter(({ method }) => method === 'GET');
    expect(reads.length).toBeGreaterThan(20);
    await inParallel(reads, WIDTH, async ({ path }) => {
      const plain = outcomeOf(await admin.get(path));
      for (const version of VERSIONS) {
        const answer = await admin.get(path, { headers: { 'x-api-version': version } });
        expect(outcomeOf(answer), `${path} ${version}`).toBe(plain);
      }
    });
  });

  it('changes nothing on any route that is written to', async () => {
    const writes = endpoints.filter(({ takesJson }) => takesJson);
    expect(writes.length).toBeGreaterThan(20);
    // A field that no route knows: whoever reads the body refuses it, and nothing happens.
    const body = { surprise: 1 };
    await inParallel(writes, WIDTH, async ({ method, path }) => {
      const plain = outcomeOf(await admin.send(method, path, body));
      for (const version of VERSIONS) {
        const headers = { 'x-api-version': version };
        const answer = await admin.send(method, path, body, { headers });
        expect(outcomeOf(answer), `${method} ${path} ${version}`).toBe(plain);
      }
    });
  });

  it('goes with what is done', async () => {
    for (const version of VERSIONS) {
      const deposit = {
        deduplicationId: `version-${version.slice(0, 10)}`,
        accountId: alice.accountId,
        assetId: 'usdt',
        amount: '1',
      };
      const headers = { 'x-api-version': version };
      const path = '/back-api/backoffice/transfers/deposit';
      expect((await admin.post(path, deposit, { headers })).status).toBe(201);
    }
  });
});

describe('the parameter x-api-version of Content-Type', () => {
  it('is taken on every route that takes JSON', async () => {
    const writes = endpoints.filter(({ takesJson }) => takesJson);
    await inParallel(writes, WIDTH, async ({ method, path }) => {
      const plain = outcomeOf(await admin.send(method, path, { surprise: 1 }));
      for (const contentType of CONTENT_TYPES) {
        const headers = { 'content-type': contentType };
        const answer = await admin.send(method, path, { surprise: 1 }, { headers });
        expect(outcomeOf(answer), `${method} ${path} ${contentType}`).toBe(plain);
      }
    });
  });

  it('goes with what is done', async () => {
    for (const contentType of CONTENT_TYPES) {
      const headers = { 'content-type': contentType };
      const answer = await alice.post(ORDERS, { order: RESTING }, { headers });
      expect(answer.status, contentType).toBe(201);
    }
  });

  it('makes no other media type of one that is not taken', async () => {
    for (const contentType of [
      'text/plain; x-api-version=4.0',
      'application/jsonx; x-api-version=4.0',
      'application/json, text/plain; x-api-version=4.0',
      'application/json; charset=utf-16; x-api-version=4.0',
    ]) {
      const headers = { 'content-type': contentType };
      const answer = await alice.post(ORDERS, { order: RESTING }, { headers });
      expect(outcomeOf(answer), contentType).toBe('415 TR0032');
    }
  });
});

it('is told in the API document', () => {
  expect(document.info.description).toContain('x-api-version');
});
