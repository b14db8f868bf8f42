import { once } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type {
  JournalInput,
  JournalOptions,
  JournalRelease,
  RestoreMessage,
  SnapshotOptions,
  ThreadReport,
} from '../../../persistence/journal/index.ts';
import { eventBytes } from './events.ts';

const compiled = (path: string): URL => pathToFileURL(resolve('dist/persistence', path));

export interface ThreadsOptions {
  readonly journal?: Partial<JournalOptions>;
  readonly snapshots?: Partial<SnapshotOptions>;
}

/** The journal and snapshot threads, with this side in the place of clearing and gateway. */
export class Threads {
  readonly journal: Worker;
  readonly snapshots: Worker;
  readonly clearing: MessagePort;
  readonly gateway: MessagePort;
  readonly snapshotPort: MessagePort;
  readonly reports: ThreadReport[] = [];
  private sent = 0;

  constructor(dataDir: string, options: ThreadsOptions = {}) {
    const clearing = new MessageChannel();
    const gateway = new MessageChannel();
    const durability = new MessageChannel();
    const snapshots = new MessageChannel();
    this.clearing = clearing.port1;
    this.gateway = gateway.port1;
    this.snapshotPort = snapshots.port1;
    this.journal = new Worker(compiled('journal/journal-thread.js'), {
      workerData: {
        dataDir,
        clearing: clearing.port2,
        gateway: gateway.port2,
        snapshots: durability.port1,
        options: { walBytes: 256 << 10, ...options.journal },
      },
      transferList: [clearing.port2, gateway.port2, durability.port1],
    });
    this.snapshots = new Worker(compiled('snapshots/snapshot-thread.js'), {
      workerData: {
        dataDir,
        clearing: snapshots.port2,
        journal: durability.port2,
        options: options.snapshots ?? {},
      },
      transferList: [snapshots.port2, durability.port2],
    });
    for (const worker of [this.journal, this.snapshots]) {
      worker.on('message', (report: ThreadReport) => this.reports.push(report));
    }
  }

  /** Takes in the recovered state, acknowledging each piece; resolves with its sequence. */
  recovered(onMessage: (message: RestoreMessage) => void = () => {}): Promise<number> {
    return new Promise((done, failed) => {
      this.journal.once('error', failed);
      this.journal.once('exit', () => failed(new Error('the journal thread ended')));
      this.clearing.on('message', (message: RestoreMessage) => {
        onMessage(message);
        if (message.kind === 'replay') {
          const sequence = message.firstSequence + message.count - 1;
          this.clearing.postMessage({ kind: 'replayed', sequence });
        } else if (message.kind === 'recovered') {
          this.sent = message.sequence;
          done(message.sequence);
        }
      });
    });
  }

  /** Sends the next `count` events with as many bytes of answers; returns the last sequence. */
  send(count: number): number {
    const events = eventBytes(this.sent + 1, count).slice().buffer;
    const answers = new Uint8Array(count).fill(count).buffer;
    const input: JournalInput = { firstSequence: this.sent + 1, count, events, answers };
    this.clearing.postMessage(input, [events, answers]);
    this.sent += count;
    return this.sent;
  }

  onRelease(handle: (release: JournalRelease) => void): void {
    this.gateway.on('message', handle);
  }

  report<K extends ThreadReport['kind']>(kind: K): Promise<Extract<ThreadReport, { kind: K }>> {
    const isIt = (report: ThreadReport): report is Extract<ThreadReport, { kind: K }> =>
      report.kind === kind;
    const known = this.reports.find(isIt);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((done) => {
      for (const worker of [this.journal, this.snapshots]) {
        worker.on('message', (report: ThreadReport) => {
          if (isIt(report)) done(report);
        });
      }
    });
  }

  /** Stops both threads in the order of the platform and closes this side; returns exit codes. */
  async stop(): Promise<number[]> {
    const codes: number[] = [];
    for (const worker of [this.journal, this.snapshots]) {
      worker.removeAllListeners('exit');
      const exit = once(worker, 'exit') as Promise<[number]>;
      worker.postMessage({ kind: 'stop' });
      codes.push((await exit)[0]);
    }
    for (const port of [this.clearing, this.gateway, this.snapshotPort]) port.close();
    return codes;
  }
}
