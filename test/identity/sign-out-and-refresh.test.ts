import { importJWK, type JWK, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ALICE,
  createFixture,
  DEMO_PASSWORD,
  type IdentityFixture,
} from './support/identity-fixture.ts';
import { textOf } from './support/route-caller.ts';

let fixture: IdentityFixture;
beforeEach(async () => {
  fixture = await createFixture();
});
afterEach(() => fixture.dispose());

interface SignedIn {
  readonly authorization: string;
  readonly refreshToken: string;
}

async function signIn(username = ALICE): Promise<SignedIn> {
  const answer = await fixture.http.token({
    grant_type: 'password',
    username,
    password: DEMO_PASSWORD,
    scope: 'openid offline_access FrontOffice',
  });
  return {
    authorization: `Bearer ${textOf(answer, 'access_token')}`,
    refreshToken: textOf(answer, 'refresh_token'),
  };
}

function refresh(refreshToken: string, path = '/api/v2/refresh') {
  return fixture.http.call('POST', path, { body: { refreshToken } });
}

async function signOut({ authorization }: SignedIn, body: object): Promise<number> {
  const answer = await fixture.http.call('POST', '/identity/sign-out', { authorization, body });
  return answer.status;
}

describe('POST /identity/sign-out', () => {
  test('with a refresh token ends that sign-in only', async () => {
    const [here, there] = [await signIn(), await signIn()];
    expect(await signOut(here, { refresh_token: here.refreshToken })).toBe(200);
    expect((await refresh(here.refreshToken)).status).toBe(401);
    expect((await refresh(there.refreshToken)).status).toBe(200);
  });

  test('with an empty body ends all sign-ins of that user and client', async () => {
    const [here, there, bob] = [await signIn(), await signIn(), await signIn('bob@matchbox.test')];
    expect(await signOut(here, {})).toBe(200);
    expect((await refresh(here.refreshToken)).status).toBe(401);
    expect((await refresh(there.refreshToken)).status).toBe(401);
    expect((await refresh(bob.refreshToken)).status).toBe(200);
  });

  test("somebody else's refresh token is left alone, and nobody learns whether it exists", async () => {
    const [alice, bob] = [await signIn(), await signIn('bob@matchbox.test')];
    expect(await signOut(alice, { refresh_token: bob.refreshToken })).toBe(200);
    expect(await signOut(alice, { refresh_token: 'unknown' })).toBe(200);
    expect((await refresh(bob.refreshToken)).status).toBe(200);
    expect((await refresh(alice.refreshToken)).status).toBe(200);
  });

  test('needs an access token, which stays good until it expires', async () => {
    const alice = await signIn();
    expect(await signOut({ ...alice, authorization: '' }, {})).toBe(401);
    expect((await refresh(alice.refreshToken)).status).toBe(200);
    expect(await signOut(alice, {})).toBe(200);
    expect(await signOut(alice, {})).toBe(200);
    fixture.clock.now += 30_000;
    expect(await signOut(alice, {})).toBe(401);
  });
});

describe.each(['/api/v2/refresh', '/api/v2/my/refresh'])('POST %s', (path) => {
  test('answers a pair of tokens with their times', async () => {
    const alice = await signIn();
    const { status, body } = await refresh(alice.refreshToken, path);
    expect(status).toBe(200);
    const at = (milliseconds: number) => new Date(fixture.clock.now + milliseconds).toISOString();
    expect(body).toEqual({
      accessToken: { token: expect.any(String), createdAt: at(0), expiresAt: at(30_000) },
      refreshToken: {
        token: expect.any(String),
        createdAt: at(0),
        expiresAt: at(14 * 86_400_000),
      },
    });
  });

  test('refuses a used token in the shape of the interface and ends the sign-in', async () => {
    const alice = await signIn();
    await refresh(alice.refreshToken, path);
    expect(await refresh(alice.refreshToken, path)).toMatchObject({
      status: 401,
      body: {
        error: {
          message: 'Unauthorized',
          details: [{ issue: 'The refresh token is not valid any more.', field: 'refreshToken' }],
        },
      },
    });
  });
});

describe('GET /identity/.well-known/jwks.json', () => {
  test('shows the key that verifies an access token', async () => {
    const alice = await signIn();
    const { body } = await fixture.http.call('GET', '/identity/.well-known/jwks.json');
    const { keys } = body;
    const [jwk] = keys as JWK[];
    const key = await importJWK(jwk ?? {}, 'ES256');
    const { payload } = await jwtVerify(alice.authorization.replace('Bearer ', ''), key, {
      currentDate: new Date(fixture.clock.now),
    });
    expect(payload.sub).toBe(fixture.userIds.get(ALICE));
  });
});
