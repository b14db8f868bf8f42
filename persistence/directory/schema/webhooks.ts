/** Calls to the callback addresses of transfers: what is to be sent, what was tried, and the keys. */
export const webhooks = `
CREATE TABLE webhook_deliveries (
  -- That of the callback in the views: it grows in the order of the journal.
  id              INTEGER PRIMARY KEY,
  transfer_id     INTEGER NOT NULL,
  -- Host and port, so that one target that is down keeps nobody else waiting.
  target          TEXT    NOT NULL,
  url             TEXT    NOT NULL,
  body            TEXT    NOT NULL CHECK (json_valid(body)),
  status          TEXT    NOT NULL DEFAULT 'Pending'
                          CHECK (status IN ('Pending', 'Delivered', 'Failed')),
  attempts        INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER NOT NULL,
  created_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_deliveries_by_transfer ON webhook_deliveries (transfer_id, id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at, id)
  WHERE status = 'Pending';
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (transfer_id, id)
  WHERE status = 'Pending';

CREATE TABLE webhook_attempts (
  delivery_id INTEGER NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  attempt     INTEGER NOT NULL,
  at          INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  http_status INTEGER,
  error       TEXT,
  PRIMARY KEY (delivery_id, attempt)
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_secrets (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  sealed     BLOB    NOT NULL,
  created_at INTEGER NOT NULL,
  -- Until when it signs beside its successor; null while it has none.
  expires_at INTEGER
) STRICT;
`;
