export { acceptEnd } from './accept-end.ts';
export { archiveThrough } from './archive.ts';
export type { BatchReads, BatchStore } from './batch-store.ts';
export type { ChainPoint, JournalBatch } from './chain.ts';
export {
  isJournalError,
  JournalBehindMark,
  JournalCorrupt,
  type JournalError,
  type JournalErrorCode,
  JournalFormatUnknown,
  JournalInUse,
  JournalMarkMissing,
  JournalWriteFailed,
} from './errors.ts';
export { Journal, type PendingBatch } from './journal.ts';
export { type Logger, silentLogger } from './logger.ts';
export type { JournalMetrics } from './metrics.ts';
export type {
  DurableUpTo,
  JournalInput,
  JournalOptions,
  JournalRelease,
  JournalThreadData,
  ReplayApplied,
  RestoreMessage,
  SnapshotInput,
  SnapshotOptions,
  SnapshotRequest,
  SnapshotThreadData,
  StopThread,
  ThreadReport,
} from './protocol.ts';
export {
  JOURNAL_DEFAULTS,
  REPLAY_CHUNK_BYTES,
  REPLAY_WINDOW,
  SNAPSHOT_DEFAULTS,
} from './protocol.ts';
export { JournalReader } from './reader.ts';
export { type RecoveredDirectory, type Recovery, recover, recoverFrom } from './recover.ts';

/** The entry of the journal thread: `new Worker(url, { workerData: JournalThreadData })`. */
export const JOURNAL_THREAD = new URL('./journal-thread.js', import.meta.url);
