import { createHash } from 'node:crypto';
import { type BatchWriter, RecordCursor } from '../../../core/messages/record.ts';
import type { ChainPoint, JournalBatch } from '../../../persistence/journal/index.ts';
import type { EventSource } from '../../../persistence/views/progress.ts';

/** A journal in memory: what is appended is durable at once. */
export class MemorySource implements EventSource {
  private readonly chain: { batch: JournalBatch; hash: Uint8Array }[] = [];

  append(events: Uint8Array): void {
    const cursor = new RecordCursor(events);
    let count = 0;
    while (cursor.next()) count++;
    if (count === 0) return;
    const firstSequence = this.lastSequence() + 1;
    const hash = createHash('sha256')
      .update(this.chain.at(-1)?.hash ?? '')
      .update(events)
      .digest();
    this.chain.push({ batch: { firstSequence, count, events }, hash });
  }

  take(writer: BatchWriter): void {
    this.append(new Uint8Array(writer.take()));
  }

  lastSequence(): number {
    const last = this.chain.at(-1)?.batch;
    return last === undefined ? 0 : last.firstSequence + last.count - 1;
  }

  endOfBatchAt(sequence: number): ChainPoint {
    const link = this.chain.findLast(({ batch }) => batch.firstSequence <= sequence);
    if (link === undefined) return { sequence: 0, hash: new Uint8Array(0) };
    return { sequence: link.batch.firstSequence + link.batch.count - 1, hash: link.hash };
  }

  *batches(fromSequence: number): Generator<JournalBatch, void, void> {
    for (let at = 0; at < this.chain.length; at++) {
      const batch = this.chain[at]?.batch;
      if (batch !== undefined && batch.firstSequence >= fromSequence) yield batch;
    }
  }
}
