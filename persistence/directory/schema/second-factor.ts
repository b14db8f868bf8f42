/** What a user shows besides the password. Secrets are sealed before they come here. */
export const secondFactor = `
CREATE TABLE second_factors (
  user_id    TEXT    NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  provider   TEXT    NOT NULL CHECK (provider IN ('Email', 'Authenticator')),
  secret     BLOB CHECK ((secret IS NOT NULL) = (provider = 'Authenticator')),
  -- The newest time step whose code was taken: none up to it is taken again.
  last_step  INTEGER,
  created_at INTEGER NOT NULL
) STRICT;

-- One that was asked for and is not confirmed yet; the newest replaces the one before.
CREATE TABLE second_factor_enrolments (
  user_id       TEXT    NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  provider      TEXT    NOT NULL CHECK (provider IN ('Email', 'Authenticator')),
  secret        BLOB,
  code_hash     BLOB,
  attempts_left INTEGER NOT NULL,
  expires_at    INTEGER NOT NULL
) STRICT;

-- A browser that has shown the right password and owes a code.
CREATE TABLE second_factor_challenges (
  token_hash    BLOB    NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
  user_id       TEXT    NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  provider      TEXT    NOT NULL,
  code_hash     BLOB,
  attempts_left INTEGER NOT NULL,
  expires_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX second_factor_challenges_by_user ON second_factor_challenges (user_id);
CREATE INDEX second_factor_challenges_by_expiry ON second_factor_challenges (expires_at);
`;
