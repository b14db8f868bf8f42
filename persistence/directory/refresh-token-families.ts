import type { DirectoryDatabase } from './database.ts';

export type RevocationReason =
  | 'signed-out'
  | 'token-reused'
  | 'code-reused'
  | 'password-changed'
  | 'user-terminated'
  | 'user-frozen';

/** Revokes one family; one that is revoked already keeps its first reason. */
export function revokeFamily(
  database: DirectoryDatabase,
  input: { readonly familyId: string; readonly at: number; readonly reason: RevocationReason },
): boolean {
  const result = database
    .statement(
      `UPDATE refresh_token_families SET revoked_at = ?, revoked_reason = ?
        WHERE id = ? AND revoked_at IS NULL`,
    )
    .run(input.at, input.reason, input.familyId);
  return result.changes > 0;
}

/** Revokes all families of the user, or those with one client; answers how many there were. */
export function revokeFamiliesOfUser(
  database: DirectoryDatabase,
  input: {
    readonly userId: string;
    readonly clientId?: string;
    readonly at: number;
    readonly reason: RevocationReason;
  },
): number {
  const result = database
    .statement(
      `UPDATE refresh_token_families SET revoked_at = ?, revoked_reason = ?
        WHERE user_id = ? AND client_id = coalesce(?, client_id) AND revoked_at IS NULL`,
    )
    .run(input.at, input.reason, input.userId, input.clientId ?? null);
  return result.changes;
}
