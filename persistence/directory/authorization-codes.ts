import { recordAudit } from './audit.ts';
import type { DirectoryDatabase } from './database.ts';
import { revokeFamily } from './refresh-token-families.ts';
import { insertFamily, type NewRefreshTokenFamily } from './refresh-tokens.ts';
import { getUser, type User } from './users.ts';

/** A one-time code: what it is bound to, and what the tokens made from it shall say. */
export interface NewAuthorizationCode {
  readonly codeHash: Uint8Array;
  readonly clientId: string;
  readonly userId: string;
  readonly redirectUri: string;
  /** base64url of SHA-256 of the verifier that will be shown. */
  readonly codeChallenge: string;
  readonly scopes: readonly string[];
  readonly nonce: string | null;
  /** When the user signed in, UTC milliseconds as all times here. */
  readonly authenticatedAt: number;
  readonly at: number;
  readonly expiresAt: number;
}

export interface CodeRedemption {
  readonly codeHash: Uint8Array;
  /** The client that authenticated itself. */
  readonly clientId: string;
  readonly redirectUri: string;
  /** The challenge that the shown verifier makes. */
  readonly codeChallenge: string;
  readonly at: number;
  /** The refresh tokens to start, where the code's scopes ask for them. */
  readonly family: Pick<
    NewRefreshTokenFamily,
    'familyId' | 'tokenHash' | 'expiresAt' | 'familyExpiresAt'
  >;
  readonly familyScope: string;
}

export interface RedeemedCode {
  readonly outcome: 'redeemed';
  readonly user: User;
  readonly scopes: readonly string[];
  readonly nonce: string | null;
  readonly authenticatedAt: number;
  readonly hasFamily: boolean;
}

export type CodeRedemptionRefusal =
  | 'unknown'
  | 'foreign-client'
  | 'reused'
  | 'expired'
  | 'redirect-mismatch'
  | 'challenge-mismatch'
  | 'user-terminated';

export type CodeRedemptionResult = RedeemedCode | { readonly outcome: CodeRedemptionRefusal };

/** Used and expired codes are remembered for so long after their expiry. */
const MEMORY_MS = 24 * 60 * 60 * 1_000;
const CLEARED_AT_ONCE = 20;

export const authorizationCodeOperations = {
  issue(database: DirectoryDatabase, input: NewAuthorizationCode): void {
    database.transaction(() => {
      clearForgotten(database, input.at - MEMORY_MS);
      database
        .statement(
          `INSERT INTO authorization_codes (code_hash, client_id, user_id, redirect_uri,
                                            code_challenge, scope, nonce, authenticated_at, expires_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          Buffer.from(input.codeHash),
          input.clientId,
          input.userId,
          input.redirectUri,
          input.codeChallenge,
          input.scopes.join(' '),
          input.nonce,
          input.authenticatedAt,
          input.expiresAt,
        );
    });
  },

  /**
   * Uses a code up and starts the refresh tokens that it stands for, in one transaction. Whatever its
   * own client does wrong with a code uses it up too; a code that comes again revokes the tokens that
   * were made from it. Another client changes nothing.
   */
  redeem(database: DirectoryDatabase, input: CodeRedemption): CodeRedemptionResult {
    return database.transaction(() => {
      const code = findCode(database, input.codeHash);
      if (code === undefined) return { outcome: 'unknown' };
      if (code.clientId !== input.clientId) return { outcome: 'foreign-client' };
      const user = getUser(database, code.userId);
      const refusal = refusalOf(code, user, input);
      if (refusal === 'reused') revokeReused(database, code, input.at);
      else markUsed(database, input);
      if (refusal !== null || user === null) return { outcome: refusal ?? 'unknown' };
      return redeemCode(database, code, user, input);
    });
  },
};

interface CodeRow {
  readonly clientId: string;
  readonly userId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly scope: string;
  readonly nonce: string | null;
  readonly authenticatedAt: number;
  readonly expiresAt: number;
  readonly usedAt: number | null;
  readonly familyId: string | null;
}

function findCode(database: DirectoryDatabase, codeHash: Uint8Array): CodeRow | undefined {
  return database
    .statement<CodeRow>(
      `SELECT client_id AS clientId, user_id AS userId, redirect_uri AS redirectUri,
              code_challenge AS codeChallenge, scope, nonce, authenticated_at AS authenticatedAt,
              expires_at AS expiresAt, used_at AS usedAt, family_id AS familyId
         FROM authorization_codes WHERE code_hash = ?`,
    )
    .get(Buffer.from(codeHash));
}

function refusalOf(
  code: CodeRow,
  user: User | null,
  input: CodeRedemption,
): CodeRedemptionRefusal | null {
  if (code.usedAt !== null) return 'reused';
  if (code.expiresAt <= input.at) return 'expired';
  if (code.redirectUri !== input.redirectUri) return 'redirect-mismatch';
  if (code.codeChallenge !== input.codeChallenge) return 'challenge-mismatch';
  return user?.status === 'Terminated' ? 'user-terminated' : null;
}

function markUsed(database: DirectoryDatabase, { codeHash, at }: CodeRedemption): void {
  database
    .statement('UPDATE authorization_codes SET used_at = ? WHERE code_hash = ?')
    .run(at, Buffer.from(codeHash));
}

function redeemCode(
  database: DirectoryDatabase,
  code: CodeRow,
  user: User,
  input: CodeRedemption,
): RedeemedCode {
  const scopes = code.scope.split(' ');
  const hasFamily = scopes.includes(input.familyScope);
  if (hasFamily) {
    const { family, at } = input;
    const { userId, clientId } = code;
    insertFamily(database, { ...family, userId, clientId, scopes, issuedAt: at });
    database
      .statement('UPDATE authorization_codes SET family_id = ? WHERE code_hash = ?')
      .run(family.familyId, Buffer.from(input.codeHash));
  }
  const { nonce, authenticatedAt } = code;
  return { outcome: 'redeemed', user, scopes, nonce, authenticatedAt, hasFamily };
}

function revokeReused(database: DirectoryDatabase, code: CodeRow, at: number): void {
  const { familyId } = code;
  if (familyId !== null) revokeFamily(database, { familyId, at, reason: 'code-reused' });
  recordAudit(
    database,
    { actor: `client:${code.clientId}`, at },
    {
      action: 'authorization-code.reuse-detected',
      entity: 'user',
      entityId: code.userId,
      details: { familyId },
    },
  );
}

function clearForgotten(database: DirectoryDatabase, before: number): void {
  database
    .statement(
      `DELETE FROM authorization_codes WHERE code_hash IN
         (SELECT code_hash FROM authorization_codes WHERE expires_at < ? ORDER BY expires_at LIMIT ? + 0)`,
    )
    .run(before, CLEARED_AT_ONCE);
}
