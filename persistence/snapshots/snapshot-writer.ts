import { renameSync } from 'node:fs';
import Database from 'better-sqlite3';
import { archiveThrough } from '../journal/archive.ts';
import type { ChainPoint } from '../journal/chain.ts';
import type { Logger } from '../journal/logger.ts';
import type { SnapshotInput, SnapshotOptions } from '../journal/protocol.ts';
import { JournalReader } from '../journal/reader.ts';
import { SnapshotStore, snapshotsPath } from './snapshot-store.ts';

/** Writes snapshots of one data directory, and keeps their number and the archives as configured. */
export class SnapshotWriter {
  private readonly dataDir: string;
  private readonly options: SnapshotOptions;
  private readonly logger: Logger;
  private store: SnapshotStore;
  private journal: JournalReader | null = null;

  constructor(dataDir: string, options: SnapshotOptions, logger: Logger) {
    this.dataDir = dataDir;
    this.options = options;
    this.logger = logger;
    this.store = openOrSetAside(dataDir, logger);
  }

  /** Whether the journal is durable at `sequence`, so that a snapshot of it may be written. */
  isDurable(sequence: number): boolean {
    this.journal ??= new JournalReader(this.dataDir);
    return this.journal.lastSequence() >= sequence;
  }

  /** Writes a snapshot that the journal is durable at; returns the size of its content. */
  write(snapshot: SnapshotInput): number {
    this.journal ??= new JournalReader(this.dataDir);
    const anchor = this.journal.endOfBatchAt(snapshot.sequence);
    if (anchor.sequence < snapshot.sequence) {
      throw new RangeError(
        `a snapshot of sequence ${snapshot.sequence}, but the journal ends at ${anchor.sequence}`,
      );
    }
    try {
      return this.writeAndPrune(snapshot, anchor);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.store.close();
      setAside(this.dataDir, error, this.logger);
      this.store = SnapshotStore.open(this.dataDir, this.logger);
      return this.writeAndPrune(snapshot, anchor);
    }
  }

  /**
   * Archives what no kept snapshot needs, if so configured. Returns how far the archives reach, or
   * null where nothing is to be deleted from the journal.
   */
  archive(): number | null {
    if (!this.options.archive) return null;
    const oldest = this.store.headers().at(-1);
    return oldest === undefined ? null : archiveThrough(this.dataDir, oldest.sequence);
  }

  close(): void {
    this.journal?.close();
    this.store.close();
  }

  private writeAndPrune(snapshot: SnapshotInput, anchor: ChainPoint): number {
    const bytes = this.store.write(snapshot, anchor);
    this.store.prune(this.options.keep);
    return bytes;
  }
}

/** A store that is damaged as a database is kept under another name; a new one takes over. */
function openOrSetAside(dataDir: string, logger: Logger): SnapshotStore {
  try {
    return SnapshotStore.open(dataDir, logger);
  } catch (error) {
    if (!isDamage(error)) throw error;
    setAside(dataDir, error, logger);
    return SnapshotStore.open(dataDir, logger);
  }
}

function isDamage(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(error.code);
}

function setAside(dataDir: string, error: unknown, logger: Logger): void {
  const path = snapshotsPath(dataDir);
  const aside = `${path}.damaged-${Date.now()}`;
  renameSync(path, aside);
  logger.error({ reason: String(error), aside }, 'set a damaged snapshot database aside');
}
