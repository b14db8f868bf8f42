import { type Administration, recordAudit } from './audit.ts';
import type { DirectoryDatabase } from './database.ts';
import { getUser, type User } from './users.ts';

/** What may be told of a key after it was made. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  /** The first characters of the key. */
  readonly hint: string;
  readonly canTrade: boolean;
  /** Addresses and networks that it is taken from; none: from anywhere. */
  readonly networks: readonly string[];
  /** UTC milliseconds, as all times here. */
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
}

export interface NewApiKey extends Omit<ApiKey, 'createdAt' | 'lastUsedAt'> {
  readonly userId: string;
  readonly keyHash: Uint8Array;
}

export const apiKeyOperations = {
  /** False and no change where the user has as many live keys as one may have. */
  create(
    database: DirectoryDatabase,
    input: NewApiKey & Administration & { readonly keysMax: number },
  ): boolean {
    return database.transaction(() => {
      if (listLive(database, input.userId, input.at).length >= input.keysMax) return false;
      database
        .statement(
          `INSERT INTO api_keys (id, user_id, name, key_hash, hint, can_trade, networks,
                                 created_at, expires_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          input.id,
          input.userId,
          input.name,
          Buffer.from(input.keyHash),
          input.hint,
          input.canTrade ? 1 : 0,
          JSON.stringify(input.networks),
          input.at,
          input.expiresAt,
        );
      const { id, userId, name, hint, canTrade, networks, expiresAt } = input;
      recordAudit(database, input, {
        action: 'api-key.create',
        entity: 'user',
        entityId: userId,
        details: { id, name, hint, canTrade, networks, expiresAt },
      });
      return true;
    });
  },

  /** The user's keys that are neither revoked nor expired, the oldest first. */
  list(
    database: DirectoryDatabase,
    input: { readonly userId: string; readonly at: number },
  ): ApiKey[] {
    return listLive(database, input.userId, input.at);
  },

  /** Revokes a key if it is that user's; answers whether it was, revoked before or not. */
  revoke(
    database: DirectoryDatabase,
    input: Administration & { readonly id: string; readonly userId: string },
  ): boolean {
    return database.transaction(() => {
      const known = database
        .statement<{ revokedAt: number | null }>(
          'SELECT revoked_at AS revokedAt FROM api_keys WHERE id = ? AND user_id = ?',
        )
        .get(input.id, input.userId);
      if (known === undefined) return false;
      if (known.revokedAt !== null) return true;
      database.statement('UPDATE api_keys SET revoked_at = ? WHERE id = ?').run(input.at, input.id);
      recordAudit(database, input, {
        action: 'api-key.revoke',
        entity: 'user',
        entityId: input.userId,
        details: { id: input.id },
      });
      return true;
    });
  },

  /** The live key of this digest and whose it is. */
  find(
    database: DirectoryDatabase,
    input: { readonly keyHash: Uint8Array; readonly at: number },
  ): { readonly key: ApiKey; readonly user: User } | null {
    const row = database
      .statement<ApiKeyRow & { readonly userId: string }>(
        `SELECT ${COLUMNS}, user_id AS userId FROM api_keys
          WHERE key_hash = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`,
      )
      .get(Buffer.from(input.keyHash), input.at);
    const user = row === undefined ? null : getUser(database, row.userId);
    return row === undefined || user === null ? null : { key: toApiKey(row), user };
  },

  recordUse(
    database: DirectoryDatabase,
    input: { readonly id: string; readonly at: number },
  ): void {
    database.statement('UPDATE api_keys SET last_used_at = ? WHERE id = ?').run(input.at, input.id);
  },
};

const COLUMNS = `id, name, hint, can_trade AS canTrade, networks, created_at AS createdAt,
                 expires_at AS expiresAt, last_used_at AS lastUsedAt`;

interface ApiKeyRow extends Omit<ApiKey, 'canTrade' | 'networks'> {
  readonly canTrade: number;
  readonly networks: string;
}

function listLive(database: DirectoryDatabase, userId: string, now: number): ApiKey[] {
  return database
    .statement<ApiKeyRow>(
      `SELECT ${COLUMNS} FROM api_keys
        WHERE user_id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)
        ORDER BY created_at, id`,
    )
    .all(userId, now)
    .map(toApiKey);
}

function toApiKey({ id, name, hint, canTrade, networks, ...times }: ApiKeyRow): ApiKey {
  const { createdAt, expiresAt, lastUsedAt } = times;
  return {
    id,
    name,
    hint,
    canTrade: canTrade === 1,
    networks: JSON.parse(networks),
    createdAt,
    expiresAt,
    lastUsedAt,
  };
}
