import { check } from './invariant.ts';

const INITIAL_PAGES = 4;
const HEIGHT = 10;
const CACHE_SIZE = 1024;
const CACHE_MASK = CACHE_SIZE - 1;

/**
 * The pages of each side in the order of their keys: two skip lists over page numbers, with one
 * direct-mapped cache in front that answers nearly every search where prices are dense.
 *
 * A page number is small and dense. Numbers 0 and 1 are the heads of the sides' lists, never pages.
 */
export class PageDirectory {
  /** Key of each page; NaN where the number is a head or free. */
  keys: Float64Array = new Float64Array(INITIAL_PAGES).fill(Number.NaN);

  private forward: Int32Array = new Int32Array(INITIAL_PAGES * HEIGHT);
  private readonly cache = new Int32Array(CACHE_SIZE);
  private readonly path = new Int32Array(HEIGHT);
  private free: Int32Array = new Int32Array(INITIAL_PAGES);
  private freeCount = 0;
  private used = 2;
  private random = 0x9e3779b9 | 0;

  /** Page numbers, heads included, are below this. */
  get pageLimit(): number {
    return this.used;
  }

  /** The page with this key, or 0. A key is on one side only. */
  find(key: number, side: number): number {
    const page = this.cache[key & CACHE_MASK]!;
    return this.keys[page] === key ? page : this.search(key, side);
  }

  /** The page with this key, added where there was none. */
  findOrInsert(key: number, side: number): number {
    const page = this.cache[key & CACHE_MASK]!;
    return this.keys[page] === key ? page : this.search(key, side) || this.insert(key);
  }

  /** The page with the next greater key on the same side, or 0. Of a head: the first page. */
  next(page: number): number {
    return this.forward[page * HEIGHT]!;
  }

  /** Removes a page; its number may be given to another key. */
  remove(page: number, side: number): void {
    this.search(this.keys[page]!, side);
    const { forward, path } = this;
    for (let level = 0; level < HEIGHT; level++) {
      const before = path[level]! * HEIGHT + level;
      if (forward[before] !== page) break;
      forward[before] = forward[page * HEIGHT + level]!;
    }
    this.keys[page] = Number.NaN;
    this.free[this.freeCount++] = page;
  }

  /** Throws where a list is out of order, incomplete, or disagrees with the cache. */
  validate(): void {
    let inUse = 0;
    for (let page = 2; page < this.used; page++) if (!Number.isNaN(this.keys[page]!)) inUse++;
    check(this.used - 2 === inUse + this.freeCount, 'a page is neither in use nor free');
    const listed = this.validateList(0) + this.validateList(1);
    check(listed === inUse, `${listed} pages are listed of ${inUse}`);
  }

  private validateList(side: number): number {
    const { forward, keys } = this;
    let listed = 0;
    for (let level = HEIGHT - 1; level >= 0; level--) {
      let before = Number.NEGATIVE_INFINITY;
      listed = 0;
      for (let page = forward[side * HEIGHT + level]!; page !== 0; listed++) {
        const key = keys[page]!;
        check(key > before, `page ${page} is out of order`);
        check(key < 0 === (side === 0), `page ${page} is on the wrong side`);
        check(this.find(key, side) === page, `page ${page} is not found by its key`);
        before = key;
        page = forward[page * HEIGHT + level]!;
      }
    }
    return listed;
  }

  /** Leaves in `path` the last page before `key` on each level. */
  private search(key: number, side: number): number {
    const { forward, keys, path } = this;
    let page = side;
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

  /** Adds a page where the last search ended. */
  private insert(key: number): number {
    const page = this.allocate();
    const { forward, path } = this;
    const height = this.drawHeight();
    for (let level = 0; level < HEIGHT; level++) {
      const before = path[level]! * HEIGHT + level;
      forward[page * HEIGHT + level] = level < height ? forward[before]! : 0;
      if (level < height) forward[before] = page;
    }
    this.keys[page] = key;
    this.cache[key & CACHE_MASK] = page;
    return page;
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
    return Math.min(1 + (Math.clz32(x) >> 1), HEIGHT);
  }
}

/** A copy of the given length, zero behind what there was. */
export function grown(from: Int32Array, length: number): Int32Array {
  const to = new Int32Array(length);
  to.set(from);
  return to;
}
