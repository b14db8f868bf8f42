import { ORDER_FIELDS, type OrderStore, slotOf } from './order-store.ts';
import { LEVEL_FIELDS, type PriceLevels } from './price-levels.ts';
import { type DepthLevels, type RestingVisitor, SelfTrade } from './types.ts';

const { NEXT, OWNER, QUANTITY } = ORDER_FIELDS;
const { BEST_KEY, HEAD } = LEVEL_FIELDS;
const NONE = 0;

/** Writes the best levels of one side into `into`, as many as asked for and as fit. */
export function readDepth(
  prices: PriceLevels,
  orders: OrderStore,
  side: number,
  levels: number,
  into: DepthLevels,
): void {
  const wanted = Math.min(levels, into.prices.length);
  let key = prices.doubles[BEST_KEY + side]!;
  into.count = 0;
  while (into.count < wanted && key !== Number.POSITIVE_INFINITY) {
    let quantity = 0;
    let count = 0;
    let order = prices.words[prices.levelFor(key, side) + HEAD]!;
    while (order !== NONE) {
      quantity = Math.min(
        quantity + orders.doubles[(order >> 1) + QUANTITY]!,
        Number.MAX_SAFE_INTEGER,
      );
      count++;
      order = orders.words[order + NEXT]!;
    }
    into.prices[into.count] = Math.abs(key);
    into.quantities[into.count] = quantity;
    into.orders[into.count] = count;
    into.count++;
    key = prices.keyAfter(key, side);
  }
}

/** Shows the orders of one side in priority order. */
export function visitResting(
  prices: PriceLevels,
  orders: OrderStore,
  side: number,
  visit: RestingVisitor,
): void {
  const { words, doubles } = orders;
  let key = prices.doubles[BEST_KEY + side]!;
  while (key !== Number.POSITIVE_INFINITY) {
    let order = prices.words[prices.levelFor(key, side) + HEAD]!;
    while (order !== NONE) {
      visit(
        slotOf(order),
        side,
        Math.abs(key),
        doubles[(order >> 1) + QUANTITY]!,
        words[order + OWNER]! >>> 0,
      );
      order = words[order + NEXT]!;
    }
    key = prices.keyAfter(key, side);
  }
}

/** How much of `quantity` matching would trade, down to the price of `takerKey`. */
export function countFillable(
  prices: PriceLevels,
  orders: OrderStore,
  side: number,
  takerKey: number,
  quantity: number,
  guard: number,
  selfTrade: number,
): number {
  const { words, doubles } = orders;
  let missing = quantity;
  let key = prices.doubles[BEST_KEY + side]!;
  while (key + takerKey <= 0) {
    let order = prices.words[prices.levelFor(key, side) + HEAD]!;
    while (order !== NONE) {
      const own = guard !== 0 && words[order + OWNER] === guard;
      if (own && selfTrade !== SelfTrade.ExpireMaker) return quantity - missing;
      if (!own) missing -= doubles[(order >> 1) + QUANTITY]!;
      if (missing <= 0) return quantity;
      order = words[order + NEXT]!;
    }
    key = prices.keyAfter(key, side);
  }
  return quantity - missing;
}
