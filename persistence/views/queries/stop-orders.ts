import type Database from 'better-sqlite3';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import {
  nameAt,
  ORDER_TYPES,
  REASONS,
  SIDES,
  STOP_ORDER_STATUSES,
  TIMES_IN_FORCE,
} from '../../../core/messages/enums.ts';
import { baseAmount, requestedPrice } from '../../../core/messages/order-figures.ts';
import { refusalByCode, refusalCode } from '../../../core/messages/refusals.ts';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import { leverageOf, sideIndex, timeInForceIndex, typeIndex, unpackScales } from '../packing.ts';
import type { StopOrderView } from './forms.ts';
import { BOUND_LIMIT } from './limit.ts';
import type { Names } from './names.ts';
import {
  PAGE_LIMITS,
  pageSize,
  type StopOrderRequest,
  type StopOrdersRequest,
} from './requests.ts';

interface StopOrderRow {
  readonly id: number;
  readonly account: number;
  readonly market: number;
  readonly status: number;
  readonly traits: number;
  readonly scales: number;
  readonly lots: number;
  readonly is_trailing: number;
  readonly activation_price: number;
  readonly price: number;
  readonly quantity: number;
  readonly stop_loss: number;
  readonly take_profit: number;
  readonly expires: number;
  readonly client_order_id: string | null;
  readonly comment: string | null;
  readonly created: number;
  readonly updated: number;
  readonly reason: number;
  readonly activated_order: number | null;
  readonly refusal: number | null;
}

/** A page of an account's stop orders in one status: a scan of as many index entries. */
export const STOP_ORDERS = {
  stopOrders: `SELECT * FROM stop_orders WHERE account = ? AND status = ? AND id < ?
    ORDER BY id DESC ${BOUND_LIMIT}`,
} as const;

export class StopOrderQueries {
  private readonly names: Names;
  private readonly byId: Database.Statement;
  private readonly before: Database.Statement;

  constructor(database: Database.Database, names: Names) {
    this.names = names;
    this.byId = database.prepare('SELECT * FROM stop_orders WHERE id = ? AND account = ?');
    this.before = database.prepare(STOP_ORDERS.stopOrders);
  }

  /** Null where the account has no such stop order. */
  stopOrder({ account, orderId }: StopOrderRequest): StopOrderView | null {
    const row = this.byId.get(orderId, account) as StopOrderRow | undefined;
    return row === undefined ? null : this.view(row);
  }

  /** The account's stop orders, newest first. */
  list(request: StopOrdersRequest): StopOrderView[] {
    const limit = pageSize(request.limit, PAGE_LIMITS.orders);
    const before = request.lastOrderId ?? Number.MAX_SAFE_INTEGER;
    const named = request.statuses ?? [];
    const statuses = new Set(named.length === 0 ? STOP_ORDER_STATUSES : named);
    const rows = [...statuses].flatMap((name) => {
      const status = STOP_ORDER_STATUSES.indexOf(name);
      return this.before.all(request.account, status, before, limit) as StopOrderRow[];
    });
    rows.sort((a, b) => b.id - a.id);
    return rows.slice(0, limit).map((row) => this.view(row));
  }

  private view(row: StopOrderRow): StopOrderView {
    const { marketId, type, displayName, fullName } = this.names.market(row.market);
    const scales = unpackScales(row.scales, row.lots);
    const isSpot = type === 'Spot';
    return {
      marketId,
      marketType: type,
      marketDisplayName: displayName,
      marketFullName: fullName,
      orderId: String(row.id),
      status: nameAt(STOP_ORDER_STATUSES, row.status),
      reason: nameAt(REASONS, row.reason),
      side: nameAt(SIDES, sideIndex(row.traits)),
      orderType: nameAt(ORDER_TYPES, typeIndex(row.traits)),
      timeInForce: nameAt(TIMES_IN_FORCE, timeInForceIndex(row.traits)),
      activationPrice: formatUnits(row.activation_price, scales.price),
      requestedPrice: requestedPrice(row.price, scales.price),
      requestedAmount: baseAmount(row.quantity, scales),
      requestedLotAmount: isSpot ? null : formatUnits(row.quantity, scales.amount),
      leverage: isSpot ? 1 : leverageOf(row.lots),
      ...triggersOf(row, scales.price),
      expiresAt: row.expires === 0 ? null : formatTimestamp(row.expires),
      createdAt: formatTimestamp(row.created),
      updatedAt: formatTimestamp(row.updated),
      activatedOrderId: row.activated_order === null ? null : String(row.activated_order),
      rejectCode: row.refusal === null ? null : refusalCode(refusalByCode(row.refusal)),
      comment: row.comment,
      clientOrderId: row.client_order_id,
    };
  }
}

function triggersOf(
  row: StopOrderRow,
  priceScale: number,
): Pick<StopOrderView, 'stopLoss' | 'takeProfit'> {
  const { stop_loss: stopLoss, take_profit: takeProfit } = row;
  return {
    stopLoss:
      stopLoss === 0
        ? null
        : { price: formatUnits(stopLoss, priceScale), isTrailing: row.is_trailing === 1 },
    takeProfit: takeProfit === 0 ? null : { price: formatUnits(takeProfit, priceScale) },
  };
}
