import type Database from 'better-sqlite3';
import { ORDER_STATUSES, OrderStatus } from '../../../core/messages/enums.ts';
import { type OrderView, orderView } from '../../../core/messages/order-view.ts';
import {
  leverageOf,
  reasonIndex,
  sideIndex,
  sourceIndex,
  timeInForceIndex,
  typeIndex,
  unpackScales,
} from '../packing.ts';
import { type OrderRecord, orderFacts } from './forms.ts';
import { BOUND_LIMIT } from './limit.ts';
import type { Names } from './names.ts';
import { type OrderListRequest, type OrderRequest, PAGE_LIMITS, pageSize } from './requests.ts';

/** Sums may be beyond what a number holds, so they are read as text. */
export const ORDER_COLUMNS = `id, account, status, created, updated, ended, market, traits, scales, cause, price,
  quantity, remaining, CAST(traded AS TEXT), CAST(commission AS TEXT), client_order_id, comment,
  admitted_price, admitted_quantity, lots`;
export type OrderRow = [
  id: number,
  account: number,
  status: number,
  created: number,
  updated: number,
  ended: number | null,
  market: number,
  traits: number,
  scales: number,
  cause: number,
  price: number,
  quantity: number,
  remaining: number,
  traded: string,
  commission: string,
  clientOrderId: string | null,
  comment: string | null,
  admittedPrice: number | null,
  admittedQuantity: number | null,
  lots: number | null,
];

const CLIENT_ORDER_ID = 15;
const COMMENT = 16;
const ADMITTED_PRICE = 17;
const ADMITTED_QUANTITY = 18;
const LOTS = 19;

interface Key {
  readonly created: number;
  readonly id: number;
}

function keysBefore(index: string, condition: string): string {
  return `SELECT created, id FROM orders INDEXED BY ${index}
    WHERE account = ? AND status = ? AND ${condition} AND created >= ?
    AND (created, id) < (?, ?) ORDER BY created DESC, id DESC ${BOUND_LIMIT}`;
}

/** The keys of a page in one status: a scan of as many index entries, for every status of a kind. */
export const ORDER_KEYS = {
  open: keysBefore('orders_open', 'status < 3'),
  ended: keysBefore('orders_ended', 'status >= 3'),
} as const;

export class OrderQueries {
  private readonly names: Names;
  private readonly byId: Database.Statement;
  private readonly keyOf: Database.Statement;
  private readonly openKeys: Database.Statement;
  private readonly endedKeys: Database.Statement;

  constructor(database: Database.Database, names: Names) {
    this.names = names;
    this.byId = database.prepare(`SELECT ${ORDER_COLUMNS} FROM orders WHERE id = ?`).raw();
    this.keyOf = database.prepare('SELECT created, id FROM orders WHERE id = ? AND account = ?');
    this.openKeys = database.prepare(ORDER_KEYS.open);
    this.endedKeys = database.prepare(ORDER_KEYS.ended);
  }

  /** Null where the account has no such order. */
  order(request: OrderRequest): OrderView | null {
    const row = this.find(request);
    return row === null ? null : this.view(row);
  }

  /** The same order as it is stored. */
  record(request: OrderRequest): OrderRecord | null {
    const row = this.find(request);
    return row === null ? null : recordOf(row);
  }

  /**
   * A page of the account's orders, newest first. What it costs depends on the size of the page, not
   * on how many orders there are or how far back it lies. Empty where the account has no order
   * `lastOrderId`.
   */
  list(request: OrderListRequest): OrderView[] {
    const before = this.upperBound(request);
    if (before === null) return [];
    const limit = pageSize(request.limit, PAGE_LIMITS.orders);
    const from = request.createdAtFrom ?? 0;
    const keys: Key[] = [];
    for (const status of statusIndexes(request)) {
      const scan = status < OrderStatus.Completed ? this.openKeys : this.endedKeys;
      keys.push(
        ...(scan.all(request.account, status, from, before.created, before.id, limit) as Key[]),
      );
    }
    keys.sort((a, b) => b.created - a.created || b.id - a.id);
    return keys.slice(0, limit).map(({ id }) => this.view(this.byId.get(id) as OrderRow));
  }

  private find({ account, orderId }: OrderRequest): OrderRow | null {
    const row = this.byId.get(orderId) as OrderRow | undefined;
    return row === undefined || row[1] !== account ? null : row;
  }

  /** The key that every order of the page is below, or null where the cursor leads nowhere. */
  private upperBound(request: OrderListRequest): Key | null {
    const end = { created: (request.createdAtTo ?? Number.MAX_SAFE_INTEGER - 1) + 1, id: 0 };
    if (request.lastOrderId === null) return end;
    const cursor = this.keyOf.get(request.lastOrderId, request.account) as Key | undefined;
    if (cursor === undefined) return null;
    return cursor.created < end.created ? cursor : end;
  }

  private view(row: OrderRow): OrderView {
    const record = recordOf(row);
    return orderView(orderFacts(record), this.names.market(record.market));
  }
}

/** What packTraits made of it. */
export const traitsOf = (row: OrderRow): number => row[7];

/** A row of these columns as an order. */
export function recordOf(row: OrderRow): OrderRecord {
  const [orderId, account, status, createdAt, updatedAt, ended, market, traits] = row;
  const [, , , , , , , , scales, cause, price, quantity, remaining, traded, commission] = row;
  return {
    orderId,
    account,
    market,
    side: sideIndex(traits),
    type: typeIndex(traits),
    timeInForce: timeInForceIndex(traits),
    source: sourceIndex(cause),
    status,
    reason: reasonIndex(cause),
    price,
    quantity,
    admittedPrice: row[ADMITTED_PRICE] ?? price,
    admittedQuantity: row[ADMITTED_QUANTITY] ?? quantity,
    remaining,
    tradedNotional: traded,
    commission,
    createdAt,
    updatedAt,
    cancelledAt: ended ?? 0,
    leverage: leverageOf(row[LOTS]),
    scales: unpackScales(scales, row[LOTS]),
    clientOrderId: row[CLIENT_ORDER_ID] ?? '',
    comment: row[COMMENT] ?? '',
  };
}

/** The statuses asked for; all of them where none is named. */
export function statusIndexes(request: Pick<OrderListRequest, 'statuses'>): readonly number[] {
  const { statuses } = request;
  if (statuses === null || statuses.length === 0) return ORDER_STATUSES.map((_, index) => index);
  return [...new Set(statuses)].map((name) => OrderStatus[name]);
}
