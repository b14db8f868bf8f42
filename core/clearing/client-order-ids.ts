/** Separates the keys in a snapshot; no client order id contains a control character. */
const SEPARATOR = '\n';

export interface ClientOrderIdsSnapshot {
  /** Oldest first, joined: one text is copied far faster than many. */
  readonly keys: string;
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
  /** Orders that the book refused: their creation was answered with a refusal. */
  private readonly rejected = new Set<number>();
  /** Oldest first, from `head` on. */
  private keys: string[] = [];
  private orderIds: number[] = [];
  private head = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** The order that this id created, or 0. */
  find(account: number, clientOrderId: string): number {
    return this.orders.get(keyOf(account, clientOrderId)) ?? 0;
  }

  /** Whether the order was rejected after it had been admitted. */
  wasRejected(orderId: number): boolean {
    return this.rejected.has(orderId);
  }

  /** Notes that an order with a client's id was rejected. */
  reject(orderId: number): void {
    this.rejected.add(orderId);
  }

  /** Remembers an id; `isOpen` tells which of the oldest must stay. */
  add(
    account: number,
    clientOrderId: string,
    orderId: number,
    isOpen: (orderId: number) => boolean,
  ): void {
    this.append(keyOf(account, clientOrderId), orderId);
    // Two steps for each id added: open orders that are passed on cannot keep the queue from shrinking.
    for (let step = 0; step < 2 && this.keys.length - this.head > this.capacity; step++) {
      this.forgetOldest(isOpen);
    }
    if (this.head > this.capacity) this.compact();
  }

  save(): ClientOrderIdsSnapshot {
    this.compact();
    return {
      keys: this.keys.join(SEPARATOR),
      orderIds: Float64Array.from(this.orderIds),
      rejected: Float64Array.from(this.rejected),
    };
  }

  load(snapshot: ClientOrderIdsSnapshot): void {
    this.orders.clear();
    this.rejected.clear();
    this.keys = [];
    this.orderIds = [];
    this.head = 0;
    const keys = snapshot.keys === '' ? [] : snapshot.keys.split(SEPARATOR);
    keys.forEach((key, index) => {
      this.append(key, snapshot.orderIds[index] as number);
    });
    for (const orderId of snapshot.rejected) this.rejected.add(orderId);
  }

  private append(key: string, orderId: number): void {
    this.orders.set(key, orderId);
    this.keys.push(key);
    this.orderIds.push(orderId);
  }

  private forgetOldest(isOpen: (orderId: number) => boolean): void {
    const key = this.keys[this.head] as string;
    const orderId = this.orderIds[this.head] as number;
    this.head++;
    if (isOpen(orderId)) return this.append(key, orderId);
    // The id may name a later order by now, which has a place of its own in the queue.
    if (this.orders.get(key) === orderId) this.orders.delete(key);
    this.rejected.delete(orderId);
  }

  private compact(): void {
    this.keys = this.keys.slice(this.head);
    this.orderIds = this.orderIds.slice(this.head);
    this.head = 0;
  }
}

function keyOf(account: number, clientOrderId: string): string {
  return `${account}:${clientOrderId}`;
}
