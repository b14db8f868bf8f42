import type { DirectoryDatabase } from './database.ts';

/** Who made a change: a signed-in user, an OAuth client, or a part of the system by its name. */
export type Actor = `user:${string}` | `client:${string}` | `system:${string}`;

/** Every administrative operation takes these two: who does it, and when (UTC milliseconds). */
export interface Administration {
  readonly actor: Actor;
  readonly at: number;
}

export interface AuditEntry {
  readonly id: number;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly entity: string;
  readonly entityId: string;
  readonly details: unknown;
}

export interface AuditedChange {
  readonly action: string;
  readonly entity: string;
  readonly entityId: string;
  /** What changed, as JSON; never a secret or a hash of one. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Must be called inside the transaction of the change itself, so that neither exists alone. */
export function recordAudit(
  database: DirectoryDatabase,
  { actor, at }: Administration,
  { action, entity, entityId, details = {} }: AuditedChange,
): void {
  database
    .statement(
      'INSERT INTO audit (at, actor, action, entity, entity_id, details) VALUES (?, ?, ?, ?, ?, ?)',
    )
    .run(at, actor, action, entity, entityId, JSON.stringify(details));
}

interface AuditRow {
  readonly id: number;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly entity: string;
  readonly entityId: string;
  readonly details: string;
}

export const auditOperations = {
  /** Oldest first, starting after the entry `afterId` (0: from the beginning). */
  list(database: DirectoryDatabase, page: { afterId: number; limit: number }): AuditEntry[] {
    return database
      .statement<AuditRow>(
        `SELECT id, at, actor, action, entity, entity_id AS entityId, details
           FROM audit WHERE id > ? ORDER BY id LIMIT ? + 0`,
      )
      .all(page.afterId, page.limit)
      .map((row) => ({ ...row, details: JSON.parse(row.details) }));
  },
};
