import type Database from 'better-sqlite3';
import { OrderStatus, OrderType, Reason, TimeInForce } from '../../core/messages/enums.ts';
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
import { ViewsInconsistent } from './errors.ts';
import { addProduct } from './exact-sum.ts';
import { packCause, packTraits } from './packing.ts';
import { RowWriter } from './row-writer.ts';

/** In a change of an order whose row is already written: this column stays as it is. */
const UNCHANGED = -1;

/** What happened to one order since the last commit. */
interface OrderChange {
  readonly id: number;
  /** Null where the row exists already. */
  accepted: AcceptedPart | null;
  updated: number;
  ended: number | null;
  status: number;
  cause: number;
  price: number;
  quantity: number;
  /** What the order was placed with, where it has been amended since it was accepted here. */
  admitted: { readonly price: number; readonly quantity: number } | null;
  remaining: number;
  /** Added to what the row has. */
  traded: number | bigint;
  commission: bigint;
}

interface AcceptedPart {
  readonly account: number;
  readonly created: number;
  readonly market: number;
  readonly traits: number;
  readonly scales: number;
  readonly lots: number | null;
  readonly clientOrderId: string | null;
  readonly comment: string | null;
}

const COLUMNS = [
  'id',
  'account',
  'status',
  'created',
  'updated',
  'ended',
  'market',
  'traits',
  'scales',
  'cause',
  'price',
  'quantity',
  'remaining',
  'traded',
  'commission',
  'client_order_id',
  'comment',
  'admitted_price',
  'admitted_quantity',
  'lots',
] as const;

/**
 * Collects what happens to orders, so that an order that comes and goes between two commits costs
 * one row and no update.
 */
export class OrderFold {
  private readonly changes = new Map<number, OrderChange>();
  private readonly rows: RowWriter;
  private readonly statements: ReturnType<typeof prepare>;

  constructor(database: Database.Database) {
    this.rows = new RowWriter(database, 'orders', COLUMNS);
    this.statements = prepare(database);
  }

  /** `lots` is null for Spot. */
  accept(event: OrderAccepted | MarginOrderAccepted, scales: number, lots: number | null): void {
    this.changes.set(event.orderId, {
      id: event.orderId,
      accepted: {
        account: event.account,
        created: event.time,
        market: event.market,
        // Of orders on margin nobody asks.
        traits: packTraits(event.side, event.type, event.timeInForce, byKeyOf(event)),
        scales,
        lots,
        clientOrderId: event.clientOrderId === '' ? null : event.clientOrderId,
        comment: event.comment === '' ? null : event.comment,
      },
      updated: event.time,
      ended: null,
      status: firstStatus(event),
      cause: packCause(event.source, 'reason' in event ? event.reason : Reason.Trader),
      price: event.price,
      quantity: event.quantity,
      admitted: null,
      remaining: event.quantity,
      traded: 0,
      commission: 0n,
    });
  }

  trade(event: OrdersTraded): void {
    const { time, price, quantity } = event;
    this.fill(event.takerOrderId, time, price, quantity, event.takerRemaining, event.takerFee);
    this.fill(event.makerOrderId, time, price, quantity, event.makerRemaining, event.makerFee);
  }

  /** One side of a trade. */
  execute(event: MarginExecution): void {
    const { orderId, time, price, quantity, remaining, commission } = event;
    this.fill(orderId, time, price, quantity, remaining, commission);
  }

  amend(event: OrderAmended | MarginOrderAmended): void {
    const change = this.changeOf(event.orderId);
    const { price, quantity } = change;
    if (change.accepted !== null) change.admitted ??= { price, quantity };
    change.updated = event.time;
    change.price = event.price;
    change.quantity = event.quantity;
    change.remaining = event.remaining;
  }

  close(event: OrderClosed): void {
    const change = this.changeOf(event.orderId);
    const { status } = event;
    change.updated = event.time;
    change.remaining = event.remaining;
    change.status = status;
    change.cause = packCause(event.source, event.reason);
    if (status === OrderStatus.Cancelled || status === OrderStatus.Expired) {
      change.ended = event.time;
    }
  }

  /** Writes everything collected; inside the caller's transaction. */
  write(): void {
    const updates: OrderChange[] = [];
    for (const change of this.changes.values()) {
      if (change.accepted === null) updates.push(change);
      else this.insert(change, change.accepted);
    }
    this.rows.finish();
    // In the order of the rows: neighbours share a page.
    updates.sort((a, b) => a.id - b.id);
    for (const change of updates) this.update(change);
    this.changes.clear();
  }

  private fill(
    id: number,
    time: number,
    price: number,
    quantity: number,
    remaining: number,
    fee: bigint,
  ): void {
    const change = this.changeOf(id);
    change.updated = time;
    change.remaining = remaining;
    change.traded = addProduct(change.traded, price, quantity);
    change.commission += fee;
    if (remaining === 0) change.status = OrderStatus.Completed;
  }

  private changeOf(id: number): OrderChange {
    let change = this.changes.get(id);
    if (change === undefined) {
      change = {
        id,
        accepted: null,
        updated: 0,
        ended: null,
        status: UNCHANGED,
        cause: UNCHANGED,
        price: UNCHANGED,
        quantity: UNCHANGED,
        admitted: null,
        remaining: 0,
        traded: 0,
        commission: 0n,
      };
      this.changes.set(id, change);
    }
    return change;
  }

  private insert(change: OrderChange, accepted: AcceptedPart): void {
    const { values } = this.rows;
    const at = this.rows.next();
    values[at] = change.id;
    values[at + 1] = accepted.account;
    values[at + 2] = change.status;
    values[at + 3] = accepted.created;
    values[at + 4] = change.updated;
    values[at + 5] = change.ended;
    values[at + 6] = accepted.market;
    values[at + 7] = accepted.traits;
    values[at + 8] = accepted.scales;
    values[at + 9] = change.cause;
    values[at + 10] = change.price;
    values[at + 11] = change.quantity;
    values[at + 12] = change.remaining;
    values[at + 13] = change.traded;
    values[at + 14] = change.commission;
    values[at + 15] = accepted.clientOrderId;
    values[at + 16] = accepted.comment;
    values[at + 17] = change.admitted?.price ?? null;
    values[at + 18] = change.admitted?.quantity ?? null;
    values[at + 19] = accepted.lots;
  }

  private update(change: OrderChange): void {
    if (this.runUpdate(change).changes !== 1) {
      throw new ViewsInconsistent(`there is no order ${change.id} to change`);
    }
  }

  private runUpdate(change: OrderChange): Database.RunResult {
    const { id, updated, remaining, traded, commission, status, cause, ended } = change;
    const { filled, completed, closed, changed } = this.statements;
    if (change.quantity === UNCHANGED) {
      if (status === UNCHANGED) return filled.run(updated, remaining, traded, commission, id);
      if (cause === UNCHANGED) return completed.run(updated, traded, commission, id);
      if (traded === 0) return closed.run(updated, remaining, status, cause, ended, id);
    }
    const price = orNull(change.price);
    const quantity = orNull(change.quantity);
    const terms = [price, quantity, price, quantity] as const;
    const outcome = [orNull(status), orNull(cause), ended] as const;
    return changed.run(updated, remaining, traded, commission, ...terms, ...outcome, id);
  }
}

/**
 * One statement for each of the frequent changes, because what an update does not name it need not
 * encode, and because naming `status` rewrites an index entry. Sums are taken in 64-bit integers: a
 * bound number would be a float, hence the casts.
 */
function prepare(database: Database.Database) {
  const sums = 'traded = traded + CAST(? AS INTEGER), commission = commission + ?';
  return {
    filled: database.prepare(`UPDATE orders SET updated = ?, remaining = ?, ${sums} WHERE id = ?`),
    completed: database.prepare(
      `UPDATE orders SET updated = ?, remaining = 0, ${sums},
       status = ${OrderStatus.Completed} WHERE id = ?`,
    ),
    closed: database.prepare(
      `UPDATE orders SET updated = ?, remaining = ?, status = ?, cause = ?, ended = ? WHERE id = ?`,
    ),
    changed: database.prepare(
      `UPDATE orders SET updated = ?, remaining = ?, ${sums},
       admitted_price = coalesce(admitted_price, iif(? IS NULL, NULL, price)),
       admitted_quantity = coalesce(admitted_quantity, iif(? IS NULL, NULL, quantity)),
       price = coalesce(?, price), quantity = coalesce(?, quantity), status = coalesce(?, status),
       cause = coalesce(?, cause), ended = ? WHERE id = ?`,
    ),
  };
}

function orNull(value: number): number | null {
  return value === UNCHANGED ? null : value;
}

/** 1: a program sent it with a key. */
function byKeyOf(event: OrderAccepted | MarginOrderAccepted): number {
  return 'byKey' in event ? event.byKey : 0;
}

/** An order that may rest waits for its price; any other is being executed until it ends. */
function firstStatus(event: OrderAccepted | MarginOrderAccepted): number {
  const { timeInForce } = event;
  const rests =
    event.type === OrderType.Limit &&
    timeInForce !== TimeInForce.Ioc &&
    timeInForce !== TimeInForce.Fok;
  return rests ? OrderStatus.Pending : OrderStatus.Working;
}
