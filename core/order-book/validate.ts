import { type BookSide, HEAD, TAIL } from './book-side.ts';
import { check } from './invariant.ts';
import {
  KEY,
  LEVEL,
  NEXT,
  NONE,
  type OrderStore,
  PREVIOUS,
  QUANTITY,
  slotOf,
} from './order-store.ts';

/**
 * Walks a whole book and throws on the first invariant that does not hold: links, levels, bitmaps,
 * pages, best prices, counts, and that the book is not crossed.
 */
export function validateBook(
  bids: BookSide,
  asks: BookSide,
  orders: OrderStore,
  restingCount: number,
): void {
  const reached = validateSide(bids, orders, -1) + validateSide(asks, orders, 1);
  check(reached === restingCount, `${reached} orders are linked, ${restingCount} are counted`);
  let resting = 0;
  for (let slot = 0; slot < orders.slots; slot++) if (orders.isResting(slot)) resting++;
  check(resting === restingCount, `${resting} slots rest, ${restingCount} are counted`);
  check(
    !(asks.bestKey + bids.bestKey <= 0),
    `bid ${-bids.bestKey} and ask ${asks.bestKey} are crossed`,
  );
}

function validateSide(side: BookSide, orders: OrderStore, sign: number): number {
  side.validate();
  let reached = 0;
  let levels = 0;
  let before = Number.NEGATIVE_INFINITY;
  for (let key = side.bestKey; key !== Number.POSITIVE_INFINITY; key = side.keyAfter(key)) {
    check(key > before, `level ${key} comes after ${before}`);
    check(Math.sign(key) === sign, `level ${key} is on the wrong side`);
    reached += validateLevel(side, orders, key);
    levels++;
    before = key;
  }
  check(levels === side.levelCount, `${levels} levels are found, ${side.levelCount} are counted`);
  return reached;
}

function validateLevel(side: BookSide, orders: OrderStore, key: number): number {
  const { words, doubles } = orders;
  const level = side.levelAt(key);
  let reached = 0;
  let previous = NONE;
  let order = side.pages[level + HEAD]!;
  check(order !== NONE, `level ${key} is marked and empty`);
  while (order !== NONE) {
    const slot = slotOf(order);
    const quantity = doubles[(order >> 1) + QUANTITY]!;
    check(quantity > 0 && Number.isSafeInteger(quantity), `slot ${slot} holds ${quantity}`);
    check(doubles[(order >> 1) + KEY] === key, `slot ${slot} is linked into level ${key}`);
    check(words[order + LEVEL] === level, `slot ${slot} knows another level than ${level}`);
    check(words[order + PREVIOUS] === previous, `slot ${slot} has a wrong link back`);
    check(++reached <= orders.slots, `level ${key} is a ring`);
    previous = order;
    order = words[order + NEXT]!;
  }
  check(side.pages[level + TAIL] === previous, `level ${key} ends elsewhere`);
  return reached;
}
