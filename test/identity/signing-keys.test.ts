import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AccessTokens } from '../../gateway/identity/access-tokens.ts';
import { systemRandom } from '../../gateway/identity/random.ts';
import { loadSigningKeys, type SigningKeys } from '../../gateway/identity/signing-keys.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'matchbox-keys-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const subject = { userId: 'u', clientId: 'c', scopes: ['openid'], roles: ['Trader'] };

function tokensOf(keys: SigningKeys): AccessTokens {
  return new AccessTokens({ keys, issuer: 'http://i', lifetimeMs: 30_000, random: systemRandom });
}

describe('the signing keys', () => {
  test('are made once, readable by the owner only, and are the same after a restart', async () => {
    const before = await loadSigningKeys(folder);
    const { token } = await tokensOf(before).issue(subject, 0);
    const after = await loadSigningKeys(folder);
    expect(after.current.kid).toBe(before.current.kid);
    expect(await tokensOf(after).verify(token, 1)).toMatchObject({ userId: 'u' });
    const files = readdirSync(folder);
    expect(files).toEqual(['identity-keys.json']);
    expect(statSync(join(folder, 'identity-keys.json')).mode & 0o777).toBe(0o600);
  });

  test('a file that others could read is tightened', async () => {
    await loadSigningKeys(folder);
    const file = join(folder, 'identity-keys.json');
    chmodSync(file, 0o644);
    await loadSigningKeys(folder);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('a key put in front signs, and the one behind it still verifies', async () => {
    const old = await loadSigningKeys(folder);
    const { token } = await tokensOf(old).issue(subject, 0);
    const file = join(folder, 'identity-keys.json');
    const { keys } = JSON.parse(readFileSync(file, 'utf8'));
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    writeFileSync(file, JSON.stringify({ keys: [await exportJWK(privateKey), ...keys] }));
    const both = await loadSigningKeys(folder);
    expect(both.all).toHaveLength(2);
    expect(both.current.kid).not.toBe(old.current.kid);
    expect(await tokensOf(both).verify(token, 1)).toMatchObject({ userId: 'u' });
  });

  test('what the JWKS shows has no private member', async () => {
    const { current } = await loadSigningKeys(folder);
    expect(Object.keys(current.publicJwk).sort()).toEqual([
      'alg',
      'crv',
      'kid',
      'kty',
      'use',
      'x',
      'y',
    ]);
  });

  test.each(['', '{}', '{"keys":[]}', '{"keys":[{"kty":"oct","k":"AAAA"}]}'])(
    'a damaged file is refused and not replaced: %s',
    async (text) => {
      const file = join(folder, 'identity-keys.json');
      writeFileSync(file, text);
      await expect(loadSigningKeys(folder)).rejects.toThrow();
      expect(readFileSync(file, 'utf8')).toBe(text);
    },
  );
});
