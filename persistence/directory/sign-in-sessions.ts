import type { DirectoryDatabase } from './database.ts';
import { getUser, type User } from './users.ts';

/** A browser that has signed in to the identity component. */
export interface SignInSession {
  readonly user: User;
  /** When the user proved who they are, UTC milliseconds. */
  readonly authenticatedAt: number;
  readonly expiresAt: number;
}

/** How many dead sessions a new one clears away: a little each time instead of a job. */
const CLEARED_AT_ONCE = 20;

export const signInSessionOperations = {
  /** Starts a session; one that the browser had before ends, so that no old cookie lives on. */
  start(
    database: DirectoryDatabase,
    input: {
      readonly tokenHash: Uint8Array;
      readonly userId: string;
      readonly at: number;
      readonly expiresAt: number;
      readonly replaces: Uint8Array | null;
    },
  ): void {
    database.transaction(() => {
      clearExpired(database, input.at);
      if (input.replaces !== null) remove(database, input.replaces);
      database
        .statement(
          `INSERT INTO sign_in_sessions (token_hash, user_id, authenticated_at, expires_at)
           VALUES (?, ?, ?, ?)`,
        )
        .run(Buffer.from(input.tokenHash), input.userId, input.at, input.expiresAt);
    });
  },

  /** Null for a session that is unknown or over, or whose user may not sign in any more. */
  find(
    database: DirectoryDatabase,
    input: { readonly tokenHash: Uint8Array; readonly at: number },
  ): SignInSession | null {
    const row = database
      .statement<{ userId: string; authenticatedAt: number; expiresAt: number }>(
        `SELECT user_id AS userId, authenticated_at AS authenticatedAt, expires_at AS expiresAt
           FROM sign_in_sessions WHERE token_hash = ? AND expires_at > ?`,
      )
      .get(Buffer.from(input.tokenHash), input.at);
    const user = row === undefined ? null : getUser(database, row.userId);
    if (row === undefined || user === null || user.status === 'Terminated') return null;
    return { user, authenticatedAt: row.authenticatedAt, expiresAt: row.expiresAt };
  },

  /** Ends a session if it is that user's; answers whether it was. */
  end(
    database: DirectoryDatabase,
    input: { readonly tokenHash: Uint8Array; readonly userId: string },
  ): boolean {
    const result = database
      .statement('DELETE FROM sign_in_sessions WHERE token_hash = ? AND user_id = ?')
      .run(Buffer.from(input.tokenHash), input.userId);
    return result.changes > 0;
  },
};

function remove(database: DirectoryDatabase, tokenHash: Uint8Array): void {
  database
    .statement('DELETE FROM sign_in_sessions WHERE token_hash = ?')
    .run(Buffer.from(tokenHash));
}

function clearExpired(database: DirectoryDatabase, now: number): void {
  database
    .statement(
      `DELETE FROM sign_in_sessions WHERE token_hash IN
         (SELECT token_hash FROM sign_in_sessions WHERE expires_at < ? ORDER BY expires_at LIMIT ? + 0)`,
    )
    .run(now, CLEARED_AT_ONCE);
}
