import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import { type Administration, recordAudit } from '../audit.ts';
import type { DirectoryDatabase } from '../database.ts';

/** The grant by which programs sign in as themselves; what has it is an app. */
export const APP_GRANT = 'client_credentials';

/** An app as it is shown: its secret is not kept, only what it hashes to. */
export interface App {
  readonly clientId: string;
  readonly name: string;
  readonly redirectUri: string | null;
  readonly scopes: string[];
  readonly createTime: string;
}

/** Apps are OAuth clients of one grant; `oauthClients.register` makes them. */
export const partnerAppOperations = {
  get(database: DirectoryDatabase, clientId: string): App | null {
    const row = database
      .statement<AppRow>(`${SELECT} AND c.client_id = ?`)
      .get(APP_GRANT, clientId);
    return row === undefined ? null : toApp(database, row);
  },

  /** By their ids, after the app `after`. */
  list(
    database: DirectoryDatabase,
    query: { readonly after?: string | undefined; readonly limit: number },
  ): { readonly items: App[]; readonly isExceeded: boolean } {
    const rows = database
      .statement<AppRow>(`${SELECT} AND c.client_id > ? ORDER BY c.client_id LIMIT ? + 0`)
      .all(APP_GRANT, query.after ?? '', query.limit + 1);
    const items = rows.slice(0, query.limit).map((row) => toApp(database, row));
    return { items, isExceeded: rows.length > query.limit };
  },

  /** Answers false where there is no such app. Tokens that it holds live on until they expire. */
  remove(
    database: DirectoryDatabase,
    input: Administration & { readonly clientId: string },
  ): boolean {
    return database.transaction(() => {
      const removed = database
        .statement(
          `DELETE FROM oauth_clients WHERE client_id = ? AND client_id IN
             (SELECT client_id FROM oauth_client_grant_types WHERE grant_type = ?)`,
        )
        .run(input.clientId, APP_GRANT);
      if (removed.changes === 0) return false;
      recordAudit(database, input, {
        action: 'oauth-client.delete',
        entity: 'oauth-client',
        entityId: input.clientId,
      });
      return true;
    });
  },
};

interface AppRow {
  readonly clientId: string;
  readonly name: string;
  readonly redirectUri: string | null;
  readonly createdAt: number;
}

const SELECT = `SELECT c.client_id AS clientId, c.name, c.created_at AS createdAt,
    (SELECT min(redirect_uri) FROM oauth_client_redirect_uris u
      WHERE u.client_id = c.client_id) AS redirectUri
  FROM oauth_clients c JOIN oauth_client_grant_types g ON g.client_id = c.client_id
 WHERE g.grant_type = ?`;

function toApp(database: DirectoryDatabase, { createdAt, ...row }: AppRow): App {
  const scopes = database
    .statement<{ scope: string }>(
      'SELECT scope FROM oauth_client_scopes WHERE client_id = ? ORDER BY scope',
    )
    .all(row.clientId)
    .map(({ scope }) => scope);
  return { ...row, scopes, createTime: formatTimestamp(createdAt) };
}
