/**
 * Finds an open order's place by its id: open addressing with linear probing over typed arrays, at
 * most two thirds full, with backward-shift deletion so that no tombstones pile up. A Map would cost
 * three times the memory an order and several times the time at a million orders.
 */
export class OrderIndex {
  private ids = new Float64Array(1024);
  private markets = new Uint16Array(1024);
  private slots = new Uint32Array(1024);
  private mask = 1023;
  count = 0;
  /** Where the last successful `find` found its order. */
  market = 0;
  slot = 0;

  add(id: number, market: number, slot: number): void {
    if ((this.count + 1) * 3 > (this.mask + 1) * 2) this.rehash((this.mask + 1) * 2);
    this.count++;
    this.insert(id, market, slot);
  }

  /** Whether the order is open; if so, `market` and `slot` say where. */
  find(id: number): boolean {
    const at = this.locate(id);
    if (at < 0) return false;
    this.market = this.markets[at] as number;
    this.slot = this.slots[at] as number;
    return true;
  }

  remove(id: number): void {
    let hole = this.locate(id);
    if (hole < 0) return;
    this.count--;
    const { ids, mask } = this;
    for (let at = (hole + 1) & mask; ids[at] !== 0; at = (at + 1) & mask) {
      const home = hash(ids[at] as number) & mask;
      if (((at - home) & mask) >= ((at - hole) & mask)) {
        this.move(at, hole);
        hole = at;
      }
    }
    ids[hole] = 0;
  }

  private locate(id: number): number {
    // No order has the id 0: it marks what is empty, and would be found there.
    if (id === 0) return -1;
    const { ids, mask } = this;
    let at = hash(id) & mask;
    while (ids[at] !== id) {
      if (ids[at] === 0) return -1;
      at = (at + 1) & mask;
    }
    return at;
  }

  private insert(id: number, market: number, slot: number): void {
    const { ids, mask } = this;
    let at = hash(id) & mask;
    while (ids[at] !== 0) at = (at + 1) & mask;
    ids[at] = id;
    this.markets[at] = market;
    this.slots[at] = slot;
  }

  private move(from: number, to: number): void {
    this.ids[to] = this.ids[from] as number;
    this.markets[to] = this.markets[from] as number;
    this.slots[to] = this.slots[from] as number;
  }

  private rehash(size: number): void {
    const { ids, markets, slots } = this;
    this.ids = new Float64Array(size);
    this.markets = new Uint16Array(size);
    this.slots = new Uint32Array(size);
    this.mask = size - 1;
    for (let at = 0; at < ids.length; at++) {
      if (ids[at] !== 0) this.insert(ids[at] as number, markets[at] as number, slots[at] as number);
    }
  }
}

/** Ids are consecutive: a multiplication spreads them, and their high half is folded in. */
function hash(id: number): number {
  const low = id | 0;
  const high = (id / 0x1_0000_0000) | 0;
  const mixed = Math.imul(low ^ Math.imul(high, 0x85eb_ca6b), 0x9e37_79b1);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
