export { acceptEnd } from './accept-end.ts';
export { archiveThrough } from './archive.ts';
export type { ChainPoint, JournalBatch } from './chain.ts';
export { isJournalError, JournalWriteFailed } from './errors.ts';
export { Journal } from './journal.ts';
export { type Logger, silentLogger } from './logger.ts';
export type { JournalMetrics } from './metrics.ts';
export {
  type JournalInput,
  type JournalOptions,
  type JournalRelease,
  type JournalThreadData,
  REPLAY_CHUNK_BYTES,
  REPLAY_WINDOW,
  type RestoreMessage,
  type SnapshotOptions,
  type SnapshotThreadData,
  type ThreadReport,
} from './protocol.ts';
export { JournalReader } from './reader.ts';
export { recover, recoverFrom } from './recover.ts';

/** The entry of the journal thread: `new Worker(url, { workerData: JournalThreadData })`. */
export const JOURNAL_THREAD = new URL('./journal-thread.js', import.meta.url);
