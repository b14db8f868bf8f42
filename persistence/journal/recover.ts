import { SnapshotStore, type StoredSnapshot } from '../snapshots/snapshot-store.ts';
import type { BatchStore } from './batch-store.ts';
import { type ChainPoint, type JournalBatch, lastSequenceOf, trimBatch } from './chain.ts';
import { assertSamePoint, settleEnd } from './end-of-journal.ts';
import type { Logger } from './logger.ts';
import { JOURNAL_DEFAULTS, type JournalOptions, type SnapshotInput } from './protocol.ts';
import { SqliteStore } from './sqlite-store.ts';
import { verifiedBatches } from './verify.ts';

/** Where snapshots come from: a SnapshotStore, or what a test puts in its place. */
export interface SnapshotSource {
  headers(): readonly { readonly sequence: number; readonly anchor: ChainPoint }[];
  newestGood(atOrBefore?: number): StoredSnapshot | null;
}

export interface Recovery {
  /** The newest good snapshot; null where everything is replayed from the beginning. */
  readonly snapshot: SnapshotInput | null;
  /**
   * What follows the snapshot, up to `durableSequence`; read once, and verified on the way: it throws
   * JournalCorrupt at the first batch that cannot be trusted, and nothing may be served then.
   */
  readonly batches: Iterable<JournalBatch>;
  readonly durableSequence: number;
  /** Where a Journal goes on, once all batches are read. */
  readonly end: ChainPoint;
}

/**
 * Decides what a restart starts from. A damaged snapshot is passed over for an older one, or for
 * none; a journal that ends before a snapshot, or differs from what the snapshot saw, is refused.
 * Throws a JournalError.
 */
export function recoverFrom(
  store: BatchStore,
  snapshots: SnapshotSource | null,
  logger: Logger,
  verifyAll = false,
): Recovery {
  const end = settleEnd(store, logger, snapshots?.headers()[0]?.anchor ?? null);
  const stored = snapshots?.newestGood() ?? null;
  if (stored !== null) {
    const { sequence, anchor } = stored.header;
    assertSamePoint(store.endOfBatchAt(sequence), anchor, 'snapshot');
  }
  return {
    snapshot: stored?.snapshot ?? null,
    batches: batchesAfter(store, stored, end, verifyAll),
    durableSequence: end.sequence,
    end,
  };
}

function* batchesAfter(
  store: BatchStore,
  stored: StoredSnapshot | null,
  end: ChainPoint,
  verifyAll: boolean,
): Generator<JournalBatch, void, void> {
  const after = stored?.header.sequence ?? 0;
  const start = verifyAll ? store.origin() : startOf(store, stored);
  for (const batch of verifiedBatches(store, start, end)) {
    if (lastSequenceOf(batch) > after) yield trimBatch(batch, after + 1);
  }
}

/** The point from which reading reaches every event after the snapshot. */
function startOf(store: BatchStore, stored: StoredSnapshot | null): ChainPoint {
  if (stored === null) return store.origin();
  const { sequence, anchor } = stored.header;
  return anchor.sequence === sequence ? anchor : store.page(sequence, 1).previous;
}

/** A data directory opened for writing, and what to restart from. */
export interface RecoveredDirectory extends Recovery {
  readonly store: SqliteStore;
}

/**
 * Opens the journal of `dataDir` for writing, creating an empty one where there is none, and
 * recovers. The caller closes `store`. Throws a JournalError.
 */
export function recover(
  dataDir: string,
  logger: Logger,
  options: Partial<JournalOptions> = {},
): RecoveredDirectory {
  const { verifyAll, ...storeOptions } = { ...JOURNAL_DEFAULTS, ...options };
  const store = SqliteStore.open(dataDir, storeOptions, logger);
  let snapshots: SnapshotStore | null = null;
  try {
    snapshots = openSnapshots(dataDir, logger);
    return { ...recoverFrom(store, snapshots, logger, verifyAll), store };
  } catch (error) {
    store.close();
    throw error;
  } finally {
    snapshots?.close();
  }
}

function openSnapshots(dataDir: string, logger: Logger): SnapshotStore | null {
  try {
    return SnapshotStore.open(dataDir, logger);
  } catch (error) {
    logger.error({ reason: String(error) }, 'snapshots cannot be read; replaying everything');
    return null;
  }
}
