import { AccountOrders } from './account-orders.ts';
import type { FeeTerms } from './charges.ts';
import { grown } from './columns.ts';
import { type FeeTermsSnapshot, FeeTermsTable } from './fee-terms.ts';

/** The columns of a snapshot, each as long as the highest slot ever used. */
export interface OrderTableSnapshot {
  readonly orderIds: Float64Array;
  readonly accounts: Uint32Array;
  readonly prices: Float64Array;
  readonly quantities: Float64Array;
  readonly remainings: Float64Array;
  readonly tradedNotionals: BigInt64Array;
  readonly commissions: BigInt64Array;
  readonly holds: BigInt64Array;
  readonly feeTermPlaces: Uint32Array;
  readonly feeTerms: FeeTermsSnapshot;
  /** The slots with a taker notional, ascending, and it. */
  readonly takerSlots: Uint32Array;
  readonly takerNotionals: BigInt64Array;
  readonly createdAts: Float64Array;
  readonly priorities: Float64Array;
  readonly traits: Uint32Array;
  readonly freeSlots: Uint32Array;
}

/** What never changes about an order, in one integer. */
export interface OrderTraits {
  readonly side: number;
  readonly type: number;
  readonly timeInForce: number;
  readonly source: number;
  readonly postOnly: number;
  readonly selfTradePrevention: number;
}

/** `named`: the client gave the order an id of its own. */
export function packTraits(traits: OrderTraits, named: boolean): number {
  return (
    traits.side |
    (traits.type << 1) |
    (traits.postOnly << 2) |
    (named ? 8 : 0) |
    (traits.timeInForce << 4) |
    (traits.source << 8) |
    (traits.selfTradePrevention << 12)
  );
}

export const sideOf = (traits: number): number => traits & 1;
export const typeOf = (traits: number): number => (traits >>> 1) & 1;
export const postOnlyOf = (traits: number): number => (traits >>> 2) & 1;
export const isNamed = (traits: number): boolean => (traits & 8) !== 0;
export const timeInForceOf = (traits: number): number => (traits >>> 4) & 15;
export const sourceOf = (traits: number): number => (traits >>> 8) & 15;
export const selfTradePreventionOf = (traits: number): number => (traits >>> 12) & 15;

/**
 * The open orders of one market, a column a field, addressed by slot. A slot is free again when its
 * order ends; the market's book addresses its orders by the same slots. Which slot the next order
 * gets follows from the events alone, so that a replay assigns the same ones.
 *
 * `price` is the worst price of the order in ticks (the protective bound of a Market order).
 */
export class OrderTable {
  orderIds = new Float64Array(64);
  accounts = new Uint32Array(64);
  prices = new Float64Array(64);
  quantities = new Float64Array(64);
  remainings = new Float64Array(64);
  tradedNotionals = new BigInt64Array(64);
  commissions = new BigInt64Array(64);
  holds = new BigInt64Array(64);
  createdAts = new Float64Array(64);
  /** Orders stand in the queue of their price in this order. */
  priorities = new Float64Array(64);
  traits = new Uint32Array(64);
  /** Where `feeTerms` has the commission terms under which each was admitted. */
  private feeTermPlaces = new Uint32Array(64);
  private readonly feeTerms = new FeeTermsTable();
  /** The part of tradedNotionals as a taker, by slot; only of orders whose two rates differ. */
  private readonly takerNotionals = new Map<number, bigint>();
  private readonly byAccount = new AccountOrders();
  private freeSlots = new Uint32Array(64);
  private freeCount = 0;
  /** Slots ever used; every open order is below. */
  slotCount = 0;

  get openCount(): number {
    return this.slotCount - this.freeCount;
  }

  /** The slot that the next order gets. */
  nextSlot(): number {
    return this.freeCount > 0 ? (this.freeSlots[this.freeCount - 1] as number) : this.slotCount;
  }

  /** Takes `slot`, which must be the next one, for an order of this account. */
  take(slot: number, account: number): void {
    if (slot !== this.nextSlot()) {
      throw new Error(`slot ${slot} is not the next free one, ${this.nextSlot()}`);
    }
    if (this.freeCount > 0) this.freeCount--;
    else {
      this.slotCount++;
      if (slot >= this.orderIds.length) this.grow(slot);
    }
    this.accounts[slot] = account;
    this.byAccount.add(account, slot);
  }

  release(slot: number): void {
    this.orderIds[slot] = 0;
    this.byAccount.remove(this.accounts[slot] as number, slot);
    this.feeTerms.release(this.feeTermPlaces[slot] as number);
    if (this.takerNotionals.size > 0) this.takerNotionals.delete(slot);
    this.freeSlots = grown(this.freeSlots, this.freeCount);
    this.freeSlots[this.freeCount++] = slot;
  }

  /** Binds the order at `slot` to commission terms: rates in 10^-8, the minimum in units. */
  bind(slot: number, rate: number, makerRate: number, minimum: bigint): void {
    this.feeTermPlaces[slot] = this.feeTerms.take(rate, makerRate, minimum);
  }

  /** The commission terms under which the order at `slot` was admitted. */
  feeTermsAt(slot: number): FeeTerms {
    return this.feeTerms.at(this.feeTermPlaces[slot] as number);
  }

  /** What of its tradedNotional the order traded as a taker; 0 also where its two rates are the same. */
  takerNotionalAt(slot: number): bigint {
    return this.takerNotionals.size === 0 ? 0n : (this.takerNotionals.get(slot) ?? 0n);
  }

  tookNotional(slot: number, notional: bigint): void {
    const { rate, makerRate } = this.feeTermsAt(slot);
    if (rate !== makerRate) this.takerNotionals.set(slot, this.takerNotionalAt(slot) + notional);
  }

  /** Slots of all open orders, first in priority first. */
  slotsByPriority(): Uint32Array {
    const slots = new Uint32Array(this.openCount);
    let count = 0;
    for (let slot = 0; slot < this.slotCount; slot++) {
      if (this.orderIds[slot] !== 0) slots[count++] = slot;
    }
    const { priorities } = this;
    return slots.sort((a, b) => (priorities[a] as number) - (priorities[b] as number));
  }

  /** Slots of the open orders of one account. */
  slotsOf(account: number): readonly number[] {
    return this.byAccount.slotsOf(account);
  }

  openOrderIds(): Float64Array {
    return this.orderIds.subarray(0, this.slotCount).filter((orderId) => orderId !== 0);
  }

  private grow(slot: number): void {
    this.orderIds = grown(this.orderIds, slot);
    this.accounts = grown(this.accounts, slot);
    this.prices = grown(this.prices, slot);
    this.quantities = grown(this.quantities, slot);
    this.remainings = grown(this.remainings, slot);
    this.tradedNotionals = grown(this.tradedNotionals, slot);
    this.commissions = grown(this.commissions, slot);
    this.holds = grown(this.holds, slot);
    this.feeTermPlaces = grown(this.feeTermPlaces, slot);
    this.createdAts = grown(this.createdAts, slot);
    this.priorities = grown(this.priorities, slot);
    this.traits = grown(this.traits, slot);
  }

  save(): OrderTableSnapshot {
    const used = this.slotCount;
    const takers = [...this.takerNotionals].sort(([a], [b]) => a - b);
    return {
      orderIds: this.orderIds.slice(0, used),
      accounts: this.accounts.slice(0, used),
      prices: this.prices.slice(0, used),
      quantities: this.quantities.slice(0, used),
      remainings: this.remainings.slice(0, used),
      tradedNotionals: this.tradedNotionals.slice(0, used),
      commissions: this.commissions.slice(0, used),
      holds: this.holds.slice(0, used),
      feeTermPlaces: this.feeTermPlaces.slice(0, used),
      feeTerms: this.feeTerms.save(),
      takerSlots: Uint32Array.from(takers, ([slot]) => slot),
      takerNotionals: BigInt64Array.from(takers, ([, notional]) => notional),
      createdAts: this.createdAts.slice(0, used),
      priorities: this.priorities.slice(0, used),
      traits: this.traits.slice(0, used),
      freeSlots: this.freeSlots.slice(0, this.freeCount),
    };
  }

  load(snapshot: OrderTableSnapshot): void {
    this.orderIds = snapshot.orderIds.slice();
    this.accounts = snapshot.accounts.slice();
    this.prices = snapshot.prices.slice();
    this.quantities = snapshot.quantities.slice();
    this.remainings = snapshot.remainings.slice();
    this.tradedNotionals = snapshot.tradedNotionals.slice();
    this.commissions = snapshot.commissions.slice();
    this.holds = snapshot.holds.slice();
    this.feeTermPlaces = snapshot.feeTermPlaces.slice();
    this.feeTerms.load(snapshot.feeTerms);
    this.takerNotionals.clear();
    snapshot.takerSlots.forEach((slot, at) => {
      this.takerNotionals.set(slot, snapshot.takerNotionals[at] as bigint);
    });
    this.createdAts = snapshot.createdAts.slice();
    this.priorities = snapshot.priorities.slice();
    this.traits = snapshot.traits.slice();
    this.freeSlots = snapshot.freeSlots.slice();
    this.freeCount = snapshot.freeSlots.length;
    this.slotCount = snapshot.orderIds.length;
    for (let slot = 0; slot < this.slotCount; slot++) {
      if (this.orderIds[slot] !== 0) this.byAccount.add(this.accounts[slot] as number, slot);
    }
  }
}
