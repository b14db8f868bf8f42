import { createHash, randomBytes, randomUUID } from 'node:crypto';

/** Where ids and tokens come from: injected, so that tests can foresee them. */
export interface RandomSource {
  /** A UUID of version 4. */
  uuid(): string;
  /** 256 random bits in base64url, 43 characters: a refresh token, a secret, a password of a bot. */
  token(): string;
}

export const systemRandom: RandomSource = {
  uuid: () => randomUUID(),
  token: () => randomBytes(32).toString('base64url'),
};

/**
 * What is kept of a token or a client secret. A plain digest is enough for 256 random bits: there is
 * nothing to guess, so nothing that a slow hash or a salt could make harder.
 */
export function digestToken(token: string): Uint8Array {
  return createHash('sha256').update(token, 'utf8').digest();
}
