export interface ClientOrderIdsSnapshot {
  readonly keys: readonly string[];
  readonly orderIds: Float64Array;
  readonly rejected: Float64Array;
}

/**
 * Which order a client's own id created: a repeat finds the first order instead of making another.
 * The window is the last `capacity` ids of the venue, and beyond it every id whose order is open.
 */
export class ClientOrderIds {
  private readonly capacity: number;
  private readonly orders = new Map<string, number>();
  /** Orders that the book refused, oldest first: their creation was answered with a refusal. */
  private readonly rejected = new Set<number>();
  private queue: string[] = [];
  private head = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** The order that this id created, or 0. */
  find(account: number, clientOrderId: string): number {
    return this.orders.get(key(account, clientOrderId)) ?? 0;
  }

  /** Whether the order was rejected after it had been admitted. */
  wasRejected(orderId: number): boolean {
    return this.rejected.has(orderId);
  }

  reject(orderId: number): void {
    this.rejected.add(orderId);
    if (this.rejected.size <= this.capacity) return;
    for (const oldest of this.rejected) {
      this.rejected.delete(oldest);
      return;
    }
  }

  /** Remembers an id; `isOpen` tells which of the oldest must stay. */
  add(
    account: number,
    clientOrderId: string,
    orderId: number,
    isOpen: (orderId: number) => boolean,
  ): void {
    const entry = key(account, clientOrderId);
    this.orders.set(entry, orderId);
    this.queue.push(entry);
    // Two steps for each id added: open orders that are passed on cannot keep the queue from shrinking.
    for (let step = 0; step < 2 && this.queue.length - this.head > this.capacity; step++) {
      const oldest = this.queue[this.head++] as string;
      if (isOpen(this.orders.get(oldest) as number)) this.queue.push(oldest);
      else this.orders.delete(oldest);
    }
    if (this.head > this.capacity) {
      this.queue = this.queue.slice(this.head);
      this.head = 0;
    }
  }

  save(): ClientOrderIdsSnapshot {
    const keys = this.queue.slice(this.head);
    return {
      keys,
      orderIds: Float64Array.from(keys, (entry) => this.orders.get(entry) as number),
      rejected: Float64Array.from(this.rejected),
    };
  }

  load(snapshot: ClientOrderIdsSnapshot): void {
    this.orders.clear();
    this.rejected.clear();
    this.queue = [...snapshot.keys];
    this.head = 0;
    snapshot.keys.forEach((entry, index) => {
      this.orders.set(entry, snapshot.orderIds[index] as number);
    });
    for (const orderId of snapshot.rejected) this.rejected.add(orderId);
  }
}

function key(account: number, clientOrderId: string): string {
  return `${account}:${clientOrderId}`;
}
