import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { BatchWriter } from '../messages/record.ts';

/**
 * One end of a two-way channel between roles. Batches are sent whole and in order; what arrives while
 * the receiver works is drained by it in one go. Today a MessagePort: a shared-memory ring would have
 * to win a benchmark first.
 */
export interface Channel {
  /** Sends what `batch` has collected, if anything, and clears it. */
  flush(batch: BatchWriter): void;
  /** The next batch that waits, without returning to the event loop. */
  receive(): ArrayBuffer | undefined;
  /** Calls back for a batch whenever the event loop finds one. */
  onBatch(handle: (batch: ArrayBuffer) => void): void;
  close(): void;
}

export function portChannel(port: MessagePort): Channel {
  return {
    flush(batch) {
      if (batch.empty) return;
      const buffer = batch.take();
      port.postMessage(buffer, [buffer]);
    },
    receive() {
      return receiveMessageOnPort(port)?.message as ArrayBuffer | undefined;
    },
    onBatch(handle) {
      port.on('message', handle);
    },
    close() {
      port.close();
    },
  };
}
