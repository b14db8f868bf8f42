import type { BatchStore } from './batch-store.ts';
import { type ChainPoint, chainHash, countRecords } from './chain.ts';
import { JournalWriteFailed } from './errors.ts';

/** Whole event records as they come from clearing. */
export interface PendingBatch {
  readonly firstSequence: number;
  readonly count: number;
  readonly events: ArrayBuffer | Uint8Array;
}

/**
 * The writing side of the journal: continues the chain, one stored batch a commit, whatever the
 * number of pending batches that came together. Once a commit failed, nothing is accepted any more.
 */
export class Journal {
  private readonly store: BatchStore;
  private end: ChainPoint;
  private failure: JournalWriteFailed | null = null;
  private merged = new Uint8Array(1 << 20);

  /** `end` is where `settleEnd` found the journal to end. */
  constructor(store: BatchStore, end: ChainPoint) {
    this.store = store;
    this.end = end;
  }

  get durableSequence(): number {
    return this.end.sequence;
  }

  /**
   * Makes all events of `batches` durable, in one commit; when it returns they may be acknowledged.
   * Returns the bytes of events written. Throws JournalWriteFailed, then and ever after, when they
   * may not; and a RangeError for batches that do not follow in sequence or hold cut records.
   */
  append(batches: readonly PendingBatch[]): number {
    if (this.failure !== null) throw this.failure;
    const firstSequence = this.end.sequence + 1;
    const payload = this.merge(batches);
    const count = countRecords(payload);
    this.assertFollows(batches, firstSequence, count);
    if (count === 0) return 0;
    const hash = chainHash(this.end.hash, { firstSequence, count, payload });
    const end = { sequence: firstSequence + count - 1, hash };
    try {
      this.store.append({ firstSequence, count, payload, hash });
      this.store.writeMark(end);
    } catch (error) {
      this.failure = new JournalWriteFailed(firstSequence, { cause: error });
      throw this.failure;
    }
    this.end = end;
    return payload.length;
  }

  /** All events in one piece: the buffer of the only batch that has any, or a copy. */
  private merge(batches: readonly PendingBatch[]): Uint8Array {
    let size = 0;
    let filled = 0;
    let only: ArrayBuffer | Uint8Array | undefined;
    for (const batch of batches) {
      if (batch.events.byteLength === 0) continue;
      size += batch.events.byteLength;
      filled++;
      only = batch.events;
    }
    if (only === undefined) return new Uint8Array(0);
    if (filled === 1) return asBytes(only);
    if (size > this.merged.length) this.merged = new Uint8Array(size * 2);
    let at = 0;
    for (const batch of batches) {
      this.merged.set(asBytes(batch.events), at);
      at += batch.events.byteLength;
    }
    return this.merged.subarray(0, at);
  }

  private assertFollows(
    batches: readonly PendingBatch[],
    firstSequence: number,
    recordCount: number,
  ): void {
    let next = firstSequence;
    for (const batch of batches) {
      if (batch.count === 0) continue;
      if (batch.firstSequence !== next) {
        throw new RangeError(`batch at ${batch.firstSequence} where ${next} was due`);
      }
      next += batch.count;
    }
    if (next - firstSequence !== recordCount) {
      throw new RangeError(
        `${recordCount} records where batches at ${firstSequence} count ${next - firstSequence}`,
      );
    }
  }
}

function asBytes(events: ArrayBuffer | Uint8Array): Uint8Array {
  return events instanceof Uint8Array ? events : new Uint8Array(events);
}
