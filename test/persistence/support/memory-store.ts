import type { BatchPage, BatchStore } from '../../../persistence/journal/batch-store.ts';
import {
  type Batch,
  type ChainPoint,
  genesis,
  lastSequenceOf,
  type StoredBatch,
} from '../../../persistence/journal/chain.ts';
import {
  decodeMark,
  encodeSlot,
  type MarkReading,
  newMark,
  SLOT_BYTES,
  SLOT_OFFSETS,
} from '../../../persistence/journal/mark.ts';
import type { Random } from './random.ts';

export type Step = 'append' | 'drop' | 'writeMark' | 'syncMark';

/**
 * What happens at a step: it succeeds; it fails with no effect; it fails although it had its effect;
 * or it fails and leaves half of it behind.
 */
export type Fate = 'succeeds' | 'fails before' | 'fails after' | 'tears';

export class StoreFault extends Error {}

/**
 * A BatchStore in memory for fault tests and simulations. Appended batches are durable, as with
 * synchronous=FULL; a mark is only written to a cache until it is synced, and `losePower` decides
 * what of that cache reached the disk.
 */
export class MemoryStore implements BatchStore {
  /** Decides the fate of each step; throw-free and deterministic. */
  fate: (step: Step) => Fate = () => 'succeeds';
  private batches: StoredBatch[] = [];
  private readonly start: ChainPoint;
  private readonly random: Random;
  private cachedMark: Uint8Array | null = null;
  private durableMark: Uint8Array | null = null;
  private nextSlot: 0 | 1 = 0;

  constructor(random: Random, venueId = 'memory') {
    this.random = random;
    this.start = genesis(venueId);
  }

  origin(): ChainPoint {
    return this.start;
  }

  base(): ChainPoint {
    return this.start;
  }

  end(): ChainPoint {
    return pointOf(this.batches.at(-1)) ?? this.start;
  }

  endOfBatchAt(sequence: number): ChainPoint {
    return pointOf(this.batches.findLast((batch) => batch.firstSequence <= sequence)) ?? this.start;
  }

  page(fromSequence: number, bytesMax: number): BatchPage {
    const index = this.batches.findIndex((batch) => lastSequenceOf(batch) >= fromSequence);
    const previous = pointOf(this.batches[index - 1]) ?? this.start;
    if (index < 0) return { previous: this.end(), batches: [], end: this.end() };
    const batches: Batch[] = [];
    let bytes = 0;
    let end = previous;
    for (const batch of this.batches.slice(index)) {
      batches.push({ ...batch, payload: batch.payload.slice() });
      end = { sequence: lastSequenceOf(batch), hash: batch.hash };
      bytes += batch.payload.length;
      if (bytes >= bytesMax) break;
    }
    return { previous, batches, end };
  }

  append(batch: StoredBatch): void {
    this.step(
      'append',
      () => this.batches.push({ ...batch, payload: batch.payload.slice() }),
      () => this.batches.push({ ...batch, payload: this.torn(batch.payload) }),
    );
  }

  drop(firstSequence: number): void {
    this.step('drop', () => {
      this.batches = this.batches.filter((batch) => batch.firstSequence !== firstSequence);
    });
  }

  readMark(): MarkReading {
    if (this.cachedMark === null) return { kind: 'missing' };
    const reading = decodeMark(this.cachedMark);
    if (reading.kind === 'good') this.nextSlot = reading.slot === 0 ? 1 : 0;
    return reading;
  }

  writeMark(point: ChainPoint): void {
    const slot = new Uint8Array(SLOT_BYTES);
    encodeSlot(point, slot);
    const at = SLOT_OFFSETS[this.nextSlot];
    const mark = this.cachedMark ?? newMark(point);
    this.cachedMark = mark;
    this.durableMark ??= mark.slice();
    this.step(
      'writeMark',
      () => {
        mark.set(slot, at);
        this.nextSlot = this.nextSlot === 0 ? 1 : 0;
      },
      () => mark.set(this.torn(slot), at),
    );
  }

  syncMark(): void {
    this.step('syncMark', () => {
      this.durableMark = this.cachedMark?.slice() ?? null;
    });
  }

  /**
   * The machine went off: each slot of the mark is as it was written last, or as it was synced last;
   * one of them may be torn.
   */
  losePower(): void {
    if (this.cachedMark === null || this.durableMark === null) return;
    for (const at of SLOT_OFFSETS) {
      if (this.random.chance(0.5)) continue;
      this.cachedMark.set(this.durableMark.subarray(at, at + SLOT_BYTES), at);
    }
    if (this.random.chance(0.2)) {
      const at = SLOT_OFFSETS[this.nextSlot];
      this.cachedMark.set(this.torn(this.cachedMark.subarray(at, at + SLOT_BYTES)), at);
    }
    this.durableMark = this.cachedMark.slice();
  }

  private step(step: Step, whole: () => void, half: () => void = whole): void {
    const fate = this.fate(step);
    if (fate === 'succeeds' || fate === 'fails after') whole();
    else if (fate === 'tears') half();
    if (fate !== 'succeeds') throw new StoreFault(`${step} ${fate}`);
  }

  private torn(bytes: Uint8Array): Uint8Array {
    const torn = bytes.slice();
    const from = this.random.between(0, Math.max(0, torn.length - 2));
    for (let i = from; i < torn.length; i++) torn[i] = (torn[i] ?? 0) ^ 0xa5;
    return torn;
  }
}

function pointOf(batch: StoredBatch | undefined): ChainPoint | null {
  return batch === undefined ? null : { sequence: lastSequenceOf(batch), hash: batch.hash };
}
