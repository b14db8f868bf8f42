import { beforeAll, describe, expect, test } from 'vitest';
import { AccessTokens } from '../../gateway/identity/access-tokens.ts';
import { systemRandom } from '../../gateway/identity/random.ts';
import { loadSigningKeys } from '../../gateway/identity/signing-keys.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { TestServer } from '../support/server.ts';
import { useServer } from '../support/use-server.ts';

/**
 * Every route of the running server, as its API document lists them, against every kind of caller. What
 * a caller may do is written down here once more, so that no change of it goes unnoticed.
 */
const SUPPORT = [
  'view-common',
  'view-users',
  'view-trades',
  'view-commission-rules',
  'manage-trades',
  'hide-markets',
];
const FRONT = ['trading-ui'];
const APP = ['read', 'write'];
const SIGNED_IN = 'signed-in';
const UNAUTHORISED = 'TR0100';
const FORBIDDEN = 'TR0101';
const NOBODY = '00000000-0000-4000-8000-000000000000';

interface Endpoint {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operation: string;
  readonly isSigned: boolean;
  readonly takesAccount: boolean;
  readonly contentType: string;
}

interface Caller {
  readonly name: string;
  readonly token: () => string;
  readonly may: (operation: string) => boolean;
}

const running = useServer();
let server: TestServer;
let endpoints: Endpoint[] = [];
const tokens = new Map<string, string>();

beforeAll(async () => {
  server = running();
  const signIns = ['alice', 'support', 'admin'].flatMap((name) =>
    ['FrontOffice', 'BackOffice', 'FrontOffice BackOffice'].map((areas) => [name, areas] as const),
  );
  await Promise.all([
    ...signIns.map(async ([name, areas]) => {
      tokens.set(`${name} ${areas}`, await passwordToken(name, areas));
    }),
    passwordToken('admin', 'openid').then((token) => tokens.set('no area', token)),
    appToken('demo-partner').then((token) => tokens.set('app', token)),
    appToken('demo-partner-read').then((token) => tokens.set('app, read only', token)),
  ]);
  tokens.set('API key', await apiKey());
  endpoints = await readEndpoints();
});

/** A token of the administrator as the server would have made it at that time. */
async function tokenMadeAt(createdAt: number): Promise<string> {
  const admin = client(tokens.get('admin BackOffice') ?? '');
  const { body } = await admin.get<{ id: string }>('/back-api/backoffice/user');
  const issuing = new AccessTokens({
    keys: await loadSigningKeys(server.dataDir),
    issuer: server.base,
    lifetimeMs: 30_000,
    random: systemRandom,
  });
  const subject = {
    userId: body.id,
    clientId: 'tests',
    scopes: ['openid', 'FrontOffice', 'BackOffice'],
    roles: ['Admin'],
  };
  return (await issuing.issue(subject, createdAt)).token;
}

async function passwordToken(name: string, scope: string): Promise<string> {
  const form = new URLSearchParams({
    grant_type: 'password',
    username: `${name}@matchbox.test`,
    password: 'Matchbox-1!',
    scope,
  });
  return await tokenFrom('/identity/connect/token', 'tests', form.toString());
}

function appToken(clientId: string): Promise<string> {
  return tokenFrom('/tokens', clientId, 'grant_type=client_credentials');
}

async function tokenFrom(path: string, clientId: string, form: string): Promise<string> {
  const credentials = Buffer.from(`${clientId}:${clientId}-secret`).toString('base64');
  const headers = {
    authorization: `Basic ${credentials}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const answer = await server.anonymous().post<{ access_token: string }>(path, form, { headers });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.access_token;
}

async function apiKey(): Promise<string> {
  const alice = server.anonymous().with({ token: tokens.get('alice FrontOffice') ?? '' });
  const body = { name: 'matrix', scopes: ['trade'] };
  const answer = await alice.post<{ key: string }>('/identity/api-keys', body);
  return answer.body.key;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly 'x-required-operation'?: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
}

async function readEndpoints(): Promise<Endpoint[]> {
  const { body } = await server.anonymous().get<Document>('/openapi.json');
  return Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path: path.replace(/\{[^}]+\}/g, NOBODY),
      operation: operation['x-required-operation'] ?? 'none',
      isSigned: operation.security.some((scheme) => 'sign' in scheme),
      takesAccount: operation.parameters.some(
        (parameter) => parameter.in === 'header' && parameter.name === 'accountId',
      ),
      contentType: Object.keys(operation.requestBody?.content ?? {})[0] ?? 'application/json',
    })),
  );
}

function ask(client: ApiClient, endpoint: Endpoint, accountId = '') {
  const { method, path, contentType } = endpoint;
  if (method === 'GET') return client.send(method, path, undefined, { accountId });
  const body = contentType === 'application/json' ? '{}' : '';
  return client.send(method, path, body, {
    accountId,
    headers: { 'content-type': contentType },
  });
}

function client(token: string): ApiClient {
  return server.anonymous().with({ token });
}

/** What went wrong, by endpoint: one look shows all of it. */
async function failures(
  chosen: readonly Endpoint[],
  token: string,
  judge: (endpoint: Endpoint, code: string, status: number) => boolean,
): Promise<string[]> {
  const caller = client(token);
  const wrong: string[] = [];
  for (const endpoint of chosen) {
    const { code, status } = await ask(caller, endpoint);
    if (status < 500 && judge(endpoint, code, status)) continue;
    wrong.push(`${endpoint.name} needs ${endpoint.operation}: ${status} ${code}`);
  }
  return wrong;
}

const isOpen = ({ operation }: Endpoint) => operation === 'none';
const isGuarded = (endpoint: Endpoint) => !isOpen(endpoint);

test('there are open, guarded and account routes to try', () => {
  expect(endpoints.filter(isOpen).length).toBeGreaterThan(10);
  expect(endpoints.filter(isGuarded).length).toBeGreaterThan(30);
  expect(endpoints.filter(({ takesAccount }) => takesAccount).length).toBeGreaterThan(5);
});

describe('who is not known', () => {
  test('without a token every guarded route is 401', async () => {
    const judge = (_: Endpoint, code: string, status: number) =>
      status === 401 && code === UNAUTHORISED;
    expect(await failures(endpoints.filter(isGuarded), '', judge)).toEqual([]);
  });

  test('with an expired token every guarded route is 401', async () => {
    const accounts = '/frontoffice/api/v3/accounts';
    const fresh = await tokenMadeAt(Date.now());
    expect((await client(fresh).get(accounts)).status).toBe(200);
    const token = await tokenMadeAt(Date.now() - 30_001);
    const judge = (_: Endpoint, code: string, status: number) =>
      status === 401 && code === UNAUTHORISED;
    expect(await failures(endpoints.filter(isGuarded), token, judge)).toEqual([]);
  });

  test('a cookie is no token', async () => {
    const body = { email: 'admin@matchbox.test', password: 'Matchbox-1!' };
    const { headers } = await server.anonymous().post('/identity/sign-in', body);
    const cookie = (headers['set-cookie'] ?? '').split(';')[0] ?? '';
    expect(cookie).toMatch(/^identity-session=/);
    for (const { method, path, name } of endpoints.filter(isGuarded)) {
      const answer = await server
        .anonymous()
        .send(method, path, undefined, { headers: { cookie } });
      expect(answer.status, name).toBe(401);
    }
  });

  test('open routes ask nobody who they are', async () => {
    const judge = (_: Endpoint, code: string) => code !== UNAUTHORISED && code !== FORBIDDEN;
    expect(await failures(endpoints.filter(isOpen), '', judge)).toEqual([]);
  });
});

describe('who is known', () => {
  const within = (...operations: readonly string[]) => {
    return (operation: string) => operation === SIGNED_IN || operations.includes(operation);
  };
  const isBackOffice = (operation: string) => ![...FRONT, ...APP].includes(operation);
  const named = (name: string) => () => tokens.get(name) ?? '';
  const caller = (name: string, may: Caller['may']): Caller => ({ name, token: named(name), may });

  const callers: Caller[] = [
    caller('alice FrontOffice', within(...FRONT)),
    caller('alice BackOffice', within()),
    caller('alice FrontOffice BackOffice', within(...FRONT)),
    caller('support FrontOffice', within(...FRONT)),
    caller('support BackOffice', within(...SUPPORT)),
    caller('support FrontOffice BackOffice', within(...FRONT, ...SUPPORT)),
    caller('admin FrontOffice', within(...FRONT)),
    caller('admin BackOffice', (operation) => isBackOffice(operation)),
    caller('admin FrontOffice BackOffice', (operation) => !APP.includes(operation)),
    caller('no area', within()),
    // An app is nobody's sign-in: routes for whoever is signed in are not for it.
    caller('app', (operation) => APP.includes(operation)),
    caller('app, read only', (operation) => operation === 'read'),
    caller('API key', (operation) => FRONT.includes(operation)),
  ];

  test.each(callers)('$name may do what its operations say, and nothing else', async (who) => {
    const judge = ({ operation, isSigned }: Endpoint, code: string, status: number) => {
      if (isSigned) return status === 401;
      if (who.may(operation)) return code !== UNAUTHORISED && code !== FORBIDDEN;
      return status === 403 && code === FORBIDDEN;
    };
    expect(await failures(endpoints.filter(isGuarded), who.token(), judge)).toEqual([]);
  });
});

describe('whose account', () => {
  test("other people's accounts are refused exactly as accounts that do not exist", async () => {
    const foreign = (await server.accounts('bob')).get('Main') ?? '';
    const alice = client(tokens.get('alice FrontOffice') ?? '');
    for (const endpoint of endpoints.filter(({ takesAccount }) => takesAccount)) {
      const other = await ask(alice, endpoint, foreign);
      const none = await ask(alice, endpoint, '999999999');
      expect([other.status, other.code], endpoint.name).toEqual([403, 'TR0103']);
      expect([none.status, none.code], endpoint.name).toEqual([403, 'TR0103']);
      expect(other.text.replace(foreign, ''), endpoint.name).toBe(
        none.text.replace('999999999', ''),
      );
      const missing = await ask(alice, endpoint);
      expect([missing.status, missing.code], endpoint.name).toEqual([400, 'TR0102']);
    }
  });

  test('an administrator has no way into the accounts of others either', async () => {
    const foreign = (await server.accounts('bob')).get('Main') ?? '';
    const admin = client(tokens.get('admin FrontOffice BackOffice') ?? '');
    for (const endpoint of endpoints.filter(({ takesAccount }) => takesAccount)) {
      const answer = await ask(admin, endpoint, foreign);
      expect([answer.status, answer.code], endpoint.name).toEqual([403, 'TR0103']);
    }
  });
});
