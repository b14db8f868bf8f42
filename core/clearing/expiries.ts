export interface ExpiriesSnapshot {
  readonly times: Float64Array;
  readonly orderIds: Float64Array;
}

/** When an order ends by itself. */
interface Expiry {
  readonly time: number;
  readonly orderId: number;
  /** It was handed out as due; the order ends as soon as its book has let go of it. */
  taken: boolean;
}

/** Fewer additions than this are not worth a merge. */
const ADDED_MIN = 16_384;

/**
 * The open orders that end by themselves: a binary heap on time, then on order id, of those that are
 * not taken yet, and beside it a sorted list of all. A snapshot copies the list, the same after a replay
 * as live; what came since the last one is merged into it now and then, so that no snapshot sorts it
 * all.
 */
export class Expiries {
  private readonly isOpen: (orderId: number) => boolean;
  private heap: Expiry[] = [];
  private sorted: Expiry[] = [];
  private added: Expiry[] = [];

  constructor(isOpen: (orderId: number) => boolean) {
    this.isOpen = isOpen;
  }

  add(time: number, orderId: number): void {
    const { heap } = this;
    const expiry = { time, orderId, taken: false };
    let at = heap.length;
    heap.push(expiry);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(heap[at] as Expiry, heap[parent] as Expiry)) break;
      swap(heap, at, parent);
      at = parent;
    }
    this.added.push(expiry);
    if (this.added.length >= Math.max(ADDED_MIN, this.sorted.length / 4)) this.merge();
  }

  /** Takes the earliest open order that is due at `now`; 0 where none is. */
  takeDue(now: number): number {
    const { heap } = this;
    for (let first = heap[0]; first !== undefined && first.time <= now; first = heap[0]) {
      swap(heap, 0, heap.length - 1);
      heap.pop();
      sink(heap);
      first.taken = true;
      if (this.isOpen(first.orderId)) return first.orderId;
    }
    return 0;
  }

  /** The expiries of open orders, earliest first: also of those that were taken and end soon. */
  save(): ExpiriesSnapshot {
    this.merge();
    const { sorted } = this;
    const times = new Float64Array(sorted.length);
    const orderIds = new Float64Array(sorted.length);
    sorted.forEach((expiry, index) => {
      times[index] = expiry.time;
      orderIds[index] = expiry.orderId;
    });
    return { times, orderIds };
  }

  load(snapshot: ExpiriesSnapshot): void {
    this.sorted = Array.from(snapshot.times, (time, index) => ({
      time,
      orderId: snapshot.orderIds[index] as number,
      taken: false,
    }));
    this.added = [];
    // What is sorted is a heap.
    this.heap = this.sorted.slice();
  }

  /** Brings the sorted list up to date: what was added comes in, what has ended goes. */
  private merge(): void {
    const { sorted, isOpen } = this;
    const added = this.added.filter((expiry) => isOpen(expiry.orderId));
    added.sort((a, b) => a.time - b.time || a.orderId - b.orderId);
    const merged: Expiry[] = [];
    let next = 0;
    for (const expiry of sorted) {
      if (!isOpen(expiry.orderId)) continue;
      while (next < added.length && before(added[next] as Expiry, expiry)) {
        merged.push(added[next++] as Expiry);
      }
      merged.push(expiry);
    }
    while (next < added.length) merged.push(added[next++] as Expiry);
    this.sorted = merged;
    this.added = [];
    // Orders that were cancelled stay in the heap until their time; not so many that they matter.
    if (this.heap.length > 2 * merged.length + ADDED_MIN) {
      this.heap = merged.filter((expiry) => !expiry.taken);
    }
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
