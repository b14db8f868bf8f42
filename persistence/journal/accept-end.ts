import { existsSync, renameSync, rmSync } from 'node:fs';
import { SnapshotStore, snapshotsPath } from '../snapshots/snapshot-store.ts';
import { BatchFile } from './batch-file.ts';
import type { ChainPoint } from './chain.ts';
import { JournalCorrupt } from './errors.ts';
import { journalPath, markPath } from './files.ts';
import { lockDirectory } from './lock.ts';
import { silentLogger } from './logger.ts';
import { MarkFile } from './mark-file.ts';
import { Segments } from './segments.ts';
import { verifiedBatches } from './verify.ts';

/**
 * An operator's decision, never the program's: takes the journal's present end for the truth, after
 * the mark was lost, or after batches were lost for good. The whole chain must be intact. Snapshots
 * beyond the end are set aside. Returns the accepted sequence. Throws a JournalError.
 */
export function acceptEnd(dataDir: string): number {
  if (!existsSync(journalPath(dataDir))) throw new JournalCorrupt(1, 'there is no journal');
  const lock = lockDirectory(dataDir);
  try {
    const end = verifiedEnd(dataDir);
    setSnapshotsAside(dataDir, end.sequence);
    rmSync(markPath(dataDir), { force: true });
    const mark = new MarkFile(markPath(dataDir));
    mark.write(end);
    mark.sync();
    mark.close();
    return end.sequence;
  } finally {
    lock.release();
  }
}

function verifiedEnd(dataDir: string): ChainPoint {
  const segments = new Segments(dataDir, BatchFile.openReadOnly(journalPath(dataDir)));
  try {
    const end = segments.end();
    for (const _ of verifiedBatches(segments, segments.origin(), end));
    return end;
  } finally {
    segments.close();
  }
}

function setSnapshotsAside(dataDir: string, sequence: number): void {
  const store = SnapshotStore.open(dataDir, silentLogger);
  const beyond = store.headers().some((header) => header.anchor.sequence > sequence);
  store.close();
  if (!beyond) return;
  const path = snapshotsPath(dataDir);
  renameSync(path, `${path}.beyond-${sequence}`);
}
