import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { BatchFile, createBatchTables } from './batch-file.ts';
import { type Batch, type ChainPoint, equalBytes, lastSequenceOf } from './chain.ts';
import { JournalCorrupt } from './errors.ts';
import {
  archiveName,
  archivePath,
  ensureDirectory,
  journalPath,
  listArchives,
  syncDirectory,
} from './files.ts';
import { followPage } from './verify.ts';

const PAGE_BYTES = 1 << 20;
/** About how much one archive file holds. */
const ARCHIVE_BYTES = 64 << 20;

/**
 * Copies the batches that end at or before `sequence` into verified files under DATA_DIR/archive.
 * Nothing is deleted from the journal: that is its writer's part, once this returned. Returns how
 * far the archives reach. Works beside a running writer, over a connection of its own.
 */
export function archiveThrough(
  dataDir: string,
  sequence: number,
  archiveBytes = ARCHIVE_BYTES,
): number {
  const live = BatchFile.openReadOnly(journalPath(dataDir));
  try {
    ensureDirectory(archivePath(dataDir));
    let next = archivedEnd(dataDir, live.base().sequence) + 1;
    while (next <= sequence) {
      const archived = archiveFrom(dataDir, live, next, sequence, archiveBytes);
      if (archived === null) break;
      next = archived + 1;
    }
    return next - 1;
  } finally {
    live.close();
  }
}

/** How far archives reach without a gap from `sequence` on, which is archived itself. */
function archivedEnd(dataDir: string, sequence: number): number {
  let end = sequence;
  for (const file of listArchives(dataDir)) {
    if (file.firstSequence <= end + 1) end = Math.max(end, file.lastSequence);
  }
  return end;
}

/** Writes one archive that starts at `firstSequence`; null where no whole batch fits in. */
function archiveFrom(
  dataDir: string,
  live: BatchFile,
  firstSequence: number,
  lastSequence: number,
  archiveBytes: number,
): number | null {
  const unfinished = join(archivePath(dataDir), `journal-${firstSequence}.unfinished`);
  for (const suffix of ['', '-journal']) rmSync(`${unfinished}${suffix}`, { force: true });
  const end = copyBatches(live, firstSequence, lastSequence, archiveBytes, unfinished);
  if (end === null) {
    rmSync(unfinished, { force: true });
    return null;
  }
  verifyArchive(unfinished, end);
  syncFile(unfinished);
  const path = join(archivePath(dataDir), archiveName(firstSequence, end.sequence));
  renameSync(unfinished, path);
  syncDirectory(dirname(path));
  return end.sequence;
}

function copyBatches(
  live: BatchFile,
  firstSequence: number,
  lastSequence: number,
  archiveBytes: number,
  path: string,
): ChainPoint | null {
  const database = new Database(path);
  try {
    database.pragma('journal_mode = DELETE');
    database.pragma('synchronous = FULL');
    createBatchTables(database, {
      venueId: live.venueId,
      base: live.page(firstSequence, 1).previous,
    });
    const insert = database.prepare('INSERT INTO batches VALUES (?, ?, ?, ?)');
    let end: ChainPoint | null = null;
    database.exec('BEGIN');
    for (const batch of wholeBatches(live, firstSequence, lastSequence, archiveBytes)) {
      const { hash } = live.endOfBatchAt(batch.firstSequence);
      insert.run(batch.firstSequence, batch.count, hash, batch.payload);
      end = { sequence: lastSequenceOf(batch), hash };
    }
    database.exec('COMMIT');
    return end;
  } finally {
    database.close();
  }
}

/** The batches from `firstSequence` that end by `lastSequence`, about `bytesMax` of them. */
function* wholeBatches(
  live: BatchFile,
  firstSequence: number,
  lastSequence: number,
  bytesMax: number,
): Generator<Batch, void, void> {
  let next = firstSequence;
  let bytes = 0;
  for (;;) {
    const { batches } = live.page(next, PAGE_BYTES);
    if (batches.length === 0) return;
    for (const batch of batches) {
      if (bytes >= bytesMax || lastSequenceOf(batch) > lastSequence) return;
      yield batch;
      bytes += batch.payload.length;
      next = lastSequenceOf(batch) + 1;
    }
  }
}

/** Reads a written archive back and follows its chain to the end that it should have. */
function verifyArchive(path: string, end: ChainPoint): void {
  const file = BatchFile.openReadOnly(path);
  try {
    let point = file.base();
    for (;;) {
      const page = file.page(point.sequence + 1, PAGE_BYTES);
      if (page.batches.length === 0) break;
      point = followPage(file, point, page);
    }
    if (point.sequence !== end.sequence || !equalBytes(point.hash, end.hash)) {
      throw new JournalCorrupt(point.sequence + 1, `the archive ${path} is not what was written`);
    }
  } finally {
    file.close();
  }
}

function syncFile(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
