/** Whether `a` comes before `b`, both prices in ticks. */
type Order = (a: number, b: number) => boolean;

/** Highest first. */
export const descending: Order = (a, b) => a > b;
/** Lowest first. */
export const ascending: Order = (a, b) => a < b;

/** Fewer entries than this are not worth a sweep. */
const SWEEP_MIN = 1024;

/**
 * What waits for a price, the one that comes first on top: a binary heap over price and id. An entry
 * is taken out by leaving it behind: `isCurrent` tells whether id still waits at that price, and what
 * does not is dropped when it comes up, or together with all others when the heap has doubled.
 */
export class PriceHeap {
  private readonly before: Order;
  private readonly isCurrent: (id: number, price: number) => boolean;
  private prices: number[] = [];
  private ids: number[] = [];
  private sweepAt = SWEEP_MIN;

  constructor(before: Order, isCurrent: (id: number, price: number) => boolean) {
    this.before = before;
    this.isCurrent = isCurrent;
  }

  add(id: number, price: number): void {
    if (this.ids.length >= this.sweepAt) this.sweep();
    this.prices.push(price);
    this.ids.push(id);
    this.rise(this.prices.length - 1);
  }

  /** The id that waits at the first price; 0 where none does. `topPrice` then is its price. */
  top(): number {
    while (this.ids.length > 0) {
      const id = this.ids[0] as number;
      if (this.isCurrent(id, this.prices[0] as number)) return id;
      this.dropFirst();
    }
    return 0;
  }

  get topPrice(): number {
    return this.prices[0] ?? 0;
  }

  get size(): number {
    return this.ids.length;
  }

  private sweep(): void {
    const { prices, ids } = this;
    let kept = 0;
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at] as number;
      const price = prices[at] as number;
      if (!this.isCurrent(id, price)) continue;
      prices[kept] = price;
      ids[kept++] = id;
    }
    prices.length = kept;
    ids.length = kept;
    this.sweepAt = Math.max(SWEEP_MIN, 2 * kept);
    for (let at = (kept >> 1) - 1; at >= 0; at--) this.sink(at);
  }

  private dropFirst(): void {
    const price = this.prices.pop() as number;
    const id = this.ids.pop() as number;
    if (this.ids.length === 0) return;
    this.prices[0] = price;
    this.ids[0] = id;
    this.sink(0);
  }

  private precedes(a: number, b: number): boolean {
    const first = this.prices[a] as number;
    const second = this.prices[b] as number;
    if (first !== second) return this.before(first, second);
    return (this.ids[a] as number) < (this.ids[b] as number);
  }

  private rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.precedes(at, parent)) return;
      this.swap(at, parent);
      at = parent;
    }
  }

  private sink(from: number): void {
    const { length } = this.ids;
    for (let at = from; ; ) {
      const left = 2 * at + 1;
      if (left >= length) return;
      const right = left + 1;
      const first = right < length && this.precedes(right, left) ? right : left;
      if (!this.precedes(first, at)) return;
      this.swap(at, first);
      at = first;
    }
  }

  private swap(a: number, b: number): void {
    const { prices, ids } = this;
    const price = prices[a] as number;
    const id = ids[a] as number;
    prices[a] = prices[b] as number;
    ids[a] = ids[b] as number;
    prices[b] = price;
    ids[b] = id;
  }
}
