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
export interface Batch {
  readonly firstSequence: number;
  readonly count: number;
  readonly payload: Uint8Array;
}

export interface StoredBatch extends Batch {
  /** The chain's hash up to and including this batch. */
  readonly hash: Uint8Array;
}

/** A point between two batches: everything up to `sequence` hashes to `hash`. */
export interface ChainPoint {
  readonly sequence: number;
  readonly hash: Uint8Array;
}

const HEADER_BYTES = HASH_BYTES + 16;
let scratch = Buffer.alloc(1 << 16);

export function genesis(venueId: string): ChainPoint {
  return { sequence: 0, hash: hash('sha256', `journal ${FORMAT_VERSION} ${venueId}`, 'buffer') };
}

export function lastSequenceOf(batch: {
  readonly firstSequence: number;
  readonly count: number;
}): number {
  return batch.firstSequence + batch.count - 1;
}

/** The chain's hash once `batch` follows `previous`. */
export function chainHash(previous: Uint8Array, batch: Batch): Uint8Array {
  const size = HEADER_BYTES + batch.payload.length;
  reserve(size);
  scratch.set(previous, 0);
  return hash('sha256', fill(batch, size), 'buffer');
}

/**
 * The point that the chain reaches over `batches`. Only the last hash leaves as bytes: a digest made
 * as a string costs half as much, and replay makes one a batch.
 */
export function pointAfter(previous: ChainPoint, batches: readonly Batch[]): ChainPoint {
  let digest = Buffer.from(previous.hash).toString('binary');
  let sequence = previous.sequence;
  for (const batch of batches) {
    if (batch.firstSequence !== sequence + 1) throw outOfSequence(sequence + 1, batch);
    const size = HEADER_BYTES + batch.payload.length;
    reserve(size);
    scratch.write(digest, 0, 'binary');
    digest = hash('sha256', fill(batch, size), 'binary');
    sequence += batch.count;
  }
  return { sequence, hash: Buffer.from(digest, 'binary') };
}

function reserve(size: number): void {
  if (size > scratch.length) scratch = Buffer.alloc(size * 2);
}

/** Completes the scratch buffer, in which the previous hash already stands. */
function fill(batch: Batch, size: number): Uint8Array {
  scratch.writeDoubleLE(batch.firstSequence, HASH_BYTES);
  scratch.writeDoubleLE(batch.count, HASH_BYTES + 8);
  scratch.set(batch.payload, HEADER_BYTES);
  return scratch.subarray(0, size);
}

function outOfSequence(expected: number, batch: Batch): JournalCorrupt {
  return new JournalCorrupt(
    expected,
    batch.firstSequence > expected
      ? `batches from ${expected} to ${batch.firstSequence - 1} are missing`
      : `the batch at ${batch.firstSequence} overlaps the one before it`,
  );
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** A run of events in sequence; `events` holds `count` whole records. */
export interface JournalBatch {
  readonly firstSequence: number;
  readonly count: number;
  readonly events: Uint8Array;
}

/** The part of a batch from `fromSequence` on, which must lie inside it or before it; no copy. */
export function trimBatch(batch: Batch, fromSequence: number): JournalBatch {
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
