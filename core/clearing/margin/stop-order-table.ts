import type { StopOrder } from '../../messages/cold-events.ts';
import { PackedList, type PackedListSnapshot } from '../packed-list.ts';

export interface StopOrdersSnapshot {
  readonly members: PackedListSnapshot;
  /** In the order in which they were freed: the last is taken first. */
  readonly freeSlots: Float64Array;
}

/** The stop orders that wait, by id. */
export class StopOrderTable {
  private readonly members = new PackedList<StopOrder | null>();
  private readonly slots = new Map<number, number>();
  private readonly freeSlots: number[] = [];

  get count(): number {
    return this.slots.size;
  }

  has(orderId: number): boolean {
    return this.slots.has(orderId);
  }

  get(orderId: number): StopOrder | undefined {
    const slot = this.slots.get(orderId);
    return slot === undefined ? undefined : (this.members.get(slot) ?? undefined);
  }

  add(stopOrder: StopOrder): void {
    const slot = this.freeSlots.pop() ?? this.members.length;
    this.members.set(slot, stopOrder);
    this.slots.set(stopOrder.orderId, slot);
  }

  remove(orderId: number): void {
    const slot = this.slots.get(orderId);
    if (slot === undefined) throw new Error(`no stop order ${orderId}`);
    this.members.set(slot, null);
    this.slots.delete(orderId);
    this.freeSlots.push(slot);
  }

  /** All that wait, first placed first. */
  all(): StopOrder[] {
    const waiting = this.members.all().filter((stopOrder) => stopOrder !== null);
    return waiting.sort((a, b) => a.orderId - b.orderId);
  }

  save(): StopOrdersSnapshot {
    return { members: this.members.save(), freeSlots: Float64Array.from(this.freeSlots) };
  }

  load(snapshot: StopOrdersSnapshot): void {
    this.members.load(snapshot.members);
    this.members.all().forEach((stopOrder, slot) => {
      if (stopOrder !== null) this.slots.set(stopOrder.orderId, slot);
    });
    this.freeSlots.push(...snapshot.freeSlots);
  }
}
