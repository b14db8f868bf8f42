/** Keys with which a trader's programs come in. The key's digest is all that is kept of it. */
export const apiKeys = `
CREATE TABLE api_keys (
  id           TEXT    NOT NULL PRIMARY KEY,
  user_id      TEXT    NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name         TEXT    NOT NULL,
  key_hash     BLOB    NOT NULL UNIQUE CHECK (length(key_hash) = 32),
  -- The first characters, for people to tell keys apart.
  hint         TEXT    NOT NULL,
  can_trade    INTEGER NOT NULL CHECK (can_trade IN (0, 1)),
  -- Addresses and networks as a JSON list; empty where any will do.
  networks     TEXT    NOT NULL CHECK (json_valid(networks)),
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER,
  last_used_at INTEGER,
  revoked_at   INTEGER
) STRICT;
CREATE INDEX api_keys_by_user ON api_keys (user_id, created_at);
`;
