import { createHash } from 'node:crypto';
import { SignJWT } from 'jose';
import { SIGNING_ALGORITHM, type SigningKeys } from './signing-keys.ts';

export interface IdTokenSubject {
  readonly userId: string;
  readonly clientId: string;
  /** As the authorization request had it; null where it had none. */
  readonly nonce: string | null;
  /** When the user signed in, UTC milliseconds. */
  readonly authenticatedAt: number;
  /** The access token that goes with it. */
  readonly accessToken: string;
  readonly expiresAt: number;
}

/** Signs ID tokens (OpenID Connect Core, 2): who has signed in, for the client that asked. */
export class IdTokens {
  readonly #keys: SigningKeys;
  readonly #issuer: string;

  constructor(keys: SigningKeys, issuer: string) {
    this.#keys = keys;
    this.#issuer = issuer;
  }

  /** Times are whole seconds, as many clients take no others. */
  async issue(subject: IdTokenSubject, now: number): Promise<string> {
    const { kid, privateKey } = this.#keys.current;
    return await new SignJWT({
      auth_time: Math.floor(subject.authenticatedAt / 1_000),
      at_hash: leftHalf(subject.accessToken),
      ...(subject.nonce === null ? {} : { nonce: subject.nonce }),
    })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: 'JWT', kid })
      .setIssuer(this.#issuer)
      .setAudience(subject.clientId)
      .setSubject(subject.userId)
      .setIssuedAt(Math.floor(now / 1_000))
      .setExpirationTime(Math.ceil(subject.expiresAt / 1_000))
      .sign(privateKey);
  }
}

/** at_hash: half of the digest that belongs to the algorithm, SHA-256 for ES256. */
function leftHalf(accessToken: string): string {
  const digest = createHash('sha256').update(accessToken, 'ascii').digest();
  return digest.subarray(0, digest.length / 2).toString('base64url');
}
