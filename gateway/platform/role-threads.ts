import { once } from 'node:events';
import { MessageChannel, MessagePort, Worker } from 'node:worker_threads';
import {
  CLEARING_THREAD,
  type ClearingControl,
  type ClearingReport,
  type ClearingThreadData,
  MARKET_THREAD,
  type MarketThreadData,
} from '../../core/runtime/index.ts';
import type {
  JournalRelease,
  JournalThreadData,
  SnapshotThreadData,
  ThreadReport,
} from '../../persistence/journal/index.ts';
import { JOURNAL_THREAD } from '../../persistence/journal/index.ts';
import { SNAPSHOT_THREAD } from '../../persistence/snapshots/index.ts';
import type { Config } from '../config.ts';

export interface RoleThreadsOptions {
  readonly config: Config;
  readonly log: (level: 'info' | 'warn' | 'error', details: object, message: string) => void;
  readonly onRelease: (release: JournalRelease) => void;
  /** A role has failed: nothing more is acknowledged, and the process must end. */
  readonly onFatal: (details: object, message: string) => void;
}

/**
 * The roles in their threads, wired up:
 *
 *     gateway → clearing ⇄ market workers
 *                  ↓ events, answers      ↘ snapshots
 *               journal → gateway
 */
export class RoleThreads {
  private readonly options: RoleThreadsOptions;
  private readonly journal: Worker;
  private readonly snapshots: Worker;
  private readonly clearing: Worker;
  private readonly markets: readonly Worker[];
  private readonly commands: MessagePort;
  private readonly releases: MessagePort;
  private stopping = false;

  constructor(options: RoleThreadsOptions) {
    this.options = options;
    const { config } = options;
    const toClearing = new MessageChannel();
    const toJournal = new MessageChannel();
    const toGateway = new MessageChannel();
    const toSnapshots = new MessageChannel();
    const durability = new MessageChannel();
    const toMarkets = Array.from({ length: config.marketWorkers }, () => new MessageChannel());
    this.commands = toClearing.port1;
    this.releases = toGateway.port2;
    this.releases.on('message', options.onRelease);

    this.snapshots = this.start('snapshots', SNAPSHOT_THREAD, {
      dataDir: config.dataDir,
      clearing: toSnapshots.port2,
      journal: durability.port1,
      options: { keep: config.snapshotsKept, archive: config.journalArchive },
    } satisfies SnapshotThreadData);
    this.journal = this.start('journal', JOURNAL_THREAD, {
      dataDir: config.dataDir,
      clearing: toJournal.port2,
      gateway: toGateway.port1,
      snapshots: durability.port2,
    } satisfies JournalThreadData);
    this.markets = toMarkets.map(({ port2 }, index) =>
      this.start(`market worker ${index}`, MARKET_THREAD, {
        clearing: port2,
      } satisfies MarketThreadData),
    );
    this.clearing = this.start('clearing', CLEARING_THREAD, {
      gateway: toClearing.port2,
      journal: toJournal.port1,
      snapshots: toSnapshots.port1,
      markets: toMarkets.map(({ port1 }) => port1),
      snapshotEvery: config.snapshotEvents,
      clientOrderIdWindow: config.clientOrderIdWindow,
      openOrdersMax: config.openOrdersMax,
      timeZoneId: config.timeZone,
    } satisfies ClearingThreadData);
  }

  /** Resolves when the state is recovered and every open order is back in its book. */
  async resume(now: () => number): Promise<void> {
    await reported(this.clearing, 'recovered');
    const resumed = reported(this.clearing, 'resumed');
    this.clearing.postMessage({ kind: 'resume', now: now() } satisfies ClearingControl);
    await resumed;
  }

  send(batch: ArrayBuffer): void {
    this.commands.postMessage(batch, [batch]);
  }

  /** Ends the roles one after the other: what was acknowledged is in the journal and a snapshot. */
  async stop(): Promise<void> {
    this.stopping = true;
    await end(this.clearing);
    await end(this.journal);
    await end(this.snapshots);
    await Promise.all(this.markets.map((worker) => worker.terminate()));
    this.commands.close();
    this.releases.close();
  }

  private start(name: string, entry: URL, data: RoleData): Worker {
    const { log, onFatal } = this.options;
    const transferList = Object.values(data).flat().filter(isPort);
    const worker = new Worker(entry, { name, workerData: data, transferList });
    worker.on('message', (report: ThreadReport | ClearingReport) => {
      if (report.kind === 'log')
        log(report.level, { thread: name, ...report.details }, report.message);
      if (report.kind === 'paused') {
        const { sequence, milliseconds } = report;
        log('info', { thread: name, sequence, milliseconds }, 'copied the state for a snapshot');
      }
      if (report.kind === 'fatal') onFatal({ thread: name, code: report.code }, report.message);
    });
    worker.on('error', (error) => onFatal({ thread: name, error }, 'a thread failed'));
    worker.on('exit', (code) => {
      if (!this.stopping) onFatal({ thread: name, code }, 'a thread ended by itself');
    });
    return worker;
  }
}

type RoleData = ClearingThreadData | MarketThreadData | JournalThreadData | SnapshotThreadData;

function isPort(value: unknown): value is MessagePort {
  return value instanceof MessagePort;
}

/** Resolves when the thread has reported `kind`. */
function reported(worker: Worker, kind: string): Promise<void> {
  return new Promise((resolve) => {
    const listen = (report: { readonly kind: string }): void => {
      if (report.kind !== kind) return;
      worker.off('message', listen);
      resolve();
    };
    worker.on('message', listen);
  });
}

async function end(worker: Worker): Promise<void> {
  const ended = once(worker, 'exit');
  worker.postMessage({ kind: 'stop' });
  await ended;
}
