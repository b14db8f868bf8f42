import { notionalOf } from '../../core/clearing/index.ts';
import { OrderStatus, OrderType, TimeInForce } from '../../core/messages/enums.ts';
import type {
  OrderAccepted,
  OrderAmended,
  OrderClosed,
  OrdersTraded,
} from '../../core/messages/events.ts';
import type { Reference, Scales } from './reference.ts';

/** One order as the released events tell it; enumerations are indexes into the lists of enums.ts. */
export interface LiveOrder {
  readonly orderId: number;
  readonly account: number;
  readonly market: number;
  readonly side: number;
  readonly type: number;
  readonly timeInForce: number;
  readonly clientOrderId: string;
  readonly comment: string;
  readonly createdAt: number;
  /** Of the market when the order was placed: they may be others by now. */
  readonly scales: Scales;
  /** Price and amount before any amend: what the answer to its placement said. */
  readonly admittedPrice: number;
  readonly admittedQuantity: number;
  source: number;
  status: number;
  reason: number;
  /** Ticks; 0 for a Market order. */
  price: number;
  quantity: number;
  remaining: number;
  /** Ticks × steps. */
  tradedNotional: bigint;
  /** Quote units. */
  commission: bigint;
  updatedAt: number;
  /** When it was cancelled or expired; 0 if not. */
  cancelledAt: number;
}

/**
 * The latest orders of the venue in memory, so that most reads of an order cost neither a thread nor
 * the disk. A ring on consecutive order ids: a new order takes the place of one `capacity` orders
 * older, which is then read from the views.
 */
export class LiveOrders {
  private readonly orders: (LiveOrder | undefined)[];
  private readonly mask: number;
  private readonly reference: Reference;

  /** `capacity` is a power of two; `reference` must know each market before its orders come. */
  constructor(capacity: number, reference: Reference) {
    this.reference = reference;
    this.orders = new Array(capacity).fill(undefined);
    this.mask = capacity - 1;
  }

  find(orderId: number): LiveOrder | undefined {
    const order = this.orders[orderId & this.mask];
    return order?.orderId === orderId ? order : undefined;
  }

  accepted(event: OrderAccepted): void {
    this.orders[event.orderId & this.mask] = {
      orderId: event.orderId,
      account: event.account,
      market: event.market,
      side: event.side,
      type: event.type,
      timeInForce: event.timeInForce,
      clientOrderId: event.clientOrderId,
      comment: event.comment,
      createdAt: event.time,
      scales: this.reference.market(event.market).scales,
      admittedPrice: event.price,
      admittedQuantity: event.quantity,
      source: event.source,
      status: openStatus(event.type, event.timeInForce),
      reason: 0,
      price: event.price,
      quantity: event.quantity,
      remaining: event.quantity,
      tradedNotional: 0n,
      commission: 0n,
      updatedAt: event.time,
      cancelledAt: 0,
    };
  }

  traded(event: OrdersTraded): void {
    const notional = notionalOf(event.price, event.quantity);
    const taker = this.find(event.takerOrderId);
    if (taker !== undefined)
      fill(taker, event.takerRemaining, notional, event.takerFee, event.time);
    const maker = this.find(event.makerOrderId);
    if (maker !== undefined)
      fill(maker, event.makerRemaining, notional, event.makerFee, event.time);
  }

  closed(event: OrderClosed): void {
    const order = this.find(event.orderId);
    if (order === undefined) return;
    order.status = event.status;
    order.reason = event.reason;
    order.source = event.source;
    order.updatedAt = event.time;
    if (event.status !== OrderStatus.Rejected) order.cancelledAt = event.time;
  }

  amended(event: OrderAmended): void {
    const order = this.find(event.orderId);
    if (order === undefined) return;
    order.price = event.price;
    order.quantity = event.quantity;
    order.remaining = event.remaining;
    order.updatedAt = event.time;
  }
}

/** Limits that may rest are Pending while open; what only takes is Working. */
export function openStatus(type: number, timeInForce: number): number {
  const takes =
    type === OrderType.Market || timeInForce === TimeInForce.Ioc || timeInForce === TimeInForce.Fok;
  return takes ? OrderStatus.Working : OrderStatus.Pending;
}

function fill(
  order: LiveOrder,
  remaining: number,
  notional: bigint,
  fee: bigint,
  time: number,
): void {
  order.remaining = remaining;
  order.tradedNotional += notional;
  order.commission += fee;
  order.updatedAt = time;
  if (remaining === 0) order.status = OrderStatus.Completed;
}
