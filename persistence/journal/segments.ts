import { BatchFile } from './batch-file.ts';
import type { BatchPage, BatchReads } from './batch-store.ts';
import { type ChainPoint, genesis } from './chain.ts';
import { JournalCorrupt } from './errors.ts';
import { listArchives } from './files.ts';

/**
 * The live journal and its archives, read as one. Archives may overlap what is still live, because
 * batches are deleted only after they were archived.
 */
export class Segments implements BatchReads {
  private readonly dataDir: string;
  private readonly live: BatchFile;
  private archive: { readonly path: string; readonly file: BatchFile } | null = null;

  /** Takes `live` over; `close` closes it. */
  constructor(dataDir: string, live: BatchFile) {
    this.dataDir = dataDir;
    this.live = live;
  }

  origin(): ChainPoint {
    return genesis(this.live.venueId);
  }

  base(): ChainPoint {
    return this.live.base();
  }

  end(): ChainPoint {
    return this.live.end();
  }

  endOfBatchAt(sequence: number): ChainPoint {
    if (sequence >= this.base().sequence) return this.live.endOfBatchAt(sequence);
    if (sequence <= 0) return this.origin();
    return this.archiveOf(sequence).endOfBatchAt(sequence);
  }

  page(fromSequence: number, bytesMax: number): BatchPage {
    // The base moves while this reads, but never before the batches can be read from an archive.
    if (fromSequence > this.base().sequence) {
      const page = this.live.page(fromSequence, bytesMax);
      if (fromSequence > page.previous.sequence) return page;
    }
    const page = this.archiveOf(fromSequence).page(fromSequence, bytesMax);
    if (page.batches.length === 0) {
      throw new JournalCorrupt(fromSequence, 'the archive that should hold it ends before it');
    }
    return page;
  }

  close(): void {
    this.closeArchive();
    this.live.close();
  }

  private archiveOf(sequence: number): BatchFile {
    const [best] = listArchives(this.dataDir)
      .filter((file) => file.firstSequence <= sequence && sequence <= file.lastSequence)
      .sort((a, b) => b.lastSequence - a.lastSequence);
    if (best === undefined) {
      throw new JournalCorrupt(sequence, 'it is neither in the journal nor in an archive');
    }
    if (this.archive?.path === best.path) return this.archive.file;
    this.closeArchive();
    const file = BatchFile.openReadOnly(best.path);
    this.archive = { path: best.path, file };
    return file;
  }

  private closeArchive(): void {
    this.archive?.file.close();
    this.archive = null;
  }
}
