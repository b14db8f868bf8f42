import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { createDirectoryCalls, type DirectoryCalls, type DirectoryRequest } from './operations.ts';
import type { DirectoryResponse } from './worker.ts';

/**
 * What is neither money nor orders: users, roles, OAuth clients, refresh tokens, favorites, and the
 * audit trail of every administrative change. A SQLite file that one thread of its own reads and
 * writes, so that no caller ever waits for the disk.
 */
export interface Directory extends DirectoryCalls {
  /** Finishes what was asked, closes the file and ends the thread. Later calls are refused. */
  close(): Promise<void>;
}

export interface DirectoryOptions {
  readonly file: string;
  /** Calls that may be under way at once; beyond that they are refused. 1,024 by default. */
  readonly pendingMax?: number;
  /**
   * The disk or the file failed. Nothing that was written around that moment can be trusted to be
   * durable, so the process should stop and start again from the disk.
   */
  readonly onFatal?: (error: DirectoryError) => void;
}

/** A fault of the directory; `code` is SQLite's (`SQLITE_IOERR_FSYNC`) where there is one. */
class DirectoryError extends Error {
  override readonly name = 'DirectoryError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }

  /** Whether the file can no longer be relied on. */
  get isFatal(): boolean {
    return /^SQLITE_(?:IOERR|CORRUPT|NOTADB)/.test(this.code);
  }
}

/** Too many calls are waiting, or the directory is closed: say so to the client, try later. */
export class DirectoryBusyError extends Error {
  override readonly name = 'DirectoryBusyError';
}

const PENDING_MAX = 1_024;
/** The compiled worker lies beside the compiled form of this file. */
const workerFile = fileURLToPath(new URL('./worker.js', import.meta.url));

/** Opens the file in its thread; rejects when it cannot be opened or is not a directory. */
export async function openDirectory(options: DirectoryOptions): Promise<Directory> {
  const pool = new Piscina({
    filename: workerFile,
    minThreads: 1,
    maxThreads: 1,
    // Without it the pool may put the head of its queue back at the tail: a read before its write.
    stricterFIFO: true,
    workerData: options.file,
  });
  const thread = new DirectoryThread(pool, options);
  try {
    await thread.open();
  } catch (error) {
    await pool.close();
    throw error;
  }
  return {
    ...createDirectoryCalls((request) => thread.execute(request)),
    close: () => thread.close(),
  };
}

class DirectoryThread {
  readonly #pool: Piscina<DirectoryRequest | null, DirectoryResponse>;
  readonly #pendingMax: number;
  readonly #onFatal: ((error: DirectoryError) => void) | undefined;
  #pending = 0;
  #closing: Promise<void> | null = null;

  constructor(
    pool: Piscina<DirectoryRequest | null, DirectoryResponse>,
    options: DirectoryOptions,
  ) {
    this.#pool = pool;
    this.#pendingMax = options.pendingMax ?? PENDING_MAX;
    this.#onFatal = options.onFatal;
  }

  async open(): Promise<void> {
    unwrap(await this.#pool.run(null, { name: 'open' }));
  }

  async execute(request: DirectoryRequest): Promise<unknown> {
    if (this.#closing !== null) throw new DirectoryBusyError('the directory is closed');
    if (this.#pending >= this.#pendingMax) {
      throw new DirectoryBusyError('too many calls to the directory');
    }
    this.#pending += 1;
    try {
      return unwrap(await this.#pool.run(request, { name: 'execute' }));
    } catch (error) {
      if (error instanceof DirectoryError && error.isFatal) this.#onFatal?.(error);
      throw error;
    } finally {
      this.#pending -= 1;
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** The queue is first in, first out: what was asked before runs before the file is closed. */
  async #close(): Promise<void> {
    unwrap(await this.#pool.run(null, { name: 'close' }));
    await this.#pool.close();
  }
}

function unwrap(response: DirectoryResponse): unknown {
  if (response.ok) return response.value;
  throw new DirectoryError(response.code, response.message);
}
