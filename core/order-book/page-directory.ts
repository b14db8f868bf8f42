import { check } from './invariant.ts';

/**
 * The pages of one side in price order: a skip list over page numbers, with a direct-mapped cache in
 * front that answers nearly every search when prices are dense. Holds no orders and knows no levels.
 *
 * A page number is small and dense; number 0 is the head of the list and never a page.
 */
export class PageDirectory {
  /** Key of each page; NaN where the number is free. */
  keys: Float64Array = new Float64Array(INITIAL_PAGES).fill(Number.NaN);
  /** The page behind the head, or 0. */
  first = 0;
  count = 0;

  private forward: Int32Array = new Int32Array(INITIAL_PAGES * HEIGHT);
  private readonly cache = new Int32Array(CACHE_SIZE);
  private readonly path = new Int32Array(HEIGHT);
  private free: Int32Array = new Int32Array(INITIAL_PAGES);
  private freeCount = 0;
  private used = 1;
  private random = 0x9e3779b9;

  /** The page with this key, or 0. */
  find(key: number): number {
    const page = this.cache[key & CACHE_MASK]!;
    return this.keys[page] === key ? page : this.search(key);
  }

  /** The page behind `page` in order, or 0. */
  next(page: number): number {
    return this.forward[page * HEIGHT]!;
  }

  /** Adds a page for a key that has none; returns its number. */
  insert(key: number): number {
    this.search(key);
    const page = this.allocate();
    this.keys[page] = key;
    this.cache[key & CACHE_MASK] = page;
    const { forward, path } = this;
    const height = this.drawHeight();
    for (let level = 0; level < HEIGHT; level++) {
      const before = path[level]! * HEIGHT + level;
      forward[page * HEIGHT + level] = level < height ? forward[before]! : 0;
      if (level < height) forward[before] = page;
    }
    this.first = forward[0]!;
    this.count++;
    return page;
  }

  /** Removes a page; its number may be given to another key. */
  remove(page: number): void {
    const key = this.keys[page]!;
    this.search(key);
    const { forward, path } = this;
    for (let level = 0; level < HEIGHT; level++) {
      const before = path[level]! * HEIGHT + level;
      if (forward[before] !== page) break;
      forward[before] = forward[page * HEIGHT + level]!;
    }
    this.keys[page] = Number.NaN;
    this.free[this.freeCount++] = page;
    this.first = forward[0]!;
    this.count--;
  }

  /** How many page numbers have ever been in use at once, number 0 included. */
  get highWater(): number {
    return this.used;
  }

  /** Throws where the list is out of order, incomplete, or disagrees with the cache. */
  validate(): void {
    const { forward, keys } = this;
    let inUse = 0;
    for (let page = 1; page < this.used; page++) if (!Number.isNaN(keys[page]!)) inUse++;
    check(inUse === this.count, `${inUse} pages are in use, ${this.count} are counted`);
    check(this.used - 1 === inUse + this.freeCount, 'a page is neither in use nor free');
    check(this.first === forward[0], 'the first page is another one');
    for (let level = 0; level < HEIGHT; level++) {
      let before = Number.NEGATIVE_INFINITY;
      let listed = 0;
      for (let page = forward[level]!; page !== 0; page = forward[page * HEIGHT + level]!) {
        check(keys[page]! > before, `page ${page} is out of order`);
        before = keys[page]!;
        listed++;
        if (level === 0) check(this.find(before) === page, `page ${page} is not found by its key`);
      }
      check(level > 0 || listed === inUse, `${listed} pages are listed of ${inUse}`);
    }
  }

  /** Leaves in `path` the last page before `key` on each level. */
  private search(key: number): number {
    const { forward, keys, path } = this;
    let page = 0;
    for (let level = HEIGHT - 1; level >= 0; level--) {
      let next = forward[page * HEIGHT + level]!;
      while (next !== 0 && keys[next]! < key) {
        page = next;
        next = forward[page * HEIGHT + level]!;
      }
      path[level] = page;
    }
    const found = forward[page * HEIGHT]!;
    if (found === 0 || keys[found] !== key) return 0;
    this.cache[key & CACHE_MASK] = found;
    return found;
  }

  private allocate(): number {
    if (this.freeCount > 0) return this.free[--this.freeCount]!;
    if (this.used === this.keys.length) this.grow();
    return this.used++;
  }

  private grow(): void {
    const size = this.keys.length * 2;
    const keys = new Float64Array(size).fill(Number.NaN);
    keys.set(this.keys);
    this.keys = keys;
    this.forward = grown(this.forward, size * HEIGHT);
    this.free = grown(this.free, size);
  }

  /** Each level holds a quarter of the pages of the one below. Xorshift: the same in every run. */
  private drawHeight(): number {
    let x = this.random;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.random = x;
    return 1 + Math.min(Math.clz32(x) >> 1, HEIGHT - 1);
  }
}

const INITIAL_PAGES = 4;
const HEIGHT = 10;
const CACHE_SIZE = 1024;
const CACHE_MASK = CACHE_SIZE - 1;

function grown(from: Int32Array, length: number): Int32Array {
  const to = new Int32Array(length);
  to.set(from);
  return to;
}
