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
import type { OrderFacts, Scales } from '../../core/messages/order-view.ts';
import type { Reference } from './reference.ts';

/** One order as the released events have told it so far: a copy, which later events leave as it is. */
export interface LiveOrder extends OrderFacts {
  readonly account: number;
  readonly market: number;
  /** Price and amount before any amend: what the answer to its placement said. */
  readonly admittedPrice: number;
  readonly admittedQuantity: number;
}

/** No order has it. */
const NONE = -1;

/**
 * The latest orders of the venue in memory, so that most reads of an order cost neither a thread nor
 * the disk. A ring on consecutive order ids: a new order takes the place of one `capacity` orders
 * older, which is then read from the views.
 *
 * An order is a row of columns. As objects they would be what the garbage collector has most to do
 * with: each lives long enough to be moved twice, and then dies old.
 */
export class LiveOrders {
  private readonly mask: number;
  private readonly reference: Reference;

  private readonly ids: Float64Array;
  private readonly accounts: Uint32Array;
  private readonly markets: Uint32Array;
  private readonly sides: Uint8Array;
  private readonly types: Uint8Array;
  private readonly timesInForce: Uint8Array;
  private readonly sources: Uint8Array;
  private readonly statuses: Uint8Array;
  private readonly reasons: Uint8Array;
  private readonly leverages: Uint32Array;
  private readonly admittedPrices: Float64Array;
  private readonly admittedQuantities: Float64Array;
  private readonly prices: Float64Array;
  private readonly quantities: Float64Array;
  private readonly remainders: Float64Array;
  private readonly creationTimes: Float64Array;
  private readonly updateTimes: Float64Array;
  private readonly cancellationTimes: Float64Array;
  private readonly tradedNotionals: bigint[];
  private readonly commissions: bigint[];
  private readonly scales: (Scales | undefined)[];
  private readonly clientOrderIds: string[];
  private readonly comments: string[];
  private readonly revisions: Uint32Array;

  /** `capacity` is a power of two; `reference` must know each market before its orders come. */
  constructor(capacity: number, reference: Reference) {
    this.reference = reference;
    this.mask = capacity - 1;
    this.ids = new Float64Array(capacity).fill(NONE);
    this.accounts = new Uint32Array(capacity);
    this.markets = new Uint32Array(capacity);
    this.sides = new Uint8Array(capacity);
    this.types = new Uint8Array(capacity);
    this.timesInForce = new Uint8Array(capacity);
    this.sources = new Uint8Array(capacity);
    this.statuses = new Uint8Array(capacity);
    this.reasons = new Uint8Array(capacity);
    this.leverages = new Uint32Array(capacity);
    this.admittedPrices = new Float64Array(capacity);
    this.admittedQuantities = new Float64Array(capacity);
    this.prices = new Float64Array(capacity);
    this.quantities = new Float64Array(capacity);
    this.remainders = new Float64Array(capacity);
    this.creationTimes = new Float64Array(capacity);
    this.updateTimes = new Float64Array(capacity);
    this.cancellationTimes = new Float64Array(capacity);
    this.tradedNotionals = new Array(capacity).fill(0n);
    this.commissions = new Array(capacity).fill(0n);
    this.scales = new Array(capacity).fill(undefined);
    this.clientOrderIds = new Array(capacity).fill('');
    this.comments = new Array(capacity).fill('');
    this.revisions = new Uint32Array(capacity);
  }

  find(orderId: number): LiveOrder | undefined {
    const row = this.rowOf(orderId);
    if (row === NONE) return undefined;
    return {
      orderId,
      account: this.accounts[row] as number,
      market: this.markets[row] as number,
      side: this.sides[row] as number,
      type: this.types[row] as number,
      timeInForce: this.timesInForce[row] as number,
      clientOrderId: this.clientOrderIds[row] as string,
      comment: this.comments[row] as string,
      createdAt: this.creationTimes[row] as number,
      scales: this.scales[row] as Scales,
      admittedPrice: this.admittedPrices[row] as number,
      admittedQuantity: this.admittedQuantities[row] as number,
      source: this.sources[row] as number,
      status: this.statuses[row] as number,
      reason: this.reasons[row] as number,
      leverage: this.leverages[row] as number,
      price: this.prices[row] as number,
      quantity: this.quantities[row] as number,
      remaining: this.remainders[row] as number,
      tradedNotional: this.tradedNotionals[row] as bigint,
      commission: this.commissions[row] as bigint,
      updatedAt: this.updateTimes[row] as number,
      cancelledAt: this.cancellationTimes[row] as number,
    };
  }

  /** Another one whenever `find` says anything else of the order; 0 where it is not in memory. */
  revisionOf(orderId: number): number {
    const row = this.rowOf(orderId);
    return row === NONE ? 0 : (this.revisions[row] as number);
  }

  accepted(event: OrderAccepted): void {
    this.add(event, 1, 0);
  }

  marginAccepted(event: MarginOrderAccepted): void {
    this.add(event, event.leverage, event.reason);
  }

  traded(event: OrdersTraded): void {
    const notional = notionalOf(event.price, event.quantity);
    const { time } = event;
    this.fill(event.takerOrderId, event.takerRemaining, notional, event.takerFee, time);
    this.fill(event.makerOrderId, event.makerRemaining, notional, event.makerFee, time);
  }

  /** One side of a trade: the other has an event of its own. */
  executed(event: MarginExecution): void {
    const notional = notionalOf(event.price, event.quantity);
    this.fill(event.orderId, event.remaining, notional, event.commission, event.time);
  }

  closed(event: OrderClosed): void {
    const row = this.rowOf(event.orderId);
    if (row === NONE) return;
    this.changed(row);
    this.statuses[row] = event.status;
    this.reasons[row] = event.reason;
    this.sources[row] = event.source;
    this.updateTimes[row] = event.time;
    if (event.status !== OrderStatus.Rejected) this.cancellationTimes[row] = event.time;
  }

  amended(event: OrderAmended | MarginOrderAmended): void {
    const row = this.rowOf(event.orderId);
    if (row === NONE) return;
    this.changed(row);
    this.prices[row] = event.price;
    this.quantities[row] = event.quantity;
    this.remainders[row] = event.remaining;
    this.updateTimes[row] = event.time;
  }

  private add(event: OrderAccepted | MarginOrderAccepted, leverage: number, reason: number): void {
    const row = event.orderId & this.mask;
    this.changed(row);
    this.ids[row] = event.orderId;
    this.accounts[row] = event.account;
    this.markets[row] = event.market;
    this.sides[row] = event.side;
    this.types[row] = event.type;
    this.timesInForce[row] = event.timeInForce;
    this.sources[row] = event.source;
    this.statuses[row] = openStatus(event.type, event.timeInForce);
    this.reasons[row] = reason;
    this.leverages[row] = leverage;
    this.admittedPrices[row] = event.price;
    this.admittedQuantities[row] = event.quantity;
    this.prices[row] = event.price;
    this.quantities[row] = event.quantity;
    this.remainders[row] = event.quantity;
    this.creationTimes[row] = event.time;
    this.updateTimes[row] = event.time;
    this.cancellationTimes[row] = 0;
    this.tradedNotionals[row] = 0n;
    this.commissions[row] = 0n;
    this.scales[row] = this.reference.market(event.market).scales;
    this.clientOrderIds[row] = event.clientOrderId;
    this.comments[row] = event.comment;
  }

  private fill(
    orderId: number,
    remaining: number,
    notional: bigint,
    fee: bigint,
    time: number,
  ): void {
    const row = this.rowOf(orderId);
    if (row === NONE) return;
    this.changed(row);
    this.remainders[row] = remaining;
    this.tradedNotionals[row] = (this.tradedNotionals[row] as bigint) + notional;
    this.commissions[row] = (this.commissions[row] as bigint) + fee;
    this.updateTimes[row] = time;
    if (remaining === 0) this.statuses[row] = OrderStatus.Completed;
  }

  private changed(row: number): void {
    this.revisions[row] = (this.revisions[row] as number) + 1;
  }

  private rowOf(orderId: number): number {
    const row = orderId & this.mask;
    return this.ids[row] === orderId ? row : NONE;
  }
}

/** Limits that may rest are Pending while open; what only takes is Working. */
export function openStatus(type: number, timeInForce: number): number {
  const takes =
    type === OrderType.Market || timeInForce === TimeInForce.Ioc || timeInForce === TimeInForce.Fok;
  return takes ? OrderStatus.Working : OrderStatus.Pending;
}
