import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { OrderAccepted } from '../core/messages/events.ts';
import { BatchWriter } from '../core/messages/record.ts';
import {
  JOURNAL_THREAD,
  Journal,
  type JournalRelease,
  type JournalThreadData,
  type RestoreMessage,
  recover,
  type SnapshotThreadData,
  silentLogger,
  type ThreadReport,
} from '../persistence/journal/index.ts';
import { SNAPSHOT_THREAD } from '../persistence/snapshots/index.ts';

/**
 * What a durable commit costs, beside the bare disk: `node dist/bench/journal.js`. The rows take
 * turns, so that all of them see the same disk. BENCH_DIR chooses the disk.
 */

const ROUNDS = 8;
const COMMITS_PER_ROUND = 250;
const BATCH_SIZES = [1, 16, 64, 256];
const SNAPSHOT_NUMBERS = 12_500_000;

const root = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'bench-journal-'));

function events(count: number): ArrayBuffer {
  const writer = new BatchWriter();
  const record = { ...OrderAccepted.blank(), clientOrderId: 'client-order-0001' };
  for (let i = 0; i < count; i++) OrderAccepted.write(writer, record);
  return writer.take();
}

interface Contender {
  readonly name: string;
  readonly eventsPerCommit: number;
  readonly microseconds: number[];
  commit(): void;
  close(): void;
}

/** Writes 4 KiB and flushes: what any journal pays at least. */
function bareDisk(name: string, allocated: boolean): Contender {
  const block = new Uint8Array(4096).fill(7);
  const descriptor = openSync(join(root, name.replaceAll(' ', '-')), 'w');
  let at = 0;
  if (allocated) {
    for (let i = 0; i < ROUNDS * COMMITS_PER_ROUND; i++)
      writeSync(descriptor, block, 0, 4096, i * 4096);
    fdatasyncSync(descriptor);
  }
  return {
    name,
    eventsPerCommit: 0,
    microseconds: [],
    commit() {
      writeSync(descriptor, block, 0, 4096, at);
      fdatasyncSync(descriptor);
      at += 4096;
    },
    close: () => closeSync(descriptor),
  };
}

function journalOf(eventsPerCommit: number): Contender {
  const { store, end } = recover(join(root, `batch-${eventsPerCommit}`), silentLogger);
  const journal = new Journal(store, end);
  const payload = events(eventsPerCommit);
  return {
    name: `journal, ${eventsPerCommit} a commit`,
    eventsPerCommit,
    microseconds: [],
    commit() {
      const firstSequence = journal.durableSequence + 1;
      journal.append([{ firstSequence, count: eventsPerCommit, events: payload }]);
      if (store.logBytesUsed > 16 << 20) store.checkpoint();
    },
    close: () => store.close(),
  };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function column(value: string | number, width = 12): string {
  return (typeof value === 'number' ? Math.round(value).toLocaleString('en') : value).padStart(
    width,
  );
}

function printRow(name: string, microseconds: readonly number[], eventsPerCommit: number): void {
  const seconds = microseconds.reduce((sum, value) => sum + value, 0) / 1e6;
  const commits = microseconds.length / seconds;
  console.log(
    name.padEnd(34) +
      column(quantile(microseconds, 0.5)) +
      column(quantile(microseconds, 0.99)) +
      column(commits) +
      column(eventsPerCommit === 0 ? '' : commits * eventsPerCommit),
  );
}

function commitRound({ commit, microseconds }: Contender): void {
  for (let i = 0; i < COMMITS_PER_ROUND; i++) {
    const before = performance.now();
    commit();
    microseconds.push((performance.now() - before) * 1_000);
  }
}

function compareCommits(): void {
  const contenders = [
    bareDisk('4 KiB appended, fdatasync', false),
    bareDisk('4 KiB overwritten, fdatasync', true),
    ...BATCH_SIZES.map(journalOf),
  ];
  for (let round = 0; round < ROUNDS; round++) {
    for (const contender of contenders) commitRound(contender);
  }
  for (const { name, microseconds, eventsPerCommit, close } of contenders) {
    printRow(name, microseconds, eventsPerCommit);
    close();
  }
}

/** The threads as the platform runs them, seen from clearing's and the gateway's side. */
class Pipeline {
  private readonly workers: Worker[] = [];
  private readonly clearing: MessagePort;
  private readonly gateway: MessagePort;
  private readonly snapshots: MessagePort;
  private sequence = 0;
  snapshotsWritten = 0;

  constructor(dataDir: string) {
    const clearing = new MessageChannel();
    const gateway = new MessageChannel();
    const durability = new MessageChannel();
    const snapshots = new MessageChannel();
    this.clearing = clearing.port1;
    this.gateway = gateway.port1;
    this.snapshots = snapshots.port1;
    this.start(JOURNAL_THREAD, {
      dataDir,
      clearing: clearing.port2,
      gateway: gateway.port2,
      snapshots: durability.port1,
    });
    this.start(SNAPSHOT_THREAD, { dataDir, clearing: snapshots.port2, journal: durability.port2 });
  }

  recovered(): Promise<void> {
    return new Promise((done) => {
      this.clearing.on('message', (message: RestoreMessage) => {
        if (message.kind === 'recovered') done();
      });
    });
  }

  /** One commit after the other, each sent when the one before is released. */
  async roundTrips(until: () => boolean): Promise<number[]> {
    const microseconds: number[] = [];
    let resolve = (): void => {};
    const released = (release: JournalRelease): void => {
      if (release.batches.length > 0) resolve();
    };
    this.gateway.on('message', released);
    while (!until()) {
      const batch = events(1);
      const answers = new ArrayBuffer(32);
      const back = new Promise<void>((done) => {
        resolve = done;
      });
      const before = performance.now();
      const input = { firstSequence: ++this.sequence, count: 1, events: batch, answers };
      this.clearing.postMessage(input, [batch, answers]);
      await back;
      microseconds.push((performance.now() - before) * 1_000);
    }
    this.gateway.off('message', released);
    return microseconds;
  }

  snapshot(numbers: number): void {
    const state = { numbers: new Float64Array(numbers).fill(1.5) };
    this.snapshots.postMessage({ sequence: this.sequence, state }, [state.numbers.buffer]);
  }

  async stop(): Promise<void> {
    for (const worker of this.workers) {
      const exit = new Promise((done) => worker.once('exit', done));
      worker.postMessage({ kind: 'stop' });
      await exit;
    }
    for (const port of [this.clearing, this.gateway, this.snapshots]) port.close();
  }

  private start(entry: URL, workerData: JournalThreadData | SnapshotThreadData): void {
    const transferList = Object.values(workerData).filter((value) => typeof value === 'object');
    const worker = new Worker(entry, { workerData, transferList });
    worker.on('message', (report: ThreadReport) => {
      if (report.kind === 'snapshot') this.snapshotsWritten++;
      if (report.kind === 'fatal') throw new Error(report.message);
    });
    this.workers.push(worker);
  }
}

async function measureThreads(): Promise<void> {
  const pipeline = new Pipeline(join(root, 'threads'));
  await pipeline.recovered();
  const disk = bareDisk('4 KiB overwritten, in turn', true);
  const roundTrips: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    let left = COMMITS_PER_ROUND;
    roundTrips.push(...(await pipeline.roundTrips(() => left-- === 0)));
    commitRound(disk);
  }
  printRow(disk.name, disk.microseconds, 0);
  disk.close();
  printRow('through the threads, 1 a commit', roundTrips, 1);
  pipeline.snapshot(SNAPSHOT_NUMBERS);
  const during = await pipeline.roundTrips(() => pipeline.snapshotsWritten > 0);
  printRow('  while a 100 MB snapshot is made', during, 1);
  await pipeline.stop();
}

console.log(
  ''.padEnd(34) + column('p50 us') + column('p99 us') + column('commits/s') + column('events/s'),
);
try {
  compareCommits();
  await measureThreads();
} finally {
  rmSync(root, { recursive: true, force: true });
}
