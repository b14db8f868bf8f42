import { describe, expect, it } from 'vitest';
import { Journal, JournalWriteFailed, recoverFrom } from '../../persistence/journal/index.ts';
import { temporaryDirectory } from './support/directory.ts';
import { lastOfExactRun, pending } from './support/events.ts';
import { appendBatches, openJournal } from './support/journals.ts';
import { RecordingLogger } from './support/logger.ts';
import { type Fate, MemoryStore, type Step, StoreFault } from './support/memory-store.ts';
import { Random, seedOf } from './support/random.ts';

const seed = seedOf('failing-store');
const ROUNDS = Number(process.env['STORE_ROUNDS'] ?? 150);
const FAILURES: readonly Fate[] = ['fails before', 'fails after', 'tears'];

interface Run {
  readonly acknowledged: number;
  readonly attempted: number;
  readonly failed: boolean;
}

/** Recovers, then appends until all is done or the store fails. */
function run(store: MemoryStore, random: Random, appends: number): Run {
  let acknowledged = 0;
  let attempted = 0;
  try {
    const recovery = recoverFrom(store, null, new RecordingLogger());
    acknowledged = lastOfExactRun(recovery.batches);
    attempted = acknowledged;
    const journal = new Journal(store, recovery.end);
    for (let i = 0; i < appends; i++) {
      const batch = pending(journal.durableSequence + 1, random.between(1, 5));
      attempted = acknowledged + batch.count;
      try {
        journal.append([batch]);
      } catch (error) {
        expect(error).toBeInstanceOf(JournalWriteFailed);
        store.fate = () => 'succeeds';
        // The store works again, and still nothing may be acknowledged.
        expect(() => journal.append([batch])).toThrow(JournalWriteFailed);
        return { acknowledged, attempted, failed: true };
      }
      acknowledged = journal.durableSequence;
      if (random.chance(0.2)) store.syncMark();
    }
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error;
    return { acknowledged, attempted, failed: true };
  }
  return { acknowledged, attempted, failed: false };
}

function recoveredEnd(store: MemoryStore, logger = new RecordingLogger()): number {
  store.fate = () => 'succeeds';
  const recovery = recoverFrom(store, null, logger);
  const last = lastOfExactRun(recovery.batches);
  expect(last).toBe(recovery.durableSequence);
  return last;
}

describe('a journal over a store that fails', () => {
  it('acknowledges nothing after the n-th step failed, and loses nothing, for every n', () => {
    for (const failure of FAILURES) {
      for (let failAt = 1, more = true; more; failAt++) {
        const random = new Random(seed + failAt);
        const store = new MemoryStore(random);
        let step = 0;
        store.fate = () => (++step === failAt ? failure : 'succeeds');
        const { acknowledged, attempted, failed } = run(store, random, 12);
        store.losePower();
        const last = recoveredEnd(store);
        expect(last).toBeGreaterThanOrEqual(acknowledged);
        expect(last).toBeLessThanOrEqual(attempted);
        more = failed;
      }
    }
  });

  it('keeps every acknowledged event over many crashes in a row', () => {
    for (let round = 0; round < ROUNDS; round++) {
      const random = new Random(seed + round);
      const store = new MemoryStore(random);
      let acknowledged = 0;
      for (let life = 0; life < 6; life++) {
        store.fate = (_step: Step) => (random.chance(0.06) ? random.pick(FAILURES) : 'succeeds');
        const ended = run(store, random, 15);
        acknowledged = Math.max(acknowledged, ended.acknowledged);
        if (random.chance(0.5)) store.losePower();
        const last = recoveredEnd(store);
        expect(last, `SEED=${seed + round}`).toBeGreaterThanOrEqual(acknowledged);
        acknowledged = last;
      }
    }
  });

  it('repairs a torn slot of the mark at once, before the other one can be torn too', () => {
    const random = new Random(seed);
    const store = new MemoryStore(random);
    let marks = 0;
    store.fate = (step) => (step === 'writeMark' && ++marks === 4 ? 'tears' : 'succeeds');
    expect(run(store, random, 10).failed).toBe(true);
    expect(store.readMark()).toMatchObject({ kind: 'good', otherSlotDamaged: true });
    const last = recoveredEnd(store);
    expect(store.readMark()).toMatchObject({ point: { sequence: last }, otherSlotDamaged: false });
  });

  it('drops a torn batch that nobody was told of, and says so', () => {
    const random = new Random(seed);
    const store = new MemoryStore(random);
    let appends = 0;
    store.fate = (step) => (step === 'append' && ++appends === 4 ? 'tears' : 'succeeds');
    const { acknowledged, failed } = run(store, random, 10);
    expect(failed).toBe(true);
    const logger = new RecordingLogger();
    expect(recoveredEnd(store, logger)).toBe(acknowledged);
    expect(logger.lines).toMatchObject([
      {
        level: 'error',
        details: { firstSequence: acknowledged + 1, markSequence: acknowledged },
        message: 'dropped a damaged batch at the end of the journal; it was never acknowledged',
      },
    ]);
    expect(recoveredEnd(store)).toBe(acknowledged);
  });

  it('stops at a full disk and starts again with all that was acknowledged', () => {
    const dataDir = temporaryDirectory();
    const { store, journal } = openJournal(dataDir);
    const { database } = store as unknown as { database: { pragma(statement: string): unknown } };
    database.pragma('max_page_count = 30');
    expect(() => {
      for (;;) appendBatches(journal, [10]);
    }).toThrow(JournalWriteFailed);
    const acknowledged = journal.durableSequence;
    expect(acknowledged).toBeGreaterThan(0);
    expect(() => appendBatches(journal, [1])).toThrow(JournalWriteFailed);
    store.close();
    const again = openJournal(dataDir);
    expect(again.journal.durableSequence).toBe(acknowledged);
    appendBatches(again.journal, [50]);
    again.store.close();
  });
});
