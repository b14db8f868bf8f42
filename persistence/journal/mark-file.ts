import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ChainPoint } from './chain.ts';
import { syncDirectory } from './files.ts';
import {
  decodeMark,
  encodeSlot,
  MARK_BYTES,
  type MarkReading,
  newMark,
  SLOT_BYTES,
  SLOT_OFFSETS,
} from './mark.ts';

export function readMarkFile(path: string): MarkReading {
  return existsSync(path) ? decodeMark(readFileSync(path)) : { kind: 'missing' };
}

/** The mark on disk. A write survives the death of the process; `sync` makes it survive power loss. */
export class MarkFile {
  private readonly path: string;
  private descriptor = -1;
  private nextSlot: 0 | 1 = 0;
  private dirty = false;
  private readonly slot = new Uint8Array(SLOT_BYTES);

  constructor(path: string) {
    this.path = path;
  }

  read(): MarkReading {
    const reading = readMarkFile(this.path);
    if (reading.kind === 'good') this.nextSlot = reading.slot === 0 ? 1 : 0;
    return reading;
  }

  write(point: ChainPoint): void {
    if (this.descriptor < 0) this.open(point);
    encodeSlot(point, this.slot);
    const at = SLOT_OFFSETS[this.nextSlot];
    const written = writeSync(this.descriptor, this.slot, 0, SLOT_BYTES, at);
    if (written !== SLOT_BYTES) throw new Error(`${this.path}: wrote ${written} bytes of a mark`);
    this.nextSlot = this.nextSlot === 0 ? 1 : 0;
    this.dirty = true;
  }

  sync(): void {
    if (!this.dirty) return;
    fdatasyncSync(this.descriptor);
    this.dirty = false;
  }

  close(): void {
    if (this.descriptor < 0) return;
    closeSync(this.descriptor);
    this.descriptor = -1;
  }

  private open(point: ChainPoint): void {
    if (existsSync(this.path)) {
      this.descriptor = openSync(this.path, 'r+');
      return;
    }
    this.descriptor = openSync(this.path, 'wx+');
    writeSync(this.descriptor, newMark(point), 0, MARK_BYTES, 0);
    fdatasyncSync(this.descriptor);
    syncDirectory(dirname(this.path));
  }
}
