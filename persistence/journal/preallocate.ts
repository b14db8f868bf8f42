import { closeSync, fdatasyncSync, openSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncDirectory } from './files.ts';

const BLOCK_BYTES = 1 << 20;

/**
 * Grows the write-ahead log of a database that nobody has open to `bytes`, with zeros, which SQLite
 * takes for the end of the log. A commit that overwrites allocated blocks flushes data only; one
 * that grows the file flushes the file's metadata as well, which costs half as much again.
 */
export function preallocateLog(path: string, bytes: number): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size >= bytes) return;
  const descriptor = openSync(path, size === 0 ? 'w' : 'r+');
  try {
    const zeros = new Uint8Array(BLOCK_BYTES);
    for (let at = size; at < bytes; ) {
      at += writeSync(descriptor, zeros, 0, Math.min(BLOCK_BYTES, bytes - at), at);
    }
    fdatasyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  syncDirectory(dirname(path));
}
