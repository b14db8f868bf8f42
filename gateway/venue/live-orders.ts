import { notionalOf } from '../../core/clearing/index.ts';
import { OrderStatus, OrderType, TimeInForce } from '../../core/messages/enums.ts';
import type {
  OrderAccepted,
  OrderAmended,
  OrderClosed,
  OrdersTraded,
} from '../../core/messages/events.ts';
import type {
  MarginExecution,
  MarginOrderAccepted,
  MarginOrderAmended,
} from '../../core/messages/margin-events.ts';
import type { OrderFacts } from '../../core/messages/order-view.ts';
import type { Reference } from './reference.ts';

/** One order as the released events tell it. */
export interface LiveOrder extends OrderFacts {
  readonly account: number;
  readonly market: number;
  /** Price and amount before any amend: what the answer to its placement said. */
  readonly admittedPrice: number;
  readonly admittedQuantity: number;
}

/** The same order to whoever keeps it up to date. */
type Changing = { -readonly [Field in keyof LiveOrder]: LiveOrder[Field] };

/**
 * The latest orders of the venue in memory, so that most reads of an order cost neither a thread nor
 * the disk. A ring on consecutive order ids: a new order takes the place of one `capacity` orders
 * older, which is then read from the views.
 */
export class LiveOrders {
  private readonly orders: (Changing | undefined)[];
  private readonly mask: number;
  private readonly reference: Reference;

  /** `capacity` is a power of two; `reference` must know each market before its orders come. */
  constructor(capacity: number, reference: Reference) {
    this.reference = reference;
    this.orders = new Array(capacity).fill(undefined);
    this.mask = capacity - 1;
  }

  find(orderId: number): LiveOrder | undefined {
    return this.changing(orderId);
  }

  accepted(event: OrderAccepted): void {
    this.add(event, 1, 0);
  }

  marginAccepted(event: MarginOrderAccepted): void {
    this.add(event, event.leverage, event.reason);
  }

  traded(event: OrdersTraded): void {
    const notional = notionalOf(event.price, event.quantity);
    const taker = this.changing(event.takerOrderId);
    if (taker !== undefined)
      fill(taker, event.takerRemaining, notional, event.takerFee, event.time);
    const maker = this.changing(event.makerOrderId);
    if (maker !== undefined)
      fill(maker, event.makerRemaining, notional, event.makerFee, event.time);
  }

  /** One side of a trade: the other has an event of its own. */
  executed(event: MarginExecution): void {
    const order = this.changing(event.orderId);
    if (order === undefined) return;
    const notional = notionalOf(event.price, event.quantity);
    fill(order, event.remaining, notional, event.commission, event.time);
  }

  closed(event: OrderClosed): void {
    const order = this.changing(event.orderId);
    if (order === undefined) return;
    order.status = event.status;
    order.reason = event.reason;
    order.source = event.source;
    order.updatedAt = event.time;
    if (event.status !== OrderStatus.Rejected) order.cancelledAt = event.time;
  }

  amended(event: OrderAmended | MarginOrderAmended): void {
    const order = this.changing(event.orderId);
    if (order === undefined) return;
    order.price = event.price;
    order.quantity = event.quantity;
    order.remaining = event.remaining;
    order.updatedAt = event.time;
  }

  private add(event: OrderAccepted | MarginOrderAccepted, leverage: number, reason: number): void {
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
      reason,
      leverage,
      price: event.price,
      quantity: event.quantity,
      remaining: event.quantity,
      tradedNotional: 0n,
      commission: 0n,
      updatedAt: event.time,
      cancelledAt: 0,
    };
  }

  private changing(orderId: number): Changing | undefined {
    const order = this.orders[orderId & this.mask];
    return order?.orderId === orderId ? order : undefined;
  }
}

/** Limits that may rest are Pending while open; what only takes is Working. */
export function openStatus(type: number, timeInForce: number): number {
  const takes =
    type === OrderType.Market || timeInForce === TimeInForce.Ioc || timeInForce === TimeInForce.Fok;
  return takes ? OrderStatus.Working : OrderStatus.Pending;
}

function fill(
  order: Changing,
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
