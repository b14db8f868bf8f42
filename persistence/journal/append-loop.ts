import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Journal } from './journal.ts';
import { MetricsCounter } from './metrics.ts';
import type { DurableUpTo, JournalInput, JournalRelease, SnapshotRequest } from './protocol.ts';
import type { SqliteStore } from './sqlite-store.ts';

/** A commit takes what is waiting up to about this much; the rest goes into the next. */
const COMMIT_BYTES_MAX = 1 << 20;
/**
 * Payload between two checkpoints under load. It bounds how long a checkpoint, which nobody's
 * answer can overtake, holds up the next commit.
 */
const CHECKPOINT_PAYLOAD_BYTES = 2 << 20;
/** The log is checkpointed before this share of what was allocated for it is written. */
const CHECKPOINT_LOG_SHARE = 0.75;
const METRICS_INTERVAL_MS = 250;
const IDLE_INTERVAL_MS = 1_000;
/** Archived batches are deleted in pieces of this size, one to so many commits. */
const DISCARD_BYTES = 1 << 20;
const COMMITS_BETWEEN_DISCARDS = 64;

export interface AppendLoopParts {
  readonly journal: Journal;
  readonly store: SqliteStore;
  readonly clearing: MessagePort;
  readonly gateway: MessagePort;
  readonly snapshots: MessagePort;
  readonly walBytes: number;
  /** Told of the first error; nothing is acknowledged afterwards. */
  readonly onFatal: (error: unknown) => void;
}

/**
 * The journal in operation: commits whatever arrived during the last commit as one batch, releases
 * it, and looks after checkpoints and archived batches in between. It waits for messages only; the
 * one timer notices that there is nothing to do.
 */
export class AppendLoop {
  private readonly parts: AppendLoopParts;
  private readonly metrics = new MetricsCounter();
  private metricsDue = 0;
  private payloadSinceCheckpoint = 0;
  private idleTimer: NodeJS.Timeout | null = null;
  private busy = false;
  private unsettled = false;
  private archivedSequence = 0;
  private commitsSinceDiscard = 0;
  private awaited: number[] = [];

  constructor(parts: AppendLoopParts) {
    this.parts = parts;
    this.metrics.recovered(parts.journal.durableSequence);
  }

  start(): void {
    const { clearing, snapshots } = this.parts;
    clearing.on('message', (input: JournalInput) => this.guard(() => this.turn(input)));
    snapshots.on('message', (request: SnapshotRequest) => this.guard(() => this.serve(request)));
    this.idleTimer = setInterval(() => this.guard(() => this.idle()), IDLE_INTERVAL_MS);
  }

  /** Commits and releases all that has arrived, and leaves a log that is fully checkpointed. */
  finish(): void {
    for (;;) {
      const received = receiveMessageOnPort(this.parts.clearing);
      if (received === undefined) break;
      this.turn(received.message as JournalInput);
    }
    this.halt();
    this.parts.store.syncMark();
    this.checkpoint();
  }

  halt(): void {
    if (this.idleTimer !== null) clearInterval(this.idleTimer);
    this.parts.clearing.close();
    this.parts.snapshots.close();
  }

  private guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.halt();
      this.parts.onFatal(error);
    }
  }

  private turn(first: JournalInput): void {
    const inputs = this.drain(first);
    const before = performance.now();
    const bytes = this.parts.journal.append(inputs);
    const now = performance.now();
    const { durableSequence } = this.parts.journal;
    if (bytes > 0) this.metrics.committed(durableSequence, bytes, (now - before) * 1_000);
    this.release(inputs, now);
    if (bytes === 0) return;
    this.busy = true;
    this.payloadSinceCheckpoint += bytes;
    if (this.awaited.length > 0) this.answerAwaited();
    this.maintain();
  }

  private drain(first: JournalInput): JournalInput[] {
    const inputs = [first];
    let bytes = first.events.byteLength;
    while (bytes < COMMIT_BYTES_MAX) {
      const received = receiveMessageOnPort(this.parts.clearing);
      if (received === undefined) break;
      const input = received.message as JournalInput;
      inputs.push(input);
      bytes += input.events.byteLength;
    }
    return inputs;
  }

  private release(inputs: readonly JournalInput[], now: number): void {
    const { durableSequence } = this.parts.journal;
    const buffers: ArrayBuffer[] = [];
    for (const { events, answers } of inputs) {
      // Empty buffers are copied: one that several messages share could not be transferred twice.
      if (events.byteLength > 0) buffers.push(events);
      if (answers.byteLength > 0) buffers.push(answers);
    }
    let message: JournalRelease = { durableSequence, batches: inputs };
    if (now >= this.metricsDue) {
      message = { ...message, metrics: this.metrics.read() };
      this.metricsDue = now + METRICS_INTERVAL_MS;
    }
    this.parts.gateway.postMessage(message, buffers);
  }

  private serve(request: SnapshotRequest): void {
    if (request.kind === 'archived') {
      this.archivedSequence = request.sequence;
      this.unsettled = true;
      return;
    }
    this.awaited.push(request.sequence);
    this.answerAwaited();
  }

  private answerAwaited(): void {
    const { durableSequence } = this.parts.journal;
    const reached = this.awaited.filter((sequence) => sequence <= durableSequence);
    if (reached.length === 0) return;
    this.awaited = this.awaited.filter((sequence) => sequence > durableSequence);
    const answer: DurableUpTo = { durableSequence };
    this.parts.snapshots.postMessage(answer);
  }

  private maintain(): void {
    const { store, walBytes } = this.parts;
    if (
      this.payloadSinceCheckpoint >= CHECKPOINT_PAYLOAD_BYTES ||
      store.logBytesUsed >= walBytes * CHECKPOINT_LOG_SHARE
    ) {
      this.checkpoint();
    }
    if (++this.commitsSinceDiscard >= COMMITS_BETWEEN_DISCARDS) this.discardOnce();
  }

  private checkpoint(): void {
    const before = performance.now();
    this.parts.store.checkpoint();
    this.metrics.checkpointed((performance.now() - before) * 1_000);
    this.payloadSinceCheckpoint = 0;
  }

  /** Deletes one piece of what is archived; false when nothing is left to delete. */
  private discardOnce(): boolean {
    this.commitsSinceDiscard = 0;
    const { store } = this.parts;
    const before = store.base().sequence;
    if (before >= this.archivedSequence) return false;
    return store.discard(this.archivedSequence, DISCARD_BYTES).sequence > before;
  }

  private idle(): void {
    if (this.busy) {
      this.busy = false;
      this.unsettled = true;
      return;
    }
    if (!this.unsettled) return;
    if (this.discardOnce()) {
      this.idleTimer?.refresh();
      setImmediate(() => this.guard(() => this.idle()));
      return;
    }
    this.unsettled = false;
    this.parts.store.syncMark();
    if (this.parts.store.logBytesUsed > 0) this.checkpoint();
    const { durableSequence } = this.parts.journal;
    const message: JournalRelease = { durableSequence, batches: [], metrics: this.metrics.read() };
    this.parts.gateway.postMessage(message);
  }
}
