import { workerData } from 'piscina';
import { openDirectoryReader } from '../database.ts';
import { type ExportOrder, type ExportResult, writeExport } from './export-file.ts';

/** The thread that writes export files, beside the one that owns the directory file. */
export function run(order: ExportOrder): ExportResult {
  const database = openDirectoryReader(String(workerData));
  try {
    return writeExport(database, order);
  } finally {
    database.close();
  }
}
