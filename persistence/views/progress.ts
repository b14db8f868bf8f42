import { readFileSync } from 'node:fs';
import type Database from 'better-sqlite3';
import type { JournalReader } from '../journal/index.ts';

/** Where the events come from: the part of a JournalReader that views need. */
export type EventSource = Pick<JournalReader, 'batches' | 'lastSequence' | 'endOfBatchAt'>;

/** How far views have come. `sequence` 0 is before the first event. */
export interface Progress {
  readonly sequence: number;
  /** Grows with every change of an asset, market, account or transfer. */
  readonly configuration: number;
  /** The journal's chained hash at that sequence: views of another history have another. */
  readonly chainHash: Uint8Array;
  /** The start of the machine during which this was written, and whether it was flushed to disk. */
  readonly bootId: string;
  readonly clean: boolean;
}

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

export class ProgressTable {
  private readonly select: Database.Statement;
  private readonly advanceTo: Database.Statement;
  private readonly mark: Database.Statement;

  constructor(database: Database.Database) {
    this.select = database.prepare('SELECT * FROM progress').raw();
    this.advanceTo = database.prepare(
      'UPDATE progress SET sequence = ?, chain_hash = ?, configuration = configuration + ?',
    );
    this.mark = database.prepare('UPDATE progress SET boot_id = ?, clean = ?');
  }

  static create(database: Database.Database): void {
    database.prepare('INSERT INTO progress VALUES (1, 0, 0, ?, ?, 0)').run(new Uint8Array(0), '');
  }

  /** Null where the row is missing or not as this program writes it. */
  read(): Progress | null {
    const row = this.select.get() as readonly unknown[] | undefined;
    if (row === undefined) return null;
    const [, sequence, configuration, chainHash, bootId, clean] = row;
    if (
      typeof sequence !== 'number' ||
      typeof configuration !== 'number' ||
      !(chainHash instanceof Uint8Array) ||
      typeof bootId !== 'string'
    ) {
      return null;
    }
    return { sequence, configuration, chainHash, bootId, clean: clean === 1 };
  }

  advance(sequence: number, chainHash: Uint8Array, configurationChanged: boolean): void {
    this.advanceTo.run(sequence, chainHash, configurationChanged ? 1 : 0);
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
  const end = source.endOfBatchAt(progress.sequence);
  const same = end.sequence === progress.sequence && sameBytes(end.hash, progress.chainHash);
  return same ? null : `the journal has another history up to sequence ${progress.sequence}`;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
