import { OrderAccepted, OrderClosed } from '../../../core/messages/events.ts';
import { BatchWriter } from '../../../core/messages/record.ts';
import type { JournalBatch } from '../../../persistence/journal/index.ts';
import type { PendingBatch } from '../../../persistence/journal/journal.ts';

/** Event n is made from n alone, so that any part of a journal can be checked by itself. */
function writeEvent(writer: BatchWriter, sequence: number): void {
  if (sequence % 3 === 0) {
    OrderClosed.write(writer, {
      ...OrderClosed.blank(),
      orderId: sequence,
      remaining: sequence * 7,
    });
    return;
  }
  OrderAccepted.write(writer, {
    ...OrderAccepted.blank(),
    orderId: sequence,
    price: sequence * 11,
    clientOrderId: `order-${sequence}`,
    comment: 'x'.repeat(sequence % 90),
  });
}

export function eventBytes(firstSequence: number, count: number): Uint8Array {
  const writer = new BatchWriter();
  for (let i = 0; i < count; i++) writeEvent(writer, firstSequence + i);
  return new Uint8Array(writer.take());
}

export function pending(firstSequence: number, count: number): PendingBatch {
  return { firstSequence, count, events: eventBytes(firstSequence, count) };
}

/**
 * Compares batches with what was written from `firstSequence` on. Returns the last sequence; throws
 * where they leave a gap or differ by a byte.
 */
export function lastOfExactRun(batches: Iterable<JournalBatch>, firstSequence = 1): number {
  let next = firstSequence;
  for (const batch of batches) {
    if (batch.firstSequence !== next)
      throw new Error(`${batch.firstSequence} where ${next} was due`);
    const expected = eventBytes(next, batch.count);
    if (Buffer.compare(expected, batch.events) !== 0) throw new Error(`events at ${next} differ`);
    next += batch.count;
  }
  return next - 1;
}
