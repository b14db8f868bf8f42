import type { DirectoryDatabase } from './database.ts';

/**
 * Ends what a user has under way with the identity component: browser sessions, sign-ins that wait
 * for a second factor, and codes that were not redeemed. Must be called inside a transaction.
 */
export function endSignInsOfUser(database: DirectoryDatabase, userId: string): void {
  database.statement('DELETE FROM sign_in_sessions WHERE user_id = ?').run(userId);
  database.statement('DELETE FROM second_factor_challenges WHERE user_id = ?').run(userId);
  database
    .statement('DELETE FROM authorization_codes WHERE user_id = ? AND used_at IS NULL')
    .run(userId);
}
