import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { recover, silentLogger } from '../../persistence/journal/index.ts';
import { SnapshotStore } from '../../persistence/snapshots/index.ts';
import { SnapshotWriter } from '../../persistence/snapshots/snapshot-writer.ts';
import { temporaryDirectory } from './support/directory.ts';
import { lastOfExactRun } from './support/events.ts';
import { appendBatches, openJournal, SMALL_LOG_BYTES } from './support/journals.ts';
import { RecordingLogger } from './support/logger.ts';
import { Random, seedOf } from './support/random.ts';

const seed = seedOf('snapshots');

const stateAt = (sequence: number) => ({
  sequence,
  prices: new Float64Array([0.5, sequence, -1]),
  ledger: new BigInt64Array([BigInt(sequence) << 40n, -1n]),
  slots: new Uint32Array(2_000).fill(sequence),
  flags: new Uint8Array([1, 2, 3]),
  markets: [{ name: 'spot', lastPrice: 2 ** 52, total: 10n ** 18n, nothing: null }],
});

let dataDir: string;

beforeEach(() => {
  dataDir = temporaryDirectory();
});

/** A journal of 30 events in commits of 5, closed. */
function writeJournal(): void {
  const { store, journal } = openJournal(dataDir);
  appendBatches(journal, [5, 5, 5, 5, 5, 5]);
  store.close();
}

function writeSnapshots(sequences: readonly number[], keep = 10): void {
  const writer = new SnapshotWriter(dataDir, { keep, archive: false }, silentLogger);
  for (const sequence of sequences) writer.write({ sequence, state: stateAt(sequence) });
  writer.close();
}

interface Recovered {
  readonly snapshot: number | null;
  readonly first: number;
  readonly last: number;
}

/** Recovers, checks state and events, and says where the replay began and ended. */
function recovered(logger = new RecordingLogger()): Recovered {
  const recovery = recover(dataDir, logger, { walBytes: SMALL_LOG_BYTES });
  try {
    const snapshot = recovery.snapshot?.sequence ?? null;
    if (recovery.snapshot !== null) {
      expect(recovery.snapshot.state).toEqual(stateAt(recovery.snapshot.sequence));
    }
    const first = (snapshot ?? 0) + 1;
    return { snapshot, first, last: lastOfExactRun(recovery.batches, first) };
  } finally {
    recovery.store.close();
  }
}

function damageSnapshot(sequence: number): void {
  const database = new Database(join(dataDir, 'snapshots.db'));
  database
    .prepare('UPDATE chunks SET content = zeroblob(length(content)) WHERE sequence = ?')
    .run(sequence);
  database.close();
}

describe('snapshots', () => {
  it('come back as they were, typed arrays and bigints included', () => {
    const store = SnapshotStore.open(dataDir, silentLogger);
    const anchor = { sequence: 7, hash: new Uint8Array(32).fill(5) };
    store.write({ sequence: 7, stateHash: 'abc', state: stateAt(7) }, anchor);
    const stored = store.newestGood();
    expect(stored?.snapshot).toEqual({ sequence: 7, stateHash: 'abc', state: stateAt(7) });
    expect(stored?.header.anchor.sequence).toBe(7);
    store.close();
  });

  it('start a recovery at every possible sequence, inside a commit or at its end', () => {
    writeJournal();
    for (let sequence = 1; sequence <= 30; sequence++) {
      writeSnapshots([sequence]);
      expect(recovered()).toEqual({ snapshot: sequence, first: sequence + 1, last: 30 });
    }
  });

  it('are replaced by an older one when damaged, and by the whole journal when all are', () => {
    writeJournal();
    writeSnapshots([8, 15, 22]);
    expect(recovered().snapshot).toBe(22);
    damageSnapshot(22);
    const logger = new RecordingLogger();
    expect(recovered(logger)).toEqual({ snapshot: 15, first: 16, last: 30 });
    expect(logger.lines).toMatchObject([{ level: 'error', details: { sequence: 22 } }]);
    damageSnapshot(15);
    damageSnapshot(8);
    expect(recovered()).toEqual({ snapshot: null, first: 1, last: 30 });
  });

  it('of another shape are passed over for an older one', () => {
    const store = SnapshotStore.open(dataDir, new RecordingLogger());
    const anchor = { sequence: 9, hash: new Uint8Array(32).fill(5) };
    store.write({ sequence: 7, state: stateAt(7) }, anchor);
    store.write({ sequence: 8, state: { version: 0, sequence: 8 } }, anchor);
    expect(store.newestGood()?.snapshot.sequence).toBe(7);
    store.close();
  });

  it('never make a recovery wrong, whatever byte of their file is damaged', () => {
    writeJournal();
    writeSnapshots([8, 15, 22]);
    const path = join(dataDir, 'snapshots.db');
    const intact = readFileSync(path);
    const random = new Random(seed);
    const starts = new Set<number | null>();
    for (let i = 0; i < 150; i++) {
      const damaged = Buffer.from(intact);
      const at = random.between(0, damaged.length - 1);
      damaged.subarray(at, at + random.pick([1, 64, 4096])).fill(random.between(0, 255));
      writeFileSync(path, damaged);
      const { snapshot, last } = recovered();
      expect(last).toBe(30);
      starts.add(snapshot);
    }
    expect(starts.size).toBeGreaterThan(1);
  });

  it('are kept in the configured number, and never fewer than two', () => {
    writeJournal();
    const sequences = (): number[] => {
      const store = SnapshotStore.open(dataDir, silentLogger);
      const headers = store.headers();
      store.close();
      return headers.map((header) => header.sequence);
    };
    writeSnapshots([3, 6, 9, 12, 15], 3);
    expect(sequences()).toEqual([15, 12, 9]);
    writeSnapshots([18], 1);
    expect(sequences()).toEqual([18, 15]);
  });

  it('prove that a journal which ends before them has lost commits', () => {
    writeJournal();
    writeSnapshots([28]);
    const { size } = statSync(join(dataDir, 'snapshots.db'));
    expect(size).toBeGreaterThan(0);
    const other = temporaryDirectory();
    const keep = readFileSync(join(dataDir, 'snapshots.db'));
    dataDir = other;
    const { store, journal } = openJournal(dataDir);
    appendBatches(journal, [5, 5]);
    store.close();
    writeFileSync(join(dataDir, 'snapshots.db'), keep);
    expect(() => recovered()).toThrow(/ends at sequence 10, but the snapshot proves that 30/);
  });

  it('keep a damaged last batch from being dropped when they prove it durable', () => {
    const { store, journal } = openJournal(dataDir);
    appendBatches(journal, [5, 5]);
    const mark = readFileSync(join(dataDir, 'journal.mark'));
    appendBatches(journal, [5]);
    store.close();
    writeSnapshots([15]);
    writeFileSync(join(dataDir, 'journal.mark'), mark);
    const database = new Database(join(dataDir, 'journal.db'));
    database.exec('UPDATE batches SET hash = zeroblob(32) WHERE first_sequence = 11');
    database.close();
    expect(() => recovered()).toThrow(/damaged at sequence 11/);
    expect(() => recovered()).toThrow(/damaged at sequence 11/);
  });

  it('refuse a journal whose batch is not the one that they saw', () => {
    writeJournal();
    writeSnapshots([10]);
    const keep = readFileSync(join(dataDir, 'snapshots.db'));
    dataDir = temporaryDirectory();
    const { store, journal } = openJournal(dataDir);
    appendBatches(journal, [4, 4, 2, 5]);
    store.close();
    writeFileSync(join(dataDir, 'snapshots.db'), keep);
    expect(() => recovered()).toThrow(/damaged at sequence 10: .*snapshot/);
  });

  it('are refused beyond the durable end of the journal', () => {
    writeJournal();
    expect(() => writeSnapshots([31])).toThrow(/the journal ends at 30/);
  });

  it('whose database is not one any more is set aside, and the next one is written', () => {
    writeJournal();
    writeSnapshots([5]);
    const file = openSync(join(dataDir, 'snapshots.db'), 'r+');
    writeSync(file, Buffer.alloc(4096, 7), 0, 4096, 0);
    closeSync(file);
    expect(recovered()).toEqual({ snapshot: null, first: 1, last: 30 });
    writeSnapshots([20]);
    expect(recovered().snapshot).toBe(20);
  });
});
