import type Database from 'better-sqlite3';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import { amountScaleOf, priceScaleOf, quoteScaleOf } from '../packing.ts';
import { PAGE_LIMITS, pageSize, type TradeHistoryRequest } from './requests.ts';
import type { SpotTradeView } from './spot-trade-forms.ts';

interface Row {
  readonly id: number;
  readonly time: number;
  readonly market: number;
  readonly price: number;
  readonly quantity: number;
  readonly fee: string;
  readonly reverted: number | null;
  readonly orderId: number;
  readonly side: number;
  readonly scales: number;
}

/** The executions in one role of some of an account's orders. */
function executionsOf(role: 'taker' | 'maker', orders: string, condition: string): string {
  const offset = role === 'taker' ? 0 : 1;
  return `SELECT trades.id + ${offset} AS id, trades.time AS time, orders.market AS market,
      trades.price AS price, trades.quantity AS quantity, CAST(${role}_fee AS TEXT) AS fee,
      reversals.time AS reverted, orders.id AS orderId, traits & 15 AS side, scales
    FROM orders ${orders} CROSS JOIN trades ON ${role}_order = orders.id
    LEFT JOIN reversals ON reversals.trade = trades.id
    WHERE account = @account AND ${condition} AND traded <> 0
      AND created <= @to AND updated >= @from AND (@side IS NULL OR traits & 15 = @side)
      AND orders.market IN (SELECT value FROM json_each(@markets))
      AND trades.id < @before - ${offset} AND trades.time BETWEEN @from AND @to`;
}

/** In both roles, newest first. */
function newest(parts: readonly (readonly [orders: string, condition: string])[]): string {
  const scans = parts.flatMap(([orders, condition]) => [
    executionsOf('taker', orders, condition),
    executionsOf('maker', orders, condition),
  ]);
  return `${scans.join(' UNION ALL ')} ORDER BY id DESC LIMIT @limit + 0`;
}

const ALL = newest([
  ['INDEXED BY orders_open', 'status < 3'],
  ['INDEXED BY orders_ended', 'status >= 3'],
]);
const OF_ONE = newest([['', 'orders.id = @orderId']]);

/** An account's executions in Spot markets. What they cost grows with the orders that traded. */
export class TradeHistoryQueries {
  private readonly all: Database.Statement;
  private readonly ofOne: Database.Statement;

  constructor(database: Database.Database) {
    this.all = database.prepare(ALL);
    this.ofOne = database.prepare(OF_ONE);
  }

  /** Newest first. */
  list(request: TradeHistoryRequest): SpotTradeView[] {
    const { account, markets, side, orderId } = request;
    const bound = {
      account,
      markets: JSON.stringify(markets),
      side,
      from: request.from ?? 0,
      to: request.to ?? Number.MAX_SAFE_INTEGER,
      before: request.lastExecutionId ?? Number.MAX_SAFE_INTEGER,
      limit: pageSize(request.limit, PAGE_LIMITS.executions),
    };
    const rows = orderId === null ? this.all.all(bound) : this.ofOne.all({ ...bound, orderId });
    return (rows as Row[]).map(view);
  }
}

function view({ id, time, market, price, quantity, fee, reverted, ...order }: Row): SpotTradeView {
  const { orderId, side, scales } = order;
  return {
    executionId: id,
    orderId,
    market,
    side,
    executedAt: formatTimestamp(time),
    amount: formatUnits(quantity, amountScaleOf(scales)),
    executionPrice: formatUnits(price, priceScaleOf(scales)),
    commission: formatUnits(BigInt(fee), quoteScaleOf(scales)),
    isReverted: reverted !== null,
  };
}
