import type { StopOrder } from '../../messages/cold.ts';
import { PackedList, type PackedListSnapshot } from '../packed-list.ts';

export interface StopOrdersSnapshot {
  /** By slot; null where one is free. */
  readonly orders: PackedListSnapshot;
  /** The last is taken next. */
  readonly freeSlots: Uint32Array;
}

const NONE: ReadonlySet<number> = new Set();

/** The stop orders that wait for their activation price, in all markets. */
export class StopOrders {
  private readonly slots = new PackedList<StopOrder | null>();
  private readonly freeSlots: number[] = [];
  private readonly slotOf = new Map<number, number>();
  private readonly idsOfAccount = new Map<number, Set<number>>();

  get count(): number {
    return this.slotOf.size;
  }

  has(orderId: number): boolean {
    return this.slotOf.has(orderId);
  }

  find(orderId: number): StopOrder | undefined {
    const slot = this.slotOf.get(orderId);
    return slot === undefined ? undefined : (this.slots.get(slot) ?? undefined);
  }

  idsOf(account: number): ReadonlySet<number> {
    return this.idsOfAccount.get(account) ?? NONE;
  }

  forEach(visit: (stopOrder: StopOrder) => void): void {
    for (const stopOrder of this.slots.all()) if (stopOrder !== null) visit(stopOrder);
  }

  add(stopOrder: StopOrder): void {
    const slot = this.freeSlots.pop() ?? this.slots.length;
    this.slots.set(slot, stopOrder);
    this.note(slot, stopOrder);
  }

  remove(orderId: number): void {
    const slot = this.slotOf.get(orderId);
    const stopOrder = slot === undefined ? null : this.slots.get(slot);
    if (slot === undefined || stopOrder == null) throw new Error(`no stop order ${orderId}`);
    this.slots.set(slot, null);
    this.freeSlots.push(slot);
    this.slotOf.delete(orderId);
    const ids = this.idsOfAccount.get(stopOrder.account);
    ids?.delete(orderId);
    if (ids?.size === 0) this.idsOfAccount.delete(stopOrder.account);
  }

  save(): StopOrdersSnapshot {
    return { orders: this.slots.save(), freeSlots: Uint32Array.from(this.freeSlots) };
  }

  /** Takes over what was saved; there must be none yet. */
  load(snapshot: StopOrdersSnapshot): void {
    this.slots.load(snapshot.orders);
    for (const slot of snapshot.freeSlots) this.freeSlots.push(slot);
    this.slots.all().forEach((stopOrder, slot) => {
      if (stopOrder !== null) this.note(slot, stopOrder);
    });
  }

  private note(slot: number, { orderId, account }: StopOrder): void {
    this.slotOf.set(orderId, slot);
    const ids = this.idsOfAccount.get(account);
    if (ids === undefined) this.idsOfAccount.set(account, new Set([orderId]));
    else ids.add(orderId);
  }
}
