import { ORDER_FIELDS, OrderStore } from './order-store.ts';
import { LEVEL_FIELDS, PriceLevels } from './price-levels.ts';
import {
  Buy,
  type DepthLevels,
  type FillSink,
  type RestingVisitor,
  SelfTrade,
  Sell,
} from './types.ts';
import { validateBook } from './validate.ts';
import { countFillable, readDepth, visitResting } from './walks.ts';

const { KEY, LEVEL, NEXT, ORDER_SHIFT, OWNER, PREVIOUS, QUANTITY } = ORDER_FIELDS;
const { HEAD, TAIL, BEST_KEY, BEST_LEVEL } = LEVEL_FIELDS;
const { None: NO_PREVENTION, ExpireTaker: EXPIRE_TAKER, ExpireMaker: EXPIRE_MAKER } = SelfTrade;
const BUY = Buy;
const SELL = Sell;
const NONE = 0;

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
  private readonly prices = new PriceLevels();

  constructor(sink: FillSink, initialCapacity = 64) {
    this.sink = sink;
    this.orders = new OrderStore(initialCapacity);
  }

  /** The best buy price in ticks; 0 where there is none. */
  get bestBid(): number {
    return priceOf(this.prices.doubles[BEST_KEY + BUY]!);
  }

  /** The best sell price in ticks; 0 where there is none. */
  get bestAsk(): number {
    return priceOf(this.prices.doubles[BEST_KEY + SELL]!);
  }

  get levelCount(): number {
    return this.prices.count;
  }

  /**
   * Matches without resting; returns what is left. `limit` is the worst price to take,
   * `ANY_BUY_LIMIT` or `ANY_SELL_LIMIT` for any. `owner` 0 never trades with itself.
   */
  take(side: number, limit: number, quantity: number, owner: number, selfTrade: number): number {
    this.stoppedBySelfTrade = false;
    const key = limit * (side + side - 1);
    if (!(this.prices.doubles[BEST_KEY + (side ^ 1)]! + key <= 0)) return quantity;
    return this.match(side ^ 1, key, quantity, selfTrade === NO_PREVENTION ? 0 : owner, selfTrade);
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
    this.stoppedBySelfTrade = false;
    const key = price * (side + side - 1);
    if (this.prices.doubles[BEST_KEY + (side ^ 1)]! + key <= 0) {
      const guard = selfTrade === NO_PREVENTION ? 0 : owner | 0;
      quantity = this.match(side ^ 1, key, quantity, guard, selfTrade);
      if (quantity === 0 || this.stoppedBySelfTrade) return quantity;
    }
    this.enter(slot, side, price, quantity, owner);
    return quantity;
  }

  /** Rests an order behind all others at its price. The price must not cross, the slot be free. */
  rest(slot: number, side: number, price: number, quantity: number, owner: number): void {
    if (this.wouldCross(side, price)) throw new RangeError(`price ${price} would cross the book`);
    this.enter(slot, side, price, quantity, owner);
  }

  /** Removes an order; returns the quantity that rested, 0 where nothing rests in the slot. */
  cancel(slot: number): number {
    const order = (slot + 1) << ORDER_SHIFT;
    const quantity = this.orders.doubles[(order >> 1) | QUANTITY];
    if (quantity === undefined || quantity === 0) return 0;
    this.unlink(order);
    return quantity;
  }

  /** Makes a resting order smaller; it keeps its place. */
  reduce(slot: number, remaining: number): void {
    const index = (((slot + 1) << ORDER_SHIFT) >> 1) + QUANTITY;
    if (!(remaining > 0 && remaining <= this.remaining(slot))) {
      throw new RangeError(`slot ${slot} cannot be reduced to ${remaining}`);
    }
    this.orders.doubles[index] = remaining;
  }

  /** Cancels a resting order and places it anew at the back of its new price; it may match. */
  replace(slot: number, price: number, quantity: number, selfTrade: number): number {
    const order = (slot + 1) << ORDER_SHIFT;
    if (!this.isResting(slot)) throw new RangeError(`nothing rests in slot ${slot}`);
    const side = this.sideOf(slot);
    const owner = this.orders.words[order | OWNER]!;
    this.unlink(order);
    return this.place(slot, side, price, quantity, owner, selfTrade);
  }

  isResting(slot: number): boolean {
    return this.remaining(slot) !== 0;
  }

  /** What rests in the slot; 0 for nothing. */
  remaining(slot: number): number {
    return this.orders.doubles[(((slot + 1) << ORDER_SHIFT) >> 1) + QUANTITY] ?? 0;
  }

  sideOf(slot: number): number {
    return this.orders.words[((slot + 1) << ORDER_SHIFT) + LEVEL]! & 1;
  }

  priceOf(slot: number): number {
    return Math.abs(this.orders.doubles[(((slot + 1) << ORDER_SHIFT) >> 1) + KEY]!);
  }

  /** Whether an order at this price would trade at once. */
  wouldCross(side: number, price: number): boolean {
    return this.prices.doubles[BEST_KEY + (side ^ 1)]! + price * (side + side - 1) <= 0;
  }

  /** How much of `quantity` the same `take` would trade now. Takes what `take` takes. */
  fillable(
    side: number,
    limit: number,
    quantity: number,
    owner: number,
    selfTrade: number,
  ): number {
    const guard = selfTrade === NO_PREVENTION ? 0 : owner | 0;
    return countFillable(
      this.prices,
      this.orders,
      side ^ 1,
      limit * (side + side - 1),
      quantity,
      guard,
      selfTrade,
    );
  }

  /** Writes the best levels of one side into `into`, as many as asked for and as fit. */
  depth(side: number, levels: number, into: DepthLevels): void {
    readDepth(this.prices, this.orders, side, levels, into);
  }

  /** Shows all orders in priority order: the bids, best first, then the asks. */
  forEachResting(visit: RestingVisitor): void {
    visitResting(this.prices, this.orders, BUY, visit);
    visitResting(this.prices, this.orders, SELL, visit);
  }

  /** Throws where an invariant of the book is broken. Walks everything: for tests and simulation. */
  validate(): void {
    validateBook(this.prices, this.orders, this.restingCount);
  }

  /** Trades with makers of one side while they cross the taker's key; returns what is left. */
  private match(
    side: number,
    takerKey: number,
    quantity: number,
    owner: number,
    selfTrade: number,
  ): number {
    const { sink } = this;
    const { words, doubles } = this.orders;
    const { words: levels, doubles: keys } = this.prices;
    const guard = owner | 0;
    do {
      const level = levels[BEST_LEVEL + side]!;
      const key = keys[BEST_KEY + side]!;
      const price = Math.abs(key);
      let order = levels[level | HEAD]!;
      do {
        if (guard !== 0 && words[order | OWNER] === guard) {
          order = this.preventSelfTrade(order, selfTrade);
          if (this.stoppedBySelfTrade) break;
          continue;
        }
        const available = doubles[(order >> 1) | QUANTITY]!;
        const traded = Math.min(quantity, available);
        const remaining = available - traded;
        quantity -= traded;
        doubles[(order >> 1) | QUANTITY] = remaining;
        sink.fill((order >> ORDER_SHIFT) - 1, price, traded, remaining);
        if (remaining !== 0) break;
        this.restingCount--;
        order = words[order | NEXT]!;
      } while (order !== NONE && quantity !== 0);
      levels[level | HEAD] = order;
      if (order !== NONE) {
        words[order | PREVIOUS] = NONE;
        return quantity;
      }
      levels[level | TAIL] = NONE;
      this.prices.close(level, key, side);
      if (this.stoppedBySelfTrade) return quantity;
    } while (quantity !== 0 && keys[BEST_KEY + side]! + takerKey <= 0);
    return quantity;
  }

  /** Does what the mode asks when a taker meets its own owner's order; returns who comes first then. */
  private preventSelfTrade(order: number, selfTrade: number): number {
    this.stoppedBySelfTrade = selfTrade !== EXPIRE_MAKER;
    if (selfTrade === EXPIRE_TAKER) return order;
    const { words, doubles } = this.orders;
    doubles[(order >> 1) | QUANTITY] = 0;
    this.restingCount--;
    this.sink.selfTradeCancelled((order >> ORDER_SHIFT) - 1);
    return words[order | NEXT]!;
  }

  /** Links an order that does not cross in behind all others at its price. */
  private enter(slot: number, side: number, price: number, quantity: number, owner: number): void {
    if (slot >>> 0 >= this.orders.capacity) this.orders.growTo(slot);
    const { words, doubles } = this.orders;
    const order = (slot + 1) << ORDER_SHIFT;
    if (doubles[(order >> 1) | QUANTITY] !== 0 || !(price > 0 && quantity > 0)) {
      throw new RangeError(`slot ${slot} cannot take ${quantity} at ${price}`);
    }
    const key = price * (side + side - 1);
    const level = this.prices.levelFor(key, side);
    const levels = this.prices.words;
    const last = levels[level | TAIL]!;
    doubles[(order >> 1) | QUANTITY] = quantity;
    doubles[(order >> 1) | KEY] = key;
    words[order | NEXT] = NONE;
    words[order | PREVIOUS] = last;
    words[order | OWNER] = owner;
    words[order | LEVEL] = level | side;
    levels[level | TAIL] = order;
    this.restingCount++;
    if (last !== NONE) words[last | NEXT] = order;
    else {
      levels[level | HEAD] = order;
      this.prices.open(level, key, side);
    }
  }

  private unlink(order: number): void {
    const { words, doubles } = this.orders;
    const levels = this.prices.words;
    const next = words[order | NEXT]!;
    const previous = words[order | PREVIOUS]!;
    const side = words[order | LEVEL]! & 1;
    const level = words[order | LEVEL]! ^ side;
    doubles[(order >> 1) | QUANTITY] = 0;
    this.restingCount--;
    if (next !== NONE) words[next | PREVIOUS] = previous;
    else levels[level | TAIL] = previous;
    if (previous !== NONE) words[previous | NEXT] = next;
    else {
      levels[level | HEAD] = next;
      if (next === NONE) this.prices.close(level, doubles[(order >> 1) | KEY]!, side);
    }
  }
}

function priceOf(key: number): number {
  return key === Number.POSITIVE_INFINITY ? 0 : Math.abs(key);
}
