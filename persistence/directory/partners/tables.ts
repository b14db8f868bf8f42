/**
 * The tables of the partner area. Rows are known outside by `id` in decimal, users by `user_id`,
 * savings programs, reassignments and exports by `uuid`. Who stands under whom is said by
 * `partner_relations` alone; `partner_nodes` is derived from it and can be rebuilt at any time.
 */
export const partnerTables = `
CREATE TABLE partner_profiles (
  id                   INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid                 TEXT    NOT NULL UNIQUE,
  first_name           TEXT    NOT NULL,
  last_name            TEXT    NOT NULL,
  middle_name          TEXT,
  country_numeric_code TEXT,
  enabled              INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  created_at           INTEGER NOT NULL,
  updated_at           INTEGER NOT NULL
) STRICT;

CREATE TABLE partner_contacts (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid       TEXT    NOT NULL UNIQUE,
  profile_id INTEGER NOT NULL REFERENCES partner_profiles (id) ON DELETE CASCADE,
  key        TEXT    NOT NULL,
  value      TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX partner_contacts_by_profile ON partner_contacts (profile_id);

CREATE TABLE partner_groups (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid       TEXT    NOT NULL UNIQUE,
  name       TEXT    NOT NULL UNIQUE,
  formula    TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE partner_group_levels (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid          TEXT    NOT NULL UNIQUE,
  group_id      INTEGER NOT NULL REFERENCES partner_groups (id) ON DELETE CASCADE,
  level         INTEGER NOT NULL,
  formula_value TEXT    NOT NULL,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX partner_group_levels_by_group ON partner_group_levels (group_id);

CREATE TABLE partner_group_tiers (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid       TEXT    NOT NULL UNIQUE,
  group_id   INTEGER NOT NULL REFERENCES partner_groups (id) ON DELETE CASCADE,
  name       TEXT    NOT NULL,
  ratio      TEXT    NOT NULL,
  users      INTEGER NOT NULL,
  volume     TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX partner_group_tiers_by_group ON partner_group_tiers (group_id);

CREATE TABLE partner_group_resources (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid          TEXT    NOT NULL UNIQUE,
  group_id      INTEGER NOT NULL REFERENCES partner_groups (id) ON DELETE CASCADE,
  language_code TEXT    NOT NULL,
  key           TEXT    NOT NULL,
  value         TEXT    NOT NULL,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  UNIQUE (group_id, language_code, key)
) STRICT;

CREATE TABLE partner_users (
  id               INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id          TEXT    NOT NULL UNIQUE,
  uuid             TEXT    NOT NULL UNIQUE,
  profile_id       INTEGER NOT NULL REFERENCES partner_profiles (id),
  group_id         INTEGER REFERENCES partner_groups (id),
  enabled          INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  master           INTEGER NOT NULL CHECK (master IN (0, 1)),
  master_max_level INTEGER,
  master_ratio     TEXT,
  ratio            TEXT,
  tag              TEXT,
  created_at       INTEGER NOT NULL,
  updated_at       INTEGER NOT NULL
) STRICT;
CREATE INDEX partner_users_by_profile ON partner_users (profile_id);
CREATE INDEX partner_users_by_group ON partner_users (group_id);

CREATE TABLE partner_relations (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid           TEXT    NOT NULL UNIQUE,
  child_user_id  TEXT    NOT NULL UNIQUE REFERENCES partner_users (user_id),
  parent_user_id TEXT    NOT NULL REFERENCES partner_users (user_id),
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX partner_relations_by_parent ON partner_relations (parent_user_id);

CREATE TABLE partner_nodes (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id        TEXT    NOT NULL UNIQUE REFERENCES partner_users (user_id) ON DELETE CASCADE,
  parent_user_id TEXT    REFERENCES partner_users (user_id),
  level          INTEGER NOT NULL CHECK (level >= 0),
  -- The level has to be worked out again, from that of the node above.
  is_stale       INTEGER NOT NULL DEFAULT 0 CHECK (is_stale IN (0, 1)),
  created_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX partner_nodes_by_parent ON partner_nodes (parent_user_id);
CREATE INDEX partner_nodes_stale ON partner_nodes (id) WHERE is_stale = 1;

CREATE TABLE partner_links (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid       TEXT    NOT NULL UNIQUE,
  name       TEXT    NOT NULL,
  uri        TEXT    NOT NULL,
  user_id    TEXT    REFERENCES partner_users (user_id),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX partner_links_by_user ON partner_links (user_id);

CREATE TABLE partner_link_languages (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid          TEXT    NOT NULL UNIQUE,
  link_id       INTEGER NOT NULL REFERENCES partner_links (id) ON DELETE CASCADE,
  language_code TEXT    NOT NULL,
  uri           TEXT    NOT NULL,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX partner_link_languages_by_link ON partner_link_languages (link_id);

CREATE TABLE partner_rate_providers (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid       TEXT    NOT NULL UNIQUE,
  name       TEXT    NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE partner_rate_drivers (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid            TEXT    NOT NULL UNIQUE,
  provider_id     INTEGER NOT NULL REFERENCES partner_rate_providers (id),
  driver_number   TEXT    NOT NULL,
  address         TEXT    NOT NULL,
  name            TEXT    NOT NULL,
  version         INTEGER NOT NULL,
  -- Encrypted by the gateway; what these hold is never in clear on this side.
  sealed_username TEXT    NOT NULL,
  sealed_password TEXT    NOT NULL,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL,
  UNIQUE (provider_id, driver_number)
) STRICT;

CREATE TABLE partner_banner_languages (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid       TEXT    NOT NULL UNIQUE,
  name       TEXT    NOT NULL,
  code       TEXT    NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE partner_symbols (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid       TEXT    NOT NULL UNIQUE,
  name       TEXT    NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE partner_symbol_preferences (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid        TEXT    NOT NULL UNIQUE,
  symbol_id   INTEGER NOT NULL REFERENCES partner_symbols (id) ON DELETE CASCADE,
  group_id    INTEGER NOT NULL REFERENCES partner_groups (id),
  formula     TEXT,
  level_table TEXT    NOT NULL CHECK (json_valid(level_table)),
  ratio       TEXT    NOT NULL,
  unit        TEXT    NOT NULL,
  position    TEXT    NOT NULL,
  side        TEXT    NOT NULL,
  precision   INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX partner_symbol_preferences_by_symbol ON partner_symbol_preferences (symbol_id);
CREATE INDEX partner_symbol_preferences_by_group ON partner_symbol_preferences (group_id);

CREATE TABLE partner_savings_programs (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid        TEXT    NOT NULL UNIQUE,
  name        TEXT    NOT NULL,
  description TEXT    NOT NULL,
  currency    TEXT    NOT NULL,
  is_active   INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  created_by  TEXT    NOT NULL,
  updated_by  TEXT    NOT NULL,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL
) STRICT;

CREATE TABLE partner_savings_levels (
  id                 INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid               TEXT    NOT NULL UNIQUE,
  savings_program_id TEXT    NOT NULL
                             REFERENCES partner_savings_programs (uuid) ON DELETE CASCADE,
  level              INTEGER NOT NULL,
  reward_value       TEXT    NOT NULL,
  is_active          INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  created_at         INTEGER NOT NULL,
  updated_at         INTEGER NOT NULL
) STRICT;
CREATE INDEX partner_savings_levels_by_program ON partner_savings_levels (savings_program_id);

CREATE TABLE partner_reassignments (
  id                       INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid                     TEXT    NOT NULL UNIQUE,
  type                     TEXT    NOT NULL CHECK (type IN ('children', 'single_user')),
  status                   TEXT    NOT NULL
    CHECK (status IN ('awaiting_confirmation', 'pending', 'processing', 'chains_rebuilding',
                      'completed', 'cancelled', 'failed')),
  source_user_id           TEXT    NOT NULL REFERENCES partner_users (user_id),
  target_user_id           TEXT    NOT NULL REFERENCES partner_users (user_id),
  subject_user_id          TEXT    REFERENCES partner_users (user_id),
  promotion_target_user_id TEXT    REFERENCES partner_users (user_id),
  error_message            TEXT,
  created_at               INTEGER NOT NULL,
  updated_at               INTEGER NOT NULL,
  CHECK ((type = 'single_user') = (subject_user_id IS NOT NULL)),
  CHECK ((status = 'failed') = (error_message IS NOT NULL))
) STRICT;
CREATE INDEX partner_reassignments_by_status ON partner_reassignments (status, id);
CREATE INDEX partner_reassignments_by_source ON partner_reassignments (source_user_id);
CREATE INDEX partner_reassignments_by_target ON partner_reassignments (target_user_id);

-- What a reassignment has moved, as it was then, and the relation that it became.
CREATE TABLE partner_reassignment_moves (
  reassignment_id    INTEGER NOT NULL REFERENCES partner_reassignments (id),
  position           INTEGER NOT NULL,
  child_user_id      TEXT    NOT NULL REFERENCES partner_users (user_id),
  name               TEXT    NOT NULL,
  email              TEXT,
  is_sub_ib          INTEGER NOT NULL CHECK (is_sub_ib IN (0, 1)),
  profile_uuid       TEXT    NOT NULL,
  direct_clients     INTEGER NOT NULL,
  old_relation_id    INTEGER NOT NULL,
  new_relation_id    INTEGER NOT NULL,
  PRIMARY KEY (reassignment_id, position),
  UNIQUE (reassignment_id, child_user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE partner_exports (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid          TEXT    NOT NULL UNIQUE,
  subject       TEXT    NOT NULL,
  format        TEXT    NOT NULL CHECK (format IN ('csv', 'json')),
  status        TEXT    NOT NULL
    CHECK (status IN ('pending', 'processing', 'completed', 'failed', 'expired')),
  rows          INTEGER,
  bytes         INTEGER,
  error_message TEXT,
  requested_by  TEXT    NOT NULL,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX partner_exports_by_status ON partner_exports (status, id);
`;
