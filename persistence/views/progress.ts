import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type Database from 'better-sqlite3';
import type { JournalBatch, JournalReader } from '../journal/index.ts';

/** Where the events come from: the part of a JournalReader that views need. */
export type EventSource = Pick<JournalReader, 'batches' | 'lastSequence'>;

/** How far views have come. `sequence` 0 is before the first event. */
export interface Progress {
  readonly sequence: number;
  /** Grows with every change of an asset, market, account or transfer. */
  readonly configuration: number;
  /** The last journal batch that was taken, to recognise another history by. */
  readonly batchFirst: number;
  readonly batchCount: number;
  readonly batchHash: Uint8Array;
  /** The start of the machine during which this was written, and whether it was flushed to disk. */
  readonly bootId: string;
  readonly clean: boolean;
}

const NO_BATCH = new Uint8Array(0);

/**
 * Names the current start of the machine; empty where the system does not tell. Within one start
 * unflushed writes survive any crash of the process; over a new start they may be lost in part.
 */
export function currentBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

export function hashOf(batch: JournalBatch): Uint8Array {
  return createHash('sha256').update(batch.events).digest();
}

export class ProgressTable {
  private readonly select: Database.Statement;
  private readonly advanceTo: Database.Statement;
  private readonly mark: Database.Statement;

  constructor(database: Database.Database) {
    this.select = database.prepare('SELECT * FROM progress').raw();
    this.advanceTo = database.prepare(
      `UPDATE progress SET sequence = ?, configuration = configuration + ?,
       batch_first = ?, batch_count = ?, batch_hash = ?`,
    );
    this.mark = database.prepare('UPDATE progress SET boot_id = ?, clean = ?');
  }

  static create(database: Database.Database): void {
    database.prepare('INSERT INTO progress VALUES (1, 0, 0, 0, 0, ?, ?, 0)').run(NO_BATCH, '');
  }

  /** Null where the row is missing or not as this program writes it. */
  read(): Progress | null {
    const row = this.select.get() as readonly unknown[] | undefined;
    if (row === undefined) return null;
    const [, sequence, configuration, batchFirst, batchCount, batchHash, bootId, clean] = row;
    if (
      typeof sequence !== 'number' ||
      typeof configuration !== 'number' ||
      typeof batchFirst !== 'number' ||
      typeof batchCount !== 'number' ||
      !(batchHash instanceof Uint8Array) ||
      typeof bootId !== 'string'
    ) {
      return null;
    }
    return {
      sequence,
      configuration,
      batchFirst,
      batchCount,
      batchHash,
      bootId,
      clean: clean === 1,
    };
  }

  advance(last: JournalBatch, configurationChanged: boolean): void {
    this.advanceTo.run(
      last.firstSequence + last.count - 1,
      configurationChanged ? 1 : 0,
      last.firstSequence,
      last.count,
      hashOf(last),
    );
  }

  markDirty(bootId: string): void {
    this.mark.run(bootId, 0);
  }

  markClean(bootId: string): void {
    this.mark.run(bootId, 1);
  }
}

/** Why views at this progress do not follow from the journal, or null where they do. */
export function mismatch(progress: Progress, source: EventSource): string | null {
  if (progress.sequence === 0) return null;
  const last = source.lastSequence();
  if (progress.sequence > last) {
    return `they are at sequence ${progress.sequence}, the journal ends at ${last}`;
  }
  for (const batch of source.batches(progress.batchFirst)) {
    const same =
      batch.firstSequence === progress.batchFirst &&
      batch.count === progress.batchCount &&
      Buffer.compare(hashOf(batch), progress.batchHash) === 0;
    return same ? null : `the journal has another batch at sequence ${progress.batchFirst}`;
  }
  return `the journal has no batch at sequence ${progress.batchFirst}`;
}
