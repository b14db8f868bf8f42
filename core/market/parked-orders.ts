import { Buy, Sell } from '../order-book/index.ts';

/** A Retry order whose rest waits for the book to change. */
export interface ParkedOrder {
  readonly slot: number;
  readonly orderId: number;
  readonly side: number;
  /** The worst price that it takes, in ticks; 0 for a sell. */
  readonly limit: number;
  readonly owner: number;
  readonly selfTradePrevention: number;
  remaining: number;
}

/**
 * The waiting orders of one market, each side in the order in which they came. Every one of them has
 * taken what it could: only what comes to rest on the other side can be for them, and it is for the
 * first ones that reach it. So whatever waits costs an order that rests nothing beyond what it trades.
 */
export class ParkedOrders {
  private readonly buys = new Map<number, ParkedOrder>();
  private readonly sells = new Map<number, ParkedOrder>();
  /** No buy that waits takes a higher price. */
  private highestBuy = 0;

  add(order: ParkedOrder): void {
    this.of(order.side).set(order.slot, order);
    if (order.side === Buy) this.highestBuy = Math.max(this.highestBuy, order.limit);
  }

  /** Takes out the order in `slot` and returns what it still wanted; 0 where none waits there. */
  remove(slot: number): number {
    const waiting = this.buys.has(slot) ? this.buys : this.sells;
    const remaining = waiting.get(slot)?.remaining ?? 0;
    waiting.delete(slot);
    return remaining;
  }

  /**
   * Something came to rest on the other side, whose best price `best` tells, 0 where it is empty. Lets
   * the orders of `side` that reach it try; those for which `attempt` returns false are done and leave.
   */
  retry(side: number, best: () => number, attempt: (order: ParkedOrder) => boolean): void {
    const waiting = this.of(side);
    if (waiting.size === 0) return;
    let highest = 0;
    for (const order of waiting.values()) {
      const price = best();
      if (price === 0 || (side === Buy && price > this.highestBuy)) return;
      const reaches = side === Buy ? price <= order.limit : price >= order.limit;
      if (reaches && !attempt(order)) waiting.delete(order.slot);
      else highest = Math.max(highest, order.limit);
    }
    // All were looked at: those that had the highest limit may have gone.
    if (side === Buy) this.highestBuy = highest;
  }

  private of(side: number): Map<number, ParkedOrder> {
    return side === Sell ? this.sells : this.buys;
  }
}
