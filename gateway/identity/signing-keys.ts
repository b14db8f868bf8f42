import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';
import { readIfPresent, writePrivately } from './private-file.ts';

/** ES256 rather than EdDSA: every OAuth client and every runtime's Web Crypto knows it. */
export const SIGNING_ALGORITHM = 'ES256';
const KEY_FILE = 'identity-keys.json';
const OTHERS_MASK = 0o077;

interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly publicJwk: PublicJwk;
}

/** What the JWKS shows of a key: no private member. */
interface PublicJwk {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: string;
  readonly use: 'sig';
}

/** The first key signs; all of them verify, so that a new one can be put in front of an old one. */
export interface SigningKeys {
  readonly current: SigningKey;
  readonly all: readonly SigningKey[];
}

/**
 * The keys of this data directory, made at the first start. The file is readable by its owner only; a
 * looser mode (a restored backup, say) is tightened.
 */
export async function loadSigningKeys(dataDirectory: string): Promise<SigningKeys> {
  const file = join(dataDirectory, KEY_FILE);
  const text = readIfPresent(file) ?? (await createKeyFile(file));
  if ((statSync(file).mode & OTHERS_MASK) !== 0) chmodSync(file, 0o600);
  const all = await Promise.all(parseKeyFile(text, file).map(importSigningKey));
  const [current] = all;
  if (current === undefined) throw new Error(`${file} holds no signing key`);
  return { current, all };
}

async function createKeyFile(file: string): Promise<string> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const text = `${JSON.stringify({ keys: [await exportJWK(privateKey)] }, null, 2)}\n`;
  writePrivately(file, text);
  return text;
}

function parseKeyFile(text: string, file: string): JWK[] {
  const content: unknown = JSON.parse(text);
  if (
    typeof content === 'object' &&
    content !== null &&
    'keys' in content &&
    Array.isArray(content.keys)
  ) {
    return content.keys;
  }
  throw new Error(`${file} is not a set of keys`);
}

async function importSigningKey(privateJwk: JWK): Promise<SigningKey> {
  const { kty, crv, x, y } = privateJwk;
  if (kty !== 'EC' || crv === undefined || x === undefined || y === undefined) {
    throw new Error('a signing key must be an elliptic-curve key');
  }
  const kid = await calculateJwkThumbprint({ kty, crv, x, y });
  const publicJwk: PublicJwk = { kty, crv, x, y, kid, alg: SIGNING_ALGORITHM, use: 'sig' };
  const [privateKey, publicKey] = await Promise.all([
    importAsymmetric(privateJwk),
    importAsymmetric(publicJwk),
  ]);
  return { kid, privateKey, publicKey, publicJwk };
}

async function importAsymmetric(jwk: JWK | PublicJwk): Promise<CryptoKey> {
  const key = await importJWK(jwk, SIGNING_ALGORITHM);
  if (key instanceof Uint8Array) throw new Error('a signing key must be asymmetric');
  return key;
}
