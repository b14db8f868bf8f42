import { createServer } from 'node:net';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Refusals } from '../../core/messages/refusals.ts';
import { refuse } from '../../gateway/http/refused.ts';
import { route } from '../../gateway/http/route.ts';
import { HttpServer } from '../../gateway/http/server.ts';
import { createHttpFixture } from './support/http-fixture.ts';
import {
  ALICE,
  createFixture,
  DEMO_PASSWORD,
  type IdentityFixture,
} from './support/identity-fixture.ts';
import { TESTS_CLIENT } from './support/route-caller.ts';

const SCOPE = 'openid offline_access FrontOffice';
const password = { grant_type: 'password', username: ALICE, password: DEMO_PASSWORD, scope: SCOPE };

let fixture: IdentityFixture;
let server: HttpServer;
let base: string;
const faults: unknown[] = [];

/** Two routes of the areas that a token may open. */
const probes = [
  route({
    method: 'GET',
    path: '/probe/front',
    area: 'trading',
    operation: 'trading-ui',
    summary: 'Needs the front office',
    responses: { 200: null },
    handler: () => undefined,
  }),
  route({
    method: 'GET',
    path: '/probe/back',
    area: 'trading',
    operation: 'manage-transfers',
    summary: 'Needs the back office',
    responses: { 200: null },
    handler: () => undefined,
  }),
];

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

beforeAll(async () => {
  fixture = await createFixture();
  const { authoriser, routes } = fixture.identity;
  server = new HttpServer({
    routes: [...routes, ...probes],
    authoriser: {
      authorise: (authorization, operation, now) =>
        authoriser.authorise(authorization, operation, now),
      resolveAccount: () => refuse(Refusals.AccountUnknown),
      authoriseSigned: () => refuse(Refusals.Unauthorised),
    },
    clock: { now: () => fixture.clock.now, monotonic: () => performance.now() },
    onError: (error) => faults.push(error),
  });
  const port = await server.listen('127.0.0.1', await freePort());
  base = `http://127.0.0.1:${port}`;
});
beforeEach(() => {
  fixture.clock.now += 600_000;
});
afterAll(async () => {
  expect(faults).toEqual([]);
  await server.close();
  await fixture.dispose();
});

interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

async function send(method: string, path: string, init: RequestInit = {}): Promise<HttpAnswer> {
  const response = await fetch(base + path, { method, ...init });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : JSON.parse(text),
  };
}

function token(form: Record<string, string>, headers: Record<string, string> = {}) {
  return send('POST', '/identity/connect/token', {
    headers: { authorization: TESTS_CLIENT, ...headers },
    body: new URLSearchParams(form),
  });
}

function postJson(path: string, body: unknown, headers: Record<string, string> = {}) {
  return send('POST', path, {
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

async function signIn(form: Record<string, string> = password) {
  const { body } = await token(form);
  const { access_token: accessToken, refresh_token: refreshToken } = body;
  return {
    authorization: `Bearer ${String(accessToken)}`,
    accessToken: String(accessToken),
    refreshToken: String(refreshToken),
  };
}

describe('signing in over HTTP', () => {
  test('a password gives tokens that no cache keeps', async () => {
    const { status, headers, body } = await token(password);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toContain('application/json');
    expect(body).toEqual({
      access_token: expect.any(String),
      expires_in: 30,
      token_type: 'Bearer',
      refresh_token: expect.any(String),
      scope: SCOPE,
    });
  });

  test('the token verifies against the JWKS, as every OAuth resource would do it', async () => {
    const { accessToken } = await signIn();
    const { body } = await send('GET', '/identity/.well-known/jwks.json');
    const { keys } = body;
    if (!Array.isArray(keys)) throw new Error('no keys');
    const { payload } = await jwtVerify(accessToken, createLocalJWKSet({ keys }), {
      currentDate: new Date(fixture.clock.now),
      audience: 'matchbox',
    });
    expect(payload.sub).toBe(fixture.userIds.get(ALICE));
    expect(JSON.stringify(body)).not.toContain('"d"');
  });

  test('a token opens its own area and no other, until it expires', async () => {
    const { authorization } = await signIn();
    const front = () => send('GET', '/probe/front', { headers: { authorization } });
    expect((await front()).status).toBe(200);
    expect((await send('GET', '/probe/back', { headers: { authorization } })).status).toBe(403);
    fixture.clock.now += 29_999;
    expect((await front()).status).toBe(200);
    fixture.clock.now += 1;
    const late = await front();
    expect(late.status).toBe(401);
    expect(late.headers.get('www-authenticate')).toBe('Bearer');
    expect(late.body).toMatchObject({ code: 'TR0100' });
  });

  test('an administrator needs the scope of the back office to use it', async () => {
    const admin = { ...password, username: 'admin@matchbox.test' };
    const front = await signIn(admin);
    const back = await signIn({ ...admin, scope: 'openid offline_access BackOffice' });
    const ask = async (path: string, { authorization }: { authorization: string }) =>
      (await send('GET', path, { headers: { authorization } })).status;
    expect(await ask('/probe/back', front)).toBe(403);
    expect(await ask('/probe/back', back)).toBe(200);
    expect(await ask('/probe/front', back)).toBe(403);
    expect((await send('GET', '/probe/front')).status).toBe(401);
  });

  test.each([
    ['a wrong password', { ...password, password: 'x' }, {}, 400, 'invalid_grant'],
    ['no grant_type', { username: ALICE }, {}, 400, 'invalid_request'],
    ['an empty grant_type', { ...password, grant_type: '' }, {}, 400, 'invalid_request'],
    ['no password', { ...password, password: '' }, {}, 400, 'invalid_request'],
    ['an unknown grant', { ...password, grant_type: 'x' }, {}, 400, 'unsupported_grant_type'],
    ['a wrong secret', password, { authorization: 'Basic dGVzdHM6eA==' }, 401, 'invalid_client'],
    ['no client', password, { authorization: '' }, 401, 'invalid_client'],
  ])('%s is refused in the OAuth form', async (_, form, headers, status, error) => {
    const answer = await token(form, headers);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error, error_description: expect.any(String) });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('www-authenticate')?.startsWith('Basic ')).toBe(
      status === 401 ? true : undefined,
    );
  });

  test('parameters that nobody knows are ignored', async () => {
    expect((await token({ ...password, audience: 'x', __proto__x: 'y' })).status).toBe(200);
  });

  test.each([
    ['JSON', 'application/json', JSON.stringify(password), 415],
    ['a repeated parameter', 'application/x-www-form-urlencoded', 'grant_type=a&grant_type=b', 400],
    ['a broken escape', 'application/x-www-form-urlencoded', 'grant_type=%zz', 400],
    ['a body of 10 KB', 'application/x-www-form-urlencoded', `a=${'x'.repeat(10_000)}`, 413],
  ])('%s is refused', async (_, contentType, body, status) => {
    const answer = await send('POST', '/identity/connect/token', {
      headers: { authorization: TESTS_CLIENT, 'content-type': contentType },
      body,
    });
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({
      error: 'invalid_request',
      error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/),
    });
  });

  test('a spent rate budget is answered in OAuth words too', async () => {
    const other = await createHttpFixture();
    const flood = await Promise.all(
      Array.from({ length: 700 }, () => other.postForm({ grant_type: 'x' })),
    );
    const late = flood.find(({ status }) => status === 429);
    expect(late?.body).toMatchObject({ error: 'slow_down' });
    expect(Number(late?.headers.get('retry-after'))).toBeGreaterThan(0);
    await other.dispose();
  });
});

describe('refreshing and signing out over HTTP', () => {
  test('a refresh token works once, and its reuse ends the sign-in', async () => {
    const first = await signIn();
    const refresh = (refreshToken: string) =>
      token({ grant_type: 'refresh_token', refresh_token: refreshToken });
    const second = await refresh(first.refreshToken);
    expect(second.status).toBe(200);
    const reused = await refresh(first.refreshToken);
    expect(reused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const { refresh_token: newest } = second.body;
    expect((await refresh(String(newest))).status).toBe(400);
  });

  test('the JSON form answers a pair of tokens, and refusals in its own shape', async () => {
    const { refreshToken } = await signIn();
    const answer = await postJson('/api/v2/refresh', { refreshToken });
    expect(answer.status).toBe(200);
    const shape = {
      token: expect.any(String),
      createdAt: new Date(fixture.clock.now).toISOString(),
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    };
    expect(answer.body).toEqual({ accessToken: shape, refreshToken: shape });
    expect(await postJson('/api/v2/my/refresh', { refreshToken })).toMatchObject({
      status: 401,
      body: { error: { message: 'Unauthorized', details: [{ field: 'refreshToken' }] } },
    });
    expect(await postJson('/api/v2/refresh', {})).toMatchObject({
      status: 400,
      body: { error: { message: 'Bad Request', details: [{ field: 'refreshToken' }] } },
    });
  });

  test('sign-out takes an empty object or a refresh token, and needs an access token', async () => {
    const { authorization, refreshToken } = await signIn();
    expect((await postJson('/identity/sign-out', {})).status).toBe(401);
    const wrong = await postJson('/identity/sign-out', { refresh_token: 7 }, { authorization });
    expect(wrong.status).toBe(400);
    expect((await postJson('/identity/sign-out', {}, { authorization })).status).toBe(200);
    expect((await postJson('/api/v2/refresh', { refreshToken })).status).toBe(401);
  });
});
