import { setTimeout as sleep } from 'node:timers/promises';
import { DirectoryBusyError } from '../persistence/directory/index.ts';

export interface BackgroundWorkParts {
  /** One piece of work; answers whether there was one. */
  step(): Promise<boolean>;
  onError(error: unknown): void;
}

const BUSY_PAUSE_MS = 50;
const ERROR_PAUSE_MS = 5_000;

/**
 * Works off what is written down elsewhere, piece by piece, and rests when there is none. It keeps
 * nothing itself: after a crash the next start goes on.
 */
export class BackgroundWork {
  readonly #parts: BackgroundWorkParts;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #isWoken = false;

  constructor(parts: BackgroundWorkParts) {
    this.#parts = parts;
  }

  /** There may be work. */
  wake(): void {
    this.#isWoken = true;
    if (this.#stopping.signal.aborted) return;
    this.#running ??= this.#run();
  }

  /** Resolves when the piece at work is done. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isWoken && !this.#stopping.signal.aborted) {
      this.#isWoken = false;
      if (await this.#step()) this.#isWoken = true;
    }
    this.#running = undefined;
  }

  /** What fails is tried again, after a while: it is written down and must not be forgotten. */
  async #step(): Promise<boolean> {
    try {
      return await this.#parts.step();
    } catch (error) {
      const isBusy = error instanceof DirectoryBusyError;
      if (!isBusy) this.#parts.onError(error);
      await this.#pause(isBusy ? BUSY_PAUSE_MS : ERROR_PAUSE_MS);
      return true;
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}
