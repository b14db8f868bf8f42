/** A Retry order whose rest waits for the book to change. */
export interface ParkedOrder {
  readonly slot: number;
  readonly orderId: number;
  readonly side: number;
  readonly limit: number;
  readonly owner: number;
  readonly selfTradePrevention: number;
  remaining: number;
}

/** The waiting orders of one market, in the order in which they came. Few at any time. */
export class ParkedOrders {
  private orders: ParkedOrder[] = [];

  get isEmpty(): boolean {
    return this.orders.length === 0;
  }

  add(order: ParkedOrder): void {
    this.orders.push(order);
  }

  /** Takes out the order in `slot` and returns what it still wanted; 0 where none waits there. */
  remove(slot: number): number {
    const index = this.orders.findIndex((order) => order.slot === slot);
    if (index < 0) return 0;
    const [order] = this.orders.splice(index, 1);
    return order?.remaining ?? 0;
  }

  /** Lets each order try; those for which `attempt` returns false are done and leave. */
  retry(attempt: (order: ParkedOrder) => boolean): void {
    this.orders = this.orders.filter(attempt);
  }
}
