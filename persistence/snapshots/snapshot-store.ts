import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { isOfThisVersion } from '../../core/clearing/index.ts';
import { decodeCold, encodeCold } from '../../core/messages/codec.ts';
import { type ChainPoint, equalBytes } from '../journal/chain.ts';
import { ensureDirectory, syncDirectory } from '../journal/files.ts';
import type { Logger } from '../journal/logger.ts';
import type { SnapshotInput } from '../journal/protocol.ts';

const SNAPSHOT_FORMAT_VERSION = 1;
/** Fewer would leave nothing to fall back to while the newest turns out to be damaged. */
const SNAPSHOTS_KEPT_MIN = 2;

const CHUNK_BYTES = 4 << 20;
const SYNCHRONOUS_FULL = 2;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS snapshots (
    sequence INTEGER PRIMARY KEY,
    format_version INTEGER NOT NULL,
    anchor_sequence INTEGER NOT NULL,
    anchor_hash BLOB NOT NULL,
    bytes INTEGER NOT NULL,
    content_hash BLOB NOT NULL,
    header_hash BLOB NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS chunks (
    chunk INTEGER PRIMARY KEY,
    sequence INTEGER NOT NULL,
    content BLOB NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS chunks_by_sequence ON chunks (sequence, chunk);
`;

export interface SnapshotHeader {
  /** The last event that the state contains. */
  readonly sequence: number;
  /** The end of the journal's batch that contains that event: what the journal must agree with. */
  readonly anchor: ChainPoint;
  readonly bytes: number;
}

export interface StoredSnapshot {
  readonly header: SnapshotHeader;
  readonly snapshot: SnapshotInput;
}

export const snapshotsPath = (dataDir: string): string => join(dataDir, 'snapshots.db');

/**
 * Snapshots in a database of their own, so that writing a large one never waits for, or holds up, a
 * commit of the journal. Header and content carry checksums: a damaged snapshot is passed over.
 */
export class SnapshotStore {
  private readonly database: Database.Database;
  private readonly logger: Logger;

  private constructor(database: Database.Database, logger: Logger) {
    this.database = database;
    this.logger = logger;
  }

  /** Opens or creates the store. Throws where the file cannot be used at all. */
  static open(dataDir: string, logger: Logger): SnapshotStore {
    ensureDirectory(dataDir);
    const path = snapshotsPath(dataDir);
    const isNew = !existsSync(path);
    const database = new Database(path);
    try {
      // A rollback journal writes new pages once; a write-ahead log would write them twice.
      database.pragma('journal_mode = DELETE');
      database.pragma('synchronous = FULL');
      if (database.pragma('synchronous', { simple: true }) !== SYNCHRONOUS_FULL) {
        throw new Error(`${path}: synchronous could not be set to FULL`);
      }
      // Two threads open the store at start: the second one waits instead of failing.
      database.transaction(() => database.exec(SCHEMA)).immediate();
    } catch (error) {
      database.close();
      throw error;
    }
    if (isNew) syncDirectory(dirname(path));
    return new SnapshotStore(database, logger);
  }

  /**
   * Writes a snapshot whose `sequence` is durable in the journal; durable on return. Returns the
   * size of its content in bytes.
   */
  write(snapshot: SnapshotInput, anchor: ChainPoint): number {
    const content = encodeCold(snapshot);
    const contentHash = createHash('sha256').update(content).digest();
    const header = { sequence: snapshot.sequence, anchor, bytes: content.length };
    const insertChunk = this.database.prepare(
      'INSERT INTO chunks (sequence, content) VALUES (?, ?)',
    );
    this.database.transaction(() => {
      this.remove(snapshot.sequence);
      this.database
        .prepare('INSERT INTO snapshots VALUES (?, ?, ?, ?, ?, ?, ?)')
        .run(
          header.sequence,
          SNAPSHOT_FORMAT_VERSION,
          anchor.sequence,
          anchor.hash,
          header.bytes,
          contentHash,
          hashOfHeader(header, contentHash),
        );
      for (let at = 0; at < content.length; at += CHUNK_BYTES) {
        insertChunk.run(snapshot.sequence, content.subarray(at, at + CHUNK_BYTES));
      }
    })();
    return content.length;
  }

  /** Headers that can be believed, newest first; damaged ones are logged and left out. */
  headers(): SnapshotHeader[] {
    return this.readHeaders().map(({ header }) => header);
  }

  /**
   * The newest snapshot with at most `atOrBefore` events that is undamaged and of a shape that this
   * program reads; others are logged and passed over.
   */
  newestGood(atOrBefore = Number.MAX_SAFE_INTEGER): StoredSnapshot | null {
    for (const { header, contentHash } of this.readHeaders()) {
      if (header.sequence > atOrBefore) continue;
      const content = this.readContent(header, contentHash);
      if (content === null) continue;
      const snapshot = decodeCold<SnapshotInput>(content);
      if (isOfThisVersion(snapshot.state)) return { header, snapshot };
      const { sequence } = header;
      this.logger.warn({ sequence }, 'passed over a snapshot of another version of the state');
    }
    return null;
  }

  /** Deletes all but the newest `keep` snapshots, damaged ones first. */
  prune(keep: number): void {
    const kept = this.headers().slice(0, Math.max(SNAPSHOTS_KEPT_MIN, keep));
    const keptSequences = new Set(kept.map((header) => header.sequence));
    const all = this.database.prepare('SELECT sequence FROM snapshots').pluck().all() as number[];
    for (const sequence of all) {
      if (!keptSequences.has(sequence)) this.database.transaction(() => this.remove(sequence))();
    }
  }

  close(): void {
    this.database.close();
  }

  private remove(sequence: number): void {
    this.database.prepare('DELETE FROM chunks WHERE sequence = ?').run(sequence);
    this.database.prepare('DELETE FROM snapshots WHERE sequence = ?').run(sequence);
  }

  private readHeaders(): { header: SnapshotHeader; contentHash: Uint8Array }[] {
    const good: { header: SnapshotHeader; contentHash: Uint8Array }[] = [];
    try {
      const rows = this.database
        .prepare('SELECT * FROM snapshots ORDER BY sequence DESC')
        .raw()
        .iterate() as Iterable<readonly unknown[]>;
      for (const row of rows) {
        const read = headerOf(row);
        if (read !== null) good.push(read);
        else
          this.logger.error({ sequence: row[0] }, 'passed over a snapshot with a damaged header');
      }
    } catch (error) {
      this.logger.error({ reason: String(error) }, 'the list of snapshots is damaged');
    }
    return good;
  }

  private readContent(header: SnapshotHeader, contentHash: Uint8Array): Uint8Array | null {
    const { sequence } = header;
    try {
      const content = Buffer.allocUnsafe(header.bytes);
      const chunks = this.database
        .prepare('SELECT content FROM chunks WHERE sequence = ? ORDER BY chunk')
        .pluck()
        .iterate(sequence) as Iterable<Uint8Array>;
      let at = 0;
      for (const chunk of chunks) {
        content.set(chunk, at);
        at += chunk.length;
      }
      const hashed = createHash('sha256').update(content.subarray(0, at)).digest();
      if (at === header.bytes && equalBytes(hashed, contentHash)) return content;
      this.logger.error({ sequence }, 'passed over a snapshot whose checksum does not match');
    } catch (error) {
      this.logger.error({ sequence, reason: String(error) }, 'passed over an unreadable snapshot');
    }
    return null;
  }
}

function hashOfHeader(header: SnapshotHeader, contentHash: Uint8Array): Uint8Array {
  return createHash('sha256')
    .update(`snapshot ${SNAPSHOT_FORMAT_VERSION} ${header.sequence} ${header.bytes} `)
    .update(`${header.anchor.sequence} `)
    .update(header.anchor.hash)
    .update(contentHash)
    .digest();
}

function headerOf(
  row: readonly unknown[],
): { header: SnapshotHeader; contentHash: Uint8Array } | null {
  const [sequence, version, anchorSequence, anchorHash, bytes, contentHash, headerHash] = row;
  if (version !== SNAPSHOT_FORMAT_VERSION) return null;
  if (typeof sequence !== 'number' || typeof anchorSequence !== 'number') return null;
  if (typeof bytes !== 'number' || !(anchorHash instanceof Uint8Array)) return null;
  if (!(contentHash instanceof Uint8Array) || !(headerHash instanceof Uint8Array)) return null;
  const header = { sequence, anchor: { sequence: anchorSequence, hash: anchorHash }, bytes };
  return equalBytes(hashOfHeader(header, contentHash), headerHash) ? { header, contentHash } : null;
}
