import { BookSide, HEAD, TAIL } from './book-side.ts';
import {
  addressOf,
  KEY,
  LEVEL,
  NEXT,
  NONE,
  OrderStore,
  OWNER,
  PREVIOUS,
  QUANTITY,
  slotOf,
} from './order-store.ts';
import {
  ANY_BUY_LIMIT,
  Buy,
  type DepthLevels,
  type FillSink,
  type RestingVisitor,
  SelfTrade,
  Sell,
} from './types.ts';
import { validateBook } from './validate.ts';
import { countFillable, readDepth, visitResting } from './walks.ts';

/**
 * The order book of one market: price-time priority, trades at the maker's price.
 *
 * The caller numbers orders by `slot`, small and dense, and recycles the slots of orders that left.
 * Prices are ticks and quantities are steps, both safe integers from 1. Storage grows by doubling
 * with the largest slot; otherwise no command allocates. Pure: the same commands give the same fills.
 */
export class OrderBook {
  /** The last `take`, `place` or `replace` stopped before a maker of its own owner. */
  stoppedBySelfTrade = false;
  restingCount = 0;

  private readonly sink: FillSink;
  private readonly orders: OrderStore;
  private readonly bids = new BookSide();
  private readonly asks = new BookSide();

  constructor(sink: FillSink, initialCapacity = 64) {
    this.sink = sink;
    this.orders = new OrderStore(initialCapacity);
  }

  /** The best buy price in ticks; 0 where there is none. */
  get bestBid(): number {
    const { bestKey } = this.bids;
    return bestKey === Number.POSITIVE_INFINITY ? 0 : -bestKey;
  }

  /** The best sell price in ticks; 0 where there is none. */
  get bestAsk(): number {
    const { bestKey } = this.asks;
    return bestKey === Number.POSITIVE_INFINITY ? 0 : bestKey;
  }

  get levelCount(): number {
    return this.bids.levelCount + this.asks.levelCount;
  }

  /**
   * Matches without resting; returns what is left. `limit` is the worst price to take,
   * `ANY_BUY_LIMIT` or `ANY_SELL_LIMIT` for any. `owner` 0 never trades with itself.
   */
  take(side: number, limit: number, quantity: number, owner: number, selfTrade: number): number {
    this.stoppedBySelfTrade = false;
    const makers = side === Buy ? this.asks : this.bids;
    const limitKey = limitKeyOf(side, limit);
    if (makers.bestKey > limitKey) return quantity;
    return this.match(
      makers,
      limitKey,
      quantity,
      selfTrade === SelfTrade.None ? 0 : owner | 0,
      selfTrade,
    );
  }

  /**
   * Matches and rests what is left, unless it was stopped before its own owner's maker. Returns what
   * is left.
   */
  place(
    slot: number,
    side: number,
    price: number,
    quantity: number,
    owner: number,
    selfTrade: number,
  ): number {
    const left = this.take(side, price, quantity, owner, selfTrade);
    if (left !== 0 && !this.stoppedBySelfTrade) this.rest(slot, side, price, left, owner);
    return left;
  }

  /** Rests an order behind all others at its price. The price must not cross, the slot be free. */
  rest(slot: number, side: number, price: number, quantity: number, owner: number): void {
    const order = addressOf(slot);
    if (order >= this.orders.words.length) this.orders.growTo(slot);
    const own = side === Buy ? this.bids : this.asks;
    const key = side === Buy ? -price : price;
    const level = own.levelFor(key);
    const { words, doubles } = this.orders;
    const { pages } = own;
    const last = pages[level + TAIL]!;
    doubles[(order >> 1) + QUANTITY] = quantity;
    doubles[(order >> 1) + KEY] = key;
    words[order + NEXT] = NONE;
    words[order + PREVIOUS] = last;
    words[order + OWNER] = owner;
    words[order + LEVEL] = level;
    pages[level + TAIL] = order;
    this.restingCount++;
    if (last !== NONE) words[last + NEXT] = order;
    else {
      pages[level + HEAD] = order;
      own.open(level, key);
    }
  }

  /** Removes an order; returns the quantity that rested, 0 where nothing rests in the slot. */
  cancel(slot: number): number {
    const order = addressOf(slot);
    const quantity = this.orders.doubles[(order >> 1) + QUANTITY];
    if (quantity === undefined || quantity === 0) return 0;
    this.unlink(order);
    return quantity;
  }

  /** Makes a resting order smaller; it keeps its place. */
  reduce(slot: number, remaining: number): void {
    const index = (addressOf(slot) >> 1) + QUANTITY;
    if (!(remaining > 0 && remaining <= this.remaining(slot))) {
      throw new RangeError(`slot ${slot} cannot be reduced to ${remaining}`);
    }
    this.orders.doubles[index] = remaining;
  }

  /** Cancels a resting order and places it anew at the back of its new price; it may match. */
  replace(slot: number, price: number, quantity: number, selfTrade: number): number {
    const order = addressOf(slot);
    if (!this.isResting(slot)) throw new RangeError(`nothing rests in slot ${slot}`);
    const side = this.sideOf(slot);
    const owner = this.orders.words[order + OWNER]!;
    this.unlink(order);
    return this.place(slot, side, price, quantity, owner, selfTrade);
  }

  isResting(slot: number): boolean {
    return this.remaining(slot) !== 0;
  }

  /** What rests in the slot; 0 for nothing. */
  remaining(slot: number): number {
    return this.orders.doubles[(addressOf(slot) >> 1) + QUANTITY] ?? 0;
  }

  sideOf(slot: number): number {
    return this.orders.doubles[(addressOf(slot) >> 1) + KEY]! < 0 ? Buy : Sell;
  }

  priceOf(slot: number): number {
    return Math.abs(this.orders.doubles[(addressOf(slot) >> 1) + KEY]!);
  }

  /** Whether an order at this price would trade at once. */
  wouldCross(side: number, price: number): boolean {
    return side === Buy ? this.asks.bestKey <= price : this.bids.bestKey <= -price;
  }

  /** How much of `quantity` the same `take` would trade now. Takes what `take` takes. */
  fillable(
    side: number,
    limit: number,
    quantity: number,
    owner: number,
    selfTrade: number,
  ): number {
    const makers = side === Buy ? this.asks : this.bids;
    const guard = selfTrade === SelfTrade.None ? 0 : owner | 0;
    return countFillable(makers, this.orders, limitKeyOf(side, limit), quantity, guard, selfTrade);
  }

  /** Writes the best levels of one side into `into`, as many as asked for and as fit. */
  depth(side: number, levels: number, into: DepthLevels): void {
    readDepth(side === Buy ? this.bids : this.asks, this.orders, levels, into);
  }

  /** Shows all orders in priority order: the bids, best first, then the asks. */
  forEachResting(visit: RestingVisitor): void {
    visitResting(this.bids, this.orders, visit);
    visitResting(this.asks, this.orders, visit);
  }

  /** Throws where an invariant of the book is broken. Walks everything: for tests and simulation. */
  validate(): void {
    validateBook(this.bids, this.asks, this.orders, this.restingCount);
  }

  private match(
    makers: BookSide,
    limitKey: number,
    quantity: number,
    guard: number,
    selfTrade: number,
  ): number {
    const { sink } = this;
    const { words, doubles } = this.orders;
    const { pages } = makers;
    do {
      const key = makers.bestKey;
      const level = makers.bestLevel;
      let order = pages[level + HEAD]!;
      do {
        if (guard !== 0 && words[order + OWNER] === guard) {
          if (selfTrade !== SelfTrade.ExpireMaker) this.stoppedBySelfTrade = true;
          if (selfTrade === SelfTrade.ExpireTaker) {
            this.advance(makers, level, order);
            return quantity;
          }
          doubles[(order >> 1) + QUANTITY] = 0;
          this.restingCount--;
          const next = words[order + NEXT]!;
          sink.selfTradeCancelled(slotOf(order));
          order = next;
          if (selfTrade === SelfTrade.ExpireBoth) {
            this.advance(makers, level, order);
            return quantity;
          }
          continue;
        }
        const available = doubles[(order >> 1) + QUANTITY]!;
        if (quantity < available) {
          doubles[(order >> 1) + QUANTITY] = available - quantity;
          sink.fill(slotOf(order), Math.abs(key), quantity, available - quantity);
          pages[level + HEAD] = order;
          words[order + PREVIOUS] = NONE;
          return 0;
        }
        quantity -= available;
        doubles[(order >> 1) + QUANTITY] = 0;
        this.restingCount--;
        const next = words[order + NEXT]!;
        sink.fill(slotOf(order), Math.abs(key), available, 0);
        order = next;
      } while (order !== NONE && quantity !== 0);
      this.advance(makers, level, order);
    } while (quantity !== 0 && makers.bestKey <= limitKey);
    return quantity;
  }

  /** Makes `order` the first of its level after those before it have left. */
  private advance(side: BookSide, level: number, order: number): void {
    const { pages } = side;
    pages[level + HEAD] = order;
    if (order !== NONE) this.orders.words[order + PREVIOUS] = NONE;
    else {
      pages[level + TAIL] = NONE;
      side.close(level, side.bestKey);
    }
  }

  private unlink(order: number): void {
    const { words, doubles } = this.orders;
    const key = doubles[(order >> 1) + KEY]!;
    const side = key < 0 ? this.bids : this.asks;
    const { pages } = side;
    const next = words[order + NEXT]!;
    const previous = words[order + PREVIOUS]!;
    const level = words[order + LEVEL]!;
    doubles[(order >> 1) + QUANTITY] = 0;
    this.restingCount--;
    if (next !== NONE) words[next + PREVIOUS] = previous;
    else pages[level + TAIL] = previous;
    if (previous !== NONE) words[previous + NEXT] = next;
    else {
      pages[level + HEAD] = next;
      if (next === NONE) side.close(level, key);
    }
  }
}

/** The last key to take. An unbounded limit must stay below the best key of an empty side. */
function limitKeyOf(side: number, limit: number): number {
  return side === Buy ? Math.min(limit, ANY_BUY_LIMIT) : -limit;
}
