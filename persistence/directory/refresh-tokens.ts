import { recordAudit } from './audit.ts';
import type { DirectoryDatabase } from './database.ts';
import { revokeFamiliesOfUser, revokeFamily } from './refresh-token-families.ts';
import { getUser, type User } from './users.ts';

/**
 * Refresh tokens as families: every refresh uses a token up and issues its successor in the same
 * transaction. A used token that comes again means that two parties hold the family, so all of it is
 * revoked. Only SHA-256 digests of the tokens are kept.
 */
export interface NewRefreshTokenFamily {
  readonly familyId: string;
  readonly tokenHash: Uint8Array;
  readonly userId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly issuedAt: number;
  /** When this token dies unused. */
  readonly expiresAt: number;
  /** When the family dies, however often it was refreshed. */
  readonly familyExpiresAt: number;
}

export interface RefreshTokenRotation {
  readonly tokenHash: Uint8Array;
  readonly successorHash: Uint8Array;
  /** The client that authenticated itself; null where the endpoint has no client authentication. */
  readonly clientId: string | null;
  /** What the new access token shall be good for; null for all that the family has. */
  readonly requestedScopes: readonly string[] | null;
  readonly at: number;
  /** The successor dies then, or with its family, whichever is sooner. */
  readonly successorExpiresAt: number;
  /** Used tokens are forgotten when they were used before this; a replay is then unknown. */
  readonly forgetUsedBefore: number;
}

export interface RotatedRefreshToken {
  readonly outcome: 'rotated';
  readonly user: User;
  readonly clientId: string;
  /** The scopes of the family; the new access token may have fewer. */
  readonly familyScopes: readonly string[];
  readonly successorExpiresAt: number;
}

/** Why a refresh was refused. Nothing has changed, but for `reused`, which revoked the family. */
export type RefreshRefusal =
  | 'unknown'
  | 'foreign-client'
  | 'reused'
  | 'revoked'
  | 'expired'
  | 'user-terminated'
  | 'scope-exceeded';

export type RotationResult = RotatedRefreshToken | { readonly outcome: RefreshRefusal };

/** How many dead families a new sign-in clears away: a little each time instead of a job. */
const FAMILIES_CLEARED_AT_ONCE = 20;

export const refreshTokenOperations = {
  startFamily(database: DirectoryDatabase, input: NewRefreshTokenFamily): void {
    database.transaction(() => insertFamily(database, input));
  },

  rotate(database: DirectoryDatabase, input: RefreshTokenRotation): RotationResult {
    return database.transaction(() => {
      const token = findToken(database, input.tokenHash);
      if (token === undefined) return { outcome: 'unknown' };
      const user = getUser(database, token.userId);
      const refusal = refusalOf(token, user, input);
      if (refusal === 'reused') revokeReused(database, token, input.at);
      if (refusal !== null || user === null) return { outcome: refusal ?? 'unknown' };
      return replaceToken(database, token, user, input);
    });
  },

  /**
   * Revokes the family of one token if it belongs to that user and client; answers whether it did. A
   * token of somebody else is left alone.
   */
  revokeByToken(
    database: DirectoryDatabase,
    input: {
      readonly tokenHash: Uint8Array;
      readonly userId: string;
      readonly clientId: string;
      readonly at: number;
    },
  ): boolean {
    return database.transaction(() => {
      const token = findToken(database, input.tokenHash);
      if (token?.userId !== input.userId || token.clientId !== input.clientId) return false;
      return revokeFamily(database, {
        familyId: token.familyId,
        at: input.at,
        reason: 'signed-out',
      });
    });
  },

  /** Revokes all families of a user with one client; answers how many there were. */
  revokeAll(
    database: DirectoryDatabase,
    input: { readonly userId: string; readonly clientId: string; readonly at: number },
  ): number {
    return revokeFamiliesOfUser(database, { ...input, reason: 'signed-out' });
  },
};

/** Must be called inside a transaction. */
export function insertFamily(database: DirectoryDatabase, input: NewRefreshTokenFamily): void {
  clearExpiredFamilies(database, input.issuedAt);
  database
    .statement(
      `INSERT INTO refresh_token_families (id, user_id, client_id, scope, created_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
    )
    .run(
      input.familyId,
      input.userId,
      input.clientId,
      input.scopes.join(' '),
      input.issuedAt,
      input.familyExpiresAt,
    );
  insertToken(database, {
    hash: input.tokenHash,
    familyId: input.familyId,
    generation: 0,
    issuedAt: input.issuedAt,
    expiresAt: Math.min(input.expiresAt, input.familyExpiresAt),
  });
}

interface TokenRow {
  readonly familyId: string;
  readonly generation: number;
  readonly expiresAt: number;
  readonly usedAt: number | null;
  readonly userId: string;
  readonly clientId: string;
  readonly scope: string;
  readonly familyExpiresAt: number;
  readonly revokedAt: number | null;
}

function findToken(database: DirectoryDatabase, tokenHash: Uint8Array): TokenRow | undefined {
  return database
    .statement<TokenRow>(
      `SELECT token.family_id AS familyId, token.generation, token.expires_at AS expiresAt,
              token.used_at AS usedAt, family.user_id AS userId, family.client_id AS clientId,
              family.scope, family.expires_at AS familyExpiresAt, family.revoked_at AS revokedAt
         FROM refresh_tokens AS token
         JOIN refresh_token_families AS family ON family.id = token.family_id
        WHERE token.token_hash = ?`,
    )
    .get(Buffer.from(tokenHash));
}

/** The wrong client is asked about first: it must not be able to end a session of another. */
function refusalOf(
  token: TokenRow,
  user: User | null,
  input: RefreshTokenRotation,
): RefreshRefusal | null {
  if (input.clientId !== null && token.clientId !== input.clientId) return 'foreign-client';
  if (token.revokedAt !== null) return 'revoked';
  if (token.usedAt !== null) return 'reused';
  if (token.expiresAt <= input.at) return 'expired';
  if (user?.status === 'Terminated') return 'user-terminated';
  const granted = new Set(token.scope.split(' '));
  if (input.requestedScopes?.some((scope) => !granted.has(scope))) return 'scope-exceeded';
  return null;
}

function revokeReused(database: DirectoryDatabase, token: TokenRow, at: number): void {
  revokeFamily(database, { familyId: token.familyId, at, reason: 'token-reused' });
  recordAudit(
    database,
    { actor: `client:${token.clientId}`, at },
    {
      action: 'refresh-token.reuse-detected',
      entity: 'user',
      entityId: token.userId,
      details: { familyId: token.familyId, generation: token.generation },
    },
  );
}

function replaceToken(
  database: DirectoryDatabase,
  token: TokenRow,
  user: User,
  input: RefreshTokenRotation,
): RotatedRefreshToken {
  const successorExpiresAt = Math.min(input.successorExpiresAt, token.familyExpiresAt);
  database
    .statement('UPDATE refresh_tokens SET used_at = ? WHERE token_hash = ?')
    .run(input.at, Buffer.from(input.tokenHash));
  insertToken(database, {
    hash: input.successorHash,
    familyId: token.familyId,
    generation: token.generation + 1,
    issuedAt: input.at,
    expiresAt: successorExpiresAt,
  });
  database
    .statement('DELETE FROM refresh_tokens WHERE family_id = ? AND used_at < ?')
    .run(token.familyId, input.forgetUsedBefore);
  return {
    outcome: 'rotated',
    user,
    clientId: token.clientId,
    familyScopes: token.scope.split(' '),
    successorExpiresAt,
  };
}

function insertToken(
  database: DirectoryDatabase,
  token: {
    readonly hash: Uint8Array;
    readonly familyId: string;
    readonly generation: number;
    readonly issuedAt: number;
    readonly expiresAt: number;
  },
): void {
  database
    .statement(
      `INSERT INTO refresh_tokens (token_hash, family_id, generation, issued_at, expires_at)
       VALUES (?, ?, ?, ?, ?)`,
    )
    .run(
      Buffer.from(token.hash),
      token.familyId,
      token.generation,
      token.issuedAt,
      token.expiresAt,
    );
}

function clearExpiredFamilies(database: DirectoryDatabase, now: number): void {
  database
    .statement(
      `DELETE FROM refresh_token_families WHERE id IN
         (SELECT id FROM refresh_token_families WHERE expires_at < ? ORDER BY expires_at LIMIT ? + 0)`,
    )
    .run(now, FAMILIES_CLEARED_AT_ONCE);
}
