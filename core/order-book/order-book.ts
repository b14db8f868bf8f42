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
const { HEAD, TAIL } = LEVEL_FIELDS;
const {
  None: NO_PREVENTION,
  ExpireTaker: EXPIRE_TAKER,
  ExpireMaker: EXPIRE_MAKER,
  ExpireBoth: EXPIRE_BOTH,
} = SelfTrade;
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
  private readonly levels = new PriceLevels();

  constructor(sink: FillSink, initialCapacity = 64) {
    this.sink = sink;
    this.orders = new OrderStore(initialCapacity);
  }

  /** The best buy price in ticks; 0 where there is none. */
  get bestBid(): number {
    return priceOf(this.levels.bestKeys[BUY]!);
  }

  /** The best sell price in ticks; 0 where there is none. */
  get bestAsk(): number {
    return priceOf(this.levels.bestKeys[SELL]!);
  }

  get levelCount(): number {
    return this.levels.count;
  }

  /**
   * Matches without resting; returns what is left. `limit` is the worst price to take,
   * `ANY_BUY_LIMIT` or `ANY_SELL_LIMIT` for any. `owner` 0 never trades with itself.
   */
  take(side: number, limit: number, quantity: number, owner: number, selfTrade: number): number {
    this.stoppedBySelfTrade = false;
    const key = limit * (side + side - 1);
    if (!(this.levels.bestKeys[1 - side]! + key <= 0)) return quantity;
    return this.match(1 - side, key, quantity, selfTrade === NO_PREVENTION ? 0 : owner, selfTrade);
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
    if (this.levels.bestKeys[1 - side]! + key <= 0) {
      const guard = selfTrade === NO_PREVENTION ? 0 : owner | 0;
      quantity = this.match(1 - side, key, quantity, guard, selfTrade);
      if (quantity === 0 || this.stoppedBySelfTrade) return quantity;
    }
    this.rest(slot, side, price, quantity, owner);
    return quantity;
  }

  /** Rests an order behind all others at its price. The price must not cross, the slot be free. */
  rest(slot: number, side: number, price: number, quantity: number, owner: number): void {
    const order = (slot + 1) << ORDER_SHIFT;
    if (order >= this.orders.words.length) this.orders.growTo(slot);
    const key = price * (side + side - 1);
    const level = this.levels.levelFor(key, side);
    const { words, doubles } = this.orders;
    const { levels } = this.levels;
    const last = levels[level + TAIL]!;
    doubles[(order >> 1) + QUANTITY] = quantity;
    doubles[(order >> 1) + KEY] = key;
    words[order + NEXT] = NONE;
    words[order + PREVIOUS] = last;
    words[order + OWNER] = owner;
    words[order + LEVEL] = level + side;
    levels[level + TAIL] = order;
    this.restingCount++;
    if (last !== NONE) words[last + NEXT] = order;
    else {
      levels[level + HEAD] = order;
      this.levels.open(level, key, side);
    }
  }

  /** Removes an order; returns the quantity that rested, 0 where nothing rests in the slot. */
  cancel(slot: number): number {
    const order = (slot + 1) << ORDER_SHIFT;
    const quantity = this.orders.doubles[(order >> 1) + QUANTITY];
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
    const owner = this.orders.words[order + OWNER]!;
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
    return this.levels.bestKeys[1 - side]! + price * (side + side - 1) <= 0;
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
      this.levels,
      this.orders,
      1 - side,
      limit * (side + side - 1),
      quantity,
      guard,
      selfTrade,
    );
  }

  /** Writes the best levels of one side into `into`, as many as asked for and as fit. */
  depth(side: number, levels: number, into: DepthLevels): void {
    readDepth(this.levels, this.orders, side, levels, into);
  }

  /** Shows all orders in priority order: the bids, best first, then the asks. */
  forEachResting(visit: RestingVisitor): void {
    visitResting(this.levels, this.orders, BUY, visit);
    visitResting(this.levels, this.orders, SELL, visit);
  }

  /** Throws where an invariant of the book is broken. Walks everything: for tests and simulation. */
  validate(): void {
    validateBook(this.levels, this.orders, this.restingCount);
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
    const { bestKeys, bestLevels, levels } = this.levels;
    const guard = owner | 0;
    do {
      const level = bestLevels[side]!;
      const price = Math.abs(bestKeys[side]!);
      let order = levels[level + HEAD]!;
      do {
        if (guard !== 0 && words[order + OWNER] === guard) {
          if (selfTrade !== EXPIRE_MAKER) this.stoppedBySelfTrade = true;
          if (selfTrade === EXPIRE_TAKER) break;
          doubles[(order >> 1) + QUANTITY] = 0;
          this.restingCount--;
          sink.selfTradeCancelled((order >> ORDER_SHIFT) - 1);
          order = words[order + NEXT]!;
          if (selfTrade === EXPIRE_BOTH) break;
          continue;
        }
        const available = doubles[(order >> 1) + QUANTITY]!;
        if (quantity < available) {
          doubles[(order >> 1) + QUANTITY] = available - quantity;
          sink.fill((order >> ORDER_SHIFT) - 1, price, quantity, available - quantity);
          quantity = 0;
          break;
        }
        quantity -= available;
        doubles[(order >> 1) + QUANTITY] = 0;
        this.restingCount--;
        sink.fill((order >> ORDER_SHIFT) - 1, price, available, 0);
        order = words[order + NEXT]!;
      } while (order !== NONE && quantity !== 0);
      levels[level + HEAD] = order;
      if (order !== NONE) {
        words[order + PREVIOUS] = NONE;
        return quantity;
      }
      levels[level + TAIL] = NONE;
      this.levels.close(level, side);
      if (this.stoppedBySelfTrade) return quantity;
    } while (quantity !== 0 && bestKeys[side]! + takerKey <= 0);
    return quantity;
  }

  private unlink(order: number): void {
    const { words, doubles } = this.orders;
    const { levels } = this.levels;
    const next = words[order + NEXT]!;
    const previous = words[order + PREVIOUS]!;
    const side = words[order + LEVEL]! & 1;
    const level = words[order + LEVEL]! - side;
    doubles[(order >> 1) + QUANTITY] = 0;
    this.restingCount--;
    if (next !== NONE) words[next + PREVIOUS] = previous;
    else levels[level + TAIL] = previous;
    if (previous !== NONE) words[previous + NEXT] = next;
    else {
      levels[level + HEAD] = next;
      if (next === NONE) this.levels.close(level, side);
    }
  }
}

function priceOf(key: number): number {
  return key === Number.POSITIVE_INFINITY ? 0 : Math.abs(key);
}
