import * as client from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHttpFixture, type HttpFixture } from './support/http-fixture.ts';

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

describe('a certified client', () => {
  async function signedIn(clientId: string, email: string, scope: string) {
    const config = await client.discovery(
      new URL(fixture.base),
      clientId,
      undefined,
      client.ClientSecretBasic(`${clientId}-secret`),
      { execute: [client.allowInsecureRequests] },
    );
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const state = client.randomState();
    const nonce = client.randomNonce();
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope,
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const cookie = await fixture.signIn(email);
    const redirect = await fetch(address, { headers: { cookie }, redirect: 'manual' });
    const tokens = await client.authorizationCodeGrant(
      config,
      new URL(redirect.headers.get('location') ?? ''),
      { pkceCodeVerifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true },
    );
    return { config, tokens };
  }

  test('signs in through the code flow, refreshes, is refused on reuse, signs out', async () => {
    const { config, tokens } = await signedIn('spa', ALICE, 'openid offline_access FrontOffice');
    const subject = fixture.userIds.get(ALICE);
    expect(tokens.claims()).toMatchObject({ sub: subject, iss: fixture.base, aud: 'spa' });
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 30 });
    const bearer = { authorization: `Bearer ${tokens.access_token}` };
    expect((await fixture.send('GET', '/probe/front', { headers: bearer })).status).toBe(200);
    expect((await fixture.send('GET', '/probe/back', { headers: bearer })).status).toBe(403);

    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
    await expect(
      client.refreshTokenGrant(config, tokens.refresh_token ?? ''),
    ).rejects.toMatchObject({ error: 'invalid_grant' });
    await expect(
      client.refreshTokenGrant(config, refreshed.refresh_token ?? ''),
    ).rejects.toMatchObject({ error: 'invalid_grant' });

    const again = await signedIn('spa', ALICE, 'openid offline_access FrontOffice');
    const out = await fixture.postJson(
      '/identity/sign-out',
      {},
      { authorization: `Bearer ${again.tokens.access_token}` },
    );
    expect(out.status).toBe(200);
    await expect(
      client.refreshTokenGrant(again.config, again.tokens.refresh_token ?? ''),
    ).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('an administrator gets the back office through spa_admin', async () => {
    const scope = 'openid offline_access FrontOffice BackOffice';
    const { tokens } = await signedIn('spa_admin', ADMIN, scope);
    expect(tokens.scope).toBe(scope);
    const bearer = { authorization: `Bearer ${tokens.access_token}` };
    expect((await fixture.send('GET', '/probe/manage', { headers: bearer })).status).toBe(200);
  });

  test('roles limit the scopes: a trader gets no back office, and is told so', async () => {
    const scope = 'openid FrontOffice BackOffice';
    const { tokens } = await signedIn('spa_admin', ALICE, scope);
    expect(tokens.scope).toBe('openid FrontOffice');
    expect(tokens.refresh_token).toBeUndefined();
    const bearer = { authorization: `Bearer ${tokens.access_token}` };
    expect((await fixture.send('GET', '/probe/back', { headers: bearer })).status).toBe(403);
  });
});

test('both discovery documents are the same and name what is there', async () => {
  const [root, own] = await Promise.all([
    fixture.send('GET', '/.well-known/openid-configuration'),
    fixture.send('GET', '/identity/.well-known/openid-configuration'),
  ]);
  expect(root.status).toBe(200);
  expect(own.body).toEqual(root.body);
  const keys = await fetch(String(root.body['jwks_uri']));
  expect(keys.status).toBe(200);
});
