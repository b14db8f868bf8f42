import { grown } from '../columns.ts';

/** No position: what `find` and the chains end with. */
export const NO_POSITION = -1;

/** The columns of a snapshot, each as long as the highest slot ever used. */
export interface PositionsSnapshot {
  readonly ids: Float64Array;
  readonly accounts: Uint32Array;
  readonly markets: Uint32Array;
  readonly sides: Uint8Array;
  readonly quantities: Float64Array;
  readonly openNotionals: BigInt64Array;
  readonly margins: BigInt64Array;
  readonly openOrderIds: Float64Array;
  readonly openedAts: Float64Array;
  readonly stopLosses: Float64Array;
  readonly takeProfits: Float64Array;
  readonly trailingOffsets: Float64Array;
  readonly freeSlots: Uint32Array;
}

/** What a position is opened with. */
export interface OpenedPosition {
  readonly id: number;
  readonly account: number;
  readonly market: number;
  /** Side.Buy is long. */
  readonly side: number;
  readonly openOrderId: number;
  readonly openedAt: number;
}

/**
 * The open positions of all markets, a column a field, addressed by slot. A slot is free again when
 * its position ends; which one the next position gets follows from the events alone.
 *
 * `closings`, `rows`, `nexts` and `previouses` follow from the other columns and the open orders:
 * they are not in a snapshot, but made anew.
 */
export class Positions {
  /** 0 in a free slot. */
  ids = new Float64Array(64);
  accounts = new Uint32Array(64);
  markets = new Uint32Array(64);
  /** Side.Buy is long. */
  sides = new Uint8Array(64);
  /** 10^-amountScale lots. */
  quantities = new Float64Array(64);
  /** What the quantity was opened for: Σ price × quantity, ticks × steps. */
  openNotionals = new BigInt64Array(64);
  /** Initial margin in quote units, as it was when each part was opened. */
  margins = new BigInt64Array(64);
  /** The order that opened it. */
  openOrderIds = new Float64Array(64);
  openedAts = new Float64Array(64);
  /** Triggers in ticks; 0 for none. */
  stopLosses = new Float64Array(64);
  takeProfits = new Float64Array(64);
  /** How far behind the price the stop-loss follows, in ticks; 0: it stands still. */
  trailingOffsets = new Float64Array(64);
  /** What open orders that close it by its id may still take of it, in steps. */
  closings = new Float64Array(64);
  /** Its exposure. */
  rows = new Int32Array(64);
  /** The chain of the positions of one exposure, newest first; `NO_POSITION` ends it. */
  nexts = new Int32Array(64);
  previouses = new Int32Array(64);
  /** Slots ever used; every open position is below. */
  slotCount = 0;
  private readonly slots = new Map<number, number>();
  private freeSlots = new Uint32Array(64);
  private freeCount = 0;

  get openCount(): number {
    return this.slotCount - this.freeCount;
  }

  /** The slot of an open position, or `NO_POSITION`. */
  find(id: number): number {
    return this.slots.get(id) ?? NO_POSITION;
  }

  /** Opens a position, empty and without triggers, and returns its slot. */
  open(position: OpenedPosition): number {
    const slot = this.freeCount > 0 ? (this.freeSlots[--this.freeCount] as number) : this.append();
    this.ids[slot] = position.id;
    this.accounts[slot] = position.account;
    this.markets[slot] = position.market;
    this.sides[slot] = position.side;
    this.quantities[slot] = 0;
    this.openNotionals[slot] = 0n;
    this.margins[slot] = 0n;
    this.openOrderIds[slot] = position.openOrderId;
    this.openedAts[slot] = position.openedAt;
    this.stopLosses[slot] = 0;
    this.takeProfits[slot] = 0;
    this.trailingOffsets[slot] = 0;
    this.closings[slot] = 0;
    this.slots.set(position.id, slot);
    return slot;
  }

  /** Frees the slot of a position that has ended. */
  close(slot: number): void {
    this.slots.delete(this.ids[slot] as number);
    this.ids[slot] = 0;
    this.freeSlots = grown(this.freeSlots, this.freeCount);
    this.freeSlots[this.freeCount++] = slot;
  }

  save(): PositionsSnapshot {
    const used = this.slotCount;
    return {
      ids: this.ids.slice(0, used),
      accounts: this.accounts.slice(0, used),
      markets: this.markets.slice(0, used),
      sides: this.sides.slice(0, used),
      quantities: this.quantities.slice(0, used),
      openNotionals: this.openNotionals.slice(0, used),
      margins: this.margins.slice(0, used),
      openOrderIds: this.openOrderIds.slice(0, used),
      openedAts: this.openedAts.slice(0, used),
      stopLosses: this.stopLosses.slice(0, used),
      takeProfits: this.takeProfits.slice(0, used),
      trailingOffsets: this.trailingOffsets.slice(0, used),
      freeSlots: this.freeSlots.slice(0, this.freeCount),
    };
  }

  /** Takes over what was saved; the exposures link the positions afterwards. */
  load(snapshot: PositionsSnapshot): void {
    const used = snapshot.ids.length;
    this.ids = snapshot.ids.slice();
    this.accounts = snapshot.accounts.slice();
    this.markets = snapshot.markets.slice();
    this.sides = snapshot.sides.slice();
    this.quantities = snapshot.quantities.slice();
    this.openNotionals = snapshot.openNotionals.slice();
    this.margins = snapshot.margins.slice();
    this.openOrderIds = snapshot.openOrderIds.slice();
    this.openedAts = snapshot.openedAts.slice();
    this.stopLosses = snapshot.stopLosses.slice();
    this.takeProfits = snapshot.takeProfits.slice();
    this.trailingOffsets = snapshot.trailingOffsets.slice();
    this.closings = new Float64Array(used);
    this.rows = new Int32Array(used);
    this.nexts = new Int32Array(used);
    this.previouses = new Int32Array(used);
    this.freeSlots = snapshot.freeSlots.slice();
    this.freeCount = snapshot.freeSlots.length;
    this.slotCount = used;
    this.slots.clear();
    for (let slot = 0; slot < used; slot++) {
      const id = this.ids[slot] as number;
      if (id !== 0) this.slots.set(id, slot);
    }
  }

  private append(): number {
    const slot = this.slotCount++;
    if (slot < this.ids.length) return slot;
    this.ids = grown(this.ids, slot);
    this.accounts = grown(this.accounts, slot);
    this.markets = grown(this.markets, slot);
    this.sides = grown(this.sides, slot);
    this.quantities = grown(this.quantities, slot);
    this.openNotionals = grown(this.openNotionals, slot);
    this.margins = grown(this.margins, slot);
    this.openOrderIds = grown(this.openOrderIds, slot);
    this.openedAts = grown(this.openedAts, slot);
    this.stopLosses = grown(this.stopLosses, slot);
    this.takeProfits = grown(this.takeProfits, slot);
    this.trailingOffsets = grown(this.trailingOffsets, slot);
    this.closings = grown(this.closings, slot);
    this.rows = grown(this.rows, slot);
    this.nexts = grown(this.nexts, slot);
    this.previouses = grown(this.previouses, slot);
    return slot;
  }
}
