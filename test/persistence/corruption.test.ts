import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { isJournalError, recover, silentLogger } from '../../persistence/journal/index.ts';
import { SnapshotStore } from '../../persistence/snapshots/index.ts';
import { type Damage, FILE_DAMAGES, ROW_DAMAGES } from './support/damage.ts';
import { copyDirectory, temporaryDirectory } from './support/directory.ts';
import { lastOfExactRun } from './support/events.ts';
import { appendBatches, openJournal, SMALL_LOG_BYTES } from './support/journals.ts';
import { Random, seedOf } from './support/random.ts';

const FILE_CASES = Number(process.env['CORRUPTION_CASES'] ?? 2_000);
const ROW_CASES = Math.ceil(FILE_CASES / 5);
const COMMITS = 60;
const LONGEST_BATCH = 40;
const MARK_LAG = 8;

const seed = seedOf('corruption');

/** A journal as a killed process leaves it. */
interface Original {
  readonly name: string;
  readonly path: string;
  readonly lastSequence: number;
  readonly markSequence: number;
}

type Outcome = 'exact' | 'prefix' | `refused ${string}`;

const originals: Original[] = [];
let victim: string;

beforeAll(() => {
  const random = new Random(seed);
  originals.push(
    original('in the log', random, { checkpointAfter: 0, markLag: 0, snapshots: false }),
    original('in the file', random, { checkpointAfter: COMMITS, markLag: 0, snapshots: false }),
    original('in both', random, { checkpointAfter: COMMITS / 2, markLag: 0, snapshots: false }),
    original('mark behind', random, {
      checkpointAfter: COMMITS,
      markLag: MARK_LAG,
      snapshots: false,
    }),
    original('with snapshots', random, { checkpointAfter: 40, markLag: 0, snapshots: true }),
  );
  victim = temporaryDirectory();
});

function original(
  name: string,
  random: Random,
  shape: { checkpointAfter: number; markLag: number; snapshots: boolean },
): Original {
  const dataDir = temporaryDirectory();
  const path = temporaryDirectory();
  const { store, journal } = openJournal(dataDir);
  let markSequence = 0;
  const mark = join(dataDir, 'journal.mark');
  const keptMark = temporaryDirectory();
  for (let commit = 1; commit <= COMMITS; commit++) {
    appendBatches(journal, [random.pick([1, 1, 2, 7, LONGEST_BATCH])]);
    if (commit === shape.checkpointAfter) store.checkpoint();
    if (commit === COMMITS - shape.markLag) {
      markSequence = journal.durableSequence;
      copyDirectory(mark, join(keptMark, 'mark'));
    }
    if (shape.snapshots && commit % 20 === 0)
      writeSnapshot(dataDir, journal.durableSequence, store);
  }
  copyDirectory(dataDir, path);
  copyDirectory(join(keptMark, 'mark'), join(path, 'journal.mark'));
  for (const left of ['journal.lock', 'journal.db-shm']) rmSync(join(path, left), { force: true });
  const { durableSequence: lastSequence } = journal;
  store.close();
  return { name, path, lastSequence, markSequence };
}

function writeSnapshot(
  dataDir: string,
  end: number,
  store: { endOfBatchAt(sequence: number): { sequence: number; hash: Uint8Array } },
): void {
  const snapshots = SnapshotStore.open(dataDir, silentLogger);
  const sequence = end - 1;
  snapshots.write({ sequence, state: { sequence } }, store.endOfBatchAt(sequence));
  snapshots.close();
}

/** Recovers the victim; throws if what comes out is neither a true prefix nor a typed refusal. */
function outcomeOf({ lastSequence, markSequence }: Original): Outcome {
  let recovered: ReturnType<typeof recover> | null = null;
  try {
    recovered = recover(victim, silentLogger, { walBytes: SMALL_LOG_BYTES });
    const after = recovered.snapshot?.sequence ?? 0;
    if (recovered.snapshot !== null) {
      expect(recovered.snapshot.state).toEqual({ sequence: after });
    }
    const last = lastOfExactRun(recovered.batches, after + 1);
    expect(last).toBe(recovered.durableSequence);
    expect(last).toBeGreaterThanOrEqual(markSequence);
    expect(last).toBeLessThanOrEqual(lastSequence);
    return last === lastSequence ? 'exact' : 'prefix';
  } catch (error) {
    if (!isJournalError(error)) throw error;
    expect(Number.isSafeInteger(error.sequence)).toBe(true);
    expect(error.sequence).toBeGreaterThanOrEqual(0);
    // A row may claim to hold more events than were ever written: as many as the longest has.
    expect(error.sequence).toBeLessThanOrEqual(lastSequence + LONGEST_BATCH);
    if (error.code !== 'JOURNAL_FORMAT') expect(error.message).toContain(String(error.sequence));
    return `refused ${error.code}`;
  } finally {
    recovered?.store.close();
  }
}

function damageAndRecover(source: Original, file: string, damage: Damage, random: Random): Outcome {
  copyDirectory(source.path, victim);
  const done = damage(join(victim, file), random);
  try {
    return outcomeOf(source);
  } catch (error) {
    throw new Error(`${source.name}, ${file}: ${done}`, { cause: error });
  }
}

function tally(outcomes: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

describe('a damaged journal', () => {
  it('whose files were flipped, cut, zeroed or shuffled gives a true prefix or names the damage', () => {
    const random = new Random(seed + 1);
    const outcomes: Outcome[] = [];
    for (let i = 0; i < FILE_CASES; i++) {
      const source = random.pick(originals);
      const files = ['journal.db', 'journal.db-wal', 'journal.mark', 'snapshots.db'].filter(
        (file) => existsSync(join(source.path, file)),
      );
      const damage = random.pick(FILE_DAMAGES);
      outcomes.push(damageAndRecover(source, random.pick(files), damage, random));
    }
    const counts = tally(outcomes);
    process.stdout.write(`damaged files: ${JSON.stringify(counts)}\n`);
    expect(counts['exact']).toBeGreaterThan(0);
    expect(counts['refused JOURNAL_CORRUPT']).toBeGreaterThan(0);
    expect(counts['refused JOURNAL_BEHIND_MARK']).toBeGreaterThan(0);
  }, 300_000);

  it('whose rows were exchanged, repeated, removed or edited gives a true prefix or names the damage', () => {
    const random = new Random(seed + 2);
    const inFile = originals.filter(({ name }) => name === 'in the file' || name === 'mark behind');
    const outcomes: Outcome[] = [];
    for (let i = 0; i < ROW_CASES; i++) {
      const damage = random.pick(ROW_DAMAGES);
      outcomes.push(damageAndRecover(random.pick(inFile), 'journal.db', damage, random));
    }
    const counts = tally(outcomes);
    process.stdout.write(`damaged rows: ${JSON.stringify(counts)}\n`);
    expect(counts['refused JOURNAL_CORRUPT']).toBeGreaterThan(0);
  }, 300_000);

  it('is left as it was found when it ends before its mark', () => {
    const source = originals.find(({ name }) => name === 'in the log');
    if (source === undefined) throw new Error('no such journal');
    copyDirectory(source.path, victim);
    const log = join(victim, 'journal.db-wal');
    FILE_DAMAGES.at(-1)?.(log, new Random(seed));
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(outcomeOf(source)).toBe('refused JOURNAL_BEHIND_MARK');
      expect(existsSync(log)).toBe(true);
    }
  });
});
