import type Database from 'better-sqlite3';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import { nameAt, REASONS, SIDES, Side } from '../../../core/messages/enums.ts';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import { amountScaleOf, priceScaleOf, quoteScaleOf, reasonIndex, sideIndex } from '../packing.ts';
import type { ExecutionPage, ExecutionView } from './forms.ts';
import { BOUND_LIMIT } from './limit.ts';
import { type FoundExecution, MarginExecutionQueries } from './margin-executions.ts';
import type { Names } from './names.ts';
import {
  type ExecutionsRequest,
  ORDERS_PER_REQUEST,
  type OrderPositionPair,
  PAGE_LIMITS,
  type PositionExecutionsRequest,
  pageSize,
} from './requests.ts';
import { RootAmounts } from './root-amounts.ts';

interface OrderOfExecution {
  readonly id: number;
  readonly market: number;
  readonly traits: number;
  readonly scales: number;
  readonly cause: number;
  readonly comment: string | null;
  /** Null for Spot. */
  readonly lots: number | null;
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
  private readonly rootAmounts: RootAmounts;
  private readonly reversal: Database.Statement;
  private readonly onMargin: MarginExecutionQueries;

  constructor(database: Database.Database, names: Names) {
    this.names = names;
    this.onMargin = new MarginExecutionQueries(database, names);
    this.order = database.prepare(
      `SELECT id, market, traits, scales, cause, comment, lots FROM orders
       WHERE id = ? AND account = ?`,
    );
    this.asTaker = database.prepare(EXECUTIONS.taker);
    this.asMaker = database.prepare(EXECUTIONS.maker);
    this.rootAmounts = new RootAmounts(database, names);
    this.reversal = database.prepare('SELECT 1 FROM reversals WHERE trade IN (@id, @id - 1)');
  }

  /** Executions of the orders named, newest first; orders of other accounts count as unknown. */
  list(request: ExecutionsRequest): ExecutionPage {
    if (request.orders.length > ORDERS_PER_REQUEST) {
      throw new RangeError(`executions of at most ${ORDERS_PER_REQUEST} orders at once`);
    }
    const limit = pageSize(request.limit, PAGE_LIMITS.executions);
    const before = request.lastExecutionId ?? Number.MAX_SAFE_INTEGER;
    const found = distinct(request.orders).flatMap((pair) =>
      this.ofOrder(request.account, pair, before, limit + 1),
    );
    return pageOf(found, limit);
  }

  /** Executions of the positions named, newest first; those of other accounts count as unknown. */
  ofPositions(request: PositionExecutionsRequest): ExecutionPage {
    const { account, positionIds } = request;
    const limit = pageSize(request.limit, PAGE_LIMITS.executions);
    const offset = Math.max(0, request.offset ?? 0);
    const found = [...new Set(positionIds)].flatMap((position) =>
      this.onMargin.ofPosition(account, position, limit + 1, offset),
    );
    return pageOf(found, limit);
  }

  private ofOrder(
    account: number,
    { orderId, positionId }: OrderPositionPair,
    before: number,
    limit: number,
  ): FoundExecution[] {
    const order = this.order.get(orderId, account) as OrderOfExecution | undefined;
    if (order === undefined) return [];
    if (order.lots !== null) return this.onMargin.ofOrder(orderId, positionId, before, limit);
    if (positionId !== null) return [];
    return [this.asTaker, this.asMaker].flatMap((scan) => {
      const rows = scan.all(orderId, before, limit) as Omit<Execution, 'order'>[];
      return rows.map((row) => ({ id: row.id, views: () => [this.view({ ...row, order })] }));
    });
  }

  private view(execution: Execution): ExecutionView {
    const { order } = execution;
    const { quoteAssetId } = this.names.market(order.market);
    const quoteScale = quoteScaleOf(order.scales);
    const fee = BigInt(execution.fee);
    // An execution's trade has its id, or for the maker's the one before.
    const isReverted = this.reversal.get({ id: execution.id }) !== undefined;
    return {
      positionId: '',
      orderId: String(order.id),
      executionId: String(execution.id),
      side: nameAt(SIDES, sideIndex(order.traits)),
      reason: nameAt(REASONS, reasonIndex(order.cause)),
      createdAt: formatTimestamp(execution.time),
      baseAmount: formatUnits(execution.quantity, amountScaleOf(order.scales)),
      executionPrice: formatUnits(execution.price, priceScaleOf(order.scales)),
      commissionAmountInRAT: this.rootAmounts.at(execution.time, fee, quoteAssetId, quoteScale),
      commissions: [{ assetId: quoteAssetId, amount: formatUnits(fee, quoteScale) }],
      comment: order.comment,
      realizedPnlInRAT: '0',
      positionSizeIncreased: sideIndex(order.traits) === Side.Buy,
      ...(isReverted ? { isReverted } : {}),
    };
  }
}

/** Each order once in each position; and only once where it is asked for in any. */
function distinct(pairs: readonly OrderPositionPair[]): readonly OrderPositionPair[] {
  const everywhere = new Set(
    pairs.filter(({ positionId }) => positionId === null).map(({ orderId }) => orderId),
  );
  const seen = new Set<string>();
  return pairs.filter(({ orderId, positionId }) => {
    const name = `${orderId}/${positionId}`;
    if (seen.has(name) || (positionId !== null && everywhere.has(orderId))) return false;
    seen.add(name);
    return true;
  });
}

/** The newest so many. What one execution shows stays on one page, so that its id can lead on. */
function pageOf(found: FoundExecution[], limit: number): ExecutionPage {
  found.sort((a, b) => b.id - a.id);
  const executions: ExecutionView[] = [];
  let taken = 0;
  for (const execution of found) {
    if (executions.length >= limit) break;
    executions.push(...execution.views());
    taken++;
  }
  return { executions, isExceeded: taken < found.length };
}
