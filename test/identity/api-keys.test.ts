import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CountryGate } from '../../gateway/identity/country-gate.ts';
import { createHttpFixture, type HttpAnswer, type HttpFixture } from './support/http-fixture.ts';
import { ALICE, DEMO_PASSWORD } from './support/identity-fixture.ts';
import { TESTS_CLIENT } from './support/route-caller.ts';

const PATH = '/identity/api-keys';
const ADMIN = 'admin@matchbox.test';
const BOB = 'bob@matchbox.test';
const NOBODY = '00000000-0000-4000-8000-000000000000';

let fixture: HttpFixture;
beforeAll(async () => {
  const gate = new CountryGate({
    trustedProxies: ['127.0.0.1'],
    countryHeader: undefined,
    ipHeader: 'x-real-ip',
    blockedCountries: [],
  });
  fixture = await createHttpFixture({}, gate);
});
afterAll(async () => {
  expect(fixture.faults).toEqual([]);
  await fixture.dispose();
});

async function bearer(email: string, scope = 'openid FrontOffice BackOffice') {
  const form = { grant_type: 'password', username: email, password: DEMO_PASSWORD, scope };
  const { body } = await fixture.postForm(form, { authorization: TESTS_CLIENT });
  return { authorization: `Bearer ${String(body['access_token'])}` };
}

async function create(changes: Record<string, unknown> = {}, email = ALICE): Promise<HttpAnswer> {
  const body = { name: 'bot', scopes: ['trade'], ...changes };
  return fixture.postJson(PATH, body, await bearer(email));
}

async function keyOf(changes: Record<string, unknown> = {}, email = ALICE) {
  const { status, body } = await create(changes, email);
  if (status !== 201) throw new Error(`no key: ${status}`);
  return { key: String(body['key']), id: String(body['id']) };
}

async function revoke(id: string, email = ALICE): Promise<number> {
  return (await fixture.send('DELETE', `${PATH}/${id}`, { headers: await bearer(email) })).status;
}

/** The status that the key gets. */
async function use(
  key: string,
  method = 'GET',
  path = '/probe/front',
  more: Record<string, string> = {},
): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, ...more };
  return (await fixture.send(method, path, { headers })).status;
}

async function listed(email = ALICE): Promise<Record<string, unknown>[]> {
  const { body } = await fixture.send('GET', PATH, { headers: await bearer(email) });
  return body['apiKeys'] as Record<string, unknown>[];
}

describe('a key', () => {
  test('is shown once, kept as a digest, listed without it', async () => {
    const { body } = await create({ name: 'first' });
    const key = String(body['key']);
    expect(key).toMatch(/^mbk_[\w-]{43}$/);
    const kept = (await listed()).find(({ name }) => name === 'first');
    expect(kept).toEqual({
      id: body['id'],
      name: 'first',
      hint: key.slice(0, 10),
      scopes: ['read', 'trade'],
      ipAllowlist: [],
      createdAt: new Date(fixture.clock.now).toISOString(),
      expiresAt: null,
      lastUsedAt: null,
    });
    const audit = await fixture.directory.audit.list({ afterId: 0, limit: 1_000 });
    expect(audit.at(-1)?.action).toBe('api-key.create');
    expect(JSON.stringify(audit)).not.toContain(key);
    await revoke(String(body['id']));
  });

  test('with trade reads and writes; with read it only reads', async () => {
    const [trader, reader] = [await keyOf(), await keyOf({ scopes: ['read'] })];
    for (const [method, expected] of [
      ['GET', 200],
      ['POST', 403],
      ['DELETE', 403],
    ] as const) {
      expect(await use(trader.key, method)).toBe(200);
      expect(await use(reader.key, method)).toBe(expected);
    }
  });

  test('opens the front office alone, whoever has it, and never the identity component', async () => {
    const { key } = await keyOf({}, ADMIN);
    expect(await use(key)).toBe(200);
    expect(await use(key, 'GET', '/probe/back')).toBe(403);
    expect(await use(key, 'GET', PATH)).toBe(403);
    expect(await use(key, 'GET', '/identity/second-factor')).toBe(403);
    const headers = { authorization: `Bearer ${key}` };
    const made = await fixture.postJson(PATH, { name: 'x', scopes: ['read'] }, headers);
    expect(made.status).toBe(403);
    expect((await fixture.postJson('/identity/sign-out', {}, headers)).status).toBe(403);
  });

  test('remembers when it was last used', async () => {
    const { key, id } = await keyOf();
    await use(key);
    const kept = (await listed()).find((entry) => entry['id'] === id);
    expect(kept?.['lastUsedAt']).toBe(new Date(fixture.clock.now).toISOString());
  });

  test('is judged at once when it was seen before', async () => {
    const { key } = await keyOf();
    const { authoriser } = fixture.identity;
    const ask = () => authoriser.authorise(`Bearer ${key}`, 'trading-ui', fixture.clock.now);
    const first = ask();
    expect(first).toBeInstanceOf(Promise);
    expect(ask()).toBeInstanceOf(Promise);
    const session = await first;
    expect(ask()).toBe(session);
    expect(session).toMatchObject({ userId: fixture.userIds.get(ALICE) });
  });

  test('revoked is good for nothing, at once', async () => {
    const { key, id } = await keyOf();
    expect(await use(key)).toBe(200);
    expect(await revoke(id)).toBe(200);
    expect(await use(key)).toBe(401);
    expect(await revoke(id)).toBe(200);
    expect((await listed()).some((entry) => entry['id'] === id)).toBe(false);
  });

  test('of somebody else cannot be revoked, nor told from none', async () => {
    const { key, id } = await keyOf();
    expect(await revoke(id, BOB)).toBe(404);
    expect(await revoke(NOBODY, BOB)).toBe(404);
    expect(await use(key)).toBe(200);
  });

  test('expires', async () => {
    const expiresAt = new Date(fixture.clock.now + 5_000).toISOString();
    const { key } = await keyOf({ expiresAt });
    fixture.clock.now += 4_999;
    expect(await use(key)).toBe(200);
    fixture.clock.now += 1;
    expect(await use(key)).toBe(401);
  });

  test('is taken from the listed addresses only', async () => {
    const { key } = await keyOf({ ipAllowlist: ['203.0.113.7', '10.0.0.0/8', '2001:db8::/32'] });
    const from = (address: string) => use(key, 'GET', '/probe/front', { 'x-real-ip': address });
    for (const address of ['203.0.113.7', '10.9.8.7', '2001:db8::1', '::ffff:10.0.0.1']) {
      expect(await from(address), address).toBe(200);
    }
    for (const address of ['203.0.113.8', '11.0.0.1', '2001:db9::1']) {
      expect(await from(address), address).toBe(401);
    }
    expect(await use(key)).toBe(401);
  });

  test('follows its user: roles and status count at once', async () => {
    const { key } = await keyOf({}, BOB);
    expect(await use(key)).toBe(200);
    const path = `/back-api/backoffice/v2/users/${fixture.userIds.get(BOB)}`;
    const headers = { ...(await bearer(ADMIN)), 'content-type': 'application/json' };
    const put = (what: string, body: unknown) =>
      fixture.send('PUT', `${path}/${what}`, { headers, body: JSON.stringify(body) });
    expect((await put('roles', { roles: [] })).status).toBe(200);
    expect(await use(key)).toBe(403);
    await put('roles', { roles: ['Trader'] });
    expect(await use(key)).toBe(200);
    await put('status', { status: 'Terminated' });
    expect(await use(key)).toBe(401);
  });

  test.each(['mbk_', `mbk_${'A'.repeat(43)}`, `MBK_${'A'.repeat(43)}`, 'mbk_x/../y'])(
    '%s is none',
    async (key) => {
      expect(await use(key)).toBe(401);
    },
  );
});

describe('making keys', () => {
  test.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(65) }, 'name'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['withdraw'] }, 'scopes[0]'],
    [{ ipAllowlist: ['localhost'] }, 'ipAllowlist[0]'],
    [{ ipAllowlist: ['10.0.0.0/8', '10.0.0.0/33'] }, 'ipAllowlist[1]'],
    [{ ipAllowlist: Array.from({ length: 21 }, () => '10.0.0.1') }, 'ipAllowlist'],
    [{ expiresAt: '2020-01-01T00:00:00.000Z' }, 'expiresAt'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ secret: 'x' }, 'secret'],
  ])('with %j is refused by its field', async (changes, field) => {
    const before = (await listed()).length;
    const answer = await create(changes);
    expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ field }] } } });
    expect(await listed()).toHaveLength(before);
  });

  test('needs a token that itself opens the front office', async () => {
    const body = { name: 'bot', scopes: ['trade'] };
    const answer = await fixture.postJson(PATH, body, await bearer(ALICE, 'openid'));
    expect(answer.status).toBe(403);
    expect((await fixture.postJson(PATH, body)).status).toBe(401);
  });

  test('ends at twenty; revoking one makes room', async () => {
    const support = 'support@matchbox.test';
    const ids: string[] = [];
    for (let count = 0; count < 20; count += 1) ids.push((await keyOf({}, support)).id);
    expect((await create({}, support)).status).toBe(400);
    await revoke(ids[0] ?? '', support);
    expect((await create({}, support)).status).toBe(201);
  });
});
