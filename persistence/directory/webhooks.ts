import { type Administration, recordAudit } from './audit.ts';
import type { DirectoryDatabase } from './database.ts';

export const WEBHOOK_STATUSES = ['Pending', 'Delivered', 'Failed'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** A call to be made. Times are UTC milliseconds. */
export interface NewWebhookDelivery {
  /** Grows from one to the next; one that is known already is left as it is. */
  readonly id: number;
  readonly transferId: number;
  /** Host and port of `url`. */
  readonly target: string;
  readonly url: string;
  /** JSON text. */
  readonly body: string;
}

export interface DueWebhook extends NewWebhookDelivery {
  /** How often it was tried. */
  readonly attempts: number;
}

export interface WebhookAttempt {
  /** From 1. */
  readonly attempt: number;
  readonly at: number;
  readonly durationMs: number;
  /** Null where no answer came; then `error` says why. */
  readonly httpStatus: number | null;
  readonly error: string | null;
}

export interface WebhookDelivery {
  readonly id: number;
  readonly url: string;
  readonly body: string;
  readonly status: WebhookStatus;
  readonly createdAt: number;
  /** Null unless it is still pending. */
  readonly nextAttemptAt: number | null;
  readonly attempts: readonly WebhookAttempt[];
}

/** A sealed signing key; the newest has no end. */
export interface SealedWebhookSecret {
  readonly sealed: Uint8Array;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

interface DueSelection {
  readonly at: number;
  /** What is under way, and targets that have all they may have at once. */
  readonly exceptIds: readonly number[];
  readonly exceptTargets: readonly string[];
}

/** Of a transfer's calls the first that is pending, so that they arrive in their order. */
const WAITING = `FROM webhook_deliveries AS delivery
  WHERE status = 'Pending' AND next_attempt_at <= ?
    AND target NOT IN (SELECT value FROM json_each(?))
    AND id NOT IN (SELECT value FROM json_each(?))
    AND NOT EXISTS (
      SELECT 1 FROM webhook_deliveries AS earlier
      WHERE earlier.status = 'Pending' AND earlier.transfer_id = delivery.transfer_id
        AND earlier.id < delivery.id)`;

export const webhookOperations = {
  /** The newest delivery that is known; 0 where there is none. */
  newest(database: DirectoryDatabase): number {
    const row = database
      .statement<{ id: number | null }>('SELECT max(id) AS id FROM webhook_deliveries')
      .get();
    return row?.id ?? 0;
  },

  add(
    database: DirectoryDatabase,
    input: { readonly deliveries: readonly NewWebhookDelivery[]; readonly at: number },
  ): void {
    database.transaction(() => {
      const insert = database.statement(
        `INSERT OR IGNORE INTO webhook_deliveries
           (id, transfer_id, target, url, body, next_attempt_at, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      );
      for (const { id, transferId, target, url, body } of input.deliveries) {
        insert.run(id, transferId, target, url, body, input.at, input.at);
      }
    });
  },

  /** What may be sent now, the longest due first. */
  due(database: DirectoryDatabase, input: DueSelection & { readonly limit: number }): DueWebhook[] {
    return database
      .statement<DueWebhook>(
        `SELECT id, transfer_id AS transferId, target, url, body, attempts ${WAITING}
         ORDER BY next_attempt_at, id LIMIT ? + 0`,
      )
      .all(...selected(input), input.limit);
  },

  /** When there is something to send next, with nothing but `input` under way; null: never. */
  nextAt(database: DirectoryDatabase, input: Omit<DueSelection, 'at'>): number | null {
    const row = database
      .statement<{ at: number }>(
        `SELECT next_attempt_at AS at ${WAITING} ORDER BY next_attempt_at, id LIMIT 1`,
      )
      .get(...selected({ ...input, at: Number.MAX_SAFE_INTEGER }));
    return row?.at ?? null;
  },

  /** Writes down an attempt and what follows from it: the next one, or the end. */
  recordAttempt(
    database: DirectoryDatabase,
    input: WebhookAttempt & {
      readonly id: number;
      readonly status: WebhookStatus;
      /** Of a delivery that is still pending. */
      readonly nextAttemptAt: number;
    },
  ): void {
    const { id, attempt, at, durationMs, httpStatus, error, status, nextAttemptAt } = input;
    database.transaction(() => {
      database
        .statement('INSERT OR REPLACE INTO webhook_attempts VALUES (?, ?, ?, ?, ?, ?)')
        .run(id, attempt, at, durationMs, httpStatus, error);
      database
        .statement(
          `UPDATE webhook_deliveries SET status = ?, attempts = ?, next_attempt_at = ?
            WHERE id = ?`,
        )
        .run(status, attempt, nextAttemptAt, id);
    });
  },

  /** A transfer's deliveries with every attempt, oldest first. A transfer has a handful of states. */
  ofTransfer(database: DirectoryDatabase, transferId: number): WebhookDelivery[] {
    const attempts = database.statement<WebhookAttempt>(
      `SELECT attempt, at, duration_ms AS durationMs, http_status AS httpStatus, error
         FROM webhook_attempts WHERE delivery_id = ? ORDER BY attempt`,
    );
    return database
      .statement<Omit<WebhookDelivery, 'attempts'>>(
        `SELECT id, url, body, status, created_at AS createdAt,
                iif(status = 'Pending', next_attempt_at, NULL) AS nextAttemptAt
           FROM webhook_deliveries WHERE transfer_id = ? ORDER BY id`,
      )
      .all(transferId)
      .map((delivery) => ({ ...delivery, attempts: attempts.all(delivery.id) }));
  },

  /** The keys to sign with, newest first: it, and its predecessors that have not ended. */
  secrets(database: DirectoryDatabase, at: number): SealedWebhookSecret[] {
    return database
      .statement<SealedWebhookSecret>(
        `SELECT sealed, created_at AS createdAt, expires_at AS expiresAt FROM webhook_secrets
          WHERE expires_at IS NULL OR expires_at > ? ORDER BY id DESC`,
      )
      .all(at);
  },

  /** Makes this the key; the one before signs beside it until `previousUntil`. */
  addSecret(
    database: DirectoryDatabase,
    input: Administration & { readonly sealed: Uint8Array; readonly previousUntil: number },
  ): void {
    database.transaction(() => {
      database
        .statement('UPDATE webhook_secrets SET expires_at = ? WHERE expires_at IS NULL')
        .run(input.previousUntil);
      database
        .statement('INSERT INTO webhook_secrets (sealed, created_at) VALUES (?, ?)')
        .run(Buffer.from(input.sealed), input.at);
      recordAudit(database, input, {
        action: 'webhook-secret.add',
        entity: 'webhook-secret',
        entityId: 'transfers',
        details: { previousUntil: input.previousUntil },
      });
    });
  },
};

function selected({ at, exceptTargets, exceptIds }: DueSelection): [number, string, string] {
  return [at, JSON.stringify(exceptTargets), JSON.stringify(exceptIds)];
}
