import type { DirectoryDatabase } from './database.ts';
import type { SecondFactorProvider } from './second-factor-provider.ts';

export interface NewSecondFactorChallenge {
  readonly tokenHash: Uint8Array;
  readonly userId: string;
  readonly provider: SecondFactorProvider;
  /** Of the mailed code; null where the code is computed. */
  readonly codeHash: Uint8Array | null;
  readonly attempts: number;
  readonly at: number;
  readonly expiresAt: number;
}

export interface SecondFactorChallenge {
  readonly userId: string;
  readonly email: string;
  readonly provider: SecondFactorProvider;
  readonly codeHash: Uint8Array | null;
  /** Of an authenticator: its sealed secret and the newest step that was taken. */
  readonly secret: Uint8Array | null;
  readonly lastStep: number | null;
}

const CLEARED_AT_ONCE = 20;

export const secondFactorChallengeOperations = {
  /** A user owes one code at a time: a new challenge replaces those before. */
  issue(database: DirectoryDatabase, input: NewSecondFactorChallenge): void {
    database.transaction(() => {
      clearExpired(database, input.at);
      database
        .statement('DELETE FROM second_factor_challenges WHERE user_id = ?')
        .run(input.userId);
      database
        .statement(
          `INSERT INTO second_factor_challenges
             (token_hash, user_id, provider, code_hash, attempts_left, expires_at)
           VALUES (?, ?, ?, ?, ?, ?)`,
        )
        .run(
          Buffer.from(input.tokenHash),
          input.userId,
          input.provider,
          input.codeHash === null ? null : Buffer.from(input.codeHash),
          input.attempts,
          input.expiresAt,
        );
    });
  },

  /**
   * The challenge, for one attempt at its code, which is counted before it is judged. Null where there
   * is none, its attempts are over, or the user's second factor is another by now.
   */
  takeAttempt(
    database: DirectoryDatabase,
    input: { readonly tokenHash: Uint8Array; readonly at: number },
  ): SecondFactorChallenge | null {
    return database.transaction(() => {
      const hash = Buffer.from(input.tokenHash);
      const counted = database
        .statement(
          `UPDATE second_factor_challenges SET attempts_left = attempts_left - 1
            WHERE token_hash = ? AND expires_at > ? AND attempts_left > 0`,
        )
        .run(hash, input.at);
      if (counted.changes === 0) return null;
      const row = database
        .statement<SecondFactorChallenge>(
          `SELECT challenge.user_id AS userId, users.email, challenge.provider,
                  challenge.code_hash AS codeHash, factor.secret, factor.last_step AS lastStep
             FROM second_factor_challenges AS challenge
             JOIN users ON users.id = challenge.user_id
             JOIN second_factors AS factor
               ON factor.user_id = challenge.user_id AND factor.provider = challenge.provider
            WHERE challenge.token_hash = ? AND users.status <> 'Terminated'`,
        )
        .get(hash);
      return row ?? null;
    });
  },

  /**
   * Uses the challenge up after a right code; of several right answers exactly one is told true, and
   * a time step counts once.
   */
  complete(
    database: DirectoryDatabase,
    input: { readonly tokenHash: Uint8Array; readonly step: number | null },
  ): boolean {
    return database.transaction(() => {
      const row = database
        .statement<{ userId: string }>(
          `DELETE FROM second_factor_challenges WHERE token_hash = ? RETURNING user_id AS userId`,
        )
        .get(Buffer.from(input.tokenHash));
      if (row === undefined || input.step === null) return row !== undefined;
      const taken = database
        .statement(
          `UPDATE second_factors SET last_step = ?
            WHERE user_id = ? AND (last_step IS NULL OR last_step < ?)`,
        )
        .run(input.step, row.userId, input.step);
      return taken.changes > 0;
    });
  },
};

function clearExpired(database: DirectoryDatabase, now: number): void {
  database
    .statement(
      `DELETE FROM second_factor_challenges WHERE token_hash IN
         (SELECT token_hash FROM second_factor_challenges
           WHERE expires_at < ? ORDER BY expires_at LIMIT ? + 0)`,
    )
    .run(now, CLEARED_AT_ONCE);
}
