import {
  Clearing,
  type ClearingSnapshot,
  ClearingState,
  hashState,
  Replay,
  restoreState,
  takeSnapshot,
} from '../../core/clearing/index.ts';
import { MarketWorker } from '../../core/market/index.ts';
import { RecordCursor } from '../../core/messages/record.ts';
import type { BookHost } from '../../core/runtime/book-host.ts';
import { ClearingHost } from '../../core/runtime/clearing-host.ts';
import { Journal, recoverFrom, silentLogger } from '../../persistence/journal/index.ts';
import type { JournalInput, SnapshotInput } from '../../persistence/journal/protocol.ts';
import type { Dice } from './dice.ts';
import type { SimulatedDisk } from './disk.ts';

export interface ProcessOptions {
  readonly workers: number;
  readonly snapshotEvery: number;
  /** One snapshot in so many cannot be read later; 0 for none. */
  readonly damagedSnapshots: number;
  readonly clientOrderIdWindow: number;
}

/** A message that waits to be delivered; each channel keeps its order. */
export type Delivery =
  | 'requests'
  | 'continue'
  | 'journal'
  | 'release'
  | 'snapshot'
  | `book ${number}`
  | `results ${number}`;

/**
 * The venue’s roles in one thread, from a start until a crash. They are the real ones; what connects
 * them are queues, and somebody else decides what is delivered next.
 */
export class VenueProcess {
  readonly clearing: Clearing;
  readonly workers: readonly MarketWorker[];
  readonly requests: ArrayBuffer[] = [];
  /** The hash of the state as it was recovered, before anything happened. */
  readonly recoveredHash: string;
  private readonly options: ProcessOptions;
  private readonly dice: Dice;
  private readonly disk: SimulatedDisk;
  private readonly host: ClearingHost;
  private readonly journal: Journal;
  private readonly toBooks: ArrayBuffer[][];
  private readonly fromBooks: ArrayBuffer[][];
  private readonly toJournal: JournalInput[] = [];
  private readonly released: JournalInput[][] = [];
  /** Events that clearing has handed on, and nobody has looked at. */
  private emitted: ArrayBuffer[] = [];
  private snapshot: SnapshotInput | undefined;
  private moreWork: boolean;

  constructor(disk: SimulatedDisk, dice: Dice, now: number, options: ProcessOptions) {
    this.disk = disk;
    this.dice = dice;
    this.options = options;
    const { workers, snapshotEvery, clientOrderIdWindow } = options;
    const recovery = recoverFrom(disk.store, disk.snapshots, silentLogger, dice.oneIn(2));
    const state = stateOf(recovery.snapshot, clientOrderIdWindow);
    const replay = new Replay(state);
    for (const batch of recovery.batches) replay.apply(batch.firstSequence, batch.events);
    if (state.sequence !== recovery.durableSequence) {
      throw new Error(`recovered to ${state.sequence} of ${recovery.durableSequence}`);
    }
    this.recoveredHash = hashState(takeSnapshot(state));
    this.journal = new Journal(disk.store, recovery.end);
    this.workers = Array.from({ length: workers }, () => new MarketWorker());
    this.toBooks = this.workers.map(() => []);
    this.fromBooks = this.workers.map(() => []);
    this.clearing = new Clearing(state, { workers });
    const books = this.workers.map((_, index) => this.bookHost(index));
    const output = {
      journal: (
        firstSequence: number,
        count: number,
        events: ArrayBuffer,
        answers: ArrayBuffer,
      ) => {
        this.toJournal.push({ firstSequence, count, events, answers });
        this.emitted.push(events);
      },
      snapshot: (taken: ClearingSnapshot) => {
        this.snapshot = { sequence: taken.sequence, stateHash: hashState(taken), state: taken };
      },
      paused: () => {},
    };
    this.host = new ClearingHost(this.clearing, books, output, snapshotEvery);
    this.clearing.resume(now);
    this.moreWork = this.host.turn(false);
  }

  get state(): ClearingState {
    return this.clearing.state;
  }

  /** Everything that could be delivered next; nothing where all is quiet. */
  waiting(): Delivery[] {
    const waiting: Delivery[] = [];
    if (this.requests.length > 0) waiting.push('requests');
    if (this.moreWork) waiting.push('continue');
    if (this.toJournal.length > 0) waiting.push('journal');
    if (this.released.length > 0) waiting.push('release');
    if (this.snapshot !== undefined && this.snapshot.sequence <= this.journal.durableSequence) {
      waiting.push('snapshot');
    }
    this.toBooks.forEach((queue, index) => {
      if (queue.length > 0) waiting.push(`book ${index}`);
    });
    this.fromBooks.forEach((queue, index) => {
      if (queue.length > 0) waiting.push(`results ${index}`);
    });
    return waiting;
  }

  /** Delivers one message of a channel that waits; what the journal releases is returned. */
  deliver(what: Delivery): readonly JournalInput[] {
    switch (what) {
      case 'requests':
        return this.takeRequests();
      case 'continue':
        return this.turn(false);
      case 'journal':
        return this.commit();
      case 'release':
        return this.released.shift() ?? [];
      case 'snapshot':
        return this.writeSnapshot();
      default: {
        const [kind, index] = what.split(' ');
        return kind === 'book' ? this.match(Number(index)) : this.settle(Number(index));
      }
    }
  }

  /** The events of each batch that clearing has handed on since the last call. */
  takeEmitted(): ArrayBuffer[] {
    const { emitted } = this;
    this.emitted = [];
    return emitted;
  }

  /** Whether clearing has told all it knows. */
  get isQuiet(): boolean {
    const { events, answers } = this.clearing;
    return this.waiting().length === 0 && events.empty && answers.empty;
  }

  takeSnapshot(): void {
    this.host.snapshot();
  }

  private bookHost(index: number): BookHost {
    const toBook = this.toBooks[index] as ArrayBuffer[];
    const fromBook = this.fromBooks[index] as ArrayBuffer[];
    return {
      send: (commands) => {
        const { count } = commands;
        toBook.push(commands.take());
        return count;
      },
      receive: () => (this.dice.oneIn(2) ? fromBook.shift() : undefined),
      close: () => {},
    };
  }

  private takeRequests(): readonly JournalInput[] {
    const batches = this.requests.splice(0, this.dice.between(1, this.requests.length));
    for (const batch of batches) this.host.commands(batch);
    return this.turn(false);
  }

  private turn(heard: boolean): readonly JournalInput[] {
    this.moreWork = this.host.turn(heard);
    return [];
  }

  private match(index: number): readonly JournalInput[] {
    const worker = this.workers[index] as MarketWorker;
    const queue = this.toBooks[index] as ArrayBuffer[];
    for (const batch of queue.splice(0, this.dice.between(1, queue.length))) {
      const cursor = new RecordCursor(batch);
      while (cursor.next()) worker.command(cursor);
    }
    if (!worker.results.empty) this.fromBooks[index]?.push(worker.results.take());
    return [];
  }

  private settle(index: number): readonly JournalInput[] {
    const batch = this.fromBooks[index]?.shift();
    if (batch !== undefined) this.host.results(batch);
    return this.turn(true);
  }

  private commit(): readonly JournalInput[] {
    const inputs = this.toJournal.splice(0, this.dice.between(1, this.toJournal.length));
    this.journal.append(inputs);
    if (this.dice.oneIn(20)) this.disk.store.syncMark();
    this.released.push(inputs);
    return [];
  }

  private writeSnapshot(): readonly JournalInput[] {
    const { snapshot } = this;
    this.snapshot = undefined;
    if (snapshot !== undefined) {
      this.disk.keep(snapshot, this.dice.oneIn(this.options.damagedSnapshots));
    }
    return [];
  }
}

function stateOf(snapshot: SnapshotInput | null, window: number): ClearingState {
  if (snapshot === null) return new ClearingState(window);
  const state = restoreState(snapshot.state as ClearingSnapshot, window);
  const hash = hashState(takeSnapshot(state));
  if (hash !== snapshot.stateHash) {
    throw new Error(`the snapshot of ${snapshot.sequence} comes back as another state`);
  }
  return state;
}
