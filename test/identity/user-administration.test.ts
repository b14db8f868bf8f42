import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHttpFixture, type HttpAnswer, type HttpFixture } from './support/http-fixture.ts';
import { DEMO_PASSWORD } from './support/identity-fixture.ts';
import { TESTS_CLIENT } from './support/route-caller.ts';

const ROLES = '/back-api/backoffice/v2/roles';
const USERS = '/back-api/backoffice/v2/users';
const NOBODY = '00000000-0000-4000-8000-000000000000';

let fixture: HttpFixture;
let applied: [string, string][] = [];
beforeAll(async () => {
  fixture = await createHttpFixture({
    applyUserStatus: async (userId, status) => {
      applied.push([userId, status]);
      return undefined;
    },
  });
});
beforeEach(() => {
  applied = [];
  fixture.clock.now += 60_000;
});
afterAll(async () => {
  expect(fixture.faults).toEqual([]);
  await fixture.dispose();
});

function signIn(name: string, scope = 'openid offline_access FrontOffice BackOffice') {
  const username = `${name}@matchbox.test`;
  const form = { grant_type: 'password', username, password: DEMO_PASSWORD, scope };
  return fixture.postForm(form, { authorization: TESTS_CLIENT });
}

async function as(name: string, method: string, path: string, body?: unknown): Promise<HttpAnswer> {
  const tokens = (await signIn(name)).body;
  const headers = {
    authorization: `Bearer ${String(tokens['access_token'])}`,
    'content-type': 'application/json',
  };
  const init = body === undefined ? { headers } : { headers, body: JSON.stringify(body) };
  return fixture.send(method, path, init);
}

function idOf(name: string): string {
  return fixture.userIds.get(`${name}@matchbox.test`) ?? '';
}

async function lastAudit() {
  const entries = await fixture.directory.audit.list({ afterId: 0, limit: 10_000 });
  return entries.at(-1);
}

describe('custom roles', () => {
  const role = {
    name: 'Cashier',
    description: 'Moves money',
    operations: ['manage-transfers', 'view-common'],
  };

  test('are made, given to a user, changed and removed; each step is audited', async () => {
    const made = await as('admin', 'POST', ROLES, role);
    expect(made).toMatchObject({ status: 201, body: { ...role, isPreconfigured: false } });
    expect(await lastAudit()).toMatchObject({
      actor: `user:${idOf('admin')}`,
      action: 'role.define',
      entityId: 'Cashier',
    });
    expect((await as('admin', 'POST', ROLES, role)).status).toBe(409);

    expect((await as('bob', 'GET', '/probe/manage')).status).toBe(403);
    const given = await as('admin', 'PUT', `${USERS}/${idOf('bob')}/roles`, {
      roles: ['Trader', 'Cashier'],
    });
    expect(given).toMatchObject({ status: 200, body: { roles: ['Cashier', 'Trader'] } });
    expect((await lastAudit())?.action).toBe('user.set-roles');
    expect((await as('bob', 'GET', '/probe/manage')).status).toBe(200);

    expect((await as('admin', 'DELETE', `${ROLES}/Cashier`)).status).toBe(409);
    const changed = await as('admin', 'PUT', `${ROLES}/Cashier`, {
      description: 'Looks only',
      operations: ['view-common'],
    });
    expect(changed).toMatchObject({ status: 200, body: { operations: ['view-common'] } });
    expect((await as('bob', 'GET', '/probe/manage')).status).toBe(403);
    expect((await as('bob', 'GET', '/probe/back')).status).toBe(200);

    await as('admin', 'PUT', `${USERS}/${idOf('bob')}/roles`, { roles: ['Trader'] });
    expect((await as('admin', 'DELETE', `${ROLES}/Cashier`)).status).toBe(200);
    expect((await lastAudit())?.action).toBe('role.remove');
    expect((await as('admin', 'DELETE', `${ROLES}/Cashier`)).status).toBe(404);
  });

  test('stand beside the preconfigured ones, which nobody changes', async () => {
    const { body } = await as('support', 'GET', ROLES);
    const roles = body['roles'] as { name: string; isPreconfigured: boolean }[];
    expect(roles.filter(({ isPreconfigured }) => isPreconfigured).map(({ name }) => name)).toEqual([
      'Admin',
      'Support',
      'Trader',
    ]);
    const change = { description: 'x', operations: [] };
    expect((await as('admin', 'PUT', `${ROLES}/Trader`, change)).status).toBe(400);
    expect((await as('admin', 'DELETE', `${ROLES}/Trader`)).status).toBe(400);
  });

  test.each([
    [{ ...role, name: '1st' }, 'name'],
    [{ ...role, operations: ['fly'] }, 'operations[0]'],
    [{ ...role, operations: ['write'] }, 'operations[0]'],
    [{ name: 'A', operations: [] }, 'description'],
  ])('%j is refused by its %s', async (body, field) => {
    const answer = await as('admin', 'POST', ROLES, body);
    expect(answer.status).toBe(400);
    expect(String(answer.body['description'])).toContain(field);
  });
});

describe('who may administer', () => {
  beforeAll(async () => {
    await as('admin', 'POST', ROLES, {
      name: 'Personnel',
      description: 'Administers users, and little else',
      operations: ['manage-users', 'view-users', 'view-common', 'trading-ui'],
    });
    await as('admin', 'PUT', `${USERS}/${idOf('bob')}/roles`, { roles: ['Personnel'] });
  });
  afterAll(async () => {
    await as('admin', 'PUT', `${USERS}/${idOf('bob')}/roles`, { roles: ['Trader'] });
  });

  test.each(['alice', 'support'])('%s may not', async (name) => {
    const answer = await as(name, 'PUT', `${USERS}/${idOf('bob')}/status`, { status: 'Frozen' });
    expect(answer.status).toBe(403);
  });

  test('nobody hands out what they may not do themselves', async () => {
    const attempts: [string, string, unknown][] = [
      ['PUT', `${USERS}/${idOf('alice')}/roles`, { roles: ['Admin'] }],
      ['POST', ROLES, { name: 'Mine', description: '', operations: ['manage-transfers'] }],
      ['PUT', `${ROLES}/Personnel`, { description: '', operations: ['manage-assets'] }],
    ];
    for (const [method, path, body] of attempts) {
      expect((await as('bob', method, path, body)).status, path).toBe(403);
    }
    const allowed = { roles: ['Trader', 'Personnel'] };
    const answer = await as('bob', 'PUT', `${USERS}/${idOf('alice')}/roles`, allowed);
    expect(answer.status).toBe(200);
    await as('admin', 'PUT', `${USERS}/${idOf('alice')}/roles`, { roles: ['Trader'] });
  });

  test('nobody touches who may do more', async () => {
    for (const name of ['admin', 'support']) {
      const path = `${USERS}/${idOf(name)}`;
      expect((await as('bob', 'PUT', `${path}/status`, { status: 'Terminated' })).status).toBe(403);
      expect((await as('bob', 'PUT', `${path}/roles`, { roles: [] })).status).toBe(403);
      expect((await as('bob', 'DELETE', `${path}/second-factor`)).status).toBe(403);
    }
  });

  test('nobody changes themselves', async () => {
    const path = `${USERS}/${idOf('admin')}`;
    expect((await as('admin', 'PUT', `${path}/roles`, { roles: ['Trader'] })).status).toBe(400);
    expect((await as('admin', 'PUT', `${path}/status`, { status: 'Terminated' })).status).toBe(400);
  });

  test('an unknown user is 404, an unknown role 400, an id that is none 400', async () => {
    const path = `${USERS}/${NOBODY}/status`;
    expect((await as('admin', 'PUT', path, { status: 'Active' })).status).toBe(404);
    const roles = { roles: ['Ghost'] };
    expect((await as('admin', 'PUT', `${USERS}/${idOf('bob')}/roles`, roles)).status).toBe(400);
    expect((await as('admin', 'PUT', `${USERS}/x/status`, { status: 'Active' })).status).toBe(400);
  });
});

describe('a status', () => {
  async function refresh(refreshToken: unknown): Promise<number> {
    const form = { grant_type: 'refresh_token', refresh_token: String(refreshToken) };
    return (await fixture.postForm(form, { authorization: TESTS_CLIENT })).status;
  }

  test('Halted leaves sessions alone; Frozen ends them; accounts follow both', async () => {
    const path = `${USERS}/${idOf('alice')}/status`;
    const first = await signIn('alice');
    const halted = await as('admin', 'PUT', path, { status: 'Halted' });
    expect(halted).toMatchObject({ status: 200, body: { status: 'Halted' } });
    const second = await fixture.postForm(
      { grant_type: 'refresh_token', refresh_token: String(first.body['refresh_token']) },
      { authorization: TESTS_CLIENT },
    );
    expect(second.status).toBe(200);
    const cookie = await fixture.signIn();
    expect((await as('admin', 'PUT', path, { status: 'Frozen' })).status).toBe(200);
    expect(await refresh(second.body['refresh_token'])).toBe(400);
    const query = 'client_id=spa&response_type=code&code_challenge_method=S256';
    const rest = `redirect_uri=${encodeURIComponent(`${fixture.base}/identity/sign-in-done`)}`;
    const target = `/identity/connect/authorize?${query}&${rest}&code_challenge=${'A'.repeat(43)}`;
    expect((await fixture.send('GET', target, { headers: { cookie } })).status).toBe(401);
    expect((await signIn('alice')).status).toBe(200);
    expect((await as('admin', 'PUT', path, { status: 'Active' })).status).toBe(200);
    expect(applied).toEqual([
      [idOf('alice'), 'Halted'],
      [idOf('alice'), 'Frozen'],
      [idOf('alice'), 'Active'],
    ]);
    expect((await lastAudit())?.action).toBe('user.set-status');
  });

  test('Halted and Frozen leave those who administer no back office, until they are Active', async () => {
    const path = `${USERS}/${idOf('support')}/status`;
    const probes = async (tokens: HttpAnswer) => {
      const headers = { authorization: `Bearer ${String(tokens.body['access_token'])}` };
      const front = await fixture.send('GET', '/probe/front', { headers });
      const back = await fixture.send('GET', '/probe/back', { headers });
      return [front.status, back.status];
    };
    const refreshed = (tokens: HttpAnswer) => {
      const refreshToken = String(tokens.body['refresh_token']);
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
      return fixture.postForm(form, { authorization: TESTS_CLIENT });
    };
    const first = await signIn('support');
    expect(await probes(first)).toEqual([200, 200]);
    await as('admin', 'PUT', path, { status: 'Halted' });
    const halted = await refreshed(first);
    expect(halted.body['scope']).toBe('openid offline_access FrontOffice');
    expect(await probes(halted)).toEqual([200, 403]);
    await as('admin', 'PUT', path, { status: 'Active' });
    expect(await probes(await refreshed(halted))).toEqual([200, 200]);
    await as('admin', 'PUT', path, { status: 'Frozen' });
    const frozen = await signIn('support');
    expect(frozen.body['scope']).toBe('openid offline_access FrontOffice');
    expect(await probes(frozen)).toEqual([200, 403]);
    await as('admin', 'PUT', path, { status: 'Active' });
    expect(await probes(await signIn('support'))).toEqual([200, 200]);
    applied = [];
  });

  test('Halted and Frozen are not for administrators', async () => {
    await as('admin', 'PUT', `${USERS}/${idOf('support')}/roles`, { roles: ['Admin'] });
    const path = `${USERS}/${idOf('support')}/status`;
    expect((await as('admin', 'PUT', path, { status: 'Frozen' })).status).toBe(400);
    await as('admin', 'PUT', `${USERS}/${idOf('support')}/roles`, { roles: ['Support'] });
    expect(applied).toEqual([]);
  });

  test('Terminated is for good', async () => {
    const path = `${USERS}/${idOf('bob')}/status`;
    const tokens = await signIn('bob');
    expect((await as('admin', 'PUT', path, { status: 'Terminated' })).status).toBe(200);
    expect(await refresh(tokens.body['refresh_token'])).toBe(400);
    expect((await signIn('bob')).status).toBe(400);
    expect((await as('admin', 'PUT', path, { status: 'Active' })).status).toBe(400);
    expect((await as('admin', 'PUT', path, { status: 'Terminated' })).status).toBe(200);
  });
});

test('an administrator takes a lost second factor away', async () => {
  const userId = idOf('alice');
  const administration = { actor: 'system:test', at: fixture.clock.now } as const;
  await fixture.directory.secondFactors.beginEnrolment({
    userId,
    provider: 'Email',
    secret: null,
    codeHash: new Uint8Array(32),
    attempts: 5,
    expiresAt: fixture.clock.now + 1_000,
  });
  await fixture.directory.secondFactors.confirmEnrolment({ userId, step: null, ...administration });
  expect((await fixture.directory.users.get(userId))?.twoFactorEnabled).toBe(true);
  const answer = await as('admin', 'DELETE', `${USERS}/${userId}/second-factor`);
  expect(answer.status).toBe(200);
  expect((await fixture.directory.users.get(userId))?.twoFactorEnabled).toBe(false);
});
