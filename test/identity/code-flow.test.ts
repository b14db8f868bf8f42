import { createHash, randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHttpFixture, type HttpAnswer, type HttpFixture } from './support/http-fixture.ts';
import { DEMO_PASSWORD } from './support/identity-fixture.ts';
import { basic } from './support/route-caller.ts';

const SPA = basic('spa', 'spa-secret');
const ADMIN = 'admin@matchbox.test';
const ALICE = 'alice@matchbox.test';

let fixture: HttpFixture;
let redirectUri: string;
beforeAll(async () => {
  fixture = await createHttpFixture();
  redirectUri = `${fixture.base}/identity/sign-in-done`;
});
beforeEach(() => {
  fixture.clock.now = Date.now();
});
afterAll(async () => {
  expect(fixture.faults).toEqual([]);
  await fixture.dispose();
});

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

function authorizeQuery(changes: Record<string, string | undefined> = {}): string {
  const parameters: Record<string, string | undefined> = {
    client_id: 'spa',
    response_type: 'code',
    scope: 'openid offline_access FrontOffice',
    redirect_uri: redirectUri,
    state: 'a state & more',
    nonce: 'n-1',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  };
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => {
    return pair[1] !== undefined;
  });
  return new URLSearchParams(given).toString();
}

function authorize(
  cookie: string,
  changes: Record<string, string | undefined> = {},
): Promise<HttpAnswer> {
  const query = authorizeQuery(changes);
  return fixture.send('GET', `/identity/connect/authorize?${query}`, { headers: { cookie } });
}

/** The query of the address that the browser is sent to. */
function answered({ status, headers }: HttpAnswer): URLSearchParams {
  expect(status).toBe(302);
  return new URL(headers.get('location') ?? '').searchParams;
}

async function freshCode(changes: Record<string, string> = {}): Promise<string> {
  return answered(await authorize(await fixture.signIn(), changes)).get('code') ?? '';
}

function redeem(
  code: string,
  changes: Record<string, string> = {},
  authorization = SPA,
): Promise<HttpAnswer> {
  const form = {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
    ...changes,
  };
  return fixture.postForm(form, { authorization });
}

async function auditActions(): Promise<string[]> {
  const entries = await fixture.directory.audit.list({ afterId: 0, limit: 1_000 });
  return entries.map(({ action }) => action);
}

describe('POST /identity/sign-in', () => {
  test('gives a cookie that only the identity component is sent and no script reads', async () => {
    const answer = await fixture.postJson('/identity/sign-in', {
      email: ALICE,
      password: DEMO_PASSWORD,
    });
    expect(answer).toMatchObject({ status: 200, body: { secondFactorRequired: false } });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^identity-session=[\w-]{43}; Max-Age=28800; Path=\/identity; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('over TLS the cookie is Secure and says so in its name', async () => {
    const secure = await createHttpFixture({ issuer: 'https://id.example' });
    const answer = await secure.postJson('/identity/sign-in', {
      email: ALICE,
      password: DEMO_PASSWORD,
    });
    expect(answer.headers.getSetCookie()[0]).toMatch(/^__Secure-identity-session=.*; Secure$/);
    await secure.dispose();
  });

  test.each([
    { email: ALICE, password: 'wrong' },
    { email: 'nobody@matchbox.test', password: DEMO_PASSWORD },
  ])('refuses $email with $password in the same words, without a cookie', async (body) => {
    const answer = await fixture.postJson('/identity/sign-in', body);
    expect(answer.status).toBe(401);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(answer.body).toEqual({
      error: {
        message: 'Unauthorized',
        code: 100,
        details: [
          {
            issue: 'The email or the password is wrong.',
            field: 'email',
            name: 'identity/unauthorized',
          },
        ],
      },
    });
  });

  test.each([
    [{ password: 'x' }, 'email'],
    [{ email: ALICE }, 'password'],
    [{ email: 1, password: 'x' }, 'email'],
    [{ email: ALICE, password: 'x'.repeat(1_025) }, 'password'],
    [{ email: ALICE, password: 'x', other: 1 }, 'other'],
  ])('%j is a bad request that names %s', async (body, field) => {
    const answer = await fixture.postJson('/identity/sign-in', body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: { message: 'Bad Request', details: [{ field }] } });
  });

  test('limits attempts, with Retry-After', async () => {
    const limited = await createHttpFixture({
      signInLimits: {
        perUserAndAddress: { burst: 2, intervalMs: 60_000 },
        perAddress: { burst: 50, intervalMs: 1_000 },
      },
    });
    const wrong = { email: ALICE, password: 'wrong' };
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      statuses.push((await limited.postJson('/identity/sign-in', wrong)).status);
    }
    expect(statuses).toEqual([401, 401, 429]);
    const right = { email: ALICE, password: DEMO_PASSWORD };
    const answer = await limited.postJson('/identity/sign-in', right);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.body).toMatchObject({ error: { message: 'Too Many Requests' } });
    await limited.dispose();
  });
});

describe('the cookie', () => {
  test('opens nothing but the identity component', async () => {
    const cookie = await fixture.signIn(ADMIN);
    for (const path of ['/probe/front', '/probe/back']) {
      expect((await fixture.send('GET', path, { headers: { cookie } })).status).toBe(401);
    }
    const out = await fixture.postJson('/identity/sign-out', {}, { cookie });
    expect(out.status).toBe(401);
    const token = cookie.split('=')[1] ?? '';
    const authorization = `Bearer ${token}`;
    expect((await fixture.send('GET', '/probe/front', { headers: { authorization } })).status).toBe(
      401,
    );
  });

  test('is replaced by a new sign-in: the old one is good for nothing', async () => {
    const old = await fixture.signIn();
    const answer = await fixture.postJson(
      '/identity/sign-in',
      { email: ALICE, password: DEMO_PASSWORD },
      { cookie: old },
    );
    expect(answer.status).toBe(200);
    expect((await authorize(old)).status).toBe(401);
  });

  test('ends after eight hours', async () => {
    const cookie = await fixture.signIn();
    fixture.clock.now += 8 * 3_600_000 - 1;
    expect((await authorize(cookie)).status).toBe(302);
    fixture.clock.now += 1;
    expect((await authorize(cookie)).status).toBe(401);
  });

  test('ends with a sign-out of the same user, and stays with one of somebody else', async () => {
    const cookie = await fixture.signIn();
    const bearerOf = async (email: string) => {
      const code = answered(await authorize(await fixture.signIn(email))).get('code') ?? '';
      return `Bearer ${String((await redeem(code)).body['access_token'])}`;
    };
    const foreign = { cookie, authorization: await bearerOf('bob@matchbox.test') };
    expect((await fixture.postJson('/identity/sign-out', {}, foreign)).status).toBe(200);
    expect((await authorize(cookie)).status).toBe(302);
    const own = { cookie, authorization: await bearerOf(ALICE) };
    const out = await fixture.postJson('/identity/sign-out', {}, own);
    expect(out.headers.getSetCookie()[0]).toMatch(/^identity-session=; Max-Age=0; Path=\/identity/);
    expect((await authorize(cookie)).status).toBe(401);
  });

  test('ends when the password changes and when the user is terminated', async () => {
    const parts = await createHttpFixture();
    const userId = parts.userIds.get(ALICE) ?? '';
    const query = authorizeQuery({ redirect_uri: `${parts.base}/identity/sign-in-done` });
    const status = async (cookie: string) =>
      (await parts.send('GET', `/identity/connect/authorize?${query}`, { headers: { cookie } }))
        .status;
    const administration = { actor: 'system:test', at: parts.clock.now } as const;
    const first = await parts.signIn();
    expect(await status(first)).toBe(302);
    const passwordHash = await parts.identity.passwords.hash(DEMO_PASSWORD);
    await parts.directory.users.changePassword({ userId, passwordHash, ...administration });
    expect(await status(first)).toBe(401);
    const second = await parts.signIn();
    await parts.directory.users.setStatus({ userId, status: 'Terminated', ...administration });
    expect(await status(second)).toBe(401);
    await parts.dispose();
  });
});

describe('GET /identity/connect/authorize', () => {
  test('answers code, scope, state, session_state and issuer at the registered address', async () => {
    const answer = await authorize(await fixture.signIn());
    const location = new URL(answer.headers.get('location') ?? '');
    expect(location.origin + location.pathname).toBe(redirectUri);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      scope: 'openid offline_access FrontOffice',
      state: 'a state & more',
      session_state: expect.stringMatching(/^[\w-]{43}\.[\w-]{16}$/),
      iss: fixture.base,
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const page = await fixture.send('GET', location.pathname + location.search);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.text).not.toContain(location.searchParams.get('code') ?? 'x');
  });

  test.each([
    ['client_id', undefined],
    ['client_id', 'nobody'],
    ['client_id', 'tests'],
    ['redirect_uri', undefined],
    ['redirect_uri', '/identity/sign-in-done'],
    ['redirect_uri', 'https://evil.example/identity/sign-in-done'],
    ['redirect_uri', 'HERE/'],
    ['redirect_uri', 'HERE?next=/'],
    ['redirect_uri', 'HERE#'],
    ['response_type', undefined],
    ['response_type', 'token'],
    ['response_type', 'code id_token'],
    ['response_mode', 'fragment'],
    ['code_challenge', undefined],
    ['code_challenge', 'short'],
    ['code_challenge_method', undefined],
    ['code_challenge_method', 'plain'],
    ['scope', 'openid BackOffice'],
    ['scope', 'openid everything'],
    ['state', 'x'.repeat(2_049)],
    ['request', 'e30.e30.'],
  ])('%s %s is answered 401 and named, with no redirect', async (field, value) => {
    const cookie = await fixture.signIn();
    const answer = await authorize(cookie, { [field]: value?.replace('HERE', redirectUri) });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('location')).toBeNull();
    expect(answer.body).toEqual({
      error: {
        message: 'Unauthorized',
        code: 100,
        details: [{ issue: expect.any(String), field, name: 'identity/unauthorized' }],
      },
    });
  });

  test.each([
    '',
    'identity-session=',
    'identity-session=nonsense',
    `identity-session=${'A'.repeat(43)}`,
  ])('the cookie %j signs nobody in', async (cookie) => {
    const answer = await authorize(cookie);
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({
      error: { details: [{ issue: 'Sign in first.', name: 'identity/unauthorized' }] },
    });
  });

  test('a cookie that comes twice signs nobody in', async () => {
    const cookie = await fixture.signIn();
    expect((await authorize(`${cookie}; ${cookie}`)).status).toBe(401);
  });
});

describe('a code', () => {
  test('gives tokens whose ID token names the sign-in', async () => {
    const answer = await redeem(await freshCode());
    expect(answer.status).toBe(200);
    const claims = decodeJwt(String(answer.body['id_token']));
    const accessToken = String(answer.body['access_token']);
    const half = createHash('sha256').update(accessToken).digest().subarray(0, 16);
    expect(claims).toMatchObject({
      aud: 'spa',
      nonce: 'n-1',
      auth_time: Math.floor(fixture.clock.now / 1_000),
      at_hash: half.toString('base64url'),
    });
  });

  test('without openid there is no ID token, without offline_access no refresh token', async () => {
    const { body } = await redeem(await freshCode({ scope: 'FrontOffice' }));
    expect(Object.keys(body).sort()).toEqual(['access_token', 'expires_in', 'scope', 'token_type']);
  });

  test('its ID token is no access token', async () => {
    const { body } = await redeem(await freshCode());
    const authorization = `Bearer ${String(body['id_token'])}`;
    const answer = await fixture.send('GET', '/probe/front', { headers: { authorization } });
    expect(answer.status).toBe(401);
  });

  test('is good for one use; a second one revokes the tokens made from it', async () => {
    const code = await freshCode();
    const { body } = await redeem(code);
    expect(await redeem(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const refreshToken = String(body['refresh_token']);
    const refresh = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const answer = await fixture.postForm(refresh, { authorization: SPA });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await auditActions()).toContain('authorization-code.reuse-detected');
  });

  test('of two redemptions at once exactly one wins', async () => {
    const code = await freshCode();
    const answers = await Promise.all([redeem(code), redeem(code), redeem(code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  test('dies after 60 seconds', async () => {
    const [early, late] = [await freshCode(), await freshCode()];
    fixture.clock.now += 59_999;
    expect((await redeem(early)).status).toBe(200);
    fixture.clock.now += 1;
    expect((await redeem(late)).body).toMatchObject({ error: 'invalid_grant' });
  });

  test.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }],
    ['another redirect', { redirect_uri: 'https://evil.example/identity/sign-in-done' }],
  ])('shown with %s is refused and used up', async (_, changes) => {
    const code = await freshCode();
    expect((await redeem(code, changes)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await redeem(code)).body).toMatchObject({ error: 'invalid_grant' });
  });

  test('another client can neither redeem it nor use it up', async () => {
    const code = await freshCode();
    const foreign = await redeem(code, {}, basic('spa_admin', 'spa_admin-secret'));
    expect(foreign.body).toMatchObject({ error: 'invalid_grant' });
    expect((await redeem(code)).status).toBe(200);
  });

  test.each([
    ['code_verifier', { code_verifier: '' }],
    ['redirect_uri', { redirect_uri: '' }],
    ['code', { code: '' }],
    ['code_verifier', { code_verifier: 'too short' }],
  ])(
    'a request without a proper %s is invalid and leaves the code alone',
    async (name, changes) => {
      const code = await freshCode();
      const answer = await redeem(code, changes);
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
      expect(answer.body['error_description']).toContain(name);
      expect((await redeem(code)).status).toBe(200);
    },
  );

  test('a client without the grant, or without its secret, gets nothing', async () => {
    const code = await freshCode();
    const other = await redeem(code, {}, basic('tests', 'tests-secret'));
    expect(other.body).toMatchObject({ error: 'unauthorized_client' });
    const nobody = await redeem(code, {}, basic('spa', 'wrong'));
    expect(nobody).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });
});
