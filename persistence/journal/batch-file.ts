import Database from 'better-sqlite3';
import type { BatchPage } from './batch-store.ts';
import { type Batch, type ChainPoint, FORMAT_VERSION, HASH_BYTES } from './chain.ts';
import { JournalCorrupt, JournalFormatUnknown } from './errors.ts';

/**
 * One SQLite file with batches: the live journal or an archive. `base` is the point of the chain
 * that its first batch follows.
 */

const SCHEMA = `
  CREATE TABLE meta (
    format_version INTEGER NOT NULL,
    venue_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    base_sequence INTEGER NOT NULL,
    base_hash BLOB NOT NULL
  ) STRICT;
  CREATE TABLE batches (
    first_sequence INTEGER PRIMARY KEY,
    count INTEGER NOT NULL,
    hash BLOB NOT NULL,
    payload BLOB NOT NULL
  ) STRICT;
`;

export interface BatchFileMeta {
  readonly venueId: string;
  readonly base: ChainPoint;
}

/** Creates the tables and the one row of meta, in one transaction. */
export function createBatchTables(database: Database.Database, meta: BatchFileMeta): void {
  database.transaction(() => {
    database.exec(SCHEMA);
    database
      .prepare('INSERT INTO meta VALUES (?, ?, ?, ?, ?)')
      .run(
        FORMAT_VERSION,
        meta.venueId,
        new Date().toISOString(),
        meta.base.sequence,
        meta.base.hash,
      );
  })();
}

/** What SQLite finds damaged, as a refusal that names `sequence`; any other error as it is. */
export function asRefusal(sequence: number, error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  if (!/^SQLITE_(CORRUPT|NOTADB|ERROR|IOERR)/.test(error.code)) return error;
  return new JournalCorrupt(sequence, `${error.code}: ${error.message}`, { cause: error });
}

function guardRead<T>(sequence: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw asRefusal(sequence, error);
  }
}

type Row = readonly unknown[];

/** Reads batches of one file. Every call is a short read transaction of its own. */
export class BatchFile {
  readonly database: Database.Database;
  readonly venueId: string;
  private readonly selectBase: Database.Statement;
  private readonly selectLast: Database.Statement;
  private readonly selectAtOrBefore: Database.Statement;
  private readonly selectSizes: Database.Statement;
  private readonly selectPayloads: Database.Statement;
  private readonly pageInTransaction: (fromSequence: number, bytesMax: number) => BatchPage;
  private readonly endInTransaction: () => ChainPoint;

  /** Takes an open connection over; `close` closes it. */
  constructor(database: Database.Database) {
    this.database = database;
    this.venueId = readVenue(database);
    this.selectBase = database.prepare('SELECT base_sequence, base_hash FROM meta').raw();
    this.selectLast = database
      .prepare(
        'SELECT first_sequence, count, hash FROM batches ORDER BY first_sequence DESC LIMIT 1',
      )
      .raw();
    this.selectAtOrBefore = database
      .prepare(
        'SELECT first_sequence, count, hash FROM batches WHERE first_sequence <= ? ORDER BY first_sequence DESC LIMIT 1',
      )
      .raw();
    this.selectSizes = database
      .prepare(
        'SELECT first_sequence, count, length(payload) FROM batches WHERE first_sequence >= ? ORDER BY first_sequence',
      )
      .raw();
    // One blob for a whole page: a blob for each row would cost more than everything else in a scan.
    // Concatenation treats a blob as text of the database's encoding and leaves its bytes alone.
    this.selectPayloads = database
      .prepare(
        `SELECT CAST(group_concat(payload, '') AS BLOB) FROM
          (SELECT payload FROM batches WHERE first_sequence BETWEEN ? AND ? ORDER BY first_sequence)`,
      )
      .pluck();
    this.pageInTransaction = database.transaction((from: number, bytesMax: number) =>
      this.readPage(from, bytesMax),
    );
    this.endInTransaction = database.transaction(() => this.readEnd());
  }

  static openReadOnly(path: string): BatchFile {
    let database: Database.Database | undefined;
    try {
      database = new Database(path, { readonly: true, fileMustExist: true });
      return new BatchFile(database);
    } catch (error) {
      database?.close();
      throw asRefusal(1, error);
    }
  }

  /** The point that the first batch of this file follows. */
  base(): ChainPoint {
    return guardRead(1, () => {
      const row = this.selectBase.get() as Row | undefined;
      const sequence = row?.[0];
      if (typeof sequence !== 'number' || !Number.isSafeInteger(sequence) || sequence < 0) {
        throw new JournalCorrupt(1, 'the start of the chain is not readable');
      }
      return { sequence, hash: checkedHash(row?.[1], sequence + 1) };
    });
  }

  /** The end of the chain as stored; nothing is verified. */
  end(): ChainPoint {
    return guardRead(1, this.endInTransaction);
  }

  /** The end of the batch that contains `sequence`, or of the last one before it; else the base. */
  endOfBatchAt(sequence: number): ChainPoint {
    return guardRead(sequence, () => {
      const row = this.selectAtOrBefore.get(sequence) as Row | undefined;
      return row === undefined ? this.base() : pointOf(row, sequence);
    });
  }

  /**
   * Batches from the one that contains `fromSequence` on, up to about `bytesMax` of payload and at
   * least one; empty past the end. Nothing is verified.
   */
  page(fromSequence: number, bytesMax: number): BatchPage {
    return guardRead(fromSequence, () => this.pageInTransaction(fromSequence, bytesMax));
  }

  close(): void {
    this.database.close();
  }

  private readEnd(): ChainPoint {
    const row = this.selectLast.get() as Row | undefined;
    return row === undefined ? this.base() : pointOf(row, 1);
  }

  private readPage(fromSequence: number, bytesMax: number): BatchPage {
    const { previous, start } = this.startOfPage(fromSequence);
    const headers: { firstSequence: number; count: number; size: number }[] = [];
    let total = 0;
    for (const row of this.selectSizes.iterate(start) as Iterable<Row>) {
      const firstSequence = checkedFirst(row[0], start);
      const size = checkedCount(row[2], firstSequence);
      headers.push({ firstSequence, count: checkedCount(row[1], firstSequence), size });
      total += size;
      if (total >= bytesMax) break;
    }
    const last = headers.at(-1);
    if (last === undefined) return { previous, batches: [], end: previous };
    const payloads: unknown = this.selectPayloads.get(start, last.firstSequence);
    if (!(payloads instanceof Uint8Array) || payloads.length !== total) {
      throw new JournalCorrupt(start, 'the events are not readable');
    }
    let at = 0;
    const batches: Batch[] = [];
    for (const { firstSequence, count, size } of headers) {
      batches.push({ firstSequence, count, payload: payloads.subarray(at, at + size) });
      at += size;
    }
    return { previous, batches, end: this.endOfBatchAt(last.firstSequence) };
  }

  /** Where the batch that contains `fromSequence` starts, and the end of the one before it. */
  private startOfPage(fromSequence: number): { previous: ChainPoint; start: number } {
    const holder = this.selectAtOrBefore.get(fromSequence) as Row | undefined;
    if (holder === undefined) return { previous: this.base(), start: fromSequence };
    const end = pointOf(holder, fromSequence);
    if (end.sequence < fromSequence) return { previous: end, start: fromSequence };
    const start = checkedFirst(holder[0], fromSequence);
    const before = this.selectAtOrBefore.get(start - 1) as Row | undefined;
    return { previous: before === undefined ? this.base() : pointOf(before, start), start };
  }
}

function readVenue(database: Database.Database): string {
  const row = database.prepare('SELECT format_version, venue_id FROM meta').raw().get() as
    | Row
    | undefined;
  if (row?.[0] !== FORMAT_VERSION) {
    throw new JournalFormatUnknown(
      `format version ${String(row?.[0])}, this program reads ${FORMAT_VERSION}`,
    );
  }
  if (typeof row[1] !== 'string') throw new JournalFormatUnknown('the venue is not readable');
  return row[1];
}

function checkedHash(value: unknown, sequence: number): Uint8Array {
  if (value instanceof Uint8Array && value.length === HASH_BYTES) return value;
  throw new JournalCorrupt(sequence, 'the checksum of the batch is not readable');
}

function checkedCount(value: unknown, sequence: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  throw new JournalCorrupt(sequence, 'the number of events in the batch is not readable');
}

function checkedFirst(value: unknown, sequence: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  throw new JournalCorrupt(sequence, 'the sequence of the batch is not readable');
}

function pointOf(row: Row, sequence: number): ChainPoint {
  const first = checkedFirst(row[0], sequence);
  return {
    sequence: first + checkedCount(row[1], first) - 1,
    hash: checkedHash(row[2], first),
  };
}
