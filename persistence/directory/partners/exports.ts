import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import { type Administration, recordAudit } from '../audit.ts';
import type { DirectoryDatabase } from '../database.ts';
import { type Attempt, attempt, refuse } from './violations.ts';

/** What can be exported: resources of which no row holds a secret. */
export const EXPORT_SUBJECTS = ['relations', 'users', 'profiles', 'groups', 'links'] as const;
export type ExportSubject = (typeof EXPORT_SUBJECTS)[number];

export const EXPORT_FORMATS = ['csv', 'json'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** `expired`: it was completed, and its file has been removed since. */
export const EXPORT_STATUSES = ['pending', 'processing', 'completed', 'failed', 'expired'] as const;
export type ExportStatus = (typeof EXPORT_STATUSES)[number];

/** Exports that may wait at once. */
const WAITING_MAX = 100;

export interface ExportJob {
  readonly exportId: string;
  readonly subject: ExportSubject;
  readonly format: ExportFormat;
  readonly status: ExportStatus;
  /** Null until it is completed. */
  readonly rows: number | null;
  readonly bytes: number | null;
  readonly errorMessage: string | null;
  readonly createTime: string;
  readonly updateTime: string;
}

export const partnerExportOperations = {
  create(
    database: DirectoryDatabase,
    input: Administration & {
      readonly uuid: string;
      readonly subject: ExportSubject;
      readonly format: ExportFormat;
    },
  ): Attempt<ExportJob> {
    const { uuid, subject, format, actor, at } = input;
    return attempt(database, () => {
      if (waiting(database) >= WAITING_MAX) {
        refuse({ rule: 'too-many', field: 'body', limit: String(WAITING_MAX) });
      }
      database
        .statement(
          `INSERT INTO partner_exports
             (uuid, subject, format, status, requested_by, created_at, updated_at)
           VALUES (?, ?, ?, 'pending', ?, ?, ?)`,
        )
        .run(uuid, subject, format, actor, at, at);
      recordAudit(database, input, {
        action: 'partner-export.create',
        entity: 'partner-export',
        entityId: uuid,
        details: { subject, format },
      });
      return requireExport(database, uuid);
    });
  },

  get(database: DirectoryDatabase, exportId: string): ExportJob | null {
    const row = findExport(database, exportId);
    return row === undefined ? null : toExport(row);
  },

  /** The oldest export that is not done, now at work; also one that a crash cut off. */
  take(database: DirectoryDatabase, input: { readonly at: number }): ExportJob | null {
    return database.transaction(() => {
      const row = database
        .statement<ExportRow>(
          `SELECT ${COLUMNS} FROM partner_exports
            WHERE status IN ('pending', 'processing') ORDER BY id LIMIT 1`,
        )
        .get();
      if (row === undefined) return null;
      setStatus(database, row.uuid, 'processing', input.at);
      return toExport({ ...row, status: 'processing', updatedAt: input.at });
    });
  },

  finish(
    database: DirectoryDatabase,
    input: {
      readonly exportId: string;
      readonly at: number;
      readonly result:
        | { readonly rows: number; readonly bytes: number }
        | { readonly error: string };
    },
  ): void {
    const { exportId, at, result } = input;
    const isDone = 'rows' in result;
    database
      .statement(
        `UPDATE partner_exports SET status = ?, rows = ?, bytes = ?, error_message = ?,
           updated_at = ? WHERE uuid = ?`,
      )
      .run(
        isDone ? 'completed' : 'failed',
        isDone ? result.rows : null,
        isDone ? result.bytes : null,
        isDone ? null : result.error,
        at,
        exportId,
      );
  },

  /** Completed exports that ended before this time; a page of them at a time. */
  completedBefore(
    database: DirectoryDatabase,
    query: { readonly before: number; readonly limit: number },
  ): ExportJob[] {
    return database
      .statement<ExportRow>(
        `SELECT ${COLUMNS} FROM partner_exports
          WHERE status = 'completed' AND updated_at < ? ORDER BY id LIMIT ? + 0`,
      )
      .all(query.before, query.limit)
      .map(toExport);
  },

  /** To be called once the file is gone. */
  expire(
    database: DirectoryDatabase,
    input: { readonly exportId: string; readonly at: number },
  ): void {
    setStatus(database, input.exportId, 'expired', input.at);
  },
};

interface ExportRow {
  readonly uuid: string;
  readonly subject: ExportSubject;
  readonly format: ExportFormat;
  readonly status: ExportStatus;
  readonly rows: number | null;
  readonly bytes: number | null;
  readonly errorMessage: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const COLUMNS = `uuid, subject, format, status, rows, bytes, error_message AS errorMessage,
  created_at AS createdAt, updated_at AS updatedAt`;

function waiting(database: DirectoryDatabase): number {
  const row = database
    .statement<{ count: number }>(
      `SELECT count(*) AS count FROM partner_exports WHERE status IN ('pending', 'processing')`,
    )
    .get();
  return row?.count ?? 0;
}

function findExport(database: DirectoryDatabase, exportId: string): ExportRow | undefined {
  return database
    .statement<ExportRow>(`SELECT ${COLUMNS} FROM partner_exports WHERE uuid = ?`)
    .get(exportId.toLowerCase());
}

function requireExport(database: DirectoryDatabase, exportId: string): ExportJob {
  const row = findExport(database, exportId);
  if (row === undefined) throw new Error(`directory: export ${exportId} vanished`);
  return toExport(row);
}

function setStatus(
  database: DirectoryDatabase,
  exportId: string,
  status: ExportStatus,
  at: number,
): void {
  database
    .statement('UPDATE partner_exports SET status = ?, updated_at = ? WHERE uuid = ?')
    .run(status, at, exportId);
}

function toExport({ uuid, createdAt, updatedAt, ...row }: ExportRow): ExportJob {
  return {
    exportId: uuid,
    ...row,
    createTime: formatTimestamp(createdAt),
    updateTime: formatTimestamp(updatedAt),
  };
}
