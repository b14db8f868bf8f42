import { BatchFile, type BatchPage, guardRead } from './batch-file.ts';
import { type ChainPoint, follow, trimBatch } from './chain.ts';
import { JournalCorrupt } from './errors.ts';
import { journalPath, listArchives } from './files.ts';

/** A run of events in sequence; `events` holds `count` whole records. */
export interface JournalBatch {
  readonly firstSequence: number;
  readonly count: number;
  readonly events: Uint8Array;
}

/** How much payload one read transaction takes, and so about how much a reader keeps in memory. */
const PAGE_BYTES = 1 << 20;

/**
 * Reads committed batches, also while the journal thread appends and from any other thread: the
 * connection is its own and read-only. Archives are read as if they were part of the journal.
 * Every batch is verified against the chain before it is handed out.
 */
export class JournalReader {
  private readonly dataDir: string;
  private readonly live: BatchFile;
  private archive: { readonly path: string; readonly file: BatchFile } | null = null;

  /** The journal must exist; the journal thread reports when it does. */
  constructor(dataDir: string) {
    this.dataDir = dataDir;
    this.live = BatchFile.openReadOnly(journalPath(dataDir));
  }

  /** The last durable sequence; 0 before the first event. */
  lastSequence(): number {
    return this.live.end().sequence;
  }

  /**
   * The batches from `fromSequence` to the end as it is when the reader gets there; call again from
   * the next sequence for what came later. The first one is cut to start at `fromSequence`.
   * No transaction is open while the caller works on a batch. Throws JournalCorrupt.
   */
  *batches(fromSequence: number): Generator<JournalBatch, void, void> {
    let next = Math.max(1, fromSequence);
    let point: ChainPoint | null = null;
    for (;;) {
      const page = this.pageAt(next);
      if (page.batches.length === 0) return;
      point ??= page.previous;
      for (const batch of page.batches) {
        point = follow(point, batch);
        yield trimBatch(batch, next);
        next = point.sequence + 1;
      }
    }
  }

  close(): void {
    this.closeArchive();
    this.live.close();
  }

  private pageAt(sequence: number): BatchPage {
    // The base moves while batches are archived, and only after they can be read from there.
    if (sequence > this.live.base().sequence) {
      const page = this.live.page(sequence, PAGE_BYTES);
      if (sequence > page.previous.sequence) return page;
    }
    return this.archivedPage(sequence);
  }

  private archivedPage(sequence: number): BatchPage {
    const candidates = listArchives(this.dataDir)
      .filter((file) => file.firstSequence <= sequence && sequence <= file.lastSequence)
      .sort((a, b) => b.lastSequence - a.lastSequence);
    const best = candidates[0];
    if (best === undefined) {
      throw new JournalCorrupt(sequence, 'it is neither in the journal nor in an archive');
    }
    if (this.archive?.path !== best.path) {
      this.closeArchive();
      const file = guardRead(sequence, () => BatchFile.openReadOnly(best.path));
      this.archive = { path: best.path, file };
    }
    const page = this.archive?.file.page(sequence, PAGE_BYTES);
    if (page === undefined || page.batches.length === 0) {
      throw new JournalCorrupt(sequence, `the archive ${best.path} ends before it`);
    }
    return page;
  }

  private closeArchive(): void {
    this.archive?.file.close();
    this.archive = null;
  }
}
