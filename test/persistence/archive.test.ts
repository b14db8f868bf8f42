import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  archiveThrough,
  JournalReader,
  recover,
  silentLogger,
} from '../../persistence/journal/index.ts';
import { SnapshotWriter } from '../../persistence/snapshots/snapshot-writer.ts';
import { temporaryDirectory } from './support/directory.ts';
import { lastOfExactRun } from './support/events.ts';
import { appendBatches, openJournal, SMALL_LOG_BYTES } from './support/journals.ts';

let dataDir: string;
const COUNTS = Array.from({ length: 40 }, (_, index) => (index % 4) + 1);
const LAST = 100;

beforeEach(() => {
  dataDir = temporaryDirectory();
  const { store, journal } = openJournal(dataDir);
  appendBatches(journal, COUNTS);
  expect(journal.durableSequence).toBe(LAST);
  store.close();
});

function readAll(from = 1): number {
  const reader = new JournalReader(dataDir);
  try {
    return lastOfExactRun(reader.batches(from), from);
  } finally {
    reader.close();
  }
}

/** Deletes what is archived, in small pieces, as the journal thread does. */
function discard(sequence: number): number {
  const { store } = openJournal(dataDir);
  let base = -1;
  while (base !== store.base().sequence) {
    base = store.base().sequence;
    store.discard(sequence, 500);
  }
  store.close();
  return base;
}

describe('an archive', () => {
  it('takes whole commits up to a sequence, and is read as if nothing had moved', () => {
    expect(archiveThrough(dataDir, 58)).toBe(56);
    expect(readdirSync(join(dataDir, 'archive'))).toEqual(['journal-1-56.db']);
    expect(readAll()).toBe(LAST);
    expect(discard(56)).toBe(56);
    for (let from = 1; from <= LAST; from++) expect(readAll(from)).toBe(LAST);
  });

  it('grows by further files, and the chain goes on over every boundary', () => {
    for (const sequence of [20, 45, 70, 90]) discard(archiveThrough(dataDir, sequence, 1_000));
    expect(readdirSync(join(dataDir, 'archive')).length).toBeGreaterThan(4);
    expect(readAll()).toBe(LAST);
    const { store, journal } = openJournal(dataDir);
    appendBatches(journal, [7]);
    store.close();
    expect(readAll()).toBe(LAST + 7);
  });

  it('is needed for a recovery without any snapshot, and used for it', () => {
    discard(archiveThrough(dataDir, 60));
    const recovery = recover(dataDir, silentLogger, { walBytes: SMALL_LOG_BYTES, verifyAll: true });
    expect(lastOfExactRun(recovery.batches)).toBe(LAST);
    recovery.store.close();
    rmSync(join(dataDir, 'archive'), { recursive: true });
    const without = recover(dataDir, silentLogger, { walBytes: SMALL_LOG_BYTES });
    expect(() => [...without.batches]).toThrow(
      /sequence 1: it is neither in the journal nor in an archive/,
    );
    without.store.close();
  });

  it('holds everything that no kept snapshot needs', () => {
    const writer = new SnapshotWriter(dataDir, { keep: 2, archive: true }, silentLogger);
    for (const sequence of [30, 50, 75]) writer.write({ sequence, state: sequence });
    expect(writer.archive()).toBe(50);
    writer.close();
    discard(50);
    const recovery = recover(dataDir, silentLogger, { walBytes: SMALL_LOG_BYTES });
    expect(recovery.snapshot?.sequence).toBe(75);
    expect(lastOfExactRun(recovery.batches, 76)).toBe(LAST);
    recovery.store.close();
  });

  it('may have been cut off at any point: what is unfinished is written anew', () => {
    mkdirSync(join(dataDir, 'archive'));
    writeFileSync(join(dataDir, 'archive', 'journal-1.unfinished'), 'torn');
    expect(archiveThrough(dataDir, 50)).toBe(50);
    // Archived, and the process died before the journal deleted anything.
    expect(archiveThrough(dataDir, 80)).toBe(80);
    expect(readAll()).toBe(LAST);
    discard(80);
    expect(readAll()).toBe(LAST);
    expect(archiveThrough(dataDir, 80)).toBe(80);
  });

  it('that is damaged or missing is named by the first sequence that is lost', () => {
    discard(archiveThrough(dataDir, 40));
    discard(archiveThrough(dataDir, 80));
    const [first = '', second = ''] = readdirSync(join(dataDir, 'archive')).sort();
    const archive = (name: string): string => join(dataDir, 'archive', name);
    renameSync(archive(second), join(dataDir, second));
    expect(() => readAll()).toThrow(/sequence 41: it is neither/);
    renameSync(join(dataDir, second), archive(second));
    writeFileSync(archive(first), Buffer.alloc(8192, 3));
    expect(() => readAll()).toThrow(/damaged at sequence 1/);
    expect(readAll(41)).toBe(LAST);
  });

  it('is followed by a reader that was open before the batches moved', () => {
    const reader = new JournalReader(dataDir);
    const batches = reader.batches(1);
    batches.next();
    discard(archiveThrough(dataDir, 70));
    reader.close();
    const fresh = new JournalReader(dataDir);
    expect(lastOfExactRun(fresh.batches(1))).toBe(LAST);
    discard(archiveThrough(dataDir, 90));
    expect(lastOfExactRun(fresh.batches(60), 60)).toBe(LAST);
    fresh.close();
  });
});
