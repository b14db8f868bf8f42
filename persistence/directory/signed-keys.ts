import { type Administration, recordAudit } from './audit.ts';
import type { DirectoryDatabase } from './database.ts';
import { getUser, type User } from './users.ts';

/** What may be told of a key of the signed interface after it was made. */
export interface SignedKey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** The public part: what the header `Key` says. */
  readonly key: string;
  /** UTC milliseconds, as all times here. */
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

export interface NewSignedKey extends Omit<SignedKey, 'createdAt' | 'lastUsedAt'> {
  readonly userId: string;
  readonly sealedSecret: Uint8Array;
}

export const signedKeyOperations = {
  /** False and no change where the user has as many live keys as one may have. */
  create(
    database: DirectoryDatabase,
    input: NewSignedKey & Administration & { readonly keysMax: number },
  ): boolean {
    return database.transaction(() => {
      if (listLive(database, input.userId).length >= input.keysMax) return false;
      const { id, userId, accountId, name, key } = input;
      database
        .statement(
          `INSERT INTO signed_keys (id, user_id, account_id, name, key, sealed_secret, created_at)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(id, userId, accountId, name, key, Buffer.from(input.sealedSecret), input.at);
      recordAudit(database, input, {
        action: 'signed-key.create',
        entity: 'user',
        entityId: userId,
        details: { id, accountId, name, key },
      });
      return true;
    });
  },

  /** The user's keys that are not revoked, the oldest first. */
  list: listLive,

  /** Revokes a key if it is that user's; answers whether it was, revoked before or not. */
  revoke(
    database: DirectoryDatabase,
    input: Administration & { readonly id: string; readonly userId: string },
  ): boolean {
    const { id, userId, at } = input;
    return database.transaction(() => {
      const known = database
        .statement<{ revokedAt: number | null }>(
          'SELECT revoked_at AS revokedAt FROM signed_keys WHERE id = ? AND user_id = ?',
        )
        .get(id, userId);
      if (known === undefined) return false;
      if (known.revokedAt !== null) return true;
      database.statement('UPDATE signed_keys SET revoked_at = ? WHERE id = ?').run(at, id);
      recordAudit(database, input, {
        action: 'signed-key.revoke',
        entity: 'user',
        entityId: userId,
        details: { id },
      });
      return true;
    });
  },

  /** The live key with this public part, its secret as it was sealed, and whose it is. */
  find(database: DirectoryDatabase, key: string): FoundSignedKey | null {
    const row = database
      .statement<SignedKey & { readonly userId: string; readonly sealedSecret: Uint8Array }>(
        `SELECT ${COLUMNS}, user_id AS userId, sealed_secret AS sealedSecret FROM signed_keys
          WHERE key = ? AND revoked_at IS NULL`,
      )
      .get(key);
    const user = row === undefined ? null : getUser(database, row.userId);
    if (row === undefined || user === null) return null;
    const { userId: _, sealedSecret, ...found } = row;
    return { key: found, sealedSecret, user };
  },

  recordUse(
    database: DirectoryDatabase,
    input: { readonly id: string; readonly at: number },
  ): void {
    database
      .statement('UPDATE signed_keys SET last_used_at = ? WHERE id = ?')
      .run(input.at, input.id);
  },

  /** Which of these users have a live key of either kind: an API key or a signed one. */
  owners(
    database: DirectoryDatabase,
    input: { readonly userIds: readonly string[]; readonly at: number },
  ): string[] {
    return database
      .statement<{ id: string }>(
        `SELECT value AS id FROM json_each(?) WHERE
           EXISTS (SELECT 1 FROM signed_keys WHERE user_id = value AND revoked_at IS NULL)
           OR EXISTS (SELECT 1 FROM api_keys WHERE user_id = value AND revoked_at IS NULL
                      AND (expires_at IS NULL OR expires_at > ?))`,
      )
      .all(JSON.stringify(input.userIds), input.at)
      .map(({ id }) => id);
  },
};

export interface FoundSignedKey {
  readonly key: SignedKey;
  readonly sealedSecret: Uint8Array;
  readonly user: User;
}

const COLUMNS = `id, account_id AS accountId, name, key, created_at AS createdAt,
                 last_used_at AS lastUsedAt`;

function listLive(database: DirectoryDatabase, userId: string): SignedKey[] {
  return database
    .statement<SignedKey>(
      `SELECT ${COLUMNS} FROM signed_keys WHERE user_id = ? AND revoked_at IS NULL
        ORDER BY created_at, id`,
    )
    .all(userId);
}
