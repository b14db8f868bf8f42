import { renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { asRefusal, BatchFile, createBatchTables } from './batch-file.ts';
import type { BatchPage, BatchStore } from './batch-store.ts';
import { type ChainPoint, equalBytes, genesis, lastSequenceOf, type StoredBatch } from './chain.ts';
import { compareWithMark } from './end-of-journal.ts';
import { JournalBehindMark, JournalCorrupt, JournalFormatUnknown } from './errors.ts';
import { ensureDirectory, journalPath, markPath, syncDirectory } from './files.ts';
import { type DirectoryLock, lockDirectory } from './lock.ts';
import type { Logger } from './logger.ts';
import type { MarkReading } from './mark.ts';
import { MarkFile, readMarkFile } from './mark-file.ts';
import { preallocateLog } from './preallocate.ts';
import { Segments } from './segments.ts';

const PAGE_BYTES = 4096;
const FRAME_BYTES = PAGE_BYTES + 24;
const SYNCHRONOUS_FULL = 2;

export interface SqliteStoreOptions {
  readonly venueId: string;
  readonly walBytes: number;
}

/** The journal in DATA_DIR/journal.db, its mark in DATA_DIR/journal.mark. One process at a time. */
export class SqliteStore implements BatchStore {
  private readonly database: Database.Database;
  private readonly segments: Segments;
  private readonly mark: MarkFile;
  private readonly lock: DirectoryLock;
  private readonly insert: Database.Statement;
  private logBytes = 0;

  private constructor(dataDir: string, file: BatchFile, lock: DirectoryLock) {
    this.database = file.database;
    this.segments = new Segments(dataDir, file);
    this.mark = new MarkFile(markPath(dataDir));
    this.lock = lock;
    this.insert = file.database.prepare(
      'INSERT INTO batches (first_sequence, count, hash, payload) VALUES (?, ?, ?, ?)',
    );
  }

  /**
   * Opens or creates the journal. What contradicts the mark is refused before anything is opened
   * for writing, so that the files stay as they were found. Throws a JournalError.
   */
  static open(dataDir: string, options: SqliteStoreOptions, logger: Logger): SqliteStore {
    ensureDirectory(dataDir);
    const lock = lockDirectory(dataDir);
    let database: Database.Database | undefined;
    try {
      prepareFile(dataDir, options.venueId, logger);
      preallocateLog(`${journalPath(dataDir)}-wal`, options.walBytes);
      database = openForWriting(journalPath(dataDir));
      const file = new BatchFile(database);
      assertGenesis(file, options.venueId);
      return new SqliteStore(dataDir, file, lock);
    } catch (error) {
      database?.close();
      lock.release();
      throw asRefusal(1, error);
    }
  }

  origin(): ChainPoint {
    return this.segments.origin();
  }

  base(): ChainPoint {
    return this.segments.base();
  }

  end(): ChainPoint {
    return this.segments.end();
  }

  endOfBatchAt(sequence: number): ChainPoint {
    return this.segments.endOfBatchAt(sequence);
  }

  page(fromSequence: number, bytesMax: number): BatchPage {
    return this.segments.page(fromSequence, bytesMax);
  }

  /** One INSERT outside of any transaction is a transaction of its own, durable on return. */
  append(batch: StoredBatch): void {
    this.insert.run(batch.firstSequence, batch.count, batch.hash, batch.payload);
    this.logBytes += FRAME_BYTES * (2 + Math.floor(batch.payload.length / PAGE_BYTES));
  }

  drop(firstSequence: number): void {
    this.database.prepare('DELETE FROM batches WHERE first_sequence = ?').run(firstSequence);
  }

  readMark(): MarkReading {
    return this.mark.read();
  }

  writeMark(point: ChainPoint): void {
    this.mark.write(point);
  }

  syncMark(): void {
    this.mark.sync();
  }

  /** About how much of the write-ahead log was written since its last complete checkpoint. */
  get logBytesUsed(): number {
    return this.logBytes;
  }

  /**
   * Copies the log into the database file, as far as readers let it. When all is copied the next
   * commit starts over at the log's beginning; the log is never truncated while it is open.
   */
  checkpoint(): void {
    const [result] = this.database.pragma('wal_checkpoint(PASSIVE)') as [
      { log: number; checkpointed: number },
    ];
    this.logBytes = (result.log - result.checkpointed) * FRAME_BYTES;
  }

  /**
   * Deletes whole batches up to `sequence`, about `bytesMax` of them, in one transaction that moves
   * the base along; the mark on disk is never older than the base. Returns where the journal now begins.
   */
  discard(sequence: number, bytesMax: number): ChainPoint {
    const { batches } = this.segments.page(this.base().sequence + 1, bytesMax);
    const last = batches.findLast((batch) => lastSequenceOf(batch) <= sequence);
    if (last === undefined) return this.base();
    const base = this.segments.endOfBatchAt(last.firstSequence);
    this.mark.sync();
    const { database } = this;
    database.transaction(() => {
      database.prepare('DELETE FROM batches WHERE first_sequence <= ?').run(last.firstSequence);
      database
        .prepare('UPDATE meta SET base_sequence = ?, base_hash = ?')
        .run(base.sequence, base.hash);
    })();
    return base;
  }

  close(): void {
    this.mark.sync();
    this.mark.close();
    this.segments.close();
    this.lock.release();
  }
}

/** Leaves a journal in place that agrees with the mark, creating an empty one where there is none. */
function prepareFile(dataDir: string, venueId: string, logger: Logger): void {
  const path = journalPath(dataDir);
  const mark = readMarkFile(markPath(dataDir));
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > 0) {
    const segments = new Segments(dataDir, BatchFile.openReadOnly(path));
    try {
      compareWithMark(segments, mark, logger);
    } finally {
      segments.close();
    }
    return;
  }
  if (mark.kind === 'good' && mark.point.sequence > 0) {
    throw new JournalBehindMark(0, mark.point.sequence, 'mark');
  }
  createFile(path, venueId);
}

/** Created under another name, so that no crash leaves half a journal under the real one. */
function createFile(path: string, venueId: string): void {
  const unfinished = `${path}.new`;
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${unfinished}${suffix}`, { force: true });
  const database = new Database(unfinished);
  try {
    database.pragma('journal_mode = WAL');
    createBatchTables(database, { venueId, base: genesis(venueId) });
    // Closing would do this too, but without a word if it failed.
    database.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
  renameSync(unfinished, path);
  syncDirectory(dirname(path));
}

function openForWriting(path: string): Database.Database {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('wal_autocheckpoint = 0');
  assertPragma(database, 'journal_mode', 'wal');
  // The library is compiled with NORMAL for WAL, under which a commit is not durable.
  assertPragma(database, 'synchronous', SYNCHRONOUS_FULL);
  assertPragma(database, 'wal_autocheckpoint', 0);
  return database;
}

function assertPragma(database: Database.Database, name: string, expected: string | number): void {
  const actual = database.pragma(name, { simple: true });
  if (actual !== expected) {
    throw new JournalFormatUnknown(`${name} is ${String(actual)} where ${expected} was set`);
  }
}

function assertGenesis(file: BatchFile, venueId: string): void {
  if (file.venueId !== venueId) {
    throw new JournalFormatUnknown(`it belongs to venue ${file.venueId}, not to ${venueId}`);
  }
  const base = file.base();
  if (base.sequence === 0 && !equalBytes(base.hash, genesis(venueId).hash)) {
    throw new JournalCorrupt(1, 'the start of the chain does not match');
  }
}
