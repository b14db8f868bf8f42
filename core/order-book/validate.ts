import { check } from './invariant.ts';
import { ORDER_FIELDS, type OrderStore, slotOf } from './order-store.ts';
import { LEVEL_FIELDS, type PriceLevels } from './price-levels.ts';
import { Buy, Sell } from './types.ts';

const { KEY, LEVEL, NEXT, PREVIOUS, QUANTITY } = ORDER_FIELDS;
const { BEST_KEY, HEAD, TAIL } = LEVEL_FIELDS;
const NONE = 0;

/**
 * Walks a whole book and throws on the first invariant that does not hold: links, levels, bitmaps,
 * pages, best prices, counts, and that the book is not crossed.
 */
export function validateBook(prices: PriceLevels, orders: OrderStore, restingCount: number): void {
  prices.validate();
  const reached = validateSide(prices, orders, Buy) + validateSide(prices, orders, Sell);
  check(reached === restingCount, `${reached} orders are linked, ${restingCount} are counted`);
  let resting = 0;
  for (let slot = 0; slot < orders.capacity; slot++) if (orders.isResting(slot)) resting++;
  check(resting === restingCount, `${resting} slots rest, ${restingCount} are counted`);
  const bid = prices.doubles[BEST_KEY + Buy]!;
  const ask = prices.doubles[BEST_KEY + Sell]!;
  check(!(bid + ask <= 0), `bid ${-bid} and ask ${ask} are crossed`);
}

function validateSide(prices: PriceLevels, orders: OrderStore, side: number): number {
  let reached = 0;
  let before = Number.NEGATIVE_INFINITY;
  for (
    let key = prices.doubles[BEST_KEY + side]!;
    key !== Number.POSITIVE_INFINITY;
    key = prices.keyAfter(key, side)
  ) {
    check(key > before, `level ${key} comes after ${before}`);
    check(key < 0 === (side === Buy), `level ${key} is on the wrong side`);
    reached += validateLevel(prices, orders, side, key);
    before = key;
  }
  return reached;
}

function validateLevel(prices: PriceLevels, orders: OrderStore, side: number, key: number): number {
  const { words, doubles } = orders;
  const level = prices.levelFor(key, side);
  let reached = 0;
  let previous = NONE;
  let order = prices.words[level + HEAD]!;
  check(order !== NONE, `level ${key} is marked and empty`);
  while (order !== NONE) {
    const slot = slotOf(order);
    const quantity = doubles[(order >> 1) + QUANTITY]!;
    check(quantity > 0 && Number.isSafeInteger(quantity), `slot ${slot} holds ${quantity}`);
    check(doubles[(order >> 1) + KEY] === key, `slot ${slot} is linked into level ${key}`);
    check(words[order + LEVEL] === level + side, `slot ${slot} knows another level than ${level}`);
    check(words[order + PREVIOUS] === previous, `slot ${slot} has a wrong link back`);
    check(++reached <= orders.capacity, `level ${key} is a ring`);
    previous = order;
    order = words[order + NEXT]!;
  }
  check(prices.words[level + TAIL] === previous, `level ${key} ends elsewhere`);
  return reached;
}
