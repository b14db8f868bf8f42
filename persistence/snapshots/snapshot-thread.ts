import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { hashState } from '../../core/clearing/index.ts';
import type { Logger } from '../journal/logger.ts';
import {
  type DurableUpTo,
  SNAPSHOT_DEFAULTS,
  type SnapshotInput,
  type SnapshotRequest,
  type SnapshotThreadData,
  type StopThread,
  type ThreadReport,
} from '../journal/protocol.ts';
import { SnapshotWriter } from './snapshot-writer.ts';

/**
 * The snapshot thread: writes what clearing sends, once the journal is durable there. One snapshot
 * waits at a time; a newer one takes its place. A snapshot that fails is reported and costs nothing
 * but a longer replay.
 */

/** As clearing sends it: hashing is done here, where it holds up no order. */
type ClearingState = Omit<SnapshotInput, 'stateHash'>;

const data = workerData as SnapshotThreadData;

function report(message: ThreadReport): void {
  parentPort?.postMessage(message);
}

function loggerAt(level: 'info' | 'warn' | 'error') {
  return (details: object, message: string) => report({ kind: 'log', level, details, message });
}

const logger: Logger = {
  info: loggerAt('info'),
  warn: loggerAt('warn'),
  error: loggerAt('error'),
};

const writer = new SnapshotWriter(data.dataDir, { ...SNAPSHOT_DEFAULTS, ...data.options }, logger);
let waiting: ClearingState | null = null;

function ask(request: SnapshotRequest): void {
  data.journal.postMessage(request);
}

function write(snapshot: ClearingState): void {
  const { sequence } = snapshot;
  try {
    const started = performance.now();
    const bytes = writer.write({ ...snapshot, stateHash: hashState(snapshot.state) });
    const milliseconds = Math.round(performance.now() - started);
    logger.info({ sequence, bytes, milliseconds }, 'snapshot written');
    report({ kind: 'snapshot', sequence, bytes });
    const archived = writer.archive();
    if (archived !== null && archived > 0) ask({ kind: 'archived', sequence: archived });
  } catch (error) {
    report({ kind: 'snapshotFailed', sequence, reason: String(error) });
  }
}

/** The last snapshot before a stop: its journal may have been closed before it answered. */
function writeLast(): void {
  for (;;) {
    const received = receiveMessageOnPort(data.clearing);
    if (received === undefined) break;
    waiting = received.message as ClearingState;
  }
  if (waiting !== null && writer.isDurable(waiting.sequence)) write(waiting);
}

data.clearing.on('message', (snapshot: ClearingState) => {
  waiting = snapshot;
  ask({ kind: 'await', sequence: snapshot.sequence });
});

data.journal.on('message', ({ durableSequence }: DurableUpTo) => {
  if (waiting === null || durableSequence < waiting.sequence) return;
  const snapshot = waiting;
  waiting = null;
  write(snapshot);
});

parentPort?.on('message', (message: StopThread) => {
  if (message.kind !== 'stop') return;
  writeLast();
  data.clearing.close();
  data.journal.close();
  writer.close();
  report({ kind: 'stopped' });
  parentPort?.close();
});

report({ kind: 'opened' });
