import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isJournalError,
  JournalReader,
  recover,
  silentLogger,
} from '../../persistence/journal/index.ts';
import { temporaryDirectory } from './support/directory.ts';
import { eventBytes, lastOfExactRun, pending } from './support/events.ts';
import { appendBatches, openJournal, SMALL_LOG_BYTES } from './support/journals.ts';
import { seedOf } from './support/random.ts';

const seed = seedOf('round-trip');

describe('a journal', () => {
  it('gives back what was appended, byte for byte, however it was divided into commits', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 4 }), {
          maxLength: 12,
        }),
        (commits) => {
          const dataDir = temporaryDirectory();
          const { store, journal } = openJournal(dataDir);
          for (const messages of commits) {
            let next = journal.durableSequence + 1;
            const inputs = messages.map((count) => {
              const input = pending(next, count);
              next += count;
              return input;
            });
            journal.append(inputs);
          }
          const last = commits.flat().reduce((sum, count) => sum + count, 0);
          expect(journal.durableSequence).toBe(last);
          const reader = new JournalReader(dataDir);
          expect(lastOfExactRun(reader.batches(1))).toBe(last);
          reader.close();
          store.close();
          const recovered = recover(dataDir, silentLogger, { walBytes: SMALL_LOG_BYTES });
          expect(recovered.durableSequence).toBe(last);
          expect(lastOfExactRun(recovered.batches)).toBe(last);
          recovered.store.close();
        },
      ),
      { seed, numRuns: 40 },
    );
  });

  it('is read from any sequence, also from inside a commit', () => {
    const dataDir = temporaryDirectory();
    const { store, journal } = openJournal(dataDir);
    appendBatches(journal, [5, 1, 9, 2]);
    const reader = new JournalReader(dataDir);
    for (let from = 1; from <= 17; from++) {
      expect(lastOfExactRun(reader.batches(from), from)).toBe(17);
    }
    expect([...reader.batches(18)]).toEqual([]);
    reader.close();
    store.close();
  });

  it('is read to its growing end while it is written, without holding up a checkpoint', () => {
    const dataDir = temporaryDirectory();
    const { store, journal } = openJournal(dataDir);
    const reader = new JournalReader(dataDir);
    let seen = 0;
    for (let round = 0; round < 20; round++) {
      appendBatches(journal, [3, 40]);
      seen = lastOfExactRun(reader.batches(seen + 1), seen + 1);
      expect(seen).toBe(journal.durableSequence);
      store.checkpoint();
      expect(store.logBytesUsed).toBe(0);
    }
    reader.close();
    store.close();
  });

  it('stores nothing for messages that carry only answers', () => {
    const { store, journal } = openJournal(temporaryDirectory());
    expect(journal.append([pending(1, 0), pending(1, 0)])).toBe(0);
    expect(journal.durableSequence).toBe(0);
    expect(store.page(1, 1).batches).toEqual([]);
    store.close();
  });

  it('refuses batches that leave a gap, overlap, or hold another number of events than they say', () => {
    const { store, journal } = openJournal(temporaryDirectory());
    appendBatches(journal, [4]);
    expect(() => journal.append([pending(6, 1)])).toThrow(RangeError);
    expect(() => journal.append([pending(4, 1)])).toThrow(RangeError);
    expect(() => journal.append([pending(5, 1), pending(5, 1)])).toThrow(RangeError);
    const events = eventBytes(5, 2);
    expect(() => journal.append([{ firstSequence: 5, count: 3, events }])).toThrow(RangeError);
    const cut = events.subarray(0, events.length - 8);
    expect(() => journal.append([{ firstSequence: 5, count: 2, events: cut }])).toThrow(RangeError);
    expect(journal.durableSequence).toBe(4);
    appendBatches(journal, [1]);
    store.close();
  });

  it('commits with synchronous=FULL in write-ahead mode and never checkpoints by itself', () => {
    const { store, journal } = openJournal(temporaryDirectory());
    const { database } = store as unknown as {
      database: { pragma(name: string, options: { simple: true }): unknown };
    };
    expect(database.pragma('synchronous', { simple: true })).toBe(2);
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(database.pragma('wal_autocheckpoint', { simple: true })).toBe(0);
    appendBatches(journal, [1]);
    store.close();
  });

  it('has one writer at a time', () => {
    const dataDir = temporaryDirectory();
    const { store } = openJournal(dataDir);
    expect(() => openJournal(dataDir)).toThrow(/in use by another process/);
    store.close();
    openJournal(dataDir).store.close();
  });

  it('refuses a journal of another venue', () => {
    const dataDir = temporaryDirectory();
    openJournal(dataDir).store.close();
    let refusal: unknown;
    try {
      recover(dataDir, silentLogger, { venueId: 'another', walBytes: SMALL_LOG_BYTES });
    } catch (error) {
      refusal = error;
    }
    expect(isJournalError(refusal) && refusal.code).toBe('JOURNAL_FORMAT');
  });
});
