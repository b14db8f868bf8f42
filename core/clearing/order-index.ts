import type { Market } from './market.ts';

/**
 * Finds an open order's place by its id: open addressing with linear probing over typed arrays, at
 * most two thirds full, with backward-shift deletion so that no tombstones pile up. Only the places
 * are kept; the id that belongs to one stands in its market's table, so an order must be in its table
 * as long as it is in here. A Map would cost many times the memory an order and the time.
 */
export class OrderIndex {
  private readonly tables: readonly Market[];
  /** Slot + 1; 0 for an empty cell. */
  private cells = new Uint32Array(1024);
  private cellMarkets = new Uint16Array(1024);
  private mask = 1023;
  count = 0;
  /** Where the last successful `find` found its order. */
  market = 0;
  slot = 0;

  constructor(markets: readonly Market[]) {
    this.tables = markets;
  }

  add(id: number, market: number, slot: number): void {
    if ((this.count + 1) * 3 > (this.mask + 1) * 2) this.rehash((this.mask + 1) * 2);
    this.count++;
    this.insert(id, market, slot);
  }

  /** Whether the order is open; if so, `market` and `slot` say where. No order has the id 0. */
  find(id: number): boolean {
    const at = this.locate(id);
    if (at < 0) return false;
    this.market = this.cellMarkets[at] as number;
    this.slot = (this.cells[at] as number) - 1;
    return true;
  }

  remove(id: number): void {
    let hole = this.locate(id);
    if (hole < 0) return;
    this.count--;
    const { cells, mask } = this;
    for (let at = (hole + 1) & mask; cells[at] !== 0; at = (at + 1) & mask) {
      const home = hash(this.idAt(at)) & mask;
      if (((at - home) & mask) >= ((at - hole) & mask)) {
        cells[hole] = cells[at] as number;
        this.cellMarkets[hole] = this.cellMarkets[at] as number;
        hole = at;
      }
    }
    cells[hole] = 0;
  }

  private locate(id: number): number {
    const { cells, mask } = this;
    let at = hash(id) & mask;
    while (cells[at] !== 0) {
      if (this.idAt(at) === id) return at;
      at = (at + 1) & mask;
    }
    return -1;
  }

  private idAt(at: number): number {
    const market = this.tables[this.cellMarkets[at] as number] as Market;
    return market.orders.orderIds[(this.cells[at] as number) - 1] as number;
  }

  private insert(id: number, market: number, slot: number): void {
    const { cells, mask } = this;
    let at = hash(id) & mask;
    while (cells[at] !== 0) at = (at + 1) & mask;
    cells[at] = slot + 1;
    this.cellMarkets[at] = market;
  }

  private rehash(size: number): void {
    const { cells, cellMarkets } = this;
    const ids = Float64Array.from(cells, (cell, at) => (cell === 0 ? 0 : this.idAt(at)));
    this.cells = new Uint32Array(size);
    this.cellMarkets = new Uint16Array(size);
    this.mask = size - 1;
    ids.forEach((id, at) => {
      if (id !== 0) this.insert(id, cellMarkets[at] as number, (cells[at] as number) - 1);
    });
  }
}

/** Ids are consecutive: a multiplication spreads them, and their high half is folded in. */
function hash(id: number): number {
  const low = id | 0;
  const high = (id / 0x1_0000_0000) | 0;
  const mixed = Math.imul(low ^ Math.imul(high, 0x85eb_ca6b), 0x9e37_79b1);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
