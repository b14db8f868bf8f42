import { check } from './invariant.ts';
import { grown, PageDirectory } from './page-directory.ts';

/** Words of a level: the addresses of its first and its last order, 0 where it is empty. */
export const LEVEL_FIELDS = { HEAD: 0, TAIL: 1 } as const;
const { HEAD, TAIL } = LEVEL_FIELDS;

const TICKS = 1024;
const TICKS_MASK = TICKS - 1;
/** A level has 2 words, a page 1,024 levels; of bits a page has 32 words and their summary. */
const LEVEL_SHIFT = 1;
const PAGE_SHIFT = 11;
const BITS_SHIFT = 6;
const SUMMARY = 32;
const EMPTY = Number.POSITIVE_INFINITY;

/**
 * The price levels of a book, in pages of 1,024 neighbouring ticks of one side.
 *
 * A level is found by its key: the price on the sell side, minus the price on the buy side. So the
 * smallest key of a side is its best price, no key is on both sides, and one code serves both.
 *
 *   levels   ┌ page 0: 1,024 x head, tail ┐┌ page 1 ...
 *   bits     ┌ page 0: 32 words of 32 levels, 1 word of 32 words, unused ┐┌ page 1 ...
 *
 * A bit of a level says that it has orders, a bit of a word that it has such levels. A page without
 * orders is all zero and goes back to the directory at once.
 */
export class PriceLevels {
  /** By side, the smallest key with orders; Infinity where there is none. */
  readonly bestKeys: Float64Array = new Float64Array([EMPTY, EMPTY]);
  /** By side, the address of that level; 0 where there is none. */
  readonly bestLevels: Int32Array = new Int32Array(2);
  /** Heads and tails by level address. Replaced when it grows. */
  levels: Int32Array = new Int32Array(INITIAL_PAGES << PAGE_SHIFT);
  /** Levels with orders, on both sides. */
  count = 0;

  private bits: Int32Array = new Int32Array(INITIAL_PAGES << BITS_SHIFT);
  private readonly directory = new PageDirectory();

  /** The address of the level for `key`. Where it is empty, it must get an order and be opened. */
  levelFor(key: number, side: number): number {
    const tick = key & TICKS_MASK;
    const page = this.directory.findOrInsert((key - tick) / TICKS, side);
    if (page << PAGE_SHIFT >= this.levels.length) this.grow();
    return (page << PAGE_SHIFT) + (tick << LEVEL_SHIFT);
  }

  /** The address of a level that has orders. */
  levelAt(key: number, side: number): number {
    const tick = key & TICKS_MASK;
    const page = this.directory.find((key - tick) / TICKS, side);
    return (page << PAGE_SHIFT) + (tick << LEVEL_SHIFT);
  }

  /** Marks a level that has got its first order. */
  open(level: number, key: number, side: number): void {
    const { bits, bestKeys } = this;
    const base = (level >> PAGE_SHIFT) << BITS_SHIFT;
    const tick = (level >> LEVEL_SHIFT) & TICKS_MASK;
    const word = tick >> 5;
    bits[base + word]! |= 1 << tick;
    bits[base + SUMMARY]! |= 1 << word;
    this.count++;
    if (key < bestKeys[side]!) {
      bestKeys[side] = key;
      this.bestLevels[side] = level;
    }
  }

  /** Unmarks a level that has lost its last order. */
  close(level: number, side: number): void {
    const { bits } = this;
    const base = (level >> PAGE_SHIFT) << BITS_SHIFT;
    const tick = (level >> LEVEL_SHIFT) & TICKS_MASK;
    const word = tick >> 5;
    const left = bits[base + word]! & ~(1 << tick);
    bits[base + word] = left;
    this.count--;
    if (left === 0) {
      const summary = bits[base + SUMMARY]! & ~(1 << word);
      bits[base + SUMMARY] = summary;
      if (summary === 0) this.directory.remove(level >> PAGE_SHIFT, side);
    }
    if (level === this.bestLevels[side]) this.findBest(side);
  }

  /** The smallest key with orders that is greater than `key`, or Infinity. */
  keyAfter(key: number, side: number): number {
    const { bits, directory } = this;
    const tick = key & TICKS_MASK;
    const page = directory.find((key - tick) / TICKS, side);
    const base = page << BITS_SHIFT;
    let word = tick >> 5;
    // Shifted in two steps: a shift by 32 would be none at all.
    const higher = bits[base + word]! & ((-1 << tick) << 1);
    if (higher !== 0) return key - tick + word * 32 + lowestBit(higher);
    const words = bits[base + SUMMARY]! & ((-1 << word) << 1);
    if (words === 0) return this.firstKeyOf(directory.next(page));
    word = lowestBit(words);
    return key - tick + word * 32 + lowestBit(bits[base + word]!);
  }

  /** Throws where bitmaps, pages or the best levels contradict one another. */
  validate(): void {
    this.directory.validate();
    let marked = 0;
    for (let page = 2; page < this.directory.pageLimit; page++) marked += this.validatePage(page);
    check(marked === this.count, `${marked} levels are marked, ${this.count} are counted`);
    for (let side = 0; side < 2; side++) {
      const best = this.firstKeyOf(this.directory.next(side));
      check(best === this.bestKeys[side], `the best key is ${best}, not ${this.bestKeys[side]}`);
      const level = best === EMPTY ? 0 : this.levelAt(best, side);
      check(level === this.bestLevels[side], `the best level is at ${level}`);
    }
  }

  private validatePage(page: number): number {
    const { bits, levels } = this;
    const base = page << BITS_SHIFT;
    const inUse = !Number.isNaN(this.directory.keys[page]!);
    check(inUse === (bits[base + SUMMARY] !== 0), `page ${page} is empty or lost`);
    let marked = 0;
    for (let tick = 0; tick < TICKS; tick++) {
      const word = bits[base + (tick >> 5)]!;
      const bit = (word >>> tick) & 1;
      const level = (page << PAGE_SHIFT) + (tick << LEVEL_SHIFT);
      check((levels[level + HEAD] !== 0) === (bit === 1), `level ${level} and its bit differ`);
      check((levels[level + TAIL] !== 0) === (bit === 1), `level ${level} has no last order`);
      const summary = (bits[base + SUMMARY]! >>> (tick >> 5)) & 1;
      check((word !== 0) === (summary === 1), `a word of page ${page} and its bit differ`);
      marked += bit;
    }
    return marked;
  }

  private findBest(side: number): void {
    const page = this.directory.next(side);
    const key = this.firstKeyOf(page);
    this.bestKeys[side] = key;
    const tick = key & TICKS_MASK;
    this.bestLevels[side] = page === 0 ? 0 : (page << PAGE_SHIFT) + (tick << LEVEL_SHIFT);
  }

  private firstKeyOf(page: number): number {
    if (page === 0) return EMPTY;
    const base = page << BITS_SHIFT;
    const word = lowestBit(this.bits[base + SUMMARY]!);
    const tick = word * 32 + lowestBit(this.bits[base + word]!);
    return this.directory.keys[page]! * TICKS + tick;
  }

  private grow(): void {
    this.levels = grown(this.levels, this.levels.length * 2);
    this.bits = grown(this.bits, this.bits.length * 2);
  }
}

const INITIAL_PAGES = 4;

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
