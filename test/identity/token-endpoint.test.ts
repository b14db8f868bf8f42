import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DirectoryBusyError } from '../../persistence/directory/index.ts';
import {
  ALICE,
  createFixture,
  DEMO_PASSWORD,
  type IdentityFixture,
} from './support/identity-fixture.ts';
import { openInThreadDirectory } from './support/in-thread-directory.ts';
import { basic, type CalledAnswer, textOf } from './support/route-caller.ts';

const SCOPE = 'openid offline_access FrontOffice';
const password = { grant_type: 'password', username: ALICE, password: DEMO_PASSWORD, scope: SCOPE };

let fixture: IdentityFixture;
beforeEach(async () => {
  fixture = await createFixture();
});
afterEach(() => fixture.dispose());

function refreshOf(answer: CalledAnswer, more: Record<string, string> = {}) {
  return {
    grant_type: 'refresh_token',
    refresh_token: textOf(answer, 'refresh_token'),
    ...more,
  };
}

describe('the password grant', () => {
  test('answers tokens in the form that the interface describes', async () => {
    const { status, body } = await fixture.http.token(password);
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      expires_in: 30,
      token_type: 'Bearer',
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      scope: SCOPE,
    });
  });

  test('gives a refresh token only with the scope offline_access', async () => {
    const { body } = await fixture.http.token({ ...password, scope: 'openid FrontOffice' });
    expect(body).not.toHaveProperty('refresh_token');
  });

  test('without a scope opens the front office', async () => {
    const { scope: _, ...form } = password;
    const { body } = await fixture.http.token(form);
    expect(body).toMatchObject({ scope: 'openid FrontOffice' });
  });

  test('takes the email in any letter case and notes the sign-in', async () => {
    const { status } = await fixture.http.token({ ...password, username: 'ALICE@matchbox.TEST' });
    expect(status).toBe(200);
    const user = await fixture.directory.users.findByEmail(ALICE);
    expect(user?.lastSignInAt).toBe(fixture.clock.now);
  });

  test.each([
    ['a wrong password', { ...password, password: 'Matchbox-2!' }],
    ['an unknown user', { ...password, username: 'nobody@matchbox.test' }],
    ['a password longer than any may be', { ...password, password: 'x'.repeat(2_000) }],
  ])('refuses %s with the same words', async (_, form) => {
    expect(await fixture.http.token(form)).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_grant',
        error_description: 'The username or the password is wrong.',
      },
    });
  });

  test('refuses a terminated user as if the password were wrong', async () => {
    const userId = fixture.userIds.get(ALICE) ?? '';
    const change = { userId, status: 'Terminated', actor: 'system:test', at: 1 } as const;
    await fixture.directory.users.setStatus(change);
    expect((await fixture.http.token(password)).body).toMatchObject({ error: 'invalid_grant' });
  });

  test.each([
    ['no username', 'username'],
    ['no password', 'password'],
  ])('refuses a form with %s', async (_, name) => {
    const form = Object.fromEntries(Object.entries(password).filter(([key]) => key !== name));
    expect(await fixture.http.token(form)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: `The parameter ${name} is required.` },
    });
  });

  test('refuses a scope that is not open to the client', async () => {
    const form = { ...password, scope: 'openid Everything' };
    expect(await fixture.http.token(form)).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    });
  });

  test('renews a hash of another cost at the next sign-in', async () => {
    const userId = fixture.userIds.get(ALICE) ?? '';
    const { hash } = await import('@node-rs/argon2');
    const passwordHash = await hash(DEMO_PASSWORD, { memoryCost: 16, timeCost: 1 });
    const change = { userId, passwordHash, actor: 'system:test', at: 1 } as const;
    await fixture.directory.users.changePassword(change);
    expect((await fixture.http.token(password)).status).toBe(200);
    const credentials = await fixture.directory.users.findCredentials(ALICE);
    expect(credentials?.passwordHash).toContain('$m=8,t=1,p=1$');
    expect((await fixture.http.token(password)).status).toBe(200);
  });
});

describe('client authentication', () => {
  test.each([
    ['a wrong secret', basic('tests', 'wrong')],
    ['an unknown client', basic('nobody', 'tests-secret')],
    ['no credentials', ''],
    ['another scheme', 'Bearer abc'],
    ['broken base64', 'Basic %%%'],
    ['no colon', `Basic ${Buffer.from('tests').toString('base64')}`],
  ])('refuses %s with 401 and a challenge', async (_, authorization) => {
    const answer = await fixture.http.token(password, { authorization });
    expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect(answer.headers['www-authenticate']).toMatch(/^Basic /);
  });

  test('is taken from the form as well', async () => {
    const form = { ...password, client_id: 'tests', client_secret: 'tests-secret' };
    expect((await fixture.http.token(form, { authorization: '' })).status).toBe(200);
    const wrong = { ...form, client_secret: 'wrong' };
    expect((await fixture.http.token(wrong, { authorization: '' })).status).toBe(401);
  });

  test('by header and form at once is refused; repeating the client_id is not', async () => {
    const both = { ...password, client_id: 'tests', client_secret: 'tests-secret' };
    expect((await fixture.http.token(both)).body).toMatchObject({ error: 'invalid_request' });
    expect((await fixture.http.token({ ...password, client_id: 'tests' })).status).toBe(200);
    const other = { ...password, client_id: 'lk' };
    expect((await fixture.http.token(other)).body).toMatchObject({ error: 'invalid_request' });
  });

  test('decodes form-encoded credentials, as strict clients send them', async () => {
    const authorization = basic('%74ests', 'tests%2Dsecret');
    expect((await fixture.http.token(password, { authorization })).status).toBe(200);
  });
});

describe('grant types', () => {
  test('a form without one, an unknown one, and one that the client may not use are refused', async () => {
    const { grant_type: _, ...none } = password;
    expect((await fixture.http.token(none)).body).toMatchObject({ error: 'invalid_request' });
    const unknown = { ...password, grant_type: 'implicit' };
    expect(await fixture.http.token(unknown)).toMatchObject({
      status: 400,
      body: { error: 'unsupported_grant_type' },
    });
    const authorization = basic('spa', 'spa-secret');
    expect(await fixture.http.token(password, { authorization })).toMatchObject({
      status: 400,
      body: { error: 'unauthorized_client' },
    });
  });
});

describe('the refresh_token grant', () => {
  test('answers new tokens, and the new refresh token works in turn', async () => {
    const first = await fixture.http.token(password);
    const second = await fixture.http.token(refreshOf(first));
    expect(second).toMatchObject({ status: 200, body: { expires_in: 30, scope: SCOPE } });
    expect(textOf(second, 'refresh_token')).not.toBe(textOf(first, 'refresh_token'));
    expect((await fixture.http.token(refreshOf(second))).status).toBe(200);
  });

  test('takes the client credentials in the form, as the interface describes', async () => {
    const first = await fixture.http.token(password);
    const form = refreshOf(first, {
      client_id: 'tests',
      client_secret: 'tests-secret',
      scope: SCOPE,
    });
    expect((await fixture.http.token(form, { authorization: '' })).status).toBe(200);
  });

  test('refuses a used token and ends the whole sign-in', async () => {
    const first = await fixture.http.token(password);
    const second = await fixture.http.token(refreshOf(first));
    const refused = { status: 400, body: { error: 'invalid_grant' } };
    expect(await fixture.http.token(refreshOf(first))).toMatchObject(refused);
    expect(await fixture.http.token(refreshOf(second))).toMatchObject(refused);
    expect((await fixture.http.token(password)).status).toBe(200);
  });

  test("refuses another client's token", async () => {
    const first = await fixture.http.token(password);
    const authorization = basic('lk', 'lk-secret');
    expect(await fixture.http.token(refreshOf(first), { authorization })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect((await fixture.http.token(refreshOf(first))).status).toBe(200);
  });

  test('refuses an unknown token, a missing one and an expired one', async () => {
    const unknown = { grant_type: 'refresh_token', refresh_token: 'x'.repeat(43) };
    expect((await fixture.http.token(unknown)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await fixture.http.token({ grant_type: 'refresh_token' })).body).toMatchObject({
      error: 'invalid_request',
    });
    const first = await fixture.http.token(password);
    fixture.clock.now += 14 * 86_400_000;
    expect((await fixture.http.token(refreshOf(first))).body).toMatchObject({
      error: 'invalid_grant',
    });
  });

  test('can narrow the access token, never widen it', async () => {
    const first = await fixture.http.token(password);
    const narrowed = await fixture.http.token(refreshOf(first, { scope: 'openid' }));
    expect(narrowed).toMatchObject({ status: 200, body: { scope: 'openid' } });
    const wider = await fixture.http.token(refreshOf(narrowed, { scope: 'openid BackOffice' }));
    expect(wider).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    const whole = await fixture.http.token(refreshOf(narrowed));
    expect(whole).toMatchObject({ status: 200, body: { scope: SCOPE } });
  });

  test('works after the directory was closed and opened again', async () => {
    const file = `${fixture.dataDirectory}/directory.db`;
    const before = await createFixture({ directory: openInThreadDirectory(file) });
    const first = await before.http.token(password);
    await before.dispose();
    const after = await createFixture({ directory: openInThreadDirectory(file) });
    expect((await after.http.token(refreshOf(first))).status).toBe(200);
    await after.dispose();
  });
});

describe('limits', () => {
  test('wrong passwords run out for that user from that address, and come back with time', async () => {
    const wrong = { ...password, password: 'wrong' };
    for (let attempt = 0; attempt < 20; attempt += 1) {
      expect((await fixture.http.token(wrong)).status).toBe(400);
    }
    const refused = await fixture.http.token(password);
    expect(refused).toMatchObject({ status: 429, body: { error: 'slow_down' } });
    expect(refused.headers['retry-after']).toBe('6');
    expect((await fixture.http.token(password, { remoteAddress: '192.0.2.1' })).status).toBe(200);
    const bob = { ...password, username: 'bob@matchbox.test' };
    expect((await fixture.http.token(bob)).status).toBe(200);
    fixture.clock.now += 6_000;
    expect((await fixture.http.token(password)).status).toBe(200);
  });

  test('right passwords never run out', async () => {
    for (let attempt = 0; attempt < 30; attempt += 1) {
      expect((await fixture.http.token(password)).status).toBe(200);
    }
  });

  test('parallel guesses do not pass the limit together', async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await fixture.http.token({ ...password, password: 'wrong' });
    }
    const answers = await Promise.all(
      Array.from({ length: 17 }, () => fixture.http.token({ ...password, password: 'wrong' })),
    );
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(10);
  });

  test('sign-ins beyond the hashing queue are told to come back', async () => {
    const plenty = { burst: 1_000, intervalMs: 1 };
    const other = await createFixture({
      signInLimits: { perUserAndAddress: plenty, perAddress: plenty },
    });
    const answers = await Promise.all(Array.from({ length: 40 }, () => other.http.token(password)));
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    const late = answers.find(({ status }) => status === 429);
    expect(late?.headers['retry-after']).toBe('1');
    expect((await other.http.token(password)).status).toBe(200);
    await other.dispose();
  });

  test('as many right sign-ins in parallel as can wait for their hash all succeed', async () => {
    const answers = await Promise.all(
      Array.from({ length: 17 }, () => fixture.http.token(password)),
    );
    expect(answers.map(({ status }) => status)).toEqual(new Array(17).fill(200));
  });

  test('a directory that is too busy is answered 503, not 500', async () => {
    const directory = openInThreadDirectory();
    let isBusy = false;
    const flaky = {
      ...directory,
      oauthClients: {
        ...directory.oauthClients,
        get: async (clientId: string) => {
          if (isBusy) throw new DirectoryBusyError('busy');
          return await directory.oauthClients.get(clientId);
        },
      },
    };
    const other = await createFixture({ directory: flaky });
    isBusy = true;
    const answer = await other.http.token(password);
    expect(answer).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } });
    expect(answer.headers['retry-after']).toBe('1');
    await other.dispose();
  });
});
