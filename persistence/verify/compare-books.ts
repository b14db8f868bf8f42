import type { ClearingState } from '../../core/clearing/index.ts';
import type { OrderBook } from '../../core/order-book/index.ts';

type Market = ClearingState['markets'][number];

/**
 * Where a book and clearing's open orders of its market part, in words; undefined where they agree.
 * `isElsewhere` names the open orders that the book need not have.
 */
export function bookDifference(
  book: OrderBook,
  { index, orders }: Market,
  isElsewhere: (slot: number) => boolean,
): string | undefined {
  book.validate();
  const queues = new Map<string, number[]>();
  for (const slot of orders.slotsByPriority()) {
    if (isElsewhere(slot)) continue;
    const key = `${sideOf(orders, slot)} ${orders.prices[slot]}`;
    const queue = queues.get(key) ?? [];
    if (queue.length === 0) queues.set(key, queue);
    queue.push(slot);
  }
  let difference: string | undefined;
  const heads = new Map<string, number>();
  book.forEachResting((slot, side, price, quantity) => {
    const key = `${side} ${price}`;
    const head = heads.get(key) ?? 0;
    heads.set(key, head + 1);
    const due = queues.get(key)?.[head];
    if (due === slot && orders.remainings[slot] === quantity) return;
    difference ??= `market ${index} has ${quantity} of slot ${slot} at ${price} in its book, out of turn`;
  });
  for (const [key, queue] of queues) {
    if ((heads.get(key) ?? 0) === queue.length) continue;
    difference ??= `market ${index} misses orders of side and price ${key} in its book`;
  }
  return difference;
}

function sideOf(orders: Market['orders'], slot: number): number {
  return (orders.traits[slot] as number) & 1;
}
