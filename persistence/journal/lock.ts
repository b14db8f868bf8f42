import Database from 'better-sqlite3';
import { JournalInUse } from './errors.ts';
import { lockPath } from './files.ts';

/** How long a starting process waits for the one that it replaces. */
const WAIT_MS = 2_000;

/** A lock on the data directory that the kernel takes back however the process ends. */
export interface DirectoryLock {
  release(): void;
}

export function lockDirectory(dataDir: string): DirectoryLock {
  const database = new Database(lockPath(dataDir), { timeout: WAIT_MS });
  try {
    database.pragma('journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw new JournalInUse(dataDir, { cause: error });
  }
  return { release: () => database.close() };
}
