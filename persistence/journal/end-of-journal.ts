import type { BatchReads, BatchStore } from './batch-store.ts';
import { type Batch, type ChainPoint, equalBytes } from './chain.ts';
import { JournalBehindMark, JournalCorrupt, JournalMarkMissing } from './errors.ts';
import type { Logger } from './logger.ts';
import type { MarkReading } from './mark.ts';
import { followPage } from './verify.ts';

/**
 * Settles where the journal ends, at start, before anything is replayed or appended:
 * - it ends before its mark: committed batches are lost, JournalBehindMark;
 * - the batch at the mark is not the one that the mark saw: JournalCorrupt;
 * - its last batch is damaged and lies after the mark: nobody was told of it, so it is dropped, and
 *   logged; damaged at or before the mark: JournalCorrupt;
 * - it has batches and no readable mark: JournalMarkMissing.
 * A snapshot proves as much as the mark does: `snapshotAnchor` is where the newest one was taken.
 */
export function settleEnd(
  store: BatchStore,
  logger: Logger,
  snapshotAnchor: ChainPoint | null = null,
): ChainPoint {
  const reading = store.readMark();
  const mark = compareWithMark(store, reading, logger);
  const proven = Math.max(mark?.sequence ?? 0, snapshotAnchor?.sequence ?? 0);
  const { sequence } = store.end();
  if (sequence < proven) throw new JournalBehindMark(sequence, proven, 'snapshot');
  const end = dropDamagedEnd(store, proven, logger);
  if (mark?.sequence !== end.sequence || (reading.kind === 'good' && reading.otherSlotDamaged)) {
    // On disk before anything else is written: a torn slot must not meet another one.
    store.writeMark(end);
    store.syncMark();
  }
  return end;
}

/**
 * Compares what is stored with the mark and changes nothing. Returns the mark, or null for an empty
 * journal that has none yet.
 */
export function compareWithMark(
  store: BatchReads,
  reading: MarkReading,
  logger: Logger,
): ChainPoint | null {
  const end = store.end();
  if (reading.kind !== 'good') {
    if (end.sequence === 0) return null;
    const reason = reading.kind === 'missing' ? 'is missing' : 'is damaged in both slots';
    throw new JournalMarkMissing(end.sequence, reason);
  }
  const mark = reading.point;
  if (reading.otherSlotDamaged) {
    logger.warn(
      { markSequence: mark.sequence, journalSequence: end.sequence },
      'one slot of the high-water mark is damaged; using the other',
    );
  }
  if (end.sequence < mark.sequence) {
    throw new JournalBehindMark(end.sequence, mark.sequence, 'mark');
  }
  const base = store.base();
  if (mark.sequence < base.sequence) {
    logger.warn(
      { markSequence: mark.sequence, archivedSequence: base.sequence },
      'the high-water mark is older than the journal, whose beginning is archived',
    );
    return mark;
  }
  assertSamePoint(store.endOfBatchAt(mark.sequence), mark, 'high-water mark');
  return mark;
}

/** `stored` is where the journal has a batch that ends at or around what `witness` saw. */
export function assertSamePoint(stored: ChainPoint, seen: ChainPoint, witness: string): void {
  if (stored.sequence !== seen.sequence) {
    throw new JournalCorrupt(
      Math.min(stored.sequence + 1, seen.sequence),
      `the ${witness} was made at ${seen.sequence}, where no batch ends`,
    );
  }
  if (!equalBytes(stored.hash, seen.hash)) {
    throw new JournalCorrupt(seen.sequence, `the batch is not the one that the ${witness} saw`);
  }
}

function dropDamagedEnd(store: BatchStore, provenSequence: number, logger: Logger): ChainPoint {
  const end = store.end();
  const flaw = flawOfBatchAt(store, end.sequence);
  if (flaw === null) return end;
  if (flaw.batch.firstSequence <= provenSequence) {
    throw new JournalCorrupt(flaw.batch.firstSequence, flaw.reason);
  }
  // The batch before it must itself be sound, or the damage may be there and not in the last one.
  const before = flawOfBatchAt(store, flaw.previous.sequence);
  if (before !== null) throw new JournalCorrupt(before.batch.firstSequence, before.reason);
  store.drop(flaw.batch.firstSequence);
  logger.error(
    {
      firstSequence: flaw.batch.firstSequence,
      count: flaw.batch.count,
      bytes: flaw.batch.payload.length,
      markSequence: provenSequence,
      reason: flaw.reason,
    },
    'dropped a damaged batch at the end of the journal; it was never acknowledged',
  );
  return flaw.previous;
}

interface Flaw {
  readonly reason: string;
  readonly batch: Batch;
  readonly previous: ChainPoint;
}

/** What is wrong with the batch that ends at `sequence`; null if nothing, or if it is the base. */
function flawOfBatchAt(store: BatchStore, sequence: number): Flaw | null {
  if (sequence <= store.base().sequence) return null;
  const page = store.page(sequence, 1);
  const [batch] = page.batches;
  if (batch === undefined) throw new JournalCorrupt(sequence, 'the last batch cannot be read');
  try {
    followPage(store, page.previous, page);
    return null;
  } catch (error) {
    if (!(error instanceof JournalCorrupt)) throw error;
    return { reason: error.reason, batch, previous: page.previous };
  }
}
