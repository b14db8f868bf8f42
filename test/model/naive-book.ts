import { Buy, type FillSink, SelfTrade } from '../../core/order-book/index.ts';

export interface NaiveOrder {
  readonly slot: number;
  readonly side: number;
  readonly price: number;
  readonly owner: number;
  remaining: number;
}

/**
 * The order book as one would explain it: two lists of orders, always in priority order. Answers
 * like `OrderBook` and calls the sink in the same order; slow, and obvious.
 */
export class NaiveBook {
  stoppedBySelfTrade = false;
  private readonly sink: FillSink;
  private readonly bids: NaiveOrder[] = [];
  private readonly asks: NaiveOrder[] = [];

  constructor(sink: FillSink) {
    this.sink = sink;
  }

  get bestBid(): number {
    return this.bids[0]?.price ?? 0;
  }

  get bestAsk(): number {
    return this.asks[0]?.price ?? 0;
  }

  get restingCount(): number {
    return this.bids.length + this.asks.length;
  }

  get levelCount(): number {
    return pricesOf(this.bids).length + pricesOf(this.asks).length;
  }

  take(side: number, limit: number, quantity: number, owner: number, selfTrade: number): number {
    const makers = side === Buy ? this.asks : this.bids;
    let left = quantity;
    this.stoppedBySelfTrade = false;
    for (;;) {
      const maker = makers[0];
      if (left === 0 || maker === undefined || !crosses(side, limit, maker.price)) return left;
      if (isSelfTrade(maker, owner, selfTrade)) {
        this.stoppedBySelfTrade = selfTrade !== SelfTrade.ExpireMaker;
        if (selfTrade !== SelfTrade.ExpireTaker) {
          makers.shift();
          this.sink.selfTradeCancelled(maker.slot);
        }
        if (this.stoppedBySelfTrade) return left;
        continue;
      }
      const traded = Math.min(left, maker.remaining);
      left -= traded;
      maker.remaining -= traded;
      if (maker.remaining === 0) makers.shift();
      this.sink.fill(maker.slot, maker.price, traded, maker.remaining);
    }
  }

  place(
    slot: number,
    side: number,
    price: number,
    quantity: number,
    owner: number,
    selfTrade: number,
  ): number {
    const left = this.take(side, price, quantity, owner, selfTrade);
    if (left > 0 && !this.stoppedBySelfTrade) this.rest(slot, side, price, left, owner);
    return left;
  }

  rest(slot: number, side: number, price: number, quantity: number, owner: number): void {
    const own = side === Buy ? this.bids : this.asks;
    const behind = own.findIndex((order) =>
      side === Buy ? order.price < price : order.price > price,
    );
    const order = { slot, side, price, owner, remaining: quantity };
    own.splice(behind < 0 ? own.length : behind, 0, order);
  }

  cancel(slot: number): number {
    const order = this.find(slot);
    if (order === undefined) return 0;
    const own = order.side === Buy ? this.bids : this.asks;
    own.splice(own.indexOf(order), 1);
    return order.remaining;
  }

  reduce(slot: number, remaining: number): void {
    const order = this.find(slot);
    if (order !== undefined) order.remaining = remaining;
  }

  replace(slot: number, price: number, quantity: number, selfTrade: number): number {
    const order = this.find(slot);
    if (order === undefined) throw new RangeError(`nothing rests in slot ${slot}`);
    this.cancel(slot);
    return this.place(slot, order.side, price, quantity, order.owner, selfTrade);
  }

  fillable(
    side: number,
    limit: number,
    quantity: number,
    owner: number,
    selfTrade: number,
  ): number {
    let found = 0n;
    for (const maker of side === Buy ? this.asks : this.bids) {
      if (!crosses(side, limit, maker.price)) break;
      if (!isSelfTrade(maker, owner, selfTrade)) found += BigInt(maker.remaining);
      else if (selfTrade !== SelfTrade.ExpireMaker) break;
    }
    return found < BigInt(quantity) ? Number(found) : quantity;
  }

  wouldCross(side: number, price: number): boolean {
    const best = side === Buy ? this.asks[0] : this.bids[0];
    return best !== undefined && crosses(side, price, best.price);
  }

  find(slot: number): NaiveOrder | undefined {
    return [...this.bids, ...this.asks].find((order) => order.slot === slot);
  }

  /** Price, total quantity and number of orders of each level, best first. */
  levels(side: number): [price: number, quantity: number, orders: number][] {
    const own = side === Buy ? this.bids : this.asks;
    return pricesOf(own).map((price) => {
      const orders = own.filter((order) => order.price === price);
      const total = orders.reduce((sum, order) => sum + BigInt(order.remaining), 0n);
      const most = BigInt(Number.MAX_SAFE_INTEGER);
      return [price, Number(total < most ? total : most), orders.length];
    });
  }

  /** All orders in priority order: the bids, best first, then the asks. */
  resting(): readonly NaiveOrder[] {
    return [...this.bids, ...this.asks];
  }
}

function crosses(side: number, limit: number, makerPrice: number): boolean {
  return side === Buy ? makerPrice <= limit : makerPrice >= limit;
}

function isSelfTrade(maker: NaiveOrder, owner: number, selfTrade: number): boolean {
  return selfTrade !== SelfTrade.None && owner !== 0 && maker.owner === owner;
}

function pricesOf(orders: readonly NaiveOrder[]): number[] {
  return [...new Set(orders.map((order) => order.price))];
}
