import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { BotCredentials } from '../identity/index.ts';

const STOP_TIMEOUT_MS = 4000;

/** What the thread is told when it starts. */
export interface BotsWorkerData {
  readonly baseUrl: string;
  readonly credentials: BotCredentials;
  readonly seed: number;
  readonly runId: string;
}

export interface LiquidityBotsHostOptions {
  /** Where the HTTP interface listens, `http://127.0.0.1:9000`. */
  readonly baseUrl: string;
  readonly credentials: BotCredentials;
  readonly report: (message: string) => void;
}

export interface RunningBots {
  /** Has the bots take their quotes off; call it while the HTTP interface still answers. */
  stop(): Promise<void>;
}

/** Runs the liquidity bots in a thread of their own. They wait for the venue to be ready. */
export function startLiquidityBots(options: LiquidityBotsHostOptions): RunningBots {
  const { baseUrl, credentials, report } = options;
  const workerData: BotsWorkerData = {
    baseUrl,
    credentials,
    seed: randomInt(2 ** 32),
    runId: randomUUID(),
  };
  const worker = new Worker(new URL('./bots-thread.js', import.meta.url), { workerData });
  worker.on('message', (message) => report(String(message)));
  worker.on('error', (error) => report(`stopped: ${error.message}`));
  const ended = once(worker, 'exit').catch(() => undefined);
  return {
    async stop() {
      worker.postMessage('stop');
      const abandon = new AbortController();
      const tooLong = sleep(STOP_TIMEOUT_MS, undefined, { signal: abandon.signal });
      await Promise.race([ended, tooLong.catch(() => undefined)]);
      abandon.abort();
      await worker.terminate();
    },
  };
}
