import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { JournalReader } from '../journal/index.ts';
import { type EventSource, ProgressTable } from './progress.ts';
import { Projection } from './projection.ts';
import { PROJECTED_TABLES, SCHEMA_VERSION, viewsPath } from './schema.ts';
import { createViews } from './store.ts';

export interface TableComparison {
  readonly table: string;
  /** Rows as the journal has them. */
  readonly rows: number;
  /** Rows that are missing, too many or different in the views. */
  readonly differences: number;
  /** The first of them, for a person to read. */
  readonly first: string | null;
}

export type ViewsComparison =
  /** Nothing to compare: no views, or of another version. They will be built on the next start. */
  | { readonly kind: 'absent'; readonly reason: string }
  | {
      readonly kind: 'compared';
      readonly equal: boolean;
      /** How far the views had come; only this much of the journal was looked at. */
      readonly sequence: number;
      readonly tables: readonly TableComparison[];
    };

const EVENTS_PER_COMMIT = 100_000;

/**
 * Projects the journal of a data directory anew, up to where its views are, into a temporary file and
 * compares every table with the views, row by row. Changes nothing in the data directory. Throws
 * where the journal is damaged or ends before the views do.
 */
export function compareViews(dataDir: string): ViewsComparison {
  if (!existsSync(viewsPath(dataDir))) return { kind: 'absent', reason: 'there are no views' };
  const source = new JournalReader(dataDir);
  const views = new Database(viewsPath(dataDir), { readonly: true, fileMustExist: true });
  const directory = mkdtempSync(join(tmpdir(), 'matchbox-views-'));
  try {
    return compareWith(views, source, join(directory, 'views.db'));
  } finally {
    views.close();
    source.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

function compareWith(
  views: Database.Database,
  source: EventSource,
  freshPath: string,
): ViewsComparison {
  const version = views.pragma('user_version', { simple: true });
  if (version !== SCHEMA_VERSION) {
    return { kind: 'absent', reason: `the views have schema version ${String(version)}` };
  }
  // One read transaction: a running venue may go on writing meanwhile.
  const compare = views.transaction((): ViewsComparison => {
    const progress = new ProgressTable(views).read();
    if (progress === null) return { kind: 'absent', reason: 'their progress is not readable' };
    const fresh = createViews(freshPath);
    try {
      projectUpTo(fresh, source, progress.sequence);
      const tables = Object.entries(PROJECTED_TABLES).map(([table, order]) =>
        compareTable(fresh, views, table, order),
      );
      const equal = tables.every(({ differences }) => differences === 0);
      return { kind: 'compared', equal, sequence: progress.sequence, tables };
    } finally {
      fresh.close();
    }
  });
  return compare();
}

function projectUpTo(fresh: Database.Database, source: EventSource, sequence: number): void {
  const projection = new Projection(fresh);
  const noHash = new Uint8Array(0);
  let committed = 0;
  if (sequence === 0) return;
  for (const batch of source.batches(1)) {
    projection.fold(batch);
    if (projection.sequence - committed >= EVENTS_PER_COMMIT) {
      projection.commit(noHash);
      committed = projection.sequence;
    }
    if (projection.sequence >= sequence) break;
  }
  projection.commit(noHash);
  if (projection.sequence !== sequence) {
    throw new RangeError(`the views are at ${sequence}, the journal gives ${projection.sequence}`);
  }
}

/** Steps through both tables in the order of their keys. */
function compareTable(
  fresh: Database.Database,
  views: Database.Database,
  table: string,
  order: string,
): TableComparison {
  const expected = rowsOf(fresh, table, order);
  const actual = rowsOf(views, table, order);
  const keyWidth = order.split(',').length;
  let rows = 0;
  let differences = 0;
  let first: string | null = null;
  let left = take(expected);
  let right = take(actual);
  while (left !== null || right !== null) {
    const side = compareKeys(left, right, keyWidth);
    if (side !== 0 || !equalRows(left, right)) {
      differences++;
      first ??= `expected ${show(side <= 0 ? left : null)}, found ${show(side >= 0 ? right : null)}`;
    }
    if (side <= 0) {
      rows++;
      left = take(expected);
    }
    if (side >= 0) right = take(actual);
  }
  return { table, rows, differences, first };
}

type Row = readonly unknown[];

function rowsOf(database: Database.Database, table: string, order: string): Iterator<Row> {
  const select = database.prepare(`SELECT * FROM ${table} ORDER BY ${order}`);
  return select.raw().safeIntegers().iterate() as IterableIterator<Row>;
}

function take(rows: Iterator<Row>): Row | null {
  const step = rows.next();
  return step.done === true ? null : step.value;
}

/** Keys are integers; the end comes after every row. */
function compareKeys(left: Row | null, right: Row | null, width: number): number {
  if (left === null) return 1;
  if (right === null) return -1;
  for (let column = 0; column < width; column++) {
    const a = left[column] as bigint;
    const b = right[column] as bigint;
    if (a !== b) return a < b ? -1 : 1;
  }
  return 0;
}

function equalRows(left: Row | null, right: Row | null): boolean {
  if (left === null || right === null) return false;
  return left.every((value, column) => value === right[column]);
}

function show(row: Row | null): string {
  return row === null ? 'no row' : `(${row.map(String).join(', ')})`;
}
