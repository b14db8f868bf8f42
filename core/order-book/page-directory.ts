import { check } from './invariant.ts';

const INITIAL_PAGES = 4;
const HEIGHT = 10;

/**
 * The pages of each side in the order of their keys: two skip lists over page numbers, so that
 * finding, adding and removing a page costs the logarithm of their number however prices lie.
 *
 * A page number is small and dense. Numbers 0 and 1 are the heads of the sides' lists, never pages.
 */
export class PageDirectory {
  /** Key of each page; NaN where the number is a head's or free. */
  private keys: Float64Array = new Float64Array(INITIAL_PAGES).fill(Number.NaN);
  /** For each page, the next one on each of its levels; 0 for none. */
  private forward: Int32Array = new Int32Array(INITIAL_PAGES * HEIGHT);
  private readonly path = new Int32Array(HEIGHT);
  private free: Int32Array = new Int32Array(INITIAL_PAGES);
  private freeCount = 0;
  private used = 2;
  private random = 0x9e3779b9 | 0;

  /** All page numbers are below this. */
  get pageLimit(): number {
    return this.used;
  }

  /** The key of a page; NaN where the number is not in use. */
  keyOf(page: number): number {
    return this.keys[page]!;
  }

  /** The page with the smallest key of a side, or 0. */
  first(side: number): number {
    return this.forward[side * HEIGHT]!;
  }

  /** The page with the next greater key on the same side, or 0. */
  next(page: number): number {
    return this.forward[page * HEIGHT]!;
  }

  /** The page with this key, or 0. */
  find(key: number, side: number): number {
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
    const found = this.next(page);
    return keys[found] === key ? found : 0;
  }

  /** The page with this key, added where there was none. */
  findOrInsert(key: number, side: number): number {
    return this.find(key, side) || this.insert(key);
  }

  /** Removes a page; its number may be given to another key. */
  remove(page: number, side: number): void {
    this.find(this.keys[page]!, side);
    const { forward, path } = this;
    for (let level = 0; level < HEIGHT; level++) {
      const before = path[level]! * HEIGHT + level;
      if (forward[before] !== page) break;
      forward[before] = forward[page * HEIGHT + level]!;
    }
    this.keys[page] = Number.NaN;
    this.free[this.freeCount++] = page;
  }

  /** Throws where a list is out of order or incomplete. */
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
        check(this.find(key, side) === page, `page ${page} is not found by its key`);
        before = key;
        page = forward[page * HEIGHT + level]!;
      }
    }
    return listed;
  }

  /** Adds a page where the last search ended. */
  private insert(key: number): number {
    const page = this.allocate();
    const { forward, path } = this;
    const height = this.drawHeight();
    for (let level = 0; level < height; level++) {
      const before = path[level]! * HEIGHT + level;
      forward[page * HEIGHT + level] = forward[before]!;
      forward[before] = page;
    }
    this.keys[page] = key;
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
    const forward = new Int32Array(size * HEIGHT);
    keys.set(this.keys);
    forward.set(this.forward);
    this.keys = keys;
    this.forward = forward;
    // Full when all numbers are in use: then none is free.
    this.free = new Int32Array(size);
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
