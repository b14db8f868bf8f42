import type { DirectoryDatabase } from './database.ts';

/** A nonce that a signed request has used. */
export interface UsedNonce {
  readonly keyId: string;
  /** Canonical decimal digits. */
  readonly nonce: string;
  /** UTC milliseconds. */
  readonly usedAt: number;
}

export const signedNonceOperations = {
  /** Notes all of them in one commit, and forgets those used before `keepFrom`. */
  use(
    database: DirectoryDatabase,
    input: { readonly used: readonly UsedNonce[]; readonly keepFrom: number },
  ): void {
    database.transaction(() => {
      database.statement('DELETE FROM signed_nonces WHERE used_at < ?').run(input.keepFrom);
      const insert = database.statement(
        'INSERT OR REPLACE INTO signed_nonces (key_id, nonce, used_at) VALUES (?, ?, ?)',
      );
      for (const { keyId, nonce, usedAt } of input.used) insert.run(keyId, nonce, usedAt);
    });
  },

  /** Those used at `from` or later, the earliest first. */
  since(database: DirectoryDatabase, from: number): UsedNonce[] {
    return database
      .statement<UsedNonce>(
        `SELECT key_id AS keyId, nonce, used_at AS usedAt FROM signed_nonces
          WHERE used_at >= ? ORDER BY used_at`,
      )
      .all(from);
  },
};
