import Database from 'better-sqlite3';
import { workerData } from 'piscina';
import { ViewsInconsistent } from './errors.ts';
import type { QueryOutcome, QueryTask } from './protocol.ts';
import { ViewsReader } from './queries/reader.ts';

/** A thread of the query pool: one read-only connection, opened on the first task. */

let reader: ViewsReader | null = null;
let readerGeneration = -1;

/** Runs one task. A file that was made anew is opened anew. */
export function execute(task: QueryTask): QueryOutcome {
  try {
    if (reader === null || task.generation !== readerGeneration) {
      reader?.close();
      reader = null;
      reader = new ViewsReader(String(workerData));
      readerGeneration = task.generation;
    }
    return { ok: true, texts: reader.answer(task.requests) };
  } catch (error) {
    return { ok: false, damaged: isDamage(error), message: String(error) };
  }
}

function isDamage(error: unknown): boolean {
  if (error instanceof ViewsInconsistent) return true;
  return error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
}
