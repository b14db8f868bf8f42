import { OpenBook, RemoveOrder, ReplaceOrder, SubmitOrder } from '../messages/book-commands.ts';
import {
  Depth,
  Disposition,
  Fill,
  MakerRemoved,
  OrderReplaced,
  Outcome,
  Retried,
} from '../messages/book-results.ts';
import { TimeInForce } from '../messages/enums.ts';
import type { BatchWriter } from '../messages/record.ts';
import { Buy, type DepthLevels, type FillSink, OrderBook, Sell } from '../order-book/index.ts';
import { type ParkedOrder, ParkedOrders } from './parked-orders.ts';

/** The most levels a side that one depth answer carries. */
export const DEPTH_LEVELS_MAX = 1000;

/**
 * One market's matching: what time in force, post-only and Retry mean on top of the order book.
 * Writes each command's fills and then its outcome. Pure: the same commands give the same results.
 */
export class Matching implements FillSink {
  readonly book: OrderBook;
  private readonly market: number;
  private readonly results: BatchWriter;
  private readonly parked = new ParkedOrders();
  private readonly fillRecord = Fill.blank();
  private readonly removedRecord = MakerRemoved.blank();
  private readonly outcomeRecord = Outcome.blank();
  private readonly bestBid = (): number => this.book.bestBid;
  private readonly bestAsk = (): number => this.book.bestAsk;
  /** The slot of the order that takes while the book calls back. */
  private taker = 0;

  constructor(market: number, results: BatchWriter) {
    this.market = market;
    this.results = results;
    this.book = new OrderBook(this);
    this.fillRecord.market = market;
    this.removedRecord.market = market;
    this.outcomeRecord.market = market;
  }

  /** Every command has one outcome, this one too. */
  opened(): void {
    this.outcome(OpenBook.kind, 0, 0, 0, Disposition.Opened, 0);
  }

  submit(order: SubmitOrder): void {
    const { slot, side, timeInForce } = order;
    this.taker = slot;
    let disposition: number;
    let remaining = order.quantity;
    if (order.postOnly !== 0 && this.book.wouldCross(side, order.limit)) {
      disposition = Disposition.WouldTake;
    } else if (timeInForce === TimeInForce.Fok && !this.canFill(order)) {
      disposition = Disposition.Killed;
    } else if (rests(timeInForce)) {
      remaining = this.place(order);
      disposition = this.afterTaking(remaining, Disposition.Resting);
    } else {
      remaining = this.take(order);
      const parks = timeInForce === TimeInForce.Retry;
      disposition = this.afterTaking(remaining, parks ? Disposition.Parked : Disposition.Killed);
    }
    if (disposition === Disposition.Parked) this.parked.add({ ...order, remaining });
    this.outcome(SubmitOrder.kind, order.ticket, order.orderId, slot, disposition, remaining);
    if (disposition === Disposition.Resting) this.retryParked(side);
  }

  remove(command: RemoveOrder): void {
    const { ticket, orderId, slot, cause } = command;
    const removed = this.book.cancel(slot) || this.parked.remove(slot);
    const disposition = removed > 0 ? Disposition.Removed : Disposition.NotResting;
    this.outcome(RemoveOrder.kind, ticket, orderId, slot, disposition, removed, cause);
  }

  replace(command: ReplaceOrder): void {
    const { ticket, orderId, slot, limit } = command;
    const resting = this.book.remaining(slot);
    const remaining = command.quantity;
    const refusal = this.refusalOf(command, resting);
    if (refusal !== undefined) {
      return this.outcome(ReplaceOrder.kind, ticket, orderId, slot, refusal, resting);
    }
    const keepsPriority = limit === this.book.priceOf(slot) && remaining <= resting;
    OrderReplaced.write(this.results, {
      market: this.market,
      slot,
      keptPriority: keepsPriority ? 1 : 0,
      priority: command.priority,
      limit,
      remaining,
    });
    const side = this.book.sideOf(slot);
    let left = remaining;
    if (keepsPriority) this.book.reduce(slot, remaining);
    else {
      this.taker = slot;
      this.book.stoppedBySelfTrade = false;
      left = this.book.replace(slot, limit, remaining, command.selfTradePrevention);
    }
    const disposition = keepsPriority
      ? Disposition.Resting
      : this.afterTaking(left, Disposition.Resting);
    this.outcome(ReplaceOrder.kind, ticket, orderId, slot, disposition, left);
    if (!keepsPriority && disposition === Disposition.Resting) this.retryParked(side);
  }

  /** Answers with at most `levels` levels of each side. */
  readDepth(ticket: number, levels: number): void {
    const count = Math.min(levels, DEPTH_LEVELS_MAX);
    const bids = depthLevels(count);
    const asks = depthLevels(count);
    this.book.depth(Buy, count, bids);
    this.book.depth(Sell, count, asks);
    const pairs = new Float64Array(2 * (bids.count + asks.count));
    pack(bids, pairs, 0);
    pack(asks, pairs, 2 * bids.count);
    Depth.write(this.results, {
      ticket,
      market: this.market,
      bids: bids.count,
      asks: asks.count,
      levels: new Uint8Array(pairs.buffer),
    });
  }

  fill(makerSlot: number, price: number, quantity: number): void {
    const record = this.fillRecord;
    record.maker = makerSlot;
    record.taker = this.taker;
    record.price = price;
    record.quantity = quantity;
    Fill.write(this.results, record);
  }

  selfTradeCancelled(makerSlot: number): void {
    this.removedRecord.slot = makerSlot;
    MakerRemoved.write(this.results, this.removedRecord);
  }

  private canFill(order: SubmitOrder): boolean {
    const { side, limit, quantity, owner, selfTradePrevention } = order;
    return this.book.fillable(side, limit, quantity, owner, selfTradePrevention) >= quantity;
  }

  private place(order: SubmitOrder): number {
    const { slot, side, limit, quantity, owner, selfTradePrevention } = order;
    return this.book.place(slot, side, limit, quantity, owner, selfTradePrevention);
  }

  private take(order: SubmitOrder): number {
    const { side, limit, quantity, owner, selfTradePrevention } = order;
    return this.book.take(side, limit, quantity, owner, selfTradePrevention);
  }

  private afterTaking(remaining: number, otherwise: number): number {
    if (remaining === 0) return Disposition.Filled;
    return this.book.stoppedBySelfTrade ? Disposition.SelfTrade : otherwise;
  }

  private refusalOf(command: ReplaceOrder, resting: number): number | undefined {
    if (resting === 0) return Disposition.NotResting;
    if (resting !== command.expectedRemaining) return Disposition.Outdated;
    const side = this.book.sideOf(command.slot);
    const crosses = command.postOnly !== 0 && this.book.wouldCross(side, command.limit);
    return crosses ? Disposition.WouldTake : undefined;
  }

  /** The book has something new on `side`: what waits for it tries again, first come first. */
  private retryParked(side: number): void {
    if (side === Buy) this.parked.retry(Sell, this.bestBid, this.attempt);
    else this.parked.retry(Buy, this.bestAsk, this.attempt);
  }

  /** Whether the order goes on waiting. */
  private readonly attempt = (order: ParkedOrder): boolean => {
    const { slot, orderId, side, limit, owner, selfTradePrevention } = order;
    this.taker = slot;
    const before = this.results.count;
    const left = this.book.take(side, limit, order.remaining, owner, selfTradePrevention);
    const disposition = this.afterTaking(left, Disposition.Parked);
    const parked = disposition === Disposition.Parked;
    if (parked && this.results.count === before) return true;
    order.remaining = left;
    this.noteOutcome(SubmitOrder.kind, 0, orderId, slot, disposition, left, 0);
    Retried.write(this.results, this.outcomeRecord);
    return parked;
  };

  private outcome(
    command: number,
    ticket: number,
    orderId: number,
    slot: number,
    disposition: number,
    remaining: number,
    cause = 0,
  ): void {
    this.noteOutcome(command, ticket, orderId, slot, disposition, remaining, cause);
    Outcome.write(this.results, this.outcomeRecord);
  }

  private noteOutcome(
    command: number,
    ticket: number,
    orderId: number,
    slot: number,
    disposition: number,
    remaining: number,
    cause: number,
  ): void {
    const record = this.outcomeRecord;
    record.ticket = ticket;
    record.orderId = orderId;
    record.slot = slot;
    record.command = command;
    record.disposition = disposition;
    record.cause = cause;
    record.remaining = remaining;
    record.bestBid = this.book.bestBid;
    record.bestAsk = this.book.bestAsk;
  }
}

function rests(timeInForce: number): boolean {
  return (
    timeInForce === TimeInForce.Gtc ||
    timeInForce === TimeInForce.Gtd ||
    timeInForce === TimeInForce.Day
  );
}

function depthLevels(count: number): DepthLevels {
  return {
    count: 0,
    prices: new Float64Array(count),
    quantities: new Float64Array(count),
    orders: new Int32Array(count),
  };
}

function pack(levels: DepthLevels, pairs: Float64Array, from: number): void {
  for (let level = 0; level < levels.count; level++) {
    pairs[from + 2 * level] = levels.prices[level] as number;
    pairs[from + 2 * level + 1] = levels.quantities[level] as number;
  }
}
