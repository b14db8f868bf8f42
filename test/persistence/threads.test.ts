import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  type JournalMetrics,
  JournalReader,
  REPLAY_CHUNK_BYTES,
  REPLAY_WINDOW,
  type RestoreMessage,
  silentLogger,
} from '../../persistence/journal/index.ts';
import { SnapshotStore } from '../../persistence/snapshots/index.ts';
import { temporaryDirectory } from './support/directory.ts';
import { lastOfExactRun } from './support/events.ts';
import { appendBatches, openJournal } from './support/journals.ts';
import { Threads } from './support/threads.ts';

/** Resolves when everything up to `sequence` was released. */
function released(threads: Threads, sequence: number): Promise<void> {
  return new Promise((done) => {
    threads.onRelease(({ durableSequence }) => {
      if (durableSequence >= sequence) done();
    });
  });
}

function longJournal(dataDir: string): number {
  const { store, journal } = openJournal(dataDir);
  for (let i = 0; i < 12; i++) appendBatches(journal, [5_000]);
  store.close();
  return 60_000;
}

describe('the journal thread', () => {
  it('releases what it was sent, in order and unchanged, and only once it can be read back', async () => {
    const dataDir = temporaryDirectory();
    const threads = new Threads(dataDir);
    expect(await threads.recovered()).toBe(0);
    const reader = new JournalReader(dataDir);
    const finished: Promise<void> = new Promise((done) => {
      let next = 1;
      let answers = 0;
      threads.onRelease(({ durableSequence, batches }) => {
        expect(reader.lastSequence()).toBeGreaterThanOrEqual(durableSequence);
        for (const batch of batches) {
          const events = new Uint8Array(batch.events);
          if (batch.count > 0) lastOfExactRun([{ ...batch, events }], next);
          next += batch.count;
          answers += batch.answers.byteLength;
        }
        expect(durableSequence).toBe(next - 1);
        if (answers === 200 * 10) done();
      });
    });
    for (let i = 0; i < 200; i++) {
      threads.send(10);
      if (i % 20 === 0) threads.send(0);
    }
    await finished;
    expect(lastOfExactRun(reader.batches(1))).toBe(2_000);
    reader.close();
    expect(await threads.stop()).toEqual([0, 0]);
  });

  it('commits everything that waits as one batch, and counts it', async () => {
    const threads = new Threads(temporaryDirectory());
    await threads.recovered();
    let metrics: JournalMetrics | undefined;
    threads.onRelease((release) => {
      metrics = release.metrics ?? metrics;
    });
    const all = released(threads, 3_000);
    for (let i = 0; i < 1_000; i++) threads.send(3);
    await all;
    while (metrics?.durableSequence !== 3_000) await pause(50);
    expect(metrics.events).toBe(3_000);
    expect(metrics.commits).toBeLessThan(500);
    expect(metrics.batchSizes.reduce((sum, count) => sum + count, 0)).toBe(metrics.commits);
    await threads.stop();
  });

  it('streams a recovery in pieces and waits for clearing to apply them', async () => {
    const dataDir = temporaryDirectory();
    const last = longJournal(dataDir);
    const threads = new Threads(dataDir);
    const waiting: Extract<RestoreMessage, { kind: 'replay' }>[] = [];
    let next = 1;
    const recovered: Promise<number> = new Promise((done) => {
      threads.clearing.on('message', (message: RestoreMessage) => {
        if (message.kind === 'replay') waiting.push(message);
        if (message.kind === 'recovered') done(message.sequence);
      });
    });
    let pieces = 0;
    while (next <= last) {
      await pause(30);
      expect(waiting.length).toBeLessThanOrEqual(REPLAY_WINDOW);
      const piece = waiting.shift();
      if (piece === undefined) continue;
      expect(piece.events.byteLength).toBeLessThan(REPLAY_CHUNK_BYTES * 2.5);
      const events = new Uint8Array(piece.events);
      next = lastOfExactRun([{ ...piece, events }], next) + 1;
      pieces++;
      threads.clearing.postMessage({ kind: 'replayed', sequence: next - 1 });
    }
    expect(await recovered).toBe(last);
    expect(pieces).toBeGreaterThan(REPLAY_WINDOW);
    await threads.stop();
  });

  it('can be stopped in the middle of a recovery', async () => {
    const dataDir = temporaryDirectory();
    longJournal(dataDir);
    const threads = new Threads(dataDir);
    const received = once(threads.clearing, 'message');
    await received;
    expect(await threads.stop()).toEqual([0, 0]);
    expect(openJournal(dataDir).journal.durableSequence).toBe(60_000);
  });

  it('commits and releases what clearing sent before it closed its port', async () => {
    const dataDir = temporaryDirectory();
    const threads = new Threads(dataDir);
    await threads.recovered();
    let last = 0;
    for (let i = 0; i < 500; i++) last = threads.send(2);
    threads.clearing.close();
    let durable = 0;
    threads.onRelease(({ durableSequence }) => {
      durable = durableSequence;
    });
    await threads.stop();
    const { store, journal } = openJournal(dataDir);
    expect(journal.durableSequence).toBe(last);
    expect(durable).toBe(last);
    store.close();
  });

  it('reports a journal that it refuses, and exits', async () => {
    const dataDir = temporaryDirectory();
    const { store, journal } = openJournal(dataDir);
    appendBatches(journal, [1]);
    store.close();
    writeFileSync(join(dataDir, 'journal.mark'), '');
    const threads = new Threads(dataDir);
    const [exit, fatal] = await Promise.all([
      once(threads.journal, 'exit'),
      threads.report('fatal'),
      expect(threads.recovered()).rejects.toThrow('ended'),
    ]);
    expect(exit).toEqual([1]);
    expect(fatal).toMatchObject({ code: 'JOURNAL_MARK_MISSING', sequence: 1 });
    threads.snapshots.postMessage({ kind: 'stop' });
  });

  it('acknowledges nothing after input that does not follow', async () => {
    const dataDir = temporaryDirectory();
    const threads = new Threads(dataDir);
    await threads.recovered();
    threads.journal.removeAllListeners('exit');
    const good = released(threads, 4);
    threads.send(4);
    await good;
    let later = 0;
    threads.onRelease(() => later++);
    const exit = once(threads.journal, 'exit');
    threads.clearing.postMessage({
      firstSequence: 6,
      count: 1,
      events: new ArrayBuffer(0),
      answers: new ArrayBuffer(4),
    });
    threads.send(1);
    expect(await exit).toEqual([1]);
    expect(await threads.report('fatal')).toMatchObject({ code: 'JOURNAL_FAULT' });
    expect(later).toBe(0);
    threads.snapshots.postMessage({ kind: 'stop' });
  });
});

describe('the snapshot thread', () => {
  it('writes a snapshot once the journal is durable there, and a restart begins with it', async () => {
    const dataDir = temporaryDirectory();
    const threads = new Threads(dataDir);
    await threads.recovered();
    threads.snapshotPort.postMessage({ sequence: 30, state: new Float64Array([1, 30]) });
    await pause(100);
    expect(threads.reports.some(({ kind }) => kind.startsWith('snapshot'))).toBe(false);
    for (let i = 0; i < 10; i++) threads.send(4);
    expect(await threads.report('snapshot')).toMatchObject({ sequence: 30 });
    await threads.stop();
    const again = new Threads(dataDir);
    const seen: RestoreMessage[] = [];
    expect(await again.recovered((message) => seen.push(message))).toBe(40);
    expect(seen[0]).toEqual({
      kind: 'restore',
      snapshot: {
        sequence: 30,
        state: new Float64Array([1, 30]),
        stateHash: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
    });
    expect(seen[1]).toMatchObject({ kind: 'replay', firstSequence: 31, count: 10 });
    await again.stop();
  });

  it('writes the last snapshot of an orderly stop', async () => {
    const dataDir = temporaryDirectory();
    const threads = new Threads(dataDir);
    await threads.recovered();
    const sequence = threads.send(9);
    threads.snapshotPort.postMessage({ sequence, state: 'last' });
    threads.clearing.close();
    threads.snapshotPort.close();
    await threads.stop();
    const store = SnapshotStore.open(dataDir, silentLogger);
    expect(store.newestGood()?.snapshot).toMatchObject({ sequence, state: 'last' });
    store.close();
  });

  it('moves what no snapshot needs into the archive, and the journal deletes it', async () => {
    const dataDir = temporaryDirectory();
    const threads = new Threads(dataDir, { snapshots: { keep: 2, archive: true } });
    await threads.recovered();
    for (let i = 0; i < 3; i++) {
      let last = 0;
      for (let n = 0; n < 50; n++) last = threads.send(10);
      threads.snapshotPort.postMessage({ sequence: last, state: i });
      while (threads.reports.filter(({ kind }) => kind === 'snapshot').length <= i) await pause(10);
    }
    const { store } = await untilDiscarded(threads, dataDir);
    expect(store.base().sequence).toBe(1_000);
    store.close();
    const reader = new JournalReader(dataDir);
    expect(lastOfExactRun(reader.batches(1))).toBe(1_500);
    reader.close();
  });
});

/** The journal deletes archived batches when it has nothing else to do. */
async function untilDiscarded(threads: Threads, dataDir: string) {
  let idle = 0;
  threads.onRelease(({ batches }) => {
    if (batches.length === 0) idle++;
  });
  while (idle === 0) await pause(50);
  await threads.stop();
  return openJournal(dataDir);
}
