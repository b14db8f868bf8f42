import { OrdersCancelled } from '../messages/answers.ts';
import { ALL_MARKETS, type CancelAllOrders, type CancelOrder } from '../messages/commands.ts';
import { TimeInForce } from '../messages/enums.ts';
import type { BatchWriter } from '../messages/record.ts';
import { Refusals } from '../messages/refusals.ts';
import type { Books } from './books.ts';
import { Cause } from './causes.ts';
import { deny } from './denial.ts';
import type { StopOrders } from './margin/stop-orders.ts';
import type { Market } from './market.ts';
import { timeInForceOf } from './order-table.ts';
import type { Recorder } from './recorder.ts';
import type { ClearingState } from './state.ts';

/** How many orders a sweep takes off in one step, so that nobody else waits for a long one. */
const SWEEP_STEP = 1024;

/** Orders to be cancelled together. `ticket` 0: nobody waits for the count. */
interface Sweep {
  readonly orderIds: Float64Array;
  readonly cause: number;
  readonly ticket: number;
  next: number;
  /** Sent to a book and not answered yet. */
  pending: number;
  cancelled: number;
}

interface AccountSweep {
  /** Only orders with smaller ids. */
  readonly below?: number;
  /** Who waits for the count, in which stop orders are that have been cancelled before. */
  readonly ticket?: number;
  readonly stopped?: number;
}

/** Takes orders off the books: one for its trader, many for a sweep, and those whose time is up. */
export class Cancellation {
  private readonly state: ClearingState;
  private readonly recorder: Recorder;
  private readonly books: Books;
  private readonly answers: BatchWriter;
  private readonly stopOrders: StopOrders;
  private readonly sweeps: Sweep[] = [];
  /** Sweeps that somebody waits for, by ticket. */
  private readonly awaited = new Map<number, Sweep>();

  constructor(
    state: ClearingState,
    recorder: Recorder,
    books: Books,
    answers: BatchWriter,
    stopOrders: StopOrders,
  ) {
    this.state = state;
    this.recorder = recorder;
    this.books = books;
    this.answers = answers;
    this.stopOrders = stopOrders;
  }

  cancel(command: CancelOrder, now: number): void {
    const { ticket, account, clientOrderId } = command;
    const orderId =
      command.orderId !== 0
        ? command.orderId
        : this.state.clientOrderIds.find(account, clientOrderId);
    const market = this.state.openOrderOf(account, orderId);
    if (market === undefined && !this.stopOrders.isOf(account, orderId)) {
      const value = command.orderId !== 0 ? String(orderId) : clientOrderId;
      const denial = deny(Refusals.OrderUnknown, 'orderId', value);
      return this.recorder.refuse(ticket, denial);
    }
    if (this.state.accounts.status(account) === 'Frozen') {
      const { accountId } = this.state.accounts.configuration(account);
      return this.recorder.refuse(ticket, deny(Refusals.AccountFrozen, 'accountId', accountId));
    }
    if (market === undefined) return this.stopOrders.cancel(orderId, ticket, now);
    this.books.remove(market, this.state.orderIndex.slot, ticket, Cause.Trader);
  }

  cancelAll(command: CancelAllOrders, now: number): void {
    const { account, market } = command;
    if (this.state.accounts.status(account) === 'Frozen') {
      const { accountId } = this.state.accounts.configuration(account);
      const denial = deny(Refusals.AccountFrozen, 'accountId', accountId);
      return this.recorder.refuse(command.ticket, denial);
    }
    const isMeant = (index: number): boolean => market === ALL_MARKETS || index === market;
    const stopped = this.stopOrders.cancelOf(account, isMeant, 'Trader', now);
    const markets = this.state.markets.filter(({ index }) => isMeant(index));
    this.sweepAccount(account, markets, Cause.CancelAll, { ticket: command.ticket, stopped });
  }

  /** Cancels the orders of an account in `markets`. */
  sweepAccount(
    account: number,
    markets: readonly Market[],
    cause: number,
    { below = Number.POSITIVE_INFINITY, ticket = 0, stopped = 0 }: AccountSweep = {},
  ): void {
    const orderIds = markets.flatMap(({ orders }) =>
      orders.slotsOf(account).map((slot) => orders.orderIds[slot] as number),
    );
    const swept = Float64Array.from(orderIds).filter((orderId) => orderId < below);
    this.start(swept.sort(), cause, ticket, stopped);
  }

  /** Cancels the orders of a market with smaller ids than `below`. */
  sweepMarket(market: Market, cause: number, below: number): void {
    const orderIds = market.orders.openOrderIds().filter((orderId) => orderId < below);
    if (orderIds.length > 0) this.start(orderIds, cause, 0);
  }

  /** Sends off the orders whose time is up at `now`. */
  expire(now: number): void {
    for (;;) {
      const orderId = this.state.expiries.takeDue(now);
      if (orderId === 0) return;
      if (this.stopOrders.expire(orderId, now)) continue;
      const market = this.state.openOrder(orderId) as Market;
      const { slot } = this.state.orderIndex;
      this.books.remove(market, slot, 0, this.expiryCause(market, slot));
    }
  }

  /** Retry orders time out, Gtd and Day orders expire. */
  expiryCause(market: Market, slot: number): number {
    const timeInForce = timeInForceOf(market.orders.traits[slot] as number);
    return timeInForce === TimeInForce.Retry ? Cause.RetryTimeout : Cause.Expiry;
  }

  /** Goes on with unfinished sweeps; false where there is nothing more to send. */
  sweep(): boolean {
    const sweep = this.sweeps[0];
    if (sweep === undefined) return false;
    const until = Math.min(sweep.next + SWEEP_STEP, sweep.orderIds.length);
    while (sweep.next < until) {
      const market = this.state.openOrder(sweep.orderIds[sweep.next++] as number);
      if (market === undefined) continue;
      sweep.pending++;
      this.books.remove(market, this.state.orderIndex.slot, sweep.ticket, sweep.cause);
    }
    if (sweep.next === sweep.orderIds.length) {
      this.sweeps.shift();
      this.finish(sweep);
    }
    return this.sweeps.length > 0;
  }

  /** A book answered a removal of a sweep that somebody waits for. */
  swept(ticket: number, removed: boolean): void {
    const sweep = this.awaited.get(ticket);
    if (sweep === undefined) throw new Error(`no sweep ${ticket}`);
    sweep.pending--;
    if (removed) sweep.cancelled++;
    this.finish(sweep);
  }

  private start(orderIds: Float64Array, cause: number, ticket: number, cancelled = 0): void {
    const sweep: Sweep = { orderIds, cause, ticket, next: 0, pending: 0, cancelled };
    if (ticket !== 0) this.awaited.set(ticket, sweep);
    this.sweeps.push(sweep);
    // The first step at once: a short sweep is one message away from done.
    if (this.sweeps.length === 1) this.sweep();
  }

  private finish(sweep: Sweep): void {
    const { ticket } = sweep;
    if (ticket === 0 || sweep.pending > 0 || sweep.next < sweep.orderIds.length) return;
    this.awaited.delete(ticket);
    OrdersCancelled.write(this.answers, { ticket, count: sweep.cancelled });
  }
}
