import { check } from './invariant.ts';
import { PageDirectory } from './page-directory.ts';

const TICKS_BITS = 10;
const TICKS = 1 << TICKS_BITS;
const TICKS_MASK = TICKS - 1;
const KEYS_PER_TICK = 1 / TICKS;

/** Words of a level: the first and the last order in it. */
export const HEAD = 0;
export const TAIL = 1;
const LEVEL_WORDS = 2;

const BITMAP = TICKS * LEVEL_WORDS;
const SUMMARY = BITMAP + TICKS / 32;
const PAGE_WORDS = SUMMARY + 32;

/**
 * The price levels of one side, in pages of 1,024 neighbouring ticks.
 *
 * A level is found by its key: the price on the sell side, minus the price on the buy side, so that
 * on both sides the smallest key is the best price and one code serves both.
 *
 *   page   ┌ 1,024 levels: head, tail ┐┌ bitmap: 32 words ┐┌ summary: 1 word ┐
 *
 * A bit in the bitmap says that a level has orders, a bit in the summary that its word has bits.
 * A page without orders is all zero and goes back to the directory at once.
 */
export class BookSide {
  /** The smallest key with orders; Infinity where the side is empty. */
  bestKey = Number.POSITIVE_INFINITY;
  /** The address of that level, or 0. */
  bestLevel = 0;
  levelCount = 0;
  /** Levels and bitmaps of all pages. Replaced when it grows. */
  pages: Int32Array = new Int32Array(INITIAL_PAGES * PAGE_WORDS);
  readonly directory: PageDirectory = new PageDirectory();

  /** The address of the level for `key`; it may be empty, and must then be filled with `open`. */
  levelFor(key: number): number {
    const pageKey = Math.floor(key * KEYS_PER_TICK);
    let page = this.directory.find(pageKey);
    if (page === 0) page = this.addPage(pageKey);
    return page * PAGE_WORDS + (key & TICKS_MASK) * LEVEL_WORDS;
  }

  /** Marks a level that has got its first order. */
  open(level: number, key: number): void {
    const tick = key & TICKS_MASK;
    const page = level - tick * LEVEL_WORDS;
    const word = tick >>> 5;
    const { pages } = this;
    pages[page + BITMAP + word]! |= 1 << (tick & 31);
    pages[page + SUMMARY]! |= 1 << word;
    this.levelCount++;
    if (key < this.bestKey) {
      this.bestKey = key;
      this.bestLevel = level;
    }
  }

  /** Unmarks a level that has lost its last order. */
  close(level: number, key: number): void {
    const tick = key & TICKS_MASK;
    const page = level - tick * LEVEL_WORDS;
    const word = tick >>> 5;
    const { pages } = this;
    this.levelCount--;
    const bits = pages[page + BITMAP + word]! & ~(1 << (tick & 31));
    pages[page + BITMAP + word] = bits;
    if (bits === 0) {
      const summary = pages[page + SUMMARY]! & ~(1 << word);
      pages[page + SUMMARY] = summary;
      if (summary === 0) this.directory.remove(page / PAGE_WORDS);
    }
    if (level === this.bestLevel) this.findBest();
  }

  /** The smallest key with orders that is greater than `key`, or Infinity. */
  keyAfter(key: number): number {
    const { directory, pages } = this;
    const number = directory.find(Math.floor(key * KEYS_PER_TICK));
    const page = number * PAGE_WORDS;
    const tick = key & TICKS_MASK;
    let word = tick >>> 5;
    // Shifted in two steps: a shift by 32 would be none at all.
    const bits = pages[page + BITMAP + word]! & ((-1 << (tick & 31)) << 1);
    if (bits !== 0) return key - tick + word * 32 + lowestBit(bits);
    const summary = pages[page + SUMMARY]! & ((-1 << word) << 1);
    if (summary === 0) return this.firstKeyOf(directory.next(number));
    word = lowestBit(summary);
    return key - tick + word * 32 + lowestBit(pages[page + BITMAP + word]!);
  }

  /** The address of a level that has orders. */
  levelAt(key: number): number {
    const page = this.directory.find(Math.floor(key * KEYS_PER_TICK));
    return page * PAGE_WORDS + (key & TICKS_MASK) * LEVEL_WORDS;
  }

  /** Throws where bitmaps, pages or the best level contradict one another. */
  validate(): void {
    const { directory, pages } = this;
    directory.validate();
    let marked = 0;
    for (let page = 1; page < directory.highWater; page++) {
      const inUse = !Number.isNaN(directory.keys[page]!);
      check(inUse === (pages[page * PAGE_WORDS + SUMMARY] !== 0), `page ${page} is empty or lost`);
      for (let tick = 0; tick < TICKS; tick++) marked += this.validateTick(page * PAGE_WORDS, tick);
    }
    check(marked === this.levelCount, `${marked} levels are marked of ${this.levelCount}`);
    const best = this.firstKeyOf(directory.first);
    check(best === this.bestKey, `the best level is ${best}, not ${this.bestKey}`);
    const level = best === Number.POSITIVE_INFINITY ? 0 : this.levelAt(best);
    check(level === this.bestLevel, `the best level is at ${level}, not ${this.bestLevel}`);
  }

  private validateTick(page: number, tick: number): number {
    const { pages } = this;
    const word = tick >>> 5;
    const bits = pages[page + BITMAP + word]!;
    const bit = (bits >>> (tick & 31)) & 1;
    const level = page + tick * LEVEL_WORDS;
    check((pages[level + HEAD] !== 0) === (bit === 1), `level ${level} and its bit differ`);
    check((pages[level + TAIL] !== 0) === (bit === 1), `level ${level} has no last order`);
    const summary = (pages[page + SUMMARY]! >>> word) & 1;
    check((bits !== 0) === (summary === 1), `word ${word} of page ${page} and its bit differ`);
    return bit;
  }

  private findBest(): void {
    const { first } = this.directory;
    const key = this.firstKeyOf(first);
    this.bestKey = key;
    this.bestLevel = first === 0 ? 0 : first * PAGE_WORDS + (key & TICKS_MASK) * LEVEL_WORDS;
  }

  private firstKeyOf(number: number): number {
    if (number === 0) return Number.POSITIVE_INFINITY;
    const page = number * PAGE_WORDS;
    const word = lowestBit(this.pages[page + SUMMARY]!);
    const bit = lowestBit(this.pages[page + BITMAP + word]!);
    return this.directory.keys[number]! * TICKS + word * 32 + bit;
  }

  private addPage(pageKey: number): number {
    const page = this.directory.insert(pageKey);
    if ((page + 1) * PAGE_WORDS > this.pages.length) {
      const pages = new Int32Array(this.pages.length * 2);
      pages.set(this.pages);
      this.pages = pages;
    }
    return page;
  }
}

const INITIAL_PAGES = 4;

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
