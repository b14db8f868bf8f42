export type { ChainPoint } from './chain.ts';
export {
  isJournalError,
  JournalBehindMark,
  JournalCorrupt,
  type JournalError,
  type JournalErrorCode,
  JournalFormatUnknown,
  JournalMarkMissing,
  JournalWriteFailed,
} from './errors.ts';
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
export { type JournalBatch, JournalReader } from './reader.ts';
