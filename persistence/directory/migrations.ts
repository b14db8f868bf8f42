import { partnerTables } from './partners/tables.ts';
import { apiKeys } from './schema/api-keys.ts';
import { browserSignIn } from './schema/browser-sign-in.ts';
import { marketCategories } from './schema/market-categories.ts';
import { secondFactor } from './schema/second-factor.ts';
import { signedKeys } from './schema/signed-keys.ts';
import { webhooks } from './schema/webhooks.ts';

/**
 * The directory's schema as a list of forward-only steps. A released step never changes: a correction
 * is a new step at the end. `PRAGMA user_version` holds the number of the last step that was applied.
 *
 * Conventions: ids of users and token families are UUID text; times are UTC milliseconds; flags are 0
 * or 1; every table is STRICT.
 */

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

const identity = `
CREATE TABLE users (
  id                 TEXT    NOT NULL PRIMARY KEY,
  email              TEXT    NOT NULL,
  -- Unicode-normalised, lower-case form: what makes an address unique.
  email_key          TEXT    NOT NULL UNIQUE,
  nickname           TEXT    NOT NULL,
  first_name         TEXT,
  last_name          TEXT,
  country_id         TEXT,
  password_hash      TEXT    NOT NULL,
  status             TEXT    NOT NULL DEFAULT 'Active'
                             CHECK (status IN ('Active', 'Halted', 'Frozen', 'Terminated')),
  is_email_confirmed INTEGER NOT NULL DEFAULT 0 CHECK (is_email_confirmed IN (0, 1)),
  is_phone_confirmed INTEGER NOT NULL DEFAULT 0 CHECK (is_phone_confirmed IN (0, 1)),
  can_deposit        INTEGER NOT NULL DEFAULT 1 CHECK (can_deposit IN (0, 1)),
  can_withdraw       INTEGER NOT NULL DEFAULT 1 CHECK (can_withdraw IN (0, 1)),
  two_factor_enabled INTEGER NOT NULL DEFAULT 0 CHECK (two_factor_enabled IN (0, 1)),
  last_sign_in_at    INTEGER,
  created_at         INTEGER NOT NULL,
  updated_at         INTEGER NOT NULL
) STRICT;

CREATE TABLE roles (
  name             TEXT    NOT NULL PRIMARY KEY,
  description      TEXT    NOT NULL,
  is_preconfigured INTEGER NOT NULL CHECK (is_preconfigured IN (0, 1))
) STRICT;

CREATE TABLE role_operations (
  role      TEXT NOT NULL REFERENCES roles (name) ON DELETE CASCADE,
  operation TEXT NOT NULL,
  PRIMARY KEY (role, operation)
) STRICT, WITHOUT ROWID;

CREATE TABLE user_roles (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role    TEXT NOT NULL REFERENCES roles (name),
  PRIMARY KEY (user_id, role)
) STRICT, WITHOUT ROWID;
CREATE INDEX user_roles_by_role ON user_roles (role);

CREATE TABLE oauth_clients (
  client_id   TEXT    NOT NULL PRIMARY KEY,
  name        TEXT    NOT NULL,
  secret_hash BLOB    NOT NULL CHECK (length(secret_hash) = 32),
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL
) STRICT;

CREATE TABLE oauth_client_grant_types (
  client_id  TEXT NOT NULL REFERENCES oauth_clients (client_id) ON DELETE CASCADE,
  grant_type TEXT NOT NULL,
  PRIMARY KEY (client_id, grant_type)
) STRICT, WITHOUT ROWID;

CREATE TABLE oauth_client_scopes (
  client_id TEXT NOT NULL REFERENCES oauth_clients (client_id) ON DELETE CASCADE,
  scope     TEXT NOT NULL,
  PRIMARY KEY (client_id, scope)
) STRICT, WITHOUT ROWID;

CREATE TABLE oauth_client_redirect_uris (
  client_id    TEXT NOT NULL REFERENCES oauth_clients (client_id) ON DELETE CASCADE,
  redirect_uri TEXT NOT NULL,
  PRIMARY KEY (client_id, redirect_uri)
) STRICT, WITHOUT ROWID;

-- A family is one sign-in: the first refresh token and all that replaced it, one after another.
CREATE TABLE refresh_token_families (
  id             TEXT    NOT NULL PRIMARY KEY,
  user_id        TEXT    NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  client_id      TEXT    NOT NULL REFERENCES oauth_clients (client_id) ON DELETE CASCADE,
  scope          TEXT    NOT NULL,
  created_at     INTEGER NOT NULL,
  expires_at     INTEGER NOT NULL,
  revoked_at     INTEGER,
  revoked_reason TEXT,
  CHECK ((revoked_at IS NULL) = (revoked_reason IS NULL))
) STRICT;
CREATE INDEX refresh_token_families_by_user ON refresh_token_families (user_id, client_id);
CREATE INDEX refresh_token_families_by_expiry ON refresh_token_families (expires_at);

CREATE TABLE refresh_tokens (
  token_hash BLOB    NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
  family_id  TEXT    NOT NULL REFERENCES refresh_token_families (id) ON DELETE CASCADE,
  generation INTEGER NOT NULL CHECK (generation >= 0),
  issued_at  INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at    INTEGER,
  UNIQUE (family_id, generation)
) STRICT, WITHOUT ROWID;

CREATE TABLE favorites (
  user_id    TEXT    NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  market_id  TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, market_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE meta (
  key   TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  at        INTEGER NOT NULL,
  -- 'user:<id>', 'client:<id>' or 'system:<what>'
  actor     TEXT    NOT NULL,
  action    TEXT    NOT NULL,
  entity    TEXT    NOT NULL,
  entity_id TEXT    NOT NULL,
  details   TEXT    NOT NULL CHECK (json_valid(details))
) STRICT;
CREATE INDEX audit_by_entity ON audit (entity, entity_id, id);

CREATE TRIGGER audit_is_never_updated BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit table only grows'); END;
CREATE TRIGGER audit_is_never_deleted BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit table only grows'); END;
`;

export const migrations: readonly Migration[] = [
  { version: 1, name: 'identity', sql: identity },
  { version: 2, name: 'browser sign-in', sql: browserSignIn },
  { version: 3, name: 'second factor', sql: secondFactor },
  { version: 4, name: 'partner area', sql: partnerTables },
  { version: 5, name: 'API keys', sql: apiKeys },
  { version: 6, name: 'market categories', sql: marketCategories },
  { version: 7, name: 'webhooks', sql: webhooks },
  { version: 8, name: 'signed keys', sql: signedKeys },
];
