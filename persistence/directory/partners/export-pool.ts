import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { ExportOrder, ExportResult } from './export-file.ts';

/** Writes export files off the directory's thread: a long one delays nobody. */
export interface ExportPool {
  write(order: ExportOrder): Promise<ExportResult>;
  /** Finishes what was begun and ends the thread. */
  close(): Promise<void>;
}

/** How long the thread stays when there is nothing to write. */
const IDLE_MS = 10_000;
/** The compiled thread lies beside the compiled form of this file. */
const threadFile = fileURLToPath(new URL('./export-thread.js', import.meta.url));

/** `directoryFile` is read only; the thread starts with the first export. */
export function openExportPool(directoryFile: string): ExportPool {
  const pool = new Piscina<ExportOrder, ExportResult>({
    filename: threadFile,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    workerData: directoryFile,
  });
  return {
    write: (order) => pool.run(order, { name: 'run' }),
    close: () => pool.close(),
  };
}
