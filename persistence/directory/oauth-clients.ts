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

  /** Replaces the addresses that the client may be answered at; false for an unknown client. */
  setRedirectUris(
    database: DirectoryDatabase,
    input: Administration & { readonly clientId: string; readonly redirectUris: readonly string[] },
  ): boolean {
    return database.transaction(() => {
      const client = getClient(database, input.clientId);
      if (client === null) return false;
      const wanted = [...new Set(input.redirectUris)].sort();
      if (client.redirectUris.join(' ') === wanted.join(' ')) return true;
      const { clientId, at } = input;
      database
        .statement('DELETE FROM oauth_client_redirect_uris WHERE client_id = ?')
        .run(clientId);
      insertList(database, clientId, REDIRECT_URIS, wanted);
      database
        .statement('UPDATE oauth_clients SET updated_at = ? WHERE client_id = ?')
        .run(at, clientId);
      recordAudit(database, input, {
        action: 'oauth-client.set-redirect-uris',
        entity: 'oauth-client',
        entityId: clientId,
        details: { redirectUris: wanted },
      });
      return true;
    });
  },
};

const REDIRECT_URIS = {
  key: 'redirectUris',
  table: 'oauth_client_redirect_uris',
  column: 'redirect_uri',
} as const;

/** The tables that hold one value a row for a client. */
const clientLists = [
  { key: 'grantTypes', table: 'oauth_client_grant_types', column: 'grant_type' },
  { key: 'scopes', table: 'oauth_client_scopes', column: 'scope' },
  REDIRECT_URIS,
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
