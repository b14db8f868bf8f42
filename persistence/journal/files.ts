import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where everything of the journal lies under the data directory. */

export const journalPath = (dataDir: string): string => join(dataDir, 'journal.db');
export const markPath = (dataDir: string): string => join(dataDir, 'journal.mark');
export const lockPath = (dataDir: string): string => join(dataDir, 'journal.lock');
export const archivePath = (dataDir: string): string => join(dataDir, 'archive');

export interface ArchiveFile {
  readonly path: string;
  readonly firstSequence: number;
  readonly lastSequence: number;
}

const ARCHIVE_NAME = /^journal-(\d+)-(\d+)\.db$/;

export function archiveName(firstSequence: number, lastSequence: number): string {
  return `journal-${firstSequence}-${lastSequence}.db`;
}

/** The archives in the order of their first sequence; none where there is no such directory. */
export function listArchives(dataDir: string): ArchiveFile[] {
  const files: ArchiveFile[] = [];
  for (const name of namesIn(archivePath(dataDir))) {
    const match = ARCHIVE_NAME.exec(name);
    if (match === null) continue;
    files.push({
      path: join(archivePath(dataDir), name),
      firstSequence: Number(match[1]),
      lastSequence: Number(match[2]),
    });
  }
  return files.sort((a, b) => a.firstSequence - b.firstSequence);
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Makes the directory entries themselves durable: a synced file in an unsynced directory may vanish. */
export function syncDirectory(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Creates the directory if it is not there, durably. */
export function ensureDirectory(path: string): void {
  const created = mkdirSync(path, { recursive: true });
  if (created !== undefined) syncDirectory(join(path, '..'));
}
