import type { Batch, ChainPoint, StoredBatch } from './chain.ts';
import type { MarkReading } from './mark.ts';

/** Neighbouring batches between two points of the chain as they are stored. */
export interface BatchPage {
  readonly previous: ChainPoint;
  readonly batches: readonly Batch[];
  readonly end: ChainPoint;
}

/** Reads of stored batches. They verify nothing; they throw JournalCorrupt for what cannot be read. */
export interface BatchReads {
  /** Where the chain begins: sequence 0. */
  origin(): ChainPoint;
  /** What is up to here may have been archived; reads reach it there. */
  base(): ChainPoint;
  /** The end of the last stored batch, as stored. */
  end(): ChainPoint;
  /** The end of the batch that contains `sequence`, or of the last one before it; else the origin. */
  endOfBatchAt(sequence: number): ChainPoint;
  /** Batches from the one that contains `fromSequence` on: at least one, about `bytesMax` in all. */
  page(fromSequence: number, bytesMax: number): BatchPage;
}

/**
 * Where batches are kept. The rules of the journal (chain, mark, torn end) are written against this,
 * so that a simulation can run them over a store that loses and tears what was not flushed.
 */
export interface BatchStore extends BatchReads {
  /** Durable when it returns. `batch.payload` is the caller's again afterwards. */
  append(batch: StoredBatch): void;
  /** Durably removes the batch that starts at `firstSequence`. */
  drop(firstSequence: number): void;
  readMark(): MarkReading;
  /** Survives the death of the process, not necessarily the loss of power. */
  writeMark(point: ChainPoint): void;
  /** Makes the last mark survive the loss of power. */
  syncMark(): void;
}
