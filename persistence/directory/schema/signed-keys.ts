/**
 * Keys of the signed interface. Their secrets must be read again to check signatures, so they are
 * sealed, not digested.
 */
export const signedKeys = `
CREATE TABLE signed_keys (
  id            TEXT    NOT NULL PRIMARY KEY,
  user_id       TEXT    NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The account that orders under this key are for.
  account_id    TEXT    NOT NULL,
  name          TEXT    NOT NULL,
  key           TEXT    NOT NULL UNIQUE,
  sealed_secret BLOB    NOT NULL,
  created_at    INTEGER NOT NULL,
  last_used_at  INTEGER,
  revoked_at    INTEGER
) STRICT;
CREATE INDEX signed_keys_by_user ON signed_keys (user_id, created_at);

-- The nonces of the last moments, so that none is taken twice across a restart.
CREATE TABLE signed_nonces (
  key_id  TEXT    NOT NULL,
  nonce   TEXT    NOT NULL,
  used_at INTEGER NOT NULL,
  PRIMARY KEY (key_id, nonce)
) STRICT, WITHOUT ROWID;
CREATE INDEX signed_nonces_by_time ON signed_nonces (used_at);
`;
