import type { MessagePort } from 'node:worker_threads';
import { buffersOf } from '../../core/runtime/transfer.ts';
import type { JournalBatch } from './chain.ts';
import {
  REPLAY_CHUNK_BYTES,
  REPLAY_WINDOW,
  type ReplayApplied,
  type RestoreMessage,
  type SnapshotInput,
} from './protocol.ts';
import type { Recovery } from './recover.ts';

/**
 * Sends what a restart needs to clearing, in pieces, and never more of them than clearing keeps up
 * with. Resolves once all of it is applied; `stopped` ends it early.
 */
export class ReplayStream {
  private readonly port: MessagePort;
  private underWay = 0;
  private stopped = false;
  private wake: () => void = () => {};

  constructor(port: MessagePort) {
    this.port = port;
  }

  /** Returns false if it was stopped before the end. Throws JournalCorrupt as it comes to it. */
  async send(recovery: Recovery): Promise<boolean> {
    const acknowledge = (message: ReplayApplied): void => {
      if (message.kind !== 'replayed') throw new Error('clearing spoke before it was recovered');
      this.underWay--;
      this.wake();
    };
    this.port.on('message', acknowledge);
    this.postSnapshot(recovery.snapshot);
    for (const chunk of chunksOf(recovery.batches)) {
      if (!(await this.underWayBelow(REPLAY_WINDOW))) return false;
      this.underWay++;
      this.post({ kind: 'replay', ...chunk }, [chunk.events]);
    }
    if (!(await this.underWayBelow(1))) return false;
    this.port.off('message', acknowledge);
    this.post({ kind: 'recovered', sequence: recovery.durableSequence });
    return true;
  }

  stop(): void {
    this.stopped = true;
    this.wake();
  }

  private async underWayBelow(limit: number): Promise<boolean> {
    while (this.underWay >= limit && !this.stopped) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    return !this.stopped;
  }

  private postSnapshot(snapshot: SnapshotInput | null): void {
    this.post({ kind: 'restore', snapshot }, buffersOf(snapshot));
  }

  private post(message: RestoreMessage, buffers: ArrayBuffer[] = []): void {
    this.port.postMessage(message, buffers);
  }
}

interface Chunk {
  readonly firstSequence: number;
  readonly count: number;
  readonly events: ArrayBuffer;
}

/** Neighbouring batches joined to about REPLAY_CHUNK_BYTES, each chunk in a buffer of its own. */
function* chunksOf(batches: Iterable<JournalBatch>): Generator<Chunk, void, void> {
  let pending: JournalBatch[] = [];
  let bytes = 0;
  for (const batch of batches) {
    pending.push(batch);
    bytes += batch.events.length;
    if (bytes < REPLAY_CHUNK_BYTES) continue;
    yield join(pending, bytes);
    pending = [];
    bytes = 0;
  }
  if (pending.length > 0) yield join(pending, bytes);
}

function join(batches: readonly JournalBatch[], bytes: number): Chunk {
  const events = new Uint8Array(bytes);
  let at = 0;
  let count = 0;
  for (const batch of batches) {
    events.set(batch.events, at);
    at += batch.events.length;
    count += batch.count;
  }
  return { firstSequence: batches[0]?.firstSequence ?? 0, count, events: events.buffer };
}
