import type { ClearingState } from '../../core/clearing/index.ts';
import { type OrderTable, sideOf, timeInForceOf } from '../../core/clearing/order-table.ts';
import type { MarketWorker } from '../../core/market/index.ts';
import { Side, TimeInForce } from '../../core/messages/enums.ts';

/**
 * Throws where a book is broken, crossed, or holds something else than clearing's open orders, in
 * another order. Right only while nothing is under way between clearing and the books.
 */
export function checkBooks(state: ClearingState, workers: readonly MarketWorker[]): void {
  checkEachBook(state, workers);
  for (const { index, orders } of state.markets) {
    const { book } = (workers[index % workers.length] as MarketWorker).of(index);
    const resting: string[] = [];
    book.forEachResting((slot, side, price, quantity, owner) => {
      resting.push(`${slot} ${side} ${quantity}@${price} of ${owner}`);
    });
    const expected = openInBookOrder(orders);
    if (resting.join() === expected.join()) continue;
    const at = resting.findIndex((order, place) => order !== expected[place]);
    throw new Error(
      `market ${index}: the book has ${resting.length} orders, clearing ${expected.length}; ` +
        `first difference: ${resting[at]} where ${expected[at]} is due`,
    );
  }
}

/** What should rest, best price first, first in time first; the bids and then the asks. */
function openInBookOrder(orders: OrderTable): string[] {
  const slots = [...orders.slotsByPriority()].filter(
    (slot) => timeInForceOf(orders.traits[slot] as number) !== TimeInForce.Retry,
  );
  const price = (slot: number) => orders.prices[slot] as number;
  const of = (side: number) =>
    slots.filter((slot) => sideOf(orders.traits[slot] as number) === side);
  const bids = of(Side.Buy).sort((a, b) => price(b) - price(a));
  const asks = of(Side.Sell).sort((a, b) => price(a) - price(b));
  return [...bids, ...asks].map((slot) => {
    const side = sideOf(orders.traits[slot] as number);
    return `${slot} ${side} ${orders.remainings[slot]}@${price(slot)} of ${orders.accounts[slot]}`;
  });
}

/** Throws where a book is broken or crossed: true at any moment. */
export function checkEachBook(state: ClearingState, workers: readonly MarketWorker[]): void {
  for (const { index } of state.markets) {
    const book = openBook(workers[index % workers.length], index);
    if (book === undefined) continue;
    book.validate();
    if (book.bestBid > 0 && book.bestAsk > 0 && book.bestBid >= book.bestAsk) {
      throw new Error(`market ${index} is crossed: ${book.bestBid} over ${book.bestAsk}`);
    }
  }
}

/** undefined where the worker has not been told of the market yet. */
function openBook(worker: MarketWorker | undefined, market: number) {
  try {
    return worker?.of(market).book;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
