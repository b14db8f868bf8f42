import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { cancel, place, placed, read } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';
import { codeIn } from './support/mail-server.ts';

const server = useServer();
const ALICE = 'alice@matchbox.test';
const BOB = 'bob@matchbox.test';
const SUPPORT = 'support@matchbox.test';
const PASSWORD = 'Matchbox-1!';
const ROLES = '/back-api/backoffice/v2/roles';
const ROLE = { name: 'Clerk', description: 'Looks', operations: ['view-common'] };
const USERS = '/back-api/backoffice/v2/users';
const verifier = randomBytes(32).toString('base64url');
const SPA = `Basic ${Buffer.from('spa:spa-secret').toString('base64')}`;

function signIn(email: string) {
  return server().anonymous().post('/identity/sign-in', { email, password: PASSWORD });
}

function cookieOf(answer: { readonly headers: Readonly<Record<string, string>> }): string {
  return (answer.headers['set-cookie'] ?? '').split(';')[0] ?? '';
}

async function authorize(cookie: string) {
  const query = new URLSearchParams({
    client_id: 'spa',
    response_type: 'code',
    scope: 'openid offline_access FrontOffice',
    redirect_uri: `${server().base}/identity/sign-in-done`,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const path = `/identity/connect/authorize?${query}`;
  const { headers } = await server().anonymous().get(path, { headers: { cookie } });
  return new URL(headers['location'] ?? 'none:').searchParams.get('code') ?? '';
}

function token(form: Record<string, string>) {
  const headers = {
    authorization: SPA,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const text = new URLSearchParams(form).toString();
  return server()
    .anonymous()
    .post<Record<string, string>>('/identity/connect/token', text, { headers });
}

function redeem(code: string) {
  return token({
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: `${server().base}/identity/sign-in-done`,
  });
}

async function userIdOf(email: string): Promise<string> {
  const cookie = cookieOf(await signIn(email));
  const { body } = await redeem(await authorize(cookie));
  const claims = Buffer.from(body['access_token']?.split('.')[1] ?? '', 'base64url');
  return JSON.parse(claims.toString('utf8')).sub;
}

function setStatus(admin: ApiClient, userId: string, status: string) {
  return admin.send('PUT', `${USERS}/${userId}/status`, { status });
}

/** What was done before the one crash that all tests look back on. */
interface Scene {
  readonly cookie: string;
  readonly usedCode: string;
  readonly freshCode: string;
  readonly refreshToken: string;
  readonly pendingCookie: string;
  readonly trader: ApiClient;
  readonly reader: ApiClient;
  readonly revoked: ApiClient;
  readonly orderId: string;
  readonly frozen: ApiClient;
  readonly frozenUserId: string;
}
let scene: Scene;

beforeAll(async () => {
  const cookie = cookieOf(await signIn(ALICE));
  const [usedCode, freshCode] = [await authorize(cookie), await authorize(cookie)];
  const redeemed = await redeem(usedCode);
  expect(redeemed.status).toBe(200);
  scene = {
    cookie,
    usedCode,
    freshCode,
    refreshToken: redeemed.body['refresh_token'] ?? '',
    ...(await makeKeys()),
    ...(await freezeBob()),
    pendingCookie: await beginSecondStep(),
  };
  expect((await (await server().user('admin')).post(ROLES, ROLE)).status).toBe(201);
  await server().kill('SIGKILL');
  await server().restart();
});

async function makeKeys() {
  const alice = await server().trader('alice');
  const make = async (scope: string) => {
    const body = { name: scope, scopes: [scope] };
    const answer = await alice.post<{ key: string; id: string }>('/identity/api-keys', body);
    return { id: answer.body.id, client: alice.with({ token: answer.body.key }) };
  };
  const [trade, read, revoked] = [await make('trade'), await make('read'), await make('read')];
  expect((await alice.del(`/identity/api-keys/${revoked.id}`)).status).toBe(200);
  const orderId = await placed(trade.client);
  expect((await place(read.client)).status).toBe(403);
  return { trader: trade.client, reader: read.client, revoked: revoked.client, orderId };
}

/** Halted first, which costs the open orders, then frozen. Bob still has a token from before. */
async function freezeBob() {
  const admin = await server().user('admin');
  const frozen = await server().trader('bob');
  const frozenUserId = await userIdOf(BOB);
  const orderId = await placed(frozen);
  expect((await setStatus(admin, frozenUserId, 'Halted')).status).toBe(200);
  expect(await statusOf(frozen, orderId)).toBe('Cancelled');
  expect((await place(frozen)).code).toBe('TR0104');
  expect((await setStatus(admin, frozenUserId, 'Frozen')).status).toBe(200);
  return { frozen, frozenUserId };
}

/** Turns mailed codes on and stops between the two steps of a sign-in. */
async function beginSecondStep(): Promise<string> {
  const support = await server().user('support');
  const begin = { provider: 'Email', password: PASSWORD };
  expect((await support.post('/identity/second-factor', begin)).status).toBe(200);
  const confirm = { VerificationCode: codeIn(outbox()) };
  expect((await support.post('/identity/second-factor/confirm', confirm)).status).toBe(200);
  const first = await signIn(SUPPORT);
  expect(first.body).toMatchObject({ secondFactorRequired: true, provider: 'Email' });
  return cookieOf(first);
}

function outbox() {
  const folder = join(server().dataDir, 'outbox');
  const names = readdirSync(folder).sort();
  return names.map((name) => ({ text: readFileSync(join(folder, name), 'utf8') }));
}

async function statusOf(client: ApiClient, orderId: string): Promise<string> {
  return (await read(client, orderId)).body.order.status;
}

test('browser sessions, codes and refresh tokens live on, and what was used stays used', async () => {
  expect((await redeem(scene.freshCode)).status).toBe(200);
  expect((await redeem(await authorize(scene.cookie))).status).toBe(200);
  const refresh = (refreshToken: string) =>
    token({ grant_type: 'refresh_token', refresh_token: refreshToken });
  const refreshed = await refresh(scene.refreshToken);
  expect(refreshed.status).toBe(200);
  expect((await redeem(scene.usedCode)).body).toMatchObject({ error: 'invalid_grant' });
  const successor = await refresh(refreshed.body['refresh_token'] ?? '');
  expect(successor.body).toMatchObject({ error: 'invalid_grant' });
});

test('a sign-in goes on between its two steps', async () => {
  const step = { provider: 'Email', VerificationCode: codeIn(outbox()) };
  const headers = { cookie: scene.pendingCookie };
  const answer = await server().anonymous().post('/identity/sign-in', step, { headers });
  expect(answer.body).toEqual({ secondFactorRequired: false });
  expect(await authorize(cookieOf(answer))).toMatch(/^[\w-]{43}$/);
});

test('API keys are as alive or dead as before', async () => {
  const { trader, reader, revoked, orderId } = scene;
  expect(await statusOf(reader, orderId)).toBe('Pending');
  expect((await place(reader)).status).toBe(403);
  expect((await read(revoked, orderId)).status).toBe(401);
  expect((await cancel(trader, orderId)).status).toBe(200);
});

test('a frozen user has frozen accounts until the status says otherwise', async () => {
  const { frozen, frozenUserId } = scene;
  expect((await place(frozen)).code).toBe('TR0105');
  const admin = await server().user('admin');
  expect((await setStatus(admin, frozenUserId, 'Active')).status).toBe(200);
  await placed(frozen);
});

test('custom roles are there', async () => {
  const admin = await server().user('admin');
  const { body } = await admin.get<{ roles: { name: string }[] }>(ROLES);
  expect(body.roles).toContainEqual({ ...ROLE, isPreconfigured: false });
});
