import { type Clearing, type ClearingSnapshot, takeSnapshot } from '../clearing/index.ts';
import { Depth, Outcome } from '../messages/book-results.ts';
import { RecordCursor } from '../messages/record.ts';
import type { BookHost } from './book-host.ts';

/** Where clearing's events, answers and snapshots go. */
export interface ClearingOutput {
  journal(firstSequence: number, count: number, events: ArrayBuffer, answers: ArrayBuffer): void;
  snapshot(snapshot: ClearingSnapshot): void;
  /** How long clearing stood still for a snapshot, milliseconds. */
  paused(sequence: number, milliseconds: number): void;
}

/**
 * Runs clearing over its channels: each turn takes everything that waits, then sends everything that
 * came of it.
 *
 * Events are not handed to the journal while the books still have to say what becomes of the orders
 * just accepted: acceptance and outcome then share one commit, and an order costs one disk flush
 * whether it rests or trades. Each batch of results releases what was held back, so that under load
 * nothing waits longer than one trip to the books.
 */
export class ClearingHost {
  readonly clearing: Clearing;
  private readonly books: readonly BookHost[];
  private readonly output: ClearingOutput;
  private readonly snapshotEvery: number;
  private lastSnapshot: number;
  /** Commands at the books that have not been answered. */
  private outstanding = 0;

  constructor(
    clearing: Clearing,
    books: readonly BookHost[],
    output: ClearingOutput,
    snapshotEvery: number,
  ) {
    this.clearing = clearing;
    this.books = books;
    this.output = output;
    this.snapshotEvery = snapshotEvery;
    this.lastSnapshot = clearing.state.sequence;
  }

  commands(batch: ArrayBuffer): void {
    const cursor = new RecordCursor(batch);
    while (cursor.next()) this.clearing.command(cursor);
  }

  results(batch: ArrayBuffer): void {
    const cursor = new RecordCursor(batch);
    while (cursor.next()) {
      this.clearing.result(cursor);
      if (cursor.kind === Outcome.kind || cursor.kind === Depth.kind) this.outstanding--;
    }
  }

  /**
   * Sends what has collected and takes in what the books have answered. `heard` says whether results
   * came in since the last turn. Returns whether clearing has more work of its own to do.
   */
  turn(heard: boolean): boolean {
    const more = this.clearing.work();
    for (let sent = this.send(); sent; sent = this.send()) {
      heard = this.receive() || heard;
    }
    if (heard || this.outstanding === 0) this.release();
    return more || this.clearing.hasWork;
  }

  /** Whether the books have answered everything that they were sent. */
  get isIdle(): boolean {
    return this.outstanding === 0;
  }

  /** Copies the state out now, if anything has happened since the last snapshot. */
  snapshot(): void {
    const { state } = this.clearing;
    // What is released may itself be what makes a snapshot due.
    this.release();
    if (state.sequence === this.lastSnapshot) return;
    this.lastSnapshot = state.sequence;
    const started = performance.now();
    this.output.snapshot(takeSnapshot(state));
    this.output.paused(state.sequence, performance.now() - started);
  }

  close(): void {
    for (const books of this.books) books.close();
  }

  private send(): boolean {
    let sent = 0;
    this.books.forEach((books, index) => {
      const commands = this.clearing.workers[index];
      if (commands !== undefined && !commands.empty) sent += books.send(commands);
    });
    this.outstanding += sent;
    return sent > 0;
  }

  private receive(): boolean {
    let heard = false;
    for (const books of this.books) {
      for (let batch = books.receive(); batch !== undefined; batch = books.receive()) {
        this.results(batch);
        heard = true;
      }
    }
    return heard;
  }

  private release(): void {
    const { events, answers, state } = this.clearing;
    if (events.empty && answers.empty) return;
    const { count } = events;
    this.output.journal(state.sequence - count + 1, count, events.take(), answers.take());
    if (state.sequence - this.lastSnapshot >= this.snapshotEvery) this.snapshot();
  }
}
