import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './statistics.ts';

const BLOCK_BYTES = 4096;

/** The median of appending 4 KiB and flushing it, in µs: what one durable write costs on this disk. */
export function measureFlush(directory: string, writes: number): number {
  const file = join(directory, 'flush.bin');
  const block = Buffer.alloc(BLOCK_BYTES, 0x5a);
  const descriptor = openSync(file, 'w');
  try {
    const micros: number[] = [];
    for (let index = 0; index < writes; index += 1) {
      const started = performance.now();
      writeSync(descriptor, block, 0, BLOCK_BYTES, index * BLOCK_BYTES);
      fdatasyncSync(descriptor);
      micros.push((performance.now() - started) * 1000);
    }
    return median(micros);
  } finally {
    closeSync(descriptor);
    rmSync(file);
  }
}
