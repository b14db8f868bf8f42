import { type Administration, recordAudit } from './audit.ts';
import type { DirectoryDatabase } from './database.ts';

export interface OauthClient {
  readonly clientId: string;
  readonly name: string;
  /** SHA-256 of the secret, 32 bytes. Enough because secrets are random; see `generateToken`. */
  readonly secretHash: Uint8Array;
  readonly grantTypes: readonly string[];
  readonly scopes: readonly string[];
  readonly redirectUris: readonly string[];
}

export const oauthClientOperations = {
  /** Answers false and changes nothing when the id is taken. */
  register(database: DirectoryDatabase, input: OauthClient & Administration): boolean {
    return database.transaction(() => {
      if (getClient(database, input.clientId) !== null) return false;
      database
        .statement(
          `INSERT INTO oauth_clients (client_id, name, secret_hash, created_at, updated_at)
           VALUES (?, ?, ?, ?, ?)`,
        )
        .run(input.clientId, input.name, Buffer.from(input.secretHash), input.at, input.at);
      for (const list of clientLists) insertList(database, input.clientId, list, input[list.key]);
      recordAudit(database, input, {
        action: 'oauth-client.register',
        entity: 'oauth-client',
        entityId: input.clientId,
        details: { grantTypes: input.grantTypes, scopes: input.scopes },
      });
      return true;
    });
  },

  get: getClient,
};

/** The tables that hold one value a row for a client. */
const clientLists = [
  { key: 'grantTypes', table: 'oauth_client_grant_types', column: 'grant_type' },
  { key: 'scopes', table: 'oauth_client_scopes', column: 'scope' },
  { key: 'redirectUris', table: 'oauth_client_redirect_uris', column: 'redirect_uri' },
] as const;

type ClientList = (typeof clientLists)[number];

function getClient(database: DirectoryDatabase, clientId: string): OauthClient | null {
  const row = database
    .statement<{ name: string; secretHash: Buffer }>(
      'SELECT name, secret_hash AS secretHash FROM oauth_clients WHERE client_id = ?',
    )
    .get(clientId);
  if (row === undefined) return null;
  const [grantTypes, scopes, redirectUris] = clientLists.map((list) =>
    readList(database, clientId, list),
  );
  return {
    clientId,
    name: row.name,
    secretHash: row.secretHash,
    grantTypes: grantTypes ?? [],
    scopes: scopes ?? [],
    redirectUris: redirectUris ?? [],
  };
}

function readList(database: DirectoryDatabase, clientId: string, list: ClientList): string[] {
  return database
    .statement<{ value: string }>(
      `SELECT ${list.column} AS value FROM ${list.table} WHERE client_id = ? ORDER BY 1`,
    )
    .all(clientId)
    .map(({ value }) => value);
}

function insertList(
  database: DirectoryDatabase,
  clientId: string,
  list: ClientList,
  values: readonly string[],
): void {
  const insert = database.statement(
    `INSERT INTO ${list.table} (client_id, ${list.column}) VALUES (?, ?)`,
  );
  for (const value of values) insert.run(clientId, value);
}
