import { check } from './invariant.ts';
import { PageDirectory } from './page-directory.ts';

/**
 * Where a book finds levels and best prices. `HEAD` and `TAIL` are words of a level; `BEST_LEVEL` is
 * the first of two words, `BEST_KEY` of two doubles, one for each side. Hot modules take these apart
 * into constants of their own, which the engine folds; imported ones it loads.
 */
export const LEVEL_FIELDS = { HEAD: 0, TAIL: 1, BEST_LEVEL: 512, BEST_KEY: 257 } as const;
const { HEAD, TAIL, BEST_LEVEL, BEST_KEY } = LEVEL_FIELDS;

const TICKS = 512;
const TICKS_MASK = TICKS - 1;
/** Words of a page behind its levels, and the double that holds its key. */
const BITS = 1024;
const SUMMARY = 1040;
const PAGE_KEY = 521;
const PAGE_WORDS = 1056;
const INITIAL_PAGES = 4;
const NO_KEY = Number.POSITIVE_INFINITY;

/**
 * The price levels of a book, in pages of 512 neighbouring ticks of one side.
 *
 * A level is found by its key: the price on the sell side, minus the price on the buy side. So the
 * smallest key of a side is its best price, no key is on both sides, and one code serves both. A
 * taker crosses a maker where the sum of their keys is not above 0.
 *
 * All pages lie in one buffer, seen as 32-bit words and as doubles:
 *
 *   word  0                      1024        1040       1042    1044
 *        ┌──────────────────────┬───────────┬──────────┬───────┬────────┐
 *        │ 512 times head, tail │ 16 x bits │ summary  │ key   │ unused │
 *        └──────────────────────┴───────────┴──────────┴───────┴────────┘
 *
 * A bit says that its level has orders, a bit of the summary that its word has bits. A page without
 * orders is all zero but for its key, and goes back to the directory at once.
 *
 * Page 0 is none. Its words 0 to 511 remember pages by the low bits of their keys, which finds
 * nearly every page without a search; words 512 to 517 hold the best level and key of each side.
 */
export class PriceLevels {
  /** Replaced, both, when a page more is needed than fits. */
  words: Int32Array;
  doubles: Float64Array;
  /** Levels with orders, on both sides. */
  count = 0;

  private readonly directory = new PageDirectory();

  constructor() {
    this.words = new Int32Array(INITIAL_PAGES * PAGE_WORDS);
    this.doubles = new Float64Array(this.words.buffer);
    this.doubles[PAGE_KEY] = Number.NaN;
    this.doubles.fill(NO_KEY, BEST_KEY, BEST_KEY + 2);
  }

  /** The address of the level for `key`. Where it is empty, it must get an order and be opened. */
  levelFor(key: number, side: number): number {
    const tick = key & TICKS_MASK;
    const pageKey = (key - tick) / TICKS;
    let page = this.words[pageKey & TICKS_MASK]!;
    if (this.doubles[(page >> 1) + PAGE_KEY] !== pageKey) page = this.searchPage(pageKey, side);
    return page + (tick << 1);
  }

  /** Marks a level that has got its first order. */
  open(level: number, key: number, side: number): void {
    const { words, doubles } = this;
    const tick = key & TICKS_MASK;
    const page = level - (tick << 1);
    const word = tick >> 5;
    words[page + BITS + word]! |= 1 << tick;
    words[page + SUMMARY]! |= 1 << word;
    this.count++;
    if (key < doubles[BEST_KEY + side]!) {
      doubles[BEST_KEY + side] = key;
      words[BEST_LEVEL + side] = level;
    }
  }

  /** Unmarks a level that has lost its last order. */
  close(level: number, key: number, side: number): void {
    const { words } = this;
    const tick = key & TICKS_MASK;
    const page = level - (tick << 1);
    const word = tick >> 5;
    const bits = words[page + BITS + word]! & ~(1 << tick);
    words[page + BITS + word] = bits;
    this.count--;
    if (bits === 0) {
      const summary = words[page + SUMMARY]! & ~(1 << word);
      words[page + SUMMARY] = summary;
      if (summary === 0) this.releasePage(page, side);
    }
    if (level === words[BEST_LEVEL + side]) this.findBest(side);
  }

  /** The smallest key with orders that is greater than `key`, which has some; or Infinity. */
  keyAfter(key: number, side: number): number {
    const { words } = this;
    const tick = key & TICKS_MASK;
    const page = this.levelFor(key, side) - (tick << 1);
    const word = tick >> 5;
    // Shifted in two steps: a shift by 32 would be none at all.
    const bits = words[page + BITS + word]! & ((-1 << tick) << 1);
    if (bits !== 0) return key - tick + (word << 5) + lowestBit(bits);
    const summary = words[page + SUMMARY]! & ((-1 << word) << 1);
    if (summary === 0) return this.firstKeyOf(this.directory.next(page / PAGE_WORDS));
    return key - tick + this.lowestTick(page, summary);
  }

  /** Throws where bits, pages, or the best levels contradict one another. */
  validate(): void {
    const { directory, words, doubles } = this;
    directory.validate();
    let marked = 0;
    for (let page = 2; page < directory.pageLimit; page++) marked += this.validatePage(page);
    check(marked === this.count, `${marked} levels are marked, ${this.count} are counted`);
    for (let side = 0; side < 2; side++) {
      const key = this.firstKeyOf(directory.first(side));
      const best = doubles[BEST_KEY + side]!;
      check(key === best, `the best key of side ${side} is ${key}, not ${best}`);
      const level = key === NO_KEY ? 0 : this.levelFor(key, side);
      check(level === words[BEST_LEVEL + side], `the best level of side ${side} is at ${level}`);
    }
  }

  private validatePage(number: number): number {
    const { words, doubles } = this;
    const page = number * PAGE_WORDS;
    const summary = words[page + SUMMARY]!;
    const key = this.directory.keyOf(number);
    check(Object.is(doubles[(page >> 1) + PAGE_KEY], key), `page ${number} has another key`);
    check(Number.isNaN(key) === (summary === 0), `page ${number} is empty or lost`);
    let marked = 0;
    for (let tick = 0; tick < TICKS; tick++) {
      const bits = words[page + BITS + (tick >> 5)]!;
      const bit = (bits >>> (tick & 31)) & 1;
      const level = page + (tick << 1);
      check((words[level + HEAD] !== 0) === (bit === 1), `level ${level} and its bit differ`);
      check((words[level + TAIL] !== 0) === (bit === 1), `level ${level} has no last order`);
      const wordBit = (summary >>> (tick >> 5)) & 1;
      check((bits !== 0) === (wordBit === 1), `bits of page ${number} and its summary differ`);
      marked += bit;
    }
    return marked;
  }

  private findBest(side: number): void {
    const { words, doubles } = this;
    const number = this.directory.first(side);
    const page = number * PAGE_WORDS;
    if (number === 0) {
      doubles[BEST_KEY + side] = NO_KEY;
      words[BEST_LEVEL + side] = 0;
      return;
    }
    const tick = this.lowestTick(page, words[page + SUMMARY]!);
    doubles[BEST_KEY + side] = doubles[(page >> 1) + PAGE_KEY]! * TICKS + tick;
    words[BEST_LEVEL + side] = page + (tick << 1);
  }

  private firstKeyOf(number: number): number {
    if (number === 0) return NO_KEY;
    const page = number * PAGE_WORDS;
    const tick = this.lowestTick(page, this.words[page + SUMMARY]!);
    return this.directory.keyOf(number) * TICKS + tick;
  }

  private lowestTick(page: number, summary: number): number {
    const word = lowestBit(summary);
    return (word << 5) + lowestBit(this.words[page + BITS + word]!);
  }

  /** The address of the page with this key, added where there was none. */
  private searchPage(pageKey: number, side: number): number {
    const page = this.directory.findOrInsert(pageKey, side) * PAGE_WORDS;
    if (page + PAGE_WORDS > this.words.length) this.grow();
    this.doubles[(page >> 1) + PAGE_KEY] = pageKey;
    this.words[pageKey & TICKS_MASK] = page;
    return page;
  }

  private releasePage(page: number, side: number): void {
    this.doubles[(page >> 1) + PAGE_KEY] = Number.NaN;
    this.directory.remove(page / PAGE_WORDS, side);
  }

  private grow(): void {
    const words = new Int32Array(this.words.length * 2);
    words.set(this.words);
    this.words = words;
    this.doubles = new Float64Array(words.buffer);
  }
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
