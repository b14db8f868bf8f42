import type { MessagePort } from 'node:worker_threads';
import type { JournalMetrics } from './metrics.ts';

/**
 * What travels between clearing, journal, snapshots and gateway: plain objects, buffers transferred.
 *
 *     clearing ──JournalInput──▶ journal ──JournalRelease──▶ gateway
 *     clearing ◀─RestoreMessage─ journal       (at start only, then the append loop)
 *     clearing ──SnapshotInput─▶ snapshots ◀─DurableUpTo── journal
 *
 * The n-th event ever has sequence n; the first is 1.
 */

/** Clearing → journal. `count` is 0 where there are only answers; buffers are transferred. */
export interface JournalInput {
  readonly firstSequence: number;
  readonly count: number;
  readonly events: ArrayBuffer;
  readonly answers: ArrayBuffer;
}

/** Journal → gateway: everything in `batches` is durable, as is all up to `durableSequence`. */
export interface JournalRelease {
  readonly durableSequence: number;
  readonly batches: readonly JournalInput[];
  /** Only now and then, and when the journal falls idle. */
  readonly metrics?: JournalMetrics;
}

/**
 * A snapshot as clearing made it: `state` consists of typed arrays and small plain values. A Map comes
 * back as a plain object. `stateHash`, if clearing gives one, comes back as it was.
 */
export interface SnapshotInput {
  readonly sequence: number;
  readonly stateHash?: string;
  readonly state: unknown;
}

/** Journal → clearing at start, in this order: one restore, any number of replays, one recovered. */
export type RestoreMessage =
  | { readonly kind: 'restore'; readonly snapshot: SnapshotInput | null }
  | {
      readonly kind: 'replay';
      readonly firstSequence: number;
      readonly count: number;
      readonly events: ArrayBuffer;
    }
  | { readonly kind: 'recovered'; readonly sequence: number };

/** Clearing → journal: the replay that ends at `sequence` is applied; without it no more follow. */
export interface ReplayApplied {
  readonly kind: 'replayed';
  readonly sequence: number;
}

/** How many unacknowledged `replay` messages may be under way to clearing. */
export const REPLAY_WINDOW = 4;
/** The size of one replay message; a single larger batch travels whole. */
export const REPLAY_CHUNK_BYTES = 1 << 20;

/** Snapshots → journal. */
export type SnapshotRequest =
  /** Answer with DurableUpTo as soon as `sequence` is durable. */
  | { readonly kind: 'await'; readonly sequence: number }
  /** Everything up to `sequence` is in a verified archive; the journal may delete it. */
  | { readonly kind: 'archived'; readonly sequence: number };

/** Journal → snapshots: the answer to `await`. */
export interface DurableUpTo {
  readonly durableSequence: number;
}

export interface JournalOptions {
  /** Goes into the chain's first hash; a journal of another venue is refused. */
  readonly venueId: string;
  /** Verify the whole chain at start, not only what follows the snapshot. */
  readonly verifyAll: boolean;
  /** Size to which the write-ahead log is preallocated, and at which it is checkpointed. */
  readonly walBytes: number;
}

export const JOURNAL_DEFAULTS: JournalOptions = {
  venueId: 'matchbox',
  verifyAll: false,
  walBytes: 32 << 20,
};

export interface SnapshotOptions {
  /** How many snapshots to keep; at least 2. */
  readonly keep: number;
  /** Move journal batches that no kept snapshot needs into DATA_DIR/archive. */
  readonly archive: boolean;
}

export const SNAPSHOT_DEFAULTS: SnapshotOptions = { keep: 3, archive: false };

/** workerData of persistence/journal/journal-thread.ts. */
export interface JournalThreadData {
  readonly dataDir: string;
  readonly clearing: MessagePort;
  readonly gateway: MessagePort;
  readonly snapshots: MessagePort;
  readonly options?: Partial<JournalOptions>;
}

/** workerData of persistence/snapshots/snapshot-thread.ts. */
export interface SnapshotThreadData {
  readonly dataDir: string;
  readonly clearing: MessagePort;
  readonly journal: MessagePort;
  readonly options?: Partial<SnapshotOptions>;
}

/** Parent → either thread: finish what was received, close the databases, exit. */
export interface StopThread {
  readonly kind: 'stop';
}

/** Either thread → parent. */
export type ThreadReport =
  | {
      readonly kind: 'log';
      readonly level: 'info' | 'warn' | 'error';
      readonly details: object;
      readonly message: string;
    }
  /** The databases exist and are open; readers may open theirs. */
  | { readonly kind: 'opened' }
  /** Recovery is done (journal thread only). */
  | { readonly kind: 'recovered'; readonly sequence: number }
  /** A snapshot is on disk, or was refused for the reason given (snapshot thread only). */
  | { readonly kind: 'snapshot'; readonly sequence: number; readonly bytes: number }
  | { readonly kind: 'snapshotFailed'; readonly sequence: number; readonly reason: string }
  /** Nothing more will be acknowledged; the process must end. The thread exits by itself. */
  | {
      readonly kind: 'fatal';
      readonly code: string;
      readonly sequence: number;
      readonly message: string;
    }
  | { readonly kind: 'stopped' };
