import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readIfPresent, writePrivately } from './private-file.ts';

const KEY_FILE = 'identity-secrets.key';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const OTHERS_MASK = 0o077;

/**
 * Keeps secrets that must be read again (the seeds of authenticators), under a key that lies beside
 * the directory and not in it: a copy of the database alone gives nothing away. AES-256-GCM; `context`
 * names whose secret it is, and a sealed secret opens under no other.
 */
export class SecretBox {
  readonly #sealKey: Buffer;
  readonly #digestKey: Buffer;

  /** 32 random bytes. */
  constructor(key: Uint8Array) {
    this.#sealKey = derive(key, 'seal');
    this.#digestKey = derive(key, 'digest');
  }

  seal(secret: string, context: string): Uint8Array {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#sealKey, nonce);
    cipher.setAAD(Buffer.from(context, 'utf8'));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** Throws where the text was changed, or sealed under another key or context. */
  open(sealed: Uint8Array, context: string): string {
    const bytes = Buffer.from(sealed);
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.#sealKey, nonce);
    decipher.setAAD(Buffer.from(context, 'utf8')).setAuthTag(tag);
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  }

  /** What is kept of a code that is too short for a plain digest: useless without the key. */
  digest(code: string, context: string): Uint8Array {
    return createHmac('sha256', this.#digestKey).update(`${context}\n${code}`, 'utf8').digest();
  }
}

/** The box of this data directory, its key made at the first start. */
export function loadSecretBox(dataDirectory: string): SecretBox {
  const file = join(dataDirectory, KEY_FILE);
  const text = readIfPresent(file) ?? createKeyFile(file);
  if ((statSync(file).mode & OTHERS_MASK) !== 0) chmodSync(file, 0o600);
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== KEY_BYTES) throw new Error(`${file} is no key of ${KEY_BYTES} bytes`);
  return new SecretBox(key);
}

function createKeyFile(file: string): string {
  const text = `${randomBytes(KEY_BYTES).toString('base64')}\n`;
  writePrivately(file, text);
  return text;
}

function derive(key: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `matchbox identity ${purpose}`, KEY_BYTES));
}
