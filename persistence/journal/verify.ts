import type { BatchPage, BatchReads } from './batch-store.ts';
import { type Batch, type ChainPoint, equalBytes, pointAfter } from './chain.ts';
import { JournalCorrupt } from './errors.ts';

const PAGE_BYTES = 1 << 20;

type EndOfBatch = Pick<BatchReads, 'endOfBatchAt'>;

/**
 * Moves the chain from `previous` over all batches of `page`. Throws JournalCorrupt with the first
 * event that is not known to be good.
 */
export function followPage(reads: EndOfBatch, previous: ChainPoint, page: BatchPage): ChainPoint {
  const point = pointAfter(previous, page.batches);
  if (point.sequence === page.end.sequence && equalBytes(point.hash, page.end.hash)) return point;
  throw firstFlaw(reads, previous, page.batches);
}

/** Goes over the page again, batch by batch, to name where it stopped being good. */
function firstFlaw(
  reads: EndOfBatch,
  previous: ChainPoint,
  batches: readonly Batch[],
): JournalCorrupt {
  let point = previous;
  for (const batch of batches) {
    point = pointAfter(point, [batch]);
    const stored = reads.endOfBatchAt(batch.firstSequence);
    if (stored.sequence !== point.sequence || !equalBytes(stored.hash, point.hash)) {
      return new JournalCorrupt(batch.firstSequence, 'the checksum of the batch does not match');
    }
  }
  return new JournalCorrupt(previous.sequence + 1, 'two reads of the same batches differ');
}

/**
 * The batches after `anchor` up to `end`, verified page by page before they are handed out.
 * Throws JournalCorrupt, also where the batches run out before `end`.
 */
export function* verifiedBatches(
  reads: BatchReads,
  anchor: ChainPoint,
  end: ChainPoint,
): Generator<Batch, void, void> {
  let point = anchor;
  while (point.sequence < end.sequence) {
    const page = reads.page(point.sequence + 1, PAGE_BYTES);
    if (page.batches.length === 0) {
      throw new JournalCorrupt(
        point.sequence + 1,
        `the batches up to ${end.sequence} are not there`,
      );
    }
    point = followPage(reads, point, page);
    yield* page.batches;
  }
}
