/** What a browser signs in with: sessions of the identity component, and codes for applications. */
export const browserSignIn = `
-- Behind the cookie of the identity component; the cookie's digest is all that is kept of it.
CREATE TABLE sign_in_sessions (
  token_hash       BLOB    NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
  user_id          TEXT    NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  authenticated_at INTEGER NOT NULL,
  expires_at       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_sessions_by_user ON sign_in_sessions (user_id);
CREATE INDEX sign_in_sessions_by_expiry ON sign_in_sessions (expires_at);

-- A code stays for a while after its use, so that a second use is recognised.
CREATE TABLE authorization_codes (
  code_hash        BLOB    NOT NULL PRIMARY KEY CHECK (length(code_hash) = 32),
  client_id        TEXT    NOT NULL REFERENCES oauth_clients (client_id) ON DELETE CASCADE,
  user_id          TEXT    NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  redirect_uri     TEXT    NOT NULL,
  code_challenge   TEXT    NOT NULL,
  scope            TEXT    NOT NULL,
  nonce            TEXT,
  authenticated_at INTEGER NOT NULL,
  expires_at       INTEGER NOT NULL,
  used_at          INTEGER,
  -- The refresh tokens made from the code.
  family_id        TEXT REFERENCES refresh_token_families (id) ON DELETE SET NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX authorization_codes_by_user ON authorization_codes (user_id);
CREATE INDEX authorization_codes_by_expiry ON authorization_codes (expires_at);
CREATE INDEX authorization_codes_by_family ON authorization_codes (family_id);
`;
