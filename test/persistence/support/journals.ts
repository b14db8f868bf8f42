import { type Logger, recover, silentLogger } from '../../../persistence/journal/index.ts';
import { Journal } from '../../../persistence/journal/journal.ts';
import type { SqliteStore } from '../../../persistence/journal/sqlite-store.ts';
import { pending } from './events.ts';

/** Small, so that copying a journal is quick. */
export const SMALL_LOG_BYTES = 256 << 10;

export interface OpenJournal {
  readonly store: SqliteStore;
  readonly journal: Journal;
}

export function openJournal(dataDir: string, logger: Logger = silentLogger): OpenJournal {
  const { store, end, batches } = recover(dataDir, logger, { walBytes: SMALL_LOG_BYTES });
  for (const _ of batches);
  return { store, journal: new Journal(store, end) };
}

/** Commits one batch for each count, of that many events. */
export function appendBatches(journal: Journal, counts: readonly number[]): void {
  for (const count of counts) journal.append([pending(journal.durableSequence + 1, count)]);
}
