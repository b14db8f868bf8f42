import { type Administration, recordAudit } from './audit.ts';
import type { DirectoryDatabase } from './database.ts';
import type { SecondFactorProvider } from './second-factor-provider.ts';

/** The second factor that a user has confirmed. */
export interface SecondFactor {
  readonly provider: SecondFactorProvider;
  /** Sealed; null for codes by mail. */
  readonly secret: Uint8Array | null;
  /** The newest time step whose code was taken. */
  readonly lastStep: number | null;
}

export interface NewSecondFactorEnrolment {
  readonly userId: string;
  readonly provider: SecondFactorProvider;
  readonly secret: Uint8Array | null;
  /** Of the mailed code; null where the code is computed. */
  readonly codeHash: Uint8Array | null;
  readonly attempts: number;
  readonly expiresAt: number;
}

export type SecondFactorEnrolment = Pick<
  NewSecondFactorEnrolment,
  'provider' | 'secret' | 'codeHash'
>;

export const secondFactorOperations = {
  get(database: DirectoryDatabase, userId: string): SecondFactor | null {
    const row = database
      .statement<SecondFactor>(
        `SELECT provider, secret, last_step AS lastStep FROM second_factors WHERE user_id = ?`,
      )
      .get(userId);
    return row ?? null;
  },

  beginEnrolment(database: DirectoryDatabase, input: NewSecondFactorEnrolment): void {
    database
      .statement(
        `INSERT OR REPLACE INTO second_factor_enrolments
           (user_id, provider, secret, code_hash, attempts_left, expires_at)
         VALUES (?, ?, ?, ?, ?, ?)`,
      )
      .run(
        input.userId,
        input.provider,
        toBlob(input.secret),
        toBlob(input.codeHash),
        input.attempts,
        input.expiresAt,
      );
  },

  /**
   * The enrolment under way, for one attempt at its code: the attempt is counted before it is judged,
   * so that parallel guesses cannot pass together. Null where there is none or its attempts are over.
   */
  takeEnrolmentAttempt(
    database: DirectoryDatabase,
    input: { readonly userId: string; readonly at: number },
  ): SecondFactorEnrolment | null {
    const row = database
      .statement<SecondFactorEnrolment>(
        `UPDATE second_factor_enrolments SET attempts_left = attempts_left - 1
          WHERE user_id = ? AND expires_at > ? AND attempts_left > 0
         RETURNING provider, secret, code_hash AS codeHash`,
      )
      .get(input.userId, input.at);
    return row ?? null;
  },

  /** Puts the enrolment into effect, in place of the factor before; false where it is gone. */
  confirmEnrolment(
    database: DirectoryDatabase,
    input: Administration & { readonly userId: string; readonly step: number | null },
  ): boolean {
    const { userId, step, at } = input;
    return database.transaction(() => {
      const enrolment = database
        .statement<SecondFactorEnrolment>(
          `DELETE FROM second_factor_enrolments WHERE user_id = ?
           RETURNING provider, secret, code_hash AS codeHash`,
        )
        .get(userId);
      if (enrolment === undefined) return false;
      const { provider, secret } = enrolment;
      database
        .statement(
          `INSERT OR REPLACE INTO second_factors (user_id, provider, secret, last_step, created_at)
           VALUES (?, ?, ?, ?, ?)`,
        )
        .run(userId, provider, toBlob(secret), step, at);
      setFlag(database, input, true);
      recordAudit(database, input, {
        action: 'user.enable-second-factor',
        entity: 'user',
        entityId: userId,
        details: { provider },
      });
      return true;
    });
  },

  /** Takes the second factor away; false where there was none. */
  disable(
    database: DirectoryDatabase,
    input: Administration & { readonly userId: string },
  ): boolean {
    const { userId } = input;
    return database.transaction(() => {
      const result = database.statement('DELETE FROM second_factors WHERE user_id = ?').run(userId);
      if (result.changes === 0) return false;
      database.statement('DELETE FROM second_factor_enrolments WHERE user_id = ?').run(userId);
      database.statement('DELETE FROM second_factor_challenges WHERE user_id = ?').run(userId);
      setFlag(database, input, false);
      recordAudit(database, input, {
        action: 'user.disable-second-factor',
        entity: 'user',
        entityId: userId,
      });
      return true;
    });
  },
};

function setFlag(
  database: DirectoryDatabase,
  { userId, at }: { readonly userId: string; readonly at: number },
  isEnabled: boolean,
): void {
  database
    .statement('UPDATE users SET two_factor_enabled = ?, updated_at = ? WHERE id = ?')
    .run(isEnabled ? 1 : 0, at, userId);
}

function toBlob(bytes: Uint8Array | null): Buffer | null {
  return bytes === null ? null : Buffer.from(bytes);
}
