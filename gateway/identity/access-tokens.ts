import { errors, jwtVerify, SignJWT } from 'jose';
import type { RandomSource } from './random.ts';
import { SIGNING_ALGORITHM, type SigningKeys } from './signing-keys.ts';

/** Who an access token speaks for, and what it is good for. */
export interface AccessTokenSubject {
  readonly userId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly roles: readonly string[];
}

export interface AccessTokenClaims extends AccessTokenSubject {
  /** UTC milliseconds. */
  readonly expiresAt: number;
}

/** A token and its lifetime in UTC milliseconds. */
export interface IssuedToken {
  readonly token: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface AccessTokenOptions {
  readonly keys: SigningKeys;
  readonly issuer: string;
  readonly lifetimeMs: number;
  readonly random: RandomSource;
}

const AUDIENCE = 'matchbox';
const TOKEN_TYPE = 'at+jwt';

/** Signs and verifies access tokens (RFC 9068) with the keys of this data directory alone. */
export class AccessTokens {
  readonly #options: AccessTokenOptions;

  constructor(options: AccessTokenOptions) {
    this.#options = options;
  }

  /** Times are exact to the millisecond: NumericDate allows fractions of a second. */
  async issue(subject: AccessTokenSubject, now: number): Promise<IssuedToken> {
    const { keys, issuer, lifetimeMs, random } = this.#options;
    const expiresAt = now + lifetimeMs;
    const token = await new SignJWT({
      client_id: subject.clientId,
      scope: subject.scopes.join(' '),
      roles: subject.roles,
    })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: TOKEN_TYPE, kid: keys.current.kid })
      .setIssuer(issuer)
      .setAudience(AUDIENCE)
      .setSubject(subject.userId)
      .setJti(random.uuid())
      .setIssuedAt(now / 1_000)
      .setExpirationTime(expiresAt / 1_000)
      .sign(keys.current.privateKey);
    return { token, createdAt: now, expiresAt };
  }

  /** Null for whatever is not a valid, unexpired token of ours. */
  async verify(token: string, now: number): Promise<AccessTokenClaims | null> {
    try {
      const { payload } = await jwtVerify(token, ({ kid }) => this.#publicKey(kid), {
        algorithms: [SIGNING_ALGORITHM],
        typ: TOKEN_TYPE,
        issuer: this.#options.issuer,
        audience: AUDIENCE,
        requiredClaims: ['sub', 'client_id', 'scope', 'roles', 'jti', 'iat', 'exp'],
        currentDate: new Date(now),
      });
      return readClaims(payload, now);
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }

  #publicKey(kid: string | undefined) {
    const key = this.#options.keys.all.find((candidate) => candidate.kid === kid);
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key.publicKey;
  }
}

function readClaims(payload: Record<string, unknown>, now: number): AccessTokenClaims | null {
  const { sub, client_id: clientId, scope, roles, exp } = payload;
  if (typeof sub !== 'string' || typeof clientId !== 'string' || typeof scope !== 'string') {
    return null;
  }
  if (typeof exp !== 'number' || !Array.isArray(roles) || !roles.every(isText)) return null;
  const expiresAt = Math.round(exp * 1_000);
  if (expiresAt <= now) return null;
  return { userId: sub, clientId, scopes: scope.split(' '), roles, expiresAt };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
