import type Database from 'better-sqlite3';
import { formatQuotient, formatUnits, powerOfTen } from '../../../core/fixed-point/index.ts';
import {
  type MarketTypeName,
  nameAt,
  ORDER_TYPES,
  REASONS,
  SIDES,
  TIMES_IN_FORCE,
} from '../../../core/messages/enums.ts';
import { averagePrice } from '../../../core/messages/order-figures.ts';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import { sideIndex, timeInForceIndex, typeIndex, unpackScales } from '../packing.ts';
import type { ClosedPositionPage, ClosedPositionView } from './forms.ts';
import { BOUND_LIMIT } from './limit.ts';
import type { Names } from './names.ts';
import { type ClosingsRequest, PAGE_LIMITS, pageSize } from './requests.ts';

/** Decimal places of rates. */
const RATE_SCALE = 12;

interface ClosingRow {
  readonly orderId: number;
  readonly position: number;
  readonly market: number;
  readonly reason: number;
  readonly closed: number;
  readonly quantity: number;
  readonly openNotional: string;
  readonly closeNotional: string;
  readonly realized: string;
  readonly rate: string;
  readonly opened: number;
  readonly traits: number;
  readonly scales: number;
  readonly lots: number | null;
  readonly comment: string | null;
}

/** A page of an account's closings: a scan of their index entries, newest order first. */
export const CLOSINGS = {
  closings: `SELECT c.order_id AS orderId, c.position, c.market, c.reason, c.closed, c.quantity,
      CAST(open_notional AS TEXT) AS openNotional, CAST(close_notional AS TEXT) AS closeNotional,
      CAST(realized AS TEXT) AS realized, CAST(rate AS TEXT) AS rate, opened, o.traits, o.scales,
      o.lots, opening.comment
    FROM closings c CROSS JOIN positions p ON p.id = c.position
    CROSS JOIN orders o ON o.id = c.order_id
    CROSS JOIN orders opening ON opening.id = p.open_order
    CROSS JOIN markets m ON m.id = c.market
    WHERE c.account = ? AND c.order_id < ? AND c.order_id >= ?
    AND opened BETWEEN ? AND ? AND c.closed BETWEEN ? AND ?
    AND (? IS NULL OR c.market = ?) AND (? IS NULL OR m.type = ?)
    ORDER BY c.order_id DESC, c.position DESC ${BOUND_LIMIT}`,
} as const;

export class ClosingQueries {
  private readonly names: Names;
  private readonly page: Database.Statement;

  constructor(database: Database.Database, names: Names) {
    this.names = names;
    this.page = database.prepare(CLOSINGS.closings);
  }

  /**
   * What the account's orders closed, the newest order first. What one order closed stays on one
   * page, so that its id can lead to the next.
   */
  list(request: ClosingsRequest): ClosedPositionPage {
    const limit = pageSize(request.limit, PAGE_LIMITS.closings);
    let rows = this.rows(request, 0, limit + 1);
    const [last, beyond] = [rows[limit - 1], rows[limit]];
    if (beyond === undefined) return { data: rows.map((row) => this.view(row)), isExceeded: false };
    let size = limit;
    if (last !== undefined && last.orderId === beyond.orderId) {
      rows = this.rows(request, last.orderId, Number.MAX_SAFE_INTEGER);
      size = rows.length;
    }
    const shown = rows.slice(0, size);
    const end = shown.at(-1)?.orderId ?? 0;
    const isExceeded = this.rows({ ...request, lastOrderId: end }, 0, 1).length > 0;
    return { data: shown.map((row) => this.view(row)), isExceeded };
  }

  private rows(request: ClosingsRequest, from: number, limit: number): ClosingRow[] {
    const { account, lastOrderId, market, marketType } = request;
    return this.page.all(
      account,
      lastOrderId ?? Number.MAX_SAFE_INTEGER,
      from,
      request.createdAtFrom ?? 0,
      request.createdAtTo ?? Number.MAX_SAFE_INTEGER,
      request.closedAtFrom ?? 0,
      request.closedAtTo ?? Number.MAX_SAFE_INTEGER,
      market,
      market,
      marketType,
      marketType,
      limit,
    ) as ClosingRow[];
  }

  private view(row: ClosingRow): ClosedPositionView {
    const { marketId, fullName, displayName, type } = this.names.market(row.market);
    const scales = unpackScales(row.scales, row.lots);
    const notional = BigInt(row.closeNotional);
    const inRoot = notional * BigInt(scales.lotSize) * BigInt(row.rate);
    const one = powerOfTen(scales.price + scales.amount + RATE_SCALE);
    return {
      marketId,
      marketFullName: fullName,
      marketDisplayName: displayName,
      marketType: type as MarketTypeName,
      orderId: String(row.orderId),
      orderType: nameAt(ORDER_TYPES, typeIndex(row.traits)),
      timeInForce: nameAt(TIMES_IN_FORCE, timeInForceIndex(row.traits)),
      side: nameAt(SIDES, sideIndex(row.traits)),
      positionCloseLotAmount: formatUnits(row.quantity, scales.amount),
      reason: nameAt(REASONS, row.reason),
      realizedPnlInRAT: formatUnits(BigInt(row.realized), scales.commission),
      closedAt: formatTimestamp(row.closed),
      positionId: String(row.position),
      openPrice: averagePrice(BigInt(row.openNotional), row.quantity, scales.price),
      closePrice: averagePrice(notional, row.quantity, scales.price),
      positionPriceInRAT: formatQuotient(inRoot, one, scales.commission, 'half-up'),
      rateToRAT: formatUnits(BigInt(row.rate), RATE_SCALE),
      openedAt: formatTimestamp(row.opened),
      comment: row.comment,
    };
  }
}
