import type { OrderState } from '../../messages/answers.ts';
import type { StopOrder } from '../../messages/cold-events.ts';
import {
  OrderSource,
  OrderStatus,
  OrderType,
  Reason,
  type ReasonName,
  Side,
  type StopOrderStatusName,
} from '../../messages/enums.ts';
import type { PlaceMarginOrder } from '../../messages/margin-commands.ts';
import type { Denial } from '../denial.ts';
import type { Recorder } from '../recorder.ts';
import type { ClearingState } from '../state.ts';
import { type PriceRange, reachedAbove, reachedBelow } from './triggers.ts';
import { ascending, descending, PriceHeap } from './triggers-heap.ts';

/** Who admits the orders that stop orders are to become. */
export interface StopOrderDesk {
  /** Answers what was answered when the client's own id came first: it created this order. */
  repeat(command: PlaceMarginOrder, orderId: number): void;
  /** Whether the venue takes this stop order; funds and margin are looked at when it becomes an order. */
  check(command: PlaceMarginOrder, now: number): Denial | undefined;
  /**
   * Places the order that a stop order has become: `admitted` is called with its id before the event
   * that accepts it. Where it is refused, nothing happens but the denial.
   */
  place(stopOrder: StopOrder, now: number, admitted: (orderId: number) => void): Denial | undefined;
}

/** The stop orders of one market, by activation price. */
interface Waiting {
  readonly buys: PriceHeap;
  readonly sells: PriceHeap;
}

/** Stop orders of all markets: they wait for a price, and then become orders. */
export class StopOrders {
  private readonly state: ClearingState;
  private readonly recorder: Recorder;
  private readonly desk: StopOrderDesk;
  private readonly markets: Waiting[] = [];
  private readonly idsOfAccount = new Map<number, Set<number>>();
  private readonly waits = (orderId: number): boolean => this.state.stopOrders.has(orderId);

  constructor(state: ClearingState, recorder: Recorder, desk: StopOrderDesk) {
    this.state = state;
    this.recorder = recorder;
    this.desk = desk;
  }

  /** Takes over what the recovered state has. */
  resume(): void {
    for (const stopOrder of this.state.stopOrders.all()) {
      this.note(stopOrder);
      this.wait(stopOrder.orderId);
    }
  }

  /** Places a stop order and returns its id; 0 where there is none. It does not `wait` yet. */
  place(command: PlaceMarginOrder, now: number): number {
    const { ticket, account, clientOrderId } = command;
    const earlier =
      clientOrderId === '' ? 0 : this.state.clientOrderIds.find(account, clientOrderId);
    if (earlier !== 0) {
      this.desk.repeat(command, earlier);
      return 0;
    }
    const denial = this.desk.check(command, now);
    if (denial !== undefined) {
      this.recorder.refuse(ticket, denial);
      return 0;
    }
    const stopOrder = stopOrderOf(command, this.state.nextOrderId, now);
    this.recorder.cold(now, { type: 'StopOrderPlaced', stopOrder });
    this.note(stopOrder);
    this.recorder.placed(ticket, stopOrder.orderId, 0);
    return stopOrder.orderId;
  }

  /** From here on prices may reach the stop order, if it is still there. */
  wait(orderId: number): void {
    const stopOrder = this.state.stopOrders.get(orderId);
    if (stopOrder === undefined) return;
    const { market, side, activationPrice } = stopOrder;
    let waiting = this.markets[market];
    if (waiting === undefined) {
      const { waits } = this;
      waiting = { buys: new PriceHeap(ascending, waits), sells: new PriceHeap(descending, waits) };
      this.markets[market] = waiting;
    }
    (side === Side.Buy ? waiting.buys : waiting.sells).add(orderId, activationPrice);
  }

  /** Whether the account has such a stop order. */
  isOf(account: number, orderId: number): boolean {
    return this.state.stopOrders.get(orderId)?.account === account;
  }

  /** Cancels one for its trader. */
  cancel(orderId: number, ticket: number, now: number): void {
    const stopOrder = this.waiting(orderId);
    this.end(stopOrder, 'Cancelled', 'Trader', now);
    this.recorder.orderState(cancelledState(stopOrder, ticket, now));
  }

  /** Cancels those of an account in markets that `isMeant`; returns how many there were. */
  cancelOf(
    account: number,
    isMeant: (market: number) => boolean,
    reason: ReasonName,
    now: number,
  ): number {
    let count = 0;
    for (const orderId of [...(this.idsOfAccount.get(account) ?? [])]) {
      const stopOrder = this.state.stopOrders.get(orderId);
      if (stopOrder === undefined || !isMeant(stopOrder.market)) continue;
      this.end(stopOrder, 'Cancelled', reason, now);
      count++;
    }
    return count;
  }

  /** Cancels all of a market. */
  cancelIn(market: number, reason: ReasonName, now: number): void {
    for (const stopOrder of this.state.stopOrders.all()) {
      if (stopOrder.market === market) this.end(stopOrder, 'Cancelled', reason, now);
    }
  }

  /** Its time is up; false where there is no such stop order. */
  expire(orderId: number, now: number): boolean {
    const stopOrder = this.state.stopOrders.get(orderId);
    if (stopOrder === undefined) return false;
    this.end(stopOrder, 'Expired', 'Trader', now);
    return true;
  }

  /** Whether the market has had any. */
  watches(market: number): boolean {
    return this.markets[market] !== undefined;
  }

  /** A stop order that prices in this range have reached; 0 where none. */
  reached(market: number, range: PriceRange): number {
    const waiting = this.markets[market];
    if (waiting === undefined) return 0;
    return reachedAbove(waiting.buys, range.highAsk) || reachedBelow(waiting.sells, range.lowBid);
  }

  /** The stop order becomes an order, or is rejected where the venue refuses that order. */
  activate(orderId: number, now: number): void {
    const stopOrder = this.waiting(orderId);
    const denial = this.desk.place(stopOrder, now, (activatedOrderId) => {
      this.end(stopOrder, 'Activated', 'Trader', now, activatedOrderId);
    });
    if (denial !== undefined) {
      this.end(stopOrder, 'Rejected', 'Trader', now, null, denial.refusal.code);
    }
  }

  private waiting(orderId: number): StopOrder {
    const stopOrder = this.state.stopOrders.get(orderId);
    if (stopOrder === undefined) throw new Error(`no stop order ${orderId}`);
    return stopOrder;
  }

  private end(
    { orderId, account }: StopOrder,
    status: StopOrderStatusName,
    reason: ReasonName,
    now: number,
    activatedOrderId: number | null = null,
    refusal: number | null = null,
  ): void {
    const ended = { orderId, status, reason, activatedOrderId, refusal };
    this.recorder.cold(now, { type: 'StopOrderEnded', ...ended });
    const ids = this.idsOfAccount.get(account);
    ids?.delete(orderId);
    if (ids?.size === 0) this.idsOfAccount.delete(account);
  }

  private note({ orderId, account }: StopOrder): void {
    const ids = this.idsOfAccount.get(account);
    if (ids === undefined) this.idsOfAccount.set(account, new Set([orderId]));
    else ids.add(orderId);
  }
}

function stopOrderOf(command: PlaceMarginOrder, orderId: number, now: number): StopOrder {
  return {
    orderId,
    account: command.account,
    market: command.market,
    side: command.side,
    type: command.type,
    timeInForce: command.timeInForce,
    byKey: command.byKey,
    postOnly: command.postOnly,
    selfTradePrevention: command.selfTradePrevention,
    isTrailing: command.isTrailing,
    leverage: command.leverage,
    activationPrice: command.activationPrice,
    price: command.price,
    quantity: command.quantity,
    expiresAt: command.expiresAt,
    stopLoss: command.stopLoss,
    takeProfit: command.takeProfit,
    clientOrderId: command.clientOrderId,
    comment: command.comment,
    createdAt: now,
  };
}

function cancelledState(stopOrder: StopOrder, ticket: number, now: number): OrderState {
  const { type, price } = stopOrder;
  return {
    ticket,
    orderId: stopOrder.orderId,
    market: stopOrder.market,
    side: stopOrder.side,
    type,
    timeInForce: stopOrder.timeInForce,
    source: OrderSource.Manual,
    status: OrderStatus.Cancelled,
    reason: Reason.Trader,
    price: type === OrderType.Limit ? price : 0,
    quantity: stopOrder.quantity,
    remaining: stopOrder.quantity,
    tradedNotional: 0n,
    commission: 0n,
    createdAt: stopOrder.createdAt,
    updatedAt: now,
  };
}
