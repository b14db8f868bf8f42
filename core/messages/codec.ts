import { Packr } from 'msgpackr';

/**
 * The one place that knows how cold messages and snapshots are encoded. A bigint travels as a 64-bit
 * integer and comes back as a bigint; a number, however large, comes back as a number.
 */
const packr = new Packr({ useRecords: false, moreTypes: true });

export function encodeCold(value: unknown): Uint8Array {
  return packr.pack(value);
}

/** Decodes what `encodeCold` wrote. For bytes of our own only: it is no guard against hostile ones. */
export function decodeCold<T>(bytes: Uint8Array): T {
  return packr.unpack(bytes) as T;
}
