import { hash } from 'node:crypto';
import { RecordCursor } from '../../core/messages/record.ts';
import { JournalCorrupt } from './errors.ts';

/**
 * The hash chain over committed batches, pure: bytes in, bytes or a typed refusal out.
 *
 *     hash(n) = SHA-256( hash(n-1) | firstSequence f64 | count f64 | payload )
 *
 * The chain starts from a hash over format version and venue, so that a batch of another venue is
 * as foreign as a damaged one.
 */

export const FORMAT_VERSION = 1;
export const HASH_BYTES = 32;

/** A run of whole event records, as it was or will be committed. */
export interface StoredBatch {
  readonly firstSequence: number;
  readonly count: number;
  readonly payload: Uint8Array;
  /** The chain's hash up to and including this batch. */
  readonly hash: Uint8Array;
}

/** A point between two batches: everything up to `sequence` hashes to `hash`. */
export interface ChainPoint {
  readonly sequence: number;
  readonly hash: Uint8Array;
}

const HEADER_BYTES = HASH_BYTES + 16;
/** Up to this size one copy and one call are cheaper than three updates of a hash object. */
const SCRATCH_BYTES = 1 << 20;
const scratch = new Uint8Array(HEADER_BYTES + SCRATCH_BYTES);
const scratchView = new DataView(scratch.buffer);

export function genesis(venueId: string): ChainPoint {
  return { sequence: 0, hash: hash('sha256', `journal ${FORMAT_VERSION} ${venueId}`, 'buffer') };
}

export function lastSequenceOf(batch: {
  readonly firstSequence: number;
  readonly count: number;
}): number {
  return batch.firstSequence + batch.count - 1;
}

/** The chain's hash once `payload` follows `previous`. */
export function chainHash(
  previous: Uint8Array,
  firstSequence: number,
  count: number,
  payload: Uint8Array,
): Uint8Array {
  const size = HEADER_BYTES + payload.length;
  let bytes = scratch;
  let view = scratchView;
  if (size > scratch.length) {
    bytes = new Uint8Array(size);
    view = new DataView(bytes.buffer);
  }
  bytes.set(previous, 0);
  view.setFloat64(HASH_BYTES, firstSequence, true);
  view.setFloat64(HASH_BYTES + 8, count, true);
  bytes.set(payload, HEADER_BYTES);
  return hash('sha256', bytes.subarray(0, size), 'buffer');
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** What is wrong with `batch` as the successor of `previous`; null if nothing is. */
export function flawOf(previous: ChainPoint, batch: StoredBatch): string | null {
  const expected = previous.sequence + 1;
  if (batch.firstSequence > expected) {
    return `batches from ${expected} to ${batch.firstSequence - 1} are missing`;
  }
  if (batch.firstSequence < expected) {
    return `the batch at ${batch.firstSequence} overlaps the one before it`;
  }
  const hashed = chainHash(previous.hash, batch.firstSequence, batch.count, batch.payload);
  if (!equalBytes(hashed, batch.hash)) return 'the checksum of the batch does not match';
  return null;
}

/** Moves the chain over `batch`, or throws JournalCorrupt with the first sequence in doubt. */
export function follow(previous: ChainPoint, batch: StoredBatch): ChainPoint {
  const flaw = flawOf(previous, batch);
  if (flaw !== null) throw new JournalCorrupt(previous.sequence + 1, flaw);
  return { sequence: lastSequenceOf(batch), hash: batch.hash };
}

/** A run of events in sequence; `events` holds `count` whole records. */
export interface JournalBatch {
  readonly firstSequence: number;
  readonly count: number;
  readonly events: Uint8Array;
}

/** The part of a batch from `fromSequence` on, which must lie inside it or before it; no copy. */
export function trimBatch(batch: StoredBatch, fromSequence: number): JournalBatch {
  const skipped = Math.max(0, fromSequence - batch.firstSequence);
  const firstSequence = batch.firstSequence + skipped;
  const count = batch.count - skipped;
  if (skipped === 0) return { firstSequence, count, events: batch.payload };
  const cursor = new RecordCursor(batch.payload);
  for (let i = 0; i <= skipped; i++) cursor.next();
  return { firstSequence, count, events: batch.payload.subarray(cursor.at) };
}

/** How many whole records `payload` holds. Throws a RangeError where one is cut. */
export function countRecords(payload: Uint8Array): number {
  const cursor = new RecordCursor(payload);
  let count = 0;
  while (cursor.next()) count++;
  return count;
}
