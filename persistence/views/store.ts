import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { currentBootId, type EventSource, mismatch, ProgressTable } from './progress.ts';
import { SCHEMA, SCHEMA_VERSION, viewsPath } from './schema.ts';

/** 8 KiB pages and about 32 MiB of write-ahead log between checkpoints. */
const PAGE_BYTES = 8_192;
const CHECKPOINT_PAGES = 4_096;
const CACHE_KIBIBYTES = 65_536;

/** Views that can be written to, and why they were made anew, if they were. */
export interface OpenedViews {
  readonly database: Database.Database;
  readonly rebuilt: string | null;
}

/**
 * Opens the views of a data directory for projecting, or makes empty ones where there are none, they
 * are of another version, damaged, possibly half-written, or do not follow from the journal.
 */
export function openViewsForWriting(dataDir: string, source: EventSource): OpenedViews {
  const path = viewsPath(dataDir);
  if (!existsSync(path)) return { database: create(path), rebuilt: 'there were none' };
  const found = openExisting(path, source);
  if (typeof found !== 'string') return { database: found, rebuilt: null };
  removeViews(dataDir);
  return { database: create(path), rebuilt: found };
}

/** Makes empty views in a file of its own, for a comparison. */
export function createViews(path: string): Database.Database {
  return create(path);
}

export function removeViews(dataDir: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(`${viewsPath(dataDir)}${suffix}`, { force: true });
  }
}

/**
 * Closes views so that the next start, also of the machine, can go on from them: everything is on
 * the disk before the mark that says so.
 */
export function closeCleanly(database: Database.Database): void {
  database.pragma('wal_checkpoint(TRUNCATE)');
  const descriptor = openSync(database.name, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  new ProgressTable(database).markClean(currentBootId());
  database.close();
}

/** The opened database, or why it cannot be used. */
function openExisting(path: string, source: EventSource): Database.Database | string {
  let database: Database.Database | undefined;
  try {
    database = new Database(path);
    configure(database);
    const unusable = faultOf(database, source);
    if (unusable === null) {
      new ProgressTable(database).markDirty(currentBootId());
      return database;
    }
    database.close();
    return unusable;
  } catch (error) {
    database?.close();
    if (error instanceof Database.SqliteError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

function faultOf(database: Database.Database, source: EventSource): string | null {
  const version = database.pragma('user_version', { simple: true });
  if (version !== SCHEMA_VERSION) {
    return `they have schema version ${String(version)}, this program has ${SCHEMA_VERSION}`;
  }
  const progress = new ProgressTable(database).read();
  if (progress === null) return 'their progress is not readable';
  const sameStart = progress.bootId !== '' && progress.bootId === currentBootId();
  if (!progress.clean && !sameStart) return 'the machine went down while they were being written';
  return mismatch(progress, source);
}

function create(path: string): Database.Database {
  const database = new Database(path);
  database.pragma(`page_size = ${PAGE_BYTES}`);
  configure(database);
  database.transaction(() => {
    database.exec(SCHEMA);
    ProgressTable.create(database);
    new ProgressTable(database).markDirty(currentBootId());
    database.pragma(`user_version = ${SCHEMA_VERSION}`);
  })();
  return database;
}

/** Nothing here needs to survive a power cut: what is lost is projected again. */
function configure(database: Database.Database): void {
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = OFF');
  database.pragma('temp_store = MEMORY');
  database.pragma(`cache_size = -${CACHE_KIBIBYTES}`);
  database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
}
