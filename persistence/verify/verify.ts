import { existsSync } from 'node:fs';
import {
  audit,
  type ClearingSnapshot,
  type ClearingState,
  hashState,
  takeSnapshot,
} from '../../core/clearing/index.ts';
import { BatchFile } from '../journal/batch-file.ts';
import type { BatchReads } from '../journal/batch-store.ts';
import type { JournalBatch } from '../journal/chain.ts';
import { compareWithMark } from '../journal/end-of-journal.ts';
import { journalPath, markPath } from '../journal/files.ts';
import { lockDirectory } from '../journal/lock.ts';
import { silentLogger } from '../journal/logger.ts';
import { readMarkFile } from '../journal/mark-file.ts';
import { Segments } from '../journal/segments.ts';
import { verifiedBatches } from '../journal/verify.ts';
import { SnapshotStore, snapshotsPath } from '../snapshots/snapshot-store.ts';
import { compareViews, type ViewsComparison } from '../views/index.ts';
import { type Rematched, rematchAll } from './rematch-all.ts';

export interface Verification {
  readonly events: number;
  readonly batches: number;
  readonly rematched: Rematched;
  /** The hash of the state that the whole journal leads to. */
  readonly stateHash: string;
  /** How many snapshots were compared with the state at their sequence. */
  readonly snapshots: number;
  readonly views: ViewsComparison;
  /** What does not agree, in words; empty where everything does. */
  readonly differences: readonly string[];
}

/**
 * Proves a stopped data directory right from its first event on: the chain of the journal up to its
 * mark, a replay, the same orders matched again, every snapshot and the views against the replay, the
 * ledgers against the transfers. Changes nothing. Throws a JournalError where the journal is in use,
 * damaged or cut, and a Difference where matching again leads somewhere else.
 */
export function verify(dataDir: string): Verification {
  const lock = lockDirectory(dataDir);
  try {
    const segments = new Segments(dataDir, BatchFile.openReadOnly(journalPath(dataDir)));
    try {
      return verifyJournal(dataDir, segments);
    } finally {
      segments.close();
    }
  } finally {
    lock.release();
  }
}

function verifyJournal(dataDir: string, segments: BatchReads): Verification {
  compareWithMark(segments, readMarkFile(markPath(dataDir)), silentLogger);
  const differences: string[] = [];
  const snapshots = snapshotHashes(dataDir);
  const counted = { batches: 0, snapshots: 0 };
  const compareSnapshot = (state: ClearingState): void => {
    if (!snapshots.has(state.sequence)) return;
    counted.snapshots++;
    if (snapshots.get(state.sequence) === comparableHash(takeSnapshot(state))) return;
    differences.push(`the snapshot of ${state.sequence} is not the state that the events lead to`);
  };
  const batches = countedBatches(segments, counted);
  const rematched = rematchAll(batches, undefined, compareSnapshot);
  const { state } = rematched;
  for (const sequence of snapshots.keys()) {
    if (sequence <= state.sequence) continue;
    differences.push(`there is a snapshot of ${sequence}, where the journal has ${state.sequence}`);
  }
  differences.push(...auditDifferences(state));
  const views = compareViews(dataDir);
  differences.push(...viewDifferences(views));
  const stateHash = hashState(takeSnapshot(state));
  return { events: state.sequence, ...counted, rematched, stateHash, views, differences };
}

function* countedBatches(
  segments: BatchReads,
  counted: { batches: number },
): Generator<JournalBatch, void, void> {
  for (const { firstSequence, count, payload } of verifiedBatches(
    segments,
    segments.origin(),
    segments.end(),
  )) {
    counted.batches++;
    yield { firstSequence, count, events: payload };
  }
}

/**
 * How many client order ids are remembered is a setting that may have changed since; all else follows
 * from the events.
 */
function comparableHash(snapshot: ClearingSnapshot): string {
  return hashState({ ...snapshot, clientOrderIds: undefined });
}

/** What each readable snapshot hashes to, by its sequence. */
function snapshotHashes(dataDir: string): Map<number, string> {
  const hashes = new Map<number, string>();
  if (!existsSync(snapshotsPath(dataDir))) return hashes;
  const store = SnapshotStore.open(dataDir, silentLogger);
  try {
    for (const { sequence } of store.headers()) {
      const stored = store.newestGood(sequence);
      if (stored?.header.sequence !== sequence) continue;
      hashes.set(sequence, comparableHash(stored.snapshot.state as ClearingSnapshot));
    }
  } finally {
    store.close();
  }
  return hashes;
}

function auditDifferences(state: ClearingState): string[] {
  const { assets, heldMismatches, marginMismatches } = audit(state);
  const differences = assets
    .filter(({ ledgers, netTransfers }) => ledgers !== netTransfers)
    .map(
      ({ assetId, ledgers, netTransfers }) =>
        `the ledgers of ${assetId} sum to ${ledgers} where ${netTransfers} came in`,
    );
  if (heldMismatches > 0) differences.push(`${heldMismatches} balances hold what nothing needs`);
  if (marginMismatches > 0) {
    differences.push(`${marginMismatches} exposures are not what positions and orders make`);
  }
  return differences;
}

function viewDifferences(views: ViewsComparison): string[] {
  if (views.kind === 'absent' || views.equal) return [];
  return views.tables
    .filter((table) => table.differences > 0)
    .map(
      ({ table, differences, first }) => `view ${table} differs in ${differences} rows: ${first}`,
    );
}
