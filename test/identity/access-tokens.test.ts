import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AccessTokens } from '../../gateway/identity/access-tokens.ts';
import { systemRandom } from '../../gateway/identity/random.ts';
import { loadSigningKeys, type SigningKeys } from '../../gateway/identity/signing-keys.ts';

const NOW = 1_767_225_600_123;
const subject = {
  userId: 'u',
  clientId: 'tests',
  scopes: ['openid', 'FrontOffice'],
  roles: ['Trader'],
};

let folder: string;
let keys: SigningKeys;
let tokens: AccessTokens;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'matchbox-tokens-'));
  keys = await loadSigningKeys(folder);
  tokens = new AccessTokens({
    keys,
    issuer: 'http://127.0.0.1:9000',
    lifetimeMs: 30_000,
    random: systemRandom,
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Forgery {
  readonly header?: Record<string, unknown>;
  readonly claims?: Record<string, unknown>;
}

/** A token that is right in everything but what the test changes. */
function forge({ header, claims }: Forgery = {}): Promise<string> {
  return new SignJWT({
    iss: 'http://127.0.0.1:9000',
    aud: 'matchbox',
    sub: 'u',
    client_id: 'tests',
    scope: 'openid FrontOffice',
    roles: ['Trader'],
    jti: 'j',
    iat: NOW / 1_000,
    exp: NOW / 1_000 + 30,
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: keys.current.kid, ...header })
    .sign(keys.current.privateKey);
}

describe('an access token', () => {
  test('says who, for which client and scopes, by whom, for whom and how long', async () => {
    const issued = await tokens.issue(subject, NOW);
    expect(issued).toMatchObject({ createdAt: NOW, expiresAt: NOW + 30_000 });
    expect(decodeProtectedHeader(issued.token)).toEqual({
      alg: 'ES256',
      typ: 'at+jwt',
      kid: keys.current.kid,
    });
    expect(decodeJwt(issued.token)).toEqual({
      iss: 'http://127.0.0.1:9000',
      aud: 'matchbox',
      sub: 'u',
      client_id: 'tests',
      scope: 'openid FrontOffice',
      roles: ['Trader'],
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      iat: NOW / 1_000,
      exp: NOW / 1_000 + 30,
    });
  });

  test('is valid to the millisecond', async () => {
    const { token } = await tokens.issue(subject, NOW);
    expect(await tokens.verify(token, NOW)).toEqual({ ...subject, expiresAt: NOW + 30_000 });
    expect(await tokens.verify(token, NOW + 29_999)).not.toBeNull();
    expect(await tokens.verify(token, NOW + 30_000)).toBeNull();
  });

  test('the forgery that changes nothing is accepted, so those below fail for their change', async () => {
    expect(await tokens.verify(await forge(), NOW)).not.toBeNull();
  });

  test.each<[string, Forgery]>([
    ['another issuer', { claims: { iss: 'http://evil.test' } }],
    ['another audience', { claims: { aud: 'other' } }],
    ['another type', { header: { typ: 'JWT' } }],
    ['an unknown key', { header: { kid: 'other' } }],
    ['no key id', { header: { kid: undefined } }],
    ['no subject', { claims: { sub: undefined } }],
    ['no client', { claims: { client_id: undefined } }],
    ['no expiry', { claims: { exp: undefined } }],
    ['roles that are no list', { claims: { roles: 'Admin' } }],
    ['a role that is no text', { claims: { roles: [1] } }],
    ['a scope that is no text', { claims: { scope: ['FrontOffice'] } }],
    ['an expiry in the past', { claims: { exp: NOW / 1_000 - 1 } }],
  ])('with %s is refused', async (_, forgery) => {
    expect(await tokens.verify(await forge(forgery), NOW)).toBeNull();
  });

  test('signed by another key under our key id is refused', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    const token = await new SignJWT(decodeJwt(await forge()))
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: keys.current.kid })
      .sign(privateKey);
    expect(await tokens.verify(token, NOW)).toBeNull();
  });

  test('without a signature, or with our public key as an HMAC secret, is refused', async () => {
    const payload = (await forge()).split('.')[1];
    const header = (alg: string) =>
      Buffer.from(JSON.stringify({ alg, typ: 'at+jwt', kid: keys.current.kid })).toString(
        'base64url',
      );
    expect(await tokens.verify(`${header('none')}.${payload}.`, NOW)).toBeNull();
    const symmetric = await new SignJWT(decodeJwt(await forge()))
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: keys.current.kid })
      .sign(new TextEncoder().encode(JSON.stringify(keys.current.publicJwk)));
    expect(await tokens.verify(symmetric, NOW)).toBeNull();
  });

  test('changed in any one character is refused', async () => {
    const { token } = await tokens.issue(subject, NOW);
    for (let at = 0; at < token.length - 1; at += 7) {
      const other = token[at] === 'A' ? 'B' : 'A';
      const changed = token.slice(0, at) + other + token.slice(at + 1);
      expect(await tokens.verify(changed, NOW), `character ${at}`).toBeNull();
    }
  });
});
