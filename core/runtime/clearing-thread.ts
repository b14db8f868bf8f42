import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import {
  Clearing,
  type ClearingSnapshot,
  ClearingState,
  Replay,
  restoreState,
} from '../clearing/index.ts';
import { type BookHost, localBooks, threadedBooks } from './book-host.ts';
import { portChannel } from './channel.ts';
import { ClearingHost } from './clearing-host.ts';
import { buffersOf } from './transfer.ts';

/** workerData of this thread. Without market ports the books live in this thread too. */
export interface ClearingThreadData {
  readonly gateway: MessagePort;
  readonly journal: MessagePort;
  readonly snapshots: MessagePort;
  readonly markets: readonly MessagePort[];
  readonly snapshotEvery: number;
  readonly clientOrderIdWindow: number;
  readonly openOrdersMax: number;
  /** IANA zone of the platform's days. */
  readonly timeZoneId: string;
}

/** Parent → this thread. */
export type ClearingControl =
  /** Recovery is over: take up work, at this time. */
  | { readonly kind: 'resume'; readonly now: number }
  /** Nothing more will come: snapshot, tell the parent, end. */
  | { readonly kind: 'stop' };

/** This thread → parent. */
export type ClearingReport =
  | { readonly kind: 'recovered'; readonly sequence: number }
  | { readonly kind: 'resumed'; readonly sequence: number }
  /** Clearing stood still for so long to copy its state. */
  | { readonly kind: 'paused'; readonly sequence: number; readonly milliseconds: number }
  | { readonly kind: 'stopped'; readonly sequence: number };

/** Journal → this thread, before anything else. */
type Restore =
  | { readonly kind: 'restore'; readonly snapshot: { readonly state: unknown } | null }
  | { readonly kind: 'replay'; readonly firstSequence: number; readonly events: ArrayBuffer }
  | { readonly kind: 'recovered'; readonly sequence: number };

const data = workerData as ClearingThreadData;
const gateway = portChannel(data.gateway);
let state = new ClearingState(data.clientOrderIdWindow);
let replay = new Replay(state);

function report(message: ClearingReport): void {
  parentPort?.postMessage(message);
}

data.journal.on('message', (message: Restore) => {
  switch (message.kind) {
    case 'restore':
      if (message.snapshot === null) return;
      state = restoreState(message.snapshot.state as ClearingSnapshot, data.clientOrderIdWindow);
      replay = new Replay(state);
      return;
    case 'replay':
      replay.apply(message.firstSequence, message.events);
      data.journal.postMessage({ kind: 'replayed', sequence: state.sequence });
      return;
    case 'recovered':
      return report({ kind: 'recovered', sequence: state.sequence });
  }
});

function run(now: number): ClearingHost {
  const wake = (results: ArrayBuffer) => {
    host.results(results);
    turn(true);
  };
  const books: BookHost[] =
    data.markets.length === 0
      ? [localBooks()]
      : data.markets.map((port) => threadedBooks(portChannel(port), wake));
  const clearing = new Clearing(state, {
    workers: books.length,
    openOrdersMax: data.openOrdersMax,
    timeZoneId: data.timeZoneId,
  });
  const host = new ClearingHost(clearing, books, { journal, snapshot, paused }, data.snapshotEvery);
  let resuming = true;
  const turn = (heard: boolean): void => {
    for (let batch = gateway.receive(); batch !== undefined; batch = gateway.receive()) {
      host.commands(batch);
    }
    if (host.turn(heard)) setImmediate(turn, false);
    // Until the books hold every open order again, clearing does not know the best prices.
    if (!resuming || !host.isIdle) return;
    resuming = false;
    report({ kind: 'resumed', sequence: state.sequence });
  };
  clearing.resume(now);
  turn(false);
  gateway.onBatch((batch) => {
    host.commands(batch);
    turn(false);
  });
  return host;
}

function journal(
  firstSequence: number,
  count: number,
  events: ArrayBuffer,
  answers: ArrayBuffer,
): void {
  data.journal.postMessage({ firstSequence, count, events, answers }, [events, answers]);
}

function snapshot(taken: ClearingSnapshot): void {
  data.snapshots.postMessage({ sequence: taken.sequence, state: taken }, buffersOf(taken));
}

function paused(sequence: number, milliseconds: number): void {
  report({ kind: 'paused', sequence, milliseconds });
}

let host: ClearingHost | undefined;

parentPort?.on('message', (message: ClearingControl) => {
  if (message.kind === 'resume') {
    host = run(message.now);
    return;
  }
  host?.turn(true);
  host?.snapshot();
  host?.close();
  gateway.close();
  report({ kind: 'stopped', sequence: state.sequence });
  data.journal.close();
  data.snapshots.close();
  parentPort?.close();
});
