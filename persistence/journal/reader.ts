import { BatchFile } from './batch-file.ts';
import { type ChainPoint, type JournalBatch, trimBatch } from './chain.ts';
import { compareWithMark } from './end-of-journal.ts';
import { journalPath, markPath } from './files.ts';
import type { Logger } from './logger.ts';
import { readMarkFile } from './mark-file.ts';
import { Segments } from './segments.ts';
import { followPage } from './verify.ts';

/** How much payload one read transaction takes, and so about how much a reader keeps in memory. */
const PAGE_BYTES = 1 << 20;

/**
 * Reads committed batches, also while the journal thread appends and from any other thread: the
 * connection is its own and read-only. Archives are read as if they were part of the journal.
 * Every batch is verified against the chain before it is handed out.
 */
export class JournalReader {
  private readonly dataDir: string;
  private readonly segments: Segments;

  /** The journal must exist; the journal thread reports when it does. */
  constructor(dataDir: string) {
    this.dataDir = dataDir;
    this.segments = new Segments(dataDir, BatchFile.openReadOnly(journalPath(dataDir)));
  }

  /** The last durable sequence; 0 before the first event. */
  lastSequence(): number {
    return this.segments.end().sequence;
  }

  /** The end of the committed batch that contains `sequence`, with the chain's hash there. */
  endOfBatchAt(sequence: number): ChainPoint {
    return this.segments.endOfBatchAt(sequence);
  }

  /**
   * The batches from `fromSequence` to the end as it is when the reader gets there; call again from
   * the next sequence for what came later. The first one is cut to start at `fromSequence`; from 1,
   * the chain is verified from its origin.
   * No transaction is open while the caller works on a batch. Throws JournalCorrupt.
   */
  *batches(fromSequence: number): Generator<JournalBatch, void, void> {
    let next = Math.max(1, fromSequence);
    let point: ChainPoint | null = next === 1 ? this.segments.origin() : null;
    while (next <= this.lastSequence()) {
      const page = this.segments.page(next, PAGE_BYTES);
      if (page.batches.length === 0) return;
      point = followPage(this.segments, point ?? page.previous, page);
      for (const batch of page.batches) yield trimBatch(batch, next);
      next = point.sequence + 1;
    }
  }

  /**
   * Compares the journal with its high-water mark, also while the journal is written. Returns the
   * sequence of the mark; null for an empty journal that has none. Throws a JournalError.
   */
  verifyMark(logger: Logger): number | null {
    const reading = readMarkFile(markPath(this.dataDir));
    return compareWithMark(this.segments, reading, logger)?.sequence ?? null;
  }

  close(): void {
    this.segments.close();
  }
}
