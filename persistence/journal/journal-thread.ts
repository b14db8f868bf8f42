import { parentPort, workerData } from 'node:worker_threads';
import { AppendLoop } from './append-loop.ts';
import { isJournalError } from './errors.ts';
import { Journal } from './journal.ts';
import type { Logger } from './logger.ts';
import {
  JOURNAL_DEFAULTS,
  type JournalThreadData,
  type StopThread,
  type ThreadReport,
} from './protocol.ts';
import { recover } from './recover.ts';
import { ReplayStream } from './replay-stream.ts';

/**
 * The journal thread: recovers, streams the recovered state to clearing, then appends until it is
 * told to stop. After an error nothing more is released and the thread exits with code 1; the
 * databases are closed in this thread only, so it must be stopped by message, never terminated.
 */

const data = workerData as JournalThreadData;
const options = { ...JOURNAL_DEFAULTS, ...data.options };

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

function fail(error: unknown): never {
  const known = isJournalError(error);
  const cause = error instanceof Error && error.cause !== undefined ? `: ${error.cause}` : '';
  report({
    kind: 'fatal',
    code: known ? error.code : 'JOURNAL_FAULT',
    sequence: known ? error.sequence : 0,
    message: `${error instanceof Error ? error.message : String(error)}${cause}`,
  });
  process.exit(1);
}

async function run(): Promise<void> {
  const recovery = recover(data.dataDir, logger, options);
  const { store } = recovery;
  report({ kind: 'opened' });
  const stream = new ReplayStream(data.clearing);
  let loop: AppendLoop | null = null;
  parentPort?.on('message', (message: StopThread) => {
    if (message.kind !== 'stop') return;
    if (loop === null) return stream.stop();
    finish(() => loop?.finish());
  });
  const finish = (lastSteps: () => void): void => {
    try {
      lastSteps();
      store.close();
    } catch (error) {
      fail(error);
    }
    data.clearing.close();
    data.snapshots.close();
    data.gateway.close();
    report({ kind: 'stopped' });
    parentPort?.close();
  };
  const started = performance.now();
  if (!(await stream.send(recovery))) return finish(() => {});
  const { end, durableSequence } = recovery;
  logger.info(
    { sequence: durableSequence, milliseconds: Math.round(performance.now() - started) },
    'recovered',
  );
  report({ kind: 'recovered', sequence: durableSequence });
  loop = new AppendLoop({
    journal: new Journal(store, end),
    store,
    clearing: data.clearing,
    gateway: data.gateway,
    snapshots: data.snapshots,
    walBytes: options.walBytes,
    onFatal: fail,
  });
  loop.start();
}

run().catch(fail);
