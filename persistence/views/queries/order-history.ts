import type Database from 'better-sqlite3';
import { OrderStatus } from '../../../core/messages/enums.ts';
import type { OrderRecord } from './forms.ts';
import { ORDER_COLUMNS, type OrderRow, recordOf, statusIndexes } from './orders.ts';
import { type OrderHistoryRequest, PAGE_LIMITS, pageSize } from './requests.ts';

interface Key {
  readonly created: number;
  readonly id: number;
}

/** As in `orders.ts`, with filters that are looked up in the rows. */
function keysBefore(index: string, condition: string): string {
  return `SELECT created, id FROM orders INDEXED BY ${index}
    WHERE account = @account AND status = @status AND ${condition} AND created >= @from
    AND (created, id) < (@created, @id) AND market IN (SELECT value FROM json_each(@markets))
    AND (@side IS NULL OR traits & 15 = @side)
    ORDER BY created DESC, id DESC LIMIT @limit + 0`;
}

/** An account's orders by market and side. A rare match costs a look at what does not match. */
export class OrderHistoryQueries {
  private readonly byId: Database.Statement;
  private readonly createdOf: Database.Statement;
  private readonly openKeys: Database.Statement;
  private readonly endedKeys: Database.Statement;

  constructor(database: Database.Database) {
    this.byId = database.prepare(`SELECT ${ORDER_COLUMNS} FROM orders WHERE id = ?`).raw();
    this.createdOf = database
      .prepare('SELECT created FROM orders WHERE id = ? AND account = ?')
      .pluck();
    this.openKeys = database.prepare(keysBefore('orders_open', 'status < 3'));
    this.endedKeys = database.prepare(keysBefore('orders_ended', 'status >= 3'));
  }

  /** Newest first; empty where the account has no order `lastOrderId`. */
  list(request: OrderHistoryRequest): OrderRecord[] {
    const before = this.upperBound(request);
    if (before === null) return [];
    const { account, side, from } = request;
    const limit = pageSize(request.limit, PAGE_LIMITS.orders);
    const markets = JSON.stringify(request.markets);
    const bound = { account, from: from ?? 0, ...before, markets, side, limit };
    const keys: Key[] = [];
    for (const status of statusIndexes(request)) {
      const scan = status < OrderStatus.Completed ? this.openKeys : this.endedKeys;
      keys.push(...(scan.all({ ...bound, status }) as Key[]));
    }
    keys.sort((a, b) => b.created - a.created || b.id - a.id);
    return keys.slice(0, limit).map(({ id }) => recordOf(this.byId.get(id) as OrderRow));
  }

  private upperBound({ account, to, lastOrderId }: OrderHistoryRequest): Key | null {
    const end = { created: (to ?? Number.MAX_SAFE_INTEGER - 1) + 1, id: 0 };
    if (lastOrderId === null) return end;
    const created = this.createdOf.get(lastOrderId, account) as number | undefined;
    if (created === undefined) return null;
    return created < end.created ? { created, id: lastOrderId } : end;
  }
}
