export interface ExpiriesSnapshot {
  readonly times: Float64Array;
  readonly orderIds: Float64Array;
}

const TAKEN_MIN = 1024;

/** When an order ends by itself. */
interface Expiry {
  readonly time: number;
  readonly orderId: number;
}

/**
 * The open orders that end by themselves: a binary heap on time, then on order id. An order that was
 * taken as due stays known until it has really ended, so that a snapshot taken in between has it.
 */
export class Expiries {
  private heap: Expiry[] = [];
  private taken: Expiry[] = [];
  /** How many taken ones make it worth looking which of them have ended. */
  private takenMax = TAKEN_MIN;

  add(time: number, orderId: number): void {
    const { heap } = this;
    let at = heap.length;
    heap.push({ time, orderId });
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(heap[at] as Expiry, heap[parent] as Expiry)) break;
      swap(heap, at, parent);
      at = parent;
    }
  }

  /** Takes the earliest order that is due at `now`; 0 where none is. */
  takeDue(now: number, isOpen: (orderId: number) => boolean): number {
    const { heap } = this;
    for (let first = heap[0]; first !== undefined && first.time <= now; first = heap[0]) {
      swap(heap, 0, heap.length - 1);
      heap.pop();
      sink(heap);
      if (!isOpen(first.orderId)) continue;
      if (this.taken.length >= this.takenMax) this.dropEnded(isOpen);
      this.taken.push(first);
      return first.orderId;
    }
    return 0;
  }

  /** Doubling makes this cheap however many orders end at the same time. */
  private dropEnded(isOpen: (orderId: number) => boolean): void {
    this.taken = this.taken.filter((expiry) => isOpen(expiry.orderId));
    this.takenMax = Math.max(TAKEN_MIN, 2 * this.taken.length);
  }

  /** The expiries of open orders, earliest first: the same after a replay as live. */
  save(isOpen: (orderId: number) => boolean): ExpiriesSnapshot {
    const open = [...this.heap, ...this.taken].filter((expiry) => isOpen(expiry.orderId));
    open.sort((a, b) => (before(a, b) ? -1 : 1));
    return {
      times: Float64Array.from(open, (expiry) => expiry.time),
      orderIds: Float64Array.from(open, (expiry) => expiry.orderId),
    };
  }

  load(snapshot: ExpiriesSnapshot): void {
    this.taken = [];
    this.heap = Array.from(snapshot.times, (time, index) => ({
      time,
      orderId: snapshot.orderIds[index] as number,
    }));
  }
}

function before(a: Expiry, b: Expiry): boolean {
  return a.time !== b.time ? a.time < b.time : a.orderId < b.orderId;
}

function swap(heap: Expiry[], a: number, b: number): void {
  const expiry = heap[a] as Expiry;
  heap[a] = heap[b] as Expiry;
  heap[b] = expiry;
}

function sink(heap: Expiry[]): void {
  for (let at = 0; ; ) {
    const left = 2 * at + 1;
    if (left >= heap.length) return;
    const right = left + 1;
    const rightFirst = right < heap.length && before(heap[right] as Expiry, heap[left] as Expiry);
    const least = rightFirst ? right : left;
    if (!before(heap[least] as Expiry, heap[at] as Expiry)) return;
    swap(heap, at, least);
    at = least;
  }
}
