import { crc32 } from 'node:zlib';
import { type ChainPoint, HASH_BYTES } from './chain.ts';

/**
 * The high-water mark: the last point of the chain that was made durable, kept outside the journal,
 * because a journal that lost its end is by itself a perfectly valid journal.
 *
 * Two slots are written in turn, each in a page of its own, so that a torn write of one leaves the
 * point before it in the other:
 *
 *     0          8            16         48        52
 *     +----------+------------+----------+---------+
 *     | magic    | sequence   | hash     | crc32   |      slot 0 at byte 0, slot 1 at byte 4096
 *     |          | f64        |          | of 0-47 |
 *     +----------+------------+----------+---------+
 */

export const SLOT_BYTES = 52;
export const SLOT_OFFSETS = [0, 4096] as const;
export const MARK_BYTES = 8192;

const MAGIC = new TextEncoder().encode('MBXMARK1');
const SEQUENCE_AT = 8;
const HASH_AT = 16;
const CHECKSUM_AT = HASH_AT + HASH_BYTES;

export type MarkReading =
  | { readonly kind: 'missing' }
  /** Neither slot can be believed. */
  | { readonly kind: 'damaged' }
  | {
      readonly kind: 'good';
      readonly point: ChainPoint;
      readonly slot: 0 | 1;
      /** The other slot holds something that is no mark. */
      readonly otherSlotDamaged: boolean;
    };

export function encodeSlot(point: ChainPoint, into: Uint8Array): void {
  const view = new DataView(into.buffer, into.byteOffset, SLOT_BYTES);
  into.set(MAGIC, 0);
  view.setFloat64(SEQUENCE_AT, point.sequence, true);
  into.set(point.hash, HASH_AT);
  view.setUint32(CHECKSUM_AT, crc32(into.subarray(0, CHECKSUM_AT)), true);
}

/** The first content of a mark file: from the beginning either slot can stand in for the other. */
export function newMark(point: ChainPoint): Uint8Array {
  const bytes = new Uint8Array(MARK_BYTES);
  for (const at of SLOT_OFFSETS) encodeSlot(point, bytes.subarray(at, at + SLOT_BYTES));
  return bytes;
}

type Slot = ChainPoint | 'damaged';

function decodeSlot(bytes: Uint8Array): Slot {
  if (bytes.length < SLOT_BYTES) return 'damaged';
  const view = new DataView(bytes.buffer, bytes.byteOffset, SLOT_BYTES);
  if (MAGIC.some((byte, index) => bytes[index] !== byte)) return 'damaged';
  if (view.getUint32(CHECKSUM_AT, true) !== crc32(bytes.subarray(0, CHECKSUM_AT))) return 'damaged';
  const sequence = view.getFloat64(SEQUENCE_AT, true);
  if (!Number.isSafeInteger(sequence) || sequence < 0) return 'damaged';
  return { sequence, hash: new Uint8Array(bytes.subarray(HASH_AT, CHECKSUM_AT)) };
}

/** Reads the content of a mark file: of two good slots, the later one counts. */
export function decodeMark(bytes: Uint8Array): MarkReading {
  const slots = SLOT_OFFSETS.map((at) => decodeSlot(bytes.subarray(at, at + SLOT_BYTES)));
  const [first = 'damaged', second = 'damaged'] = slots;
  const otherSlotDamaged = first === 'damaged' || second === 'damaged';
  if (typeof first === 'object' && typeof second === 'object') {
    return second.sequence > first.sequence
      ? { kind: 'good', point: second, slot: 1, otherSlotDamaged }
      : { kind: 'good', point: first, slot: 0, otherSlotDamaged };
  }
  if (typeof first === 'object') return { kind: 'good', point: first, slot: 0, otherSlotDamaged };
  if (typeof second === 'object') return { kind: 'good', point: second, slot: 1, otherSlotDamaged };
  return { kind: 'damaged' };
}
