import {
  type Directory,
  type ExportPool,
  type ExportResult,
  openExportPool,
} from '../../../persistence/directory/index.ts';
import { BackgroundWork } from '../../background-work.ts';
import type { ExportFiles } from './export-files.ts';

export interface ExportWorkParts {
  readonly directory: Directory;
  readonly directoryFile: string;
  readonly files: ExportFiles;
  /** UTC milliseconds. */
  now(): number;
  /** The largest file that can be answered. */
  readonly bytesMax: number;
  /** How long files are kept. */
  readonly keptMs: number;
  onError(error: unknown): void;
}

const CLEANING_INTERVAL_MS = 60 * 60 * 1000;
const CLEANED_AT_ONCE = 100;

/** Writes exports, one at a time, and removes the files of old ones. */
export class ExportWork {
  readonly #parts: ExportWorkParts;
  readonly #pool: ExportPool;
  readonly #writing: BackgroundWork;
  readonly #cleaning: BackgroundWork;
  readonly #interval: NodeJS.Timeout;

  constructor(parts: ExportWorkParts) {
    const { onError } = parts;
    this.#parts = parts;
    this.#pool = openExportPool(parts.directoryFile);
    this.#writing = new BackgroundWork({ step: () => this.#write(), onError });
    this.#cleaning = new BackgroundWork({ step: () => this.#clean(), onError });
    this.#interval = setInterval(() => this.#cleaning.wake(), CLEANING_INTERVAL_MS);
  }

  /** There is an export to write. */
  wake(): void {
    this.#writing.wake();
  }

  /** Goes on with what a stop or a crash left, and cleans up. */
  start(): void {
    this.#writing.wake();
    this.#cleaning.wake();
  }

  async stop(): Promise<void> {
    clearInterval(this.#interval);
    await Promise.all([this.#writing.stop(), this.#cleaning.stop()]);
    await this.#pool.close();
  }

  async #write(): Promise<boolean> {
    const { directory, files, now, bytesMax } = this.#parts;
    const job = await directory.partnerExports.take({ at: now() });
    if (job === null) return false;
    const { exportId, subject, format } = job;
    const order = { subject, format, file: files.pathOf(job), bytesMax };
    const result = await this.#pool.write(order).catch((error: unknown): ExportResult => {
      this.#parts.onError(error);
      return { error: 'The file could not be written.' };
    });
    await directory.partnerExports.finish({ exportId, at: now(), result });
    return true;
  }

  async #clean(): Promise<boolean> {
    const { directory, files, now, keptMs } = this.#parts;
    const before = now() - keptMs;
    const old = await directory.partnerExports.completedBefore({ before, limit: CLEANED_AT_ONCE });
    for (const job of old) {
      await files.remove(job);
      await directory.partnerExports.expire({ exportId: job.exportId, at: now() });
    }
    return old.length > 0;
  }
}
