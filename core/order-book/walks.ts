import { type BookSide, HEAD } from './book-side.ts';
import { KEY, NEXT, NONE, type OrderStore, OWNER, QUANTITY, slotOf } from './order-store.ts';
import { Buy, type DepthLevels, type RestingVisitor, SelfTrade, Sell } from './types.ts';

/** Writes the best levels of one side into `into`, as many as asked for and as fit. */
export function readDepth(
  side: BookSide,
  orders: OrderStore,
  levels: number,
  into: DepthLevels,
): void {
  const wanted = Math.min(levels, into.prices.length);
  let key = side.bestKey;
  into.count = 0;
  while (into.count < wanted && key !== Number.POSITIVE_INFINITY) {
    let quantity = 0;
    let count = 0;
    let order = side.pages[side.levelAt(key) + HEAD]!;
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
    key = side.keyAfter(key);
  }
}

/** Shows the orders of one side in priority order. */
export function visitResting(side: BookSide, orders: OrderStore, visit: RestingVisitor): void {
  const { words, doubles } = orders;
  let key = side.bestKey;
  while (key !== Number.POSITIVE_INFINITY) {
    let order = side.pages[side.levelAt(key) + HEAD]!;
    while (order !== NONE) {
      visit(
        slotOf(order),
        doubles[(order >> 1) + KEY]! < 0 ? Buy : Sell,
        Math.abs(key),
        doubles[(order >> 1) + QUANTITY]!,
        words[order + OWNER]! >>> 0,
      );
      order = words[order + NEXT]!;
    }
    key = side.keyAfter(key);
  }
}

/** How much of `quantity` matching would trade, down to the level with `limitKey`. */
export function countFillable(
  makers: BookSide,
  orders: OrderStore,
  limitKey: number,
  quantity: number,
  guard: number,
  selfTrade: number,
): number {
  const { words, doubles } = orders;
  let missing = quantity;
  let key = makers.bestKey;
  while (key <= limitKey) {
    let order = makers.pages[makers.levelAt(key) + HEAD]!;
    while (order !== NONE) {
      const own = guard !== 0 && words[order + OWNER] === guard;
      if (own && selfTrade !== SelfTrade.ExpireMaker) return quantity - missing;
      if (!own) missing -= doubles[(order >> 1) + QUANTITY]!;
      if (missing <= 0) return quantity;
      order = words[order + NEXT]!;
    }
    key = makers.keyAfter(key);
  }
  return quantity - missing;
}
