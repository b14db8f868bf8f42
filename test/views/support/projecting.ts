import type Database from 'better-sqlite3';
import type { EventSource } from '../../../persistence/views/progress.ts';
import { Projection } from '../../../persistence/views/projection.ts';
import { ViewsReader } from '../../../persistence/views/queries/reader.ts';
import type { QueryRequest } from '../../../persistence/views/queries/requests.ts';
import { openViewsForWriting } from '../../../persistence/views/store.ts';

/** Projects everything that the source has, in one commit, and leaves the file in order. */
export function projectAll(dataDir: string, source: EventSource): void {
  const { database } = openViewsForWriting(dataDir, source);
  projectOn(database, source);
  database.close();
}

export function projectOn(database: Database.Database, source: EventSource): void {
  const projection = new Projection(database);
  for (const batch of source.batches(projection.sequence + 1)) projection.fold(batch);
  projection.commit(source.endOfBatchAt(projection.sequence).hash);
}

/** Asks one question of a reader and parses the answer. */
export function ask<T>(reader: ViewsReader, request: QueryRequest): T {
  const [text] = reader.answer([request]);
  return JSON.parse(text ?? 'null') as T;
}

export function withReader<T>(dataDir: string, use: (reader: ViewsReader) => T): T {
  const reader = new ViewsReader(dataDir);
  try {
    return use(reader);
  } finally {
    reader.close();
  }
}
