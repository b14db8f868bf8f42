import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { MessageChannel, Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { type Logger, silentLogger } from '../journal/index.ts';
import { ViewsClient } from './client.ts';
import { PROJECTION_POLICY, type ProjectionPolicy } from './pacing.ts';
import type { QueryOutcome, QueryTask, ViewsThreadData } from './protocol.ts';

export interface ViewsOptions {
  /** The journal must exist in it. */
  readonly dataDir: string;
  /** Threads that answer queries; 1 and 1 by default. */
  readonly minThreads?: number;
  readonly maxThreads?: number;
  /** How long a read may wait for the views to catch up, ms; 2,000 by default. */
  readonly waitMax?: number;
  /** Reads under way at once; more are refused. 4,096 by default. */
  readonly pendingMax?: number;
  readonly policy?: Partial<ProjectionPolicy>;
  /** How much the writing thread steps back behind the others (Linux); 5 by default. */
  readonly niceness?: number;
  readonly logger?: Logger;
}

/** The views with their threads: one that writes, a pool that reads. */
export interface Views {
  readonly client: ViewsClient;
  /** Answers what was asked, flushes the views and ends the threads. */
  close(): Promise<void>;
}

/** How long after its end a views thread that failed is started again, ms. */
const RESTART_AFTER = 1_000;

/**
 * Starts the threads and returns at once: reads wait until the views are there. Nothing that happens
 * to the views stops the venue; reads are answered as lagging meanwhile.
 */
export function openViews(options: ViewsOptions): Views {
  const logger = options.logger ?? silentLogger;
  const maxThreads = options.maxThreads ?? 1;
  const pool: Piscina<QueryTask, QueryOutcome> = new Piscina({
    filename: fileURLToPath(new URL('./query-thread.js', import.meta.url)),
    name: 'execute',
    minThreads: options.minThreads ?? 1,
    maxThreads,
    workerData: options.dataDir,
  });
  const client = new ViewsClient({
    run: (task) => pool.run(task),
    // One more than can run: a thread finds its next task waiting.
    tasksMax: maxThreads + 1,
    waitMax: options.waitMax ?? 2_000,
    pendingMax: options.pendingMax ?? 4_096,
    logger,
  });
  const writer = new ViewsWriter(options, client, logger);
  writer.start();
  return {
    client,
    async close() {
      // Readers first: the last connection of all may then fold the write-ahead log in.
      client.refuse();
      await pool.close();
      await writer.stop();
    },
  };
}

/** The writing thread, and its successor where it ends by itself. */
class ViewsWriter {
  private readonly options: ViewsOptions;
  private readonly client: ViewsClient;
  private readonly logger: Logger;
  private worker: Worker | null = null;
  private restart: NodeJS.Timeout | null = null;
  private stopping = false;

  constructor(options: ViewsOptions, client: ViewsClient, logger: Logger) {
    this.options = options;
    this.client = client;
    this.logger = logger;
  }

  start(): void {
    const { port1, port2 } = new MessageChannel();
    const data: ViewsThreadData = {
      dataDir: this.options.dataDir,
      port: port2,
      policy: { ...PROJECTION_POLICY, ...this.options.policy },
      niceness: this.options.niceness ?? 5,
    };
    const file = new URL('./views-thread.js', import.meta.url);
    const worker = new Worker(file, { workerData: data, transferList: [port2] });
    this.worker = worker;
    this.client.attach(port1);
    worker.on('error', (error) => {
      this.logger.error({ error: String(error) }, 'the views thread failed');
    });
    worker.on('exit', () => {
      this.worker = null;
      port1.close();
      if (!this.stopping) this.restart = setTimeout(() => this.start(), RESTART_AFTER);
    });
  }

  async stop(): Promise<void> {
    this.stopping = true;
    if (this.restart !== null) clearTimeout(this.restart);
    const { worker } = this;
    if (worker === null) return;
    const ended = once(worker, 'exit');
    this.client.close();
    await ended;
  }
}
