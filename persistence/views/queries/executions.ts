import type Database from 'better-sqlite3';
import {
  formatQuotient,
  formatUnits,
  parseDecimal,
  powerOfTen,
} from '../../../core/fixed-point/index.ts';
import { nameAt, REASONS, SIDES, Side } from '../../../core/messages/enums.ts';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import { amountScaleOf, priceScaleOf, quoteScaleOf, reasonIndex, sideIndex } from '../packing.ts';
import { ONE_MINUTE, periodStart } from '../timeframes.ts';
import type { ExecutionPage, ExecutionView } from './forms.ts';
import { BOUND_LIMIT } from './limit.ts';
import type { Names } from './names.ts';
import { type ExecutionsRequest, ORDERS_PER_REQUEST, PAGE_LIMITS, pageSize } from './requests.ts';

interface OrderOfExecution {
  readonly id: number;
  readonly market: number;
  readonly traits: number;
  readonly scales: number;
  readonly cause: number;
  readonly comment: string | null;
}

interface Execution {
  readonly id: number;
  readonly time: number;
  readonly price: number;
  readonly quantity: number;
  readonly fee: string;
  readonly order: OrderOfExecution;
}

function executionsBefore(role: 'taker' | 'maker', idOffset: number): string {
  return `SELECT trades.id + ${idOffset} AS id, time, price, quantity,
    CAST(${role}_fee AS TEXT) AS fee FROM trades
    WHERE ${role}_order = ? AND trades.id < ? - ${idOffset} ORDER BY trades.id DESC ${BOUND_LIMIT}`;
}

/** A page of an order's executions in one role: a scan of as many index entries. */
export const EXECUTIONS = {
  taker: executionsBefore('taker', 0),
  maker: executionsBefore('maker', 1),
} as const;

export class ExecutionQueries {
  private readonly names: Names;
  private readonly order: Database.Statement;
  private readonly asTaker: Database.Statement;
  private readonly asMaker: Database.Statement;
  private readonly closeBefore: Database.Statement;
  private readonly openOf: Database.Statement;

  constructor(database: Database.Database, names: Names) {
    this.names = names;
    this.order = database.prepare(
      `SELECT id, market, traits, scales, cause, comment FROM orders
       WHERE id = ? AND account = ?`,
    );
    this.asTaker = database.prepare(EXECUTIONS.taker);
    this.asMaker = database.prepare(EXECUTIONS.maker);
    const oneMinute = `FROM candles WHERE market = ? AND timeframe = ${ONE_MINUTE} AND`;
    this.closeBefore = database
      .prepare(`SELECT close ${oneMinute} start < ? ORDER BY start DESC LIMIT 1`)
      .pluck();
    this.openOf = database.prepare(`SELECT open ${oneMinute} start = ?`).pluck();
  }

  /** Executions of the orders named, newest first; orders of other accounts count as unknown. */
  list(request: ExecutionsRequest): ExecutionPage {
    if (request.orderIds.length > ORDERS_PER_REQUEST) {
      throw new RangeError(`executions of at most ${ORDERS_PER_REQUEST} orders at once`);
    }
    const limit = pageSize(request.limit, PAGE_LIMITS.executions);
    const before = request.lastExecutionId ?? Number.MAX_SAFE_INTEGER;
    const found: Execution[] = [];
    for (const orderId of new Set(request.orderIds)) {
      const order = this.order.get(orderId, request.account) as OrderOfExecution | undefined;
      if (order === undefined) continue;
      for (const scan of [this.asTaker, this.asMaker]) {
        for (const row of scan.all(orderId, before, limit + 1) as Omit<Execution, 'order'>[]) {
          found.push({ ...row, order });
        }
      }
    }
    found.sort((a, b) => b.id - a.id);
    return {
      executions: found.slice(0, limit).map((execution) => this.view(execution)),
      isExceeded: found.length > limit,
    };
  }

  private view(execution: Execution): ExecutionView {
    const { order } = execution;
    const { quoteAssetId } = this.names.market(order.market);
    const quoteScale = quoteScaleOf(order.scales);
    const fee = BigInt(execution.fee);
    return {
      positionId: '',
      orderId: String(order.id),
      executionId: String(execution.id),
      side: nameAt(SIDES, sideIndex(order.traits)),
      reason: nameAt(REASONS, reasonIndex(order.cause)),
      createdAt: formatTimestamp(execution.time),
      baseAmount: formatUnits(execution.quantity, amountScaleOf(order.scales)),
      executionPrice: formatUnits(execution.price, priceScaleOf(order.scales)),
      commissionAmountInRAT: this.inRootAsset(fee, quoteAssetId, quoteScale, execution.time),
      commissions: [{ assetId: quoteAssetId, amount: formatUnits(fee, quoteScale) }],
      comment: order.comment,
      realizedPnlInRAT: '0',
      positionSizeIncreased: sideIndex(order.traits) === Side.Buy,
    };
  }

  private inRootAsset(units: bigint, assetId: string, scale: number, time: number): string {
    const root = this.names.rootAsset();
    if (root === undefined || units === 0n) return '0';
    if (root.assetId === assetId) return formatUnits(units, scale);
    const market = this.names.spotMarket(assetId, root.assetId);
    if (market === undefined) return '0';
    const minute = periodStart(ONE_MINUTE, time);
    const price = this.closeBefore.get(market, minute) ?? this.openOf.get(market, minute);
    const rate = price === undefined ? undefined : parseDecimal(String(price));
    if (rate === undefined) return '0';
    const denominator = powerOfTen(scale + rate.scale);
    return formatQuotient(units * rate.coefficient, denominator, root.scale, 'half-up');
  }
}
