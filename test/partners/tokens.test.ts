import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { useServer } from '../support/use-server.ts';
import {
  app,
  appToken,
  basic,
  bodyOf,
  expectRefused,
  type Fields,
  FULL,
  READING,
} from './support/partner.ts';

const server = useServer();
let anyone: ApiClient;

beforeAll(() => {
  anyone = server().anonymous();
});

const GRANT = { grant_type: 'client_credentials' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const ask = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  anyone.post<Fields>('/tokens', body, { headers });

describe('POST /tokens', () => {
  it('answers a bearer token of ten minutes for a JSON body and a Basic header', async () => {
    const answer = await ask(GRANT, { authorization: basic(FULL) });
    expect(bodyOf(answer, 200)).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 600,
      scope: 'read write',
    });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('takes the credentials in the body as well, as JSON or as a form', async () => {
    const fields = { ...GRANT, client_id: FULL, client_secret: `${FULL}-secret` };
    expect((await ask(fields)).status).toBe(200);
    expect((await ask(new URLSearchParams(fields).toString(), FORM)).status).toBe(200);
    const headers = { ...FORM, authorization: basic(FULL) };
    expect((await ask(new URLSearchParams(GRANT).toString(), headers)).status).toBe(200);
  });

  it('refuses a wrong secret, an unknown app, a client of another grant and nobody, alike', async () => {
    const headers = ['nobody', 'tests', 'lk', FULL].map((id) => basic(id, `${id}-secret`));
    const wrong = [basic(FULL, 'wrong'), basic(READING, `${FULL}-secret`), 'Basic !!', ''];
    for (const authorization of [...headers.slice(0, 3), ...wrong]) {
      const answer = await ask(GRANT, { authorization });
      expectRefused(answer, 401, 'TR0710', 'client_id');
      expect(answer.headers['www-authenticate']).toContain('Basic');
    }
  });

  it('is narrowed by a scope, and takes no notice of what OAuth knows beyond that', async () => {
    const authorization = basic(FULL);
    const form = new URLSearchParams({ ...GRANT, scope: 'read', audience: 'partners' }).toString();
    const bodies = [{ ...GRANT, scope: ' read  read ', resource: 'x' }, form];
    for (const body of bodies) {
      const headers = typeof body === 'string' ? { ...FORM, authorization } : { authorization };
      const { access_token: token, scope } = bodyOf(await ask(body, headers), 200);
      expect(scope).toBe('read');
      const reading = anyone.with({ token: String(token) });
      expect((await reading.get('/groups')).status).toBe(200);
      const written = await reading.post('/groups', { name: 'Narrowed' });
      expect(written).toMatchObject({ status: 403, code: 'TR0101' });
    }
    const beyond = { authorization: basic(READING) };
    expectRefused(await ask({ ...GRANT, scope: 'read write' }, beyond), 400, 'TR0011', 'scope');
    expectRefused(await ask({ ...GRANT, scope: 'FrontOffice' }, beyond), 400, 'TR0011', 'scope');
  });

  it('refuses other grants and credentials sent twice', async () => {
    const headers = { authorization: basic(FULL) };
    expectRefused(await ask({}, headers), 400, 'TR0008', 'grant_type');
    expectRefused(await ask({ grant_type: 'password' }, headers), 400, 'TR0011', 'grant_type');
    const twice = { ...GRANT, client_id: FULL, client_secret: `${FULL}-secret` };
    expectRefused(await ask(twice, headers), 400, 'TR0711', 'client_id');
    expect(await ask('grant_type', { 'content-type': 'text/plain' })).toMatchObject({
      status: 415,
    });
  });
});

describe('a token of an app', () => {
  it('opens the partner area by its scopes', async () => {
    const full = await app(server());
    const reading = await app(server(), READING);
    expect((await full.get('/groups')).status).toBe(200);
    expect((await reading.get('/groups')).status).toBe(200);
    const group = { name: 'By scope' };
    expect(await reading.post('/groups', group)).toMatchObject({ status: 403, code: 'TR0101' });
    expect((await full.post('/groups', group)).status).toBe(201);
  });

  it('opens neither the front office nor the back office', async () => {
    const client = await app(server());
    const refused = [
      await client.get('/frontoffice/api/v3/accounts'),
      await client.get('/frontoffice/api/v6/markets'),
      await client.post('/back-api/backoffice/transfers/deposit', {}),
      await client.post('/identity/sign-out', {}),
    ];
    for (const { status, code } of refused) {
      expect({ status, code }).toEqual({ status: 403, code: 'TR0101' });
    }
  });

  it('is refused when it was altered', async () => {
    const token = await appToken(server(), FULL);
    const [head, payload = '', signature] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const more = Buffer.from(JSON.stringify({ ...claims, scope: 'read write', sub: 'x' }));
    const forged = [head, more.toString('base64url'), signature].join('.');
    expect(await anyone.get('/groups', { token: forged })).toMatchObject({ status: 401 });
  });

  it('is not what users have: their tokens are refused here, whatever their role', async () => {
    for (const name of ['admin', 'support', 'alice']) {
      const user = await server().user(name);
      expect(await user.get('/groups'), name).toMatchObject({ status: 403, code: 'TR0101' });
      expect(await user.post('/groups', { name }), name).toMatchObject({ status: 403 });
    }
  });
});

describe('apps', () => {
  let client: ApiClient;
  let created: Fields;

  beforeAll(async () => {
    client = await app(server());
  });

  it('are created with a secret that is shown once and works', async () => {
    const redirectUri = 'https://partners.test/done';
    created = bodyOf<Fields>(await client.post('/clients', { name: 'Reports', redirectUri }), 201);
    expect(created).toMatchObject({ name: 'Reports', redirectUri, scopes: ['read', 'write'] });
    const token = await appToken(server(), String(created['clientId']), String(created['secret']));
    expect((await anyone.get('/groups', { token })).status).toBe(200);
    const { secret, ...shown } = created;
    const read = await client.get(`/clients/${created['clientId']}`);
    expect(bodyOf<Fields>(read, 200)).toEqual(shown);
    const list = await client.get('/clients');
    expect(bodyOf<{ clients: Fields[] }>(list, 200).clients).toContainEqual(shown);
    expect(read.text + list.text).not.toContain(String(secret));
  });

  it('may be made for reading only', async () => {
    const made = bodyOf<Fields>(
      await client.post('/clients', { name: 'Reader', scopes: ['read'] }),
      201,
    );
    const token = await appToken(server(), String(made['clientId']), String(made['secret']));
    expect((await anyone.get('/groups', { token })).status).toBe(200);
    expect((await anyone.post('/groups', { name: 'x' }, { token })).status).toBe(403);
  });

  it('refuse scopes and fields that there are not', async () => {
    const create = (body: Fields) => client.post('/clients', body);
    expectRefused(await create({}), 400, 'TR0008', 'name');
    expectRefused(await create({ name: 'x', scopes: [] }), 400, 'TR0017', 'scopes');
    expectRefused(await create({ name: 'x', scopes: ['admin'] }), 400, 'TR0011', 'scopes[0]');
    expectRefused(await create({ name: 'x', scopes: ['write'] }), 400, 'TR0011', 'scopes');
    expectRefused(await create({ name: 'x', redirectUri: 'done' }), 400, 'TR0012', 'redirectUri');
    expectRefused(await create({ name: 'x', secret: 'mine' }), 400, 'TR0010', 'secret');
  });

  it('last over a restart, until they are removed', async () => {
    const [id, secret] = [String(created['clientId']), String(created['secret'])];
    await server().kill('SIGTERM');
    await server().restart();
    expect(await appToken(server(), id, secret)).toContain('.');
    expect((await client.del(`/clients/${id}`)).status).toBe(204);
    const headers = { authorization: basic(id, secret) };
    expectRefused(await ask(GRANT, headers), 401, 'TR0710', 'client_id');
    expectRefused(await client.del(`/clients/${id}`), 404, 'TR0700', 'clientId');
    expectRefused(await client.get(`/clients/${id}`), 404, 'TR0700', 'clientId');
  });

  it('are the only clients that the partner area knows', async () => {
    expectRefused(await client.get('/clients/tests'), 404, 'TR0700', 'clientId');
    expectRefused(await client.del('/clients/tests'), 404, 'TR0700', 'clientId');
    expect((await server().user('alice')).token).not.toBe('');
  });
});

describe('outside a demo', () => {
  const other = useServer({ DEMO: 'off' });

  it('there are no demo apps', async () => {
    const answer = await other()
      .anonymous()
      .post('/tokens', GRANT, { headers: { authorization: basic(FULL) } });
    expectRefused(answer, 401, 'TR0710', 'client_id');
  });
});
