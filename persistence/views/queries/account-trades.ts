import type Database from 'better-sqlite3';
import {
  type Decimal,
  formatUnits,
  parseDecimal,
  powerOfTen,
} from '../../../core/fixed-point/index.ts';
import {
  nameAt,
  ORDER_STATUSES,
  ORDER_TYPES,
  OrderStatus,
  SIDES,
} from '../../../core/messages/enums.ts';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import { isByKey } from '../packing.ts';
import { orderFacts } from './forms.ts';
import type { Names } from './names.ts';
import { ORDER_COLUMNS, type OrderRow, recordOf, traitsOf } from './orders.ts';
import {
  type AccountTradesRequest,
  type LastTradesRequest,
  PAGE_LIMITS,
  pageSize,
} from './requests.ts';
import { RootAmounts } from './root-amounts.ts';
import type { AccountTradeView, LastTradesView } from './spot-trade-forms.ts';

interface TradeRow {
  readonly id: number;
  readonly time: number;
  readonly price: number;
  readonly quantity: number;
  readonly takerOrder: number;
  readonly makerOrder: number;
  readonly takerFee: string;
  readonly makerFee: string;
  readonly reverted: number | null;
}

/** One side of a trade. */
interface Execution {
  readonly id: number;
  readonly orderId: number;
  readonly fee: string;
  readonly trade: TradeRow;
}

const COLUMNS = `trades.id AS id, trades.time AS time, price, quantity, taker_order AS takerOrder,
  maker_order AS makerOrder, CAST(taker_fee AS TEXT) AS takerFee,
  CAST(maker_fee AS TEXT) AS makerFee, reversals.time AS reverted
  FROM trades LEFT JOIN reversals ON reversals.trade = trades.id`;

/** Everybody's executions in Spot markets, for those who run the venue. */
export class AccountTradeQueries {
  private readonly names: Names;
  private readonly rootAmounts: RootAmounts;
  private readonly ofWindow: Database.Statement;
  private readonly ofIds: Database.Statement;
  private readonly order: Database.Statement;
  private readonly owner: Database.Statement;
  private readonly newestId: Database.Statement;

  constructor(database: Database.Database, names: Names) {
    this.names = names;
    this.rootAmounts = new RootAmounts(database, names);
    this.ofWindow = database.prepare(
      `SELECT ${COLUMNS} WHERE market = ? AND trades.time BETWEEN ? AND ? AND trades.id < ?
       AND maker_order IS NOT NULL ORDER BY trades.time DESC, trades.id DESC`,
    );
    this.ofIds = database.prepare(
      `SELECT ${COLUMNS} WHERE trades.id BETWEEN ? AND ? AND maker_order IS NOT NULL
       ORDER BY trades.id DESC`,
    );
    this.order = database.prepare(`SELECT ${ORDER_COLUMNS} FROM orders WHERE id = ?`).raw();
    this.owner = database.prepare('SELECT owner_user_id FROM accounts WHERE id = ?').pluck();
    this.newestId = database.prepare('SELECT max(id) FROM trades').pluck();
  }

  /** Newest first. */
  list(request: AccountTradesRequest): AccountTradeView[] {
    const limit = pageSize(request.limit, PAGE_LIMITS.accountTrades);
    const found = request.markets.flatMap((market) => this.ofMarket(market, request, limit));
    found.sort((a, b) => b.id - a.id);
    return found.slice(0, limit).map((execution) => this.view(execution));
  }

  /** Pages are ranges of ids, so that page a thousand costs what page one does. */
  latest({ page, size }: LastTradesRequest): LastTradesView {
    const newest = ((this.newestId.get() as number | null) ?? -1) + 1;
    const last = newest - size * (page - 1);
    const before = last - size;
    const rows = this.ofIds.all(before, last) as TradeRow[];
    const executions = rows
      .flatMap(executionsOf)
      .filter(({ id }) => id > before && id <= last)
      .map(({ id, orderId, trade }) => ({
        executionId: id,
        executedAt: formatTimestamp(trade.time),
        ownerUserId: this.ownerOf(recordOf(this.order.get(orderId) as OrderRow).account),
      }));
    return { executions, hasMore: before > 0 };
  }

  private ofMarket(market: number, request: AccountTradesRequest, limit: number): Execution[] {
    const { from, to, minAmount, maxAmount } = request;
    const before = request.lastExecutionId ?? Number.MAX_SAFE_INTEGER;
    const [least, most] = [boundOf(minAmount), boundOf(maxAmount)];
    const found: Execution[] = [];
    for (const row of this.ofWindow.iterate(market, from, to, before)) {
      const trade = row as TradeRow;
      if (least !== undefined || most !== undefined) {
        const { scales } = recordOf(this.order.get(trade.takerOrder) as OrderRow);
        const amount = { coefficient: BigInt(trade.quantity), scale: scales.amount };
        if (least !== undefined && isLess(amount, least)) continue;
        if (most !== undefined && isLess(most, amount)) continue;
      }
      found.push(...executionsOf(trade).filter(({ id }) => id < before));
      if (found.length >= limit) break;
    }
    return found;
  }

  private view({ id, orderId, fee, trade }: Execution): AccountTradeView {
    const row = this.order.get(orderId) as OrderRow;
    const order = orderFacts(recordOf(row));
    const { scales, status } = order;
    const { marketId, quoteAssetId } = this.names.market(order.market);
    const units = BigInt(fee);
    const exactScale = scales.price + scales.amount;
    const isReverted = trade.reverted !== null;
    return {
      executionId: id,
      tradeId: trade.id,
      orderId,
      ownerUserId: this.ownerOf(order.account),
      marketId,
      side: nameAt(SIDES, order.side),
      makerOrTaker: id === trade.id ? 'Taker' : 'Maker',
      orderType: nameAt(ORDER_TYPES, order.type),
      orderStatus: isReverted ? 'Reverted' : nameAt(ORDER_STATUSES, status),
      acceptedAt: formatTimestamp(order.createdAt),
      executedAt: formatTimestamp(trade.time),
      completedAt: status === OrderStatus.Completed ? formatTimestamp(order.updatedAt) : null,
      executionPrice: formatUnits(trade.price, scales.price),
      baseAmount: formatUnits(trade.quantity, scales.amount),
      quoteAmount: formatUnits(BigInt(trade.price) * BigInt(trade.quantity), exactScale),
      commission: formatUnits(units, scales.quote),
      commissionCurrency: quoteAssetId,
      commissionInRootAsset: this.rootAmounts.at(trade.time, units, quoteAssetId, scales.quote),
      commissionInRootAssetNow: this.rootAmounts.latest(units, quoteAssetId, scales.quote),
      rootAsset: this.names.rootAsset()?.assetId ?? '',
      remainingAmount: formatUnits(order.remaining, scales.amount),
      totalBaseAmount: formatUnits(order.quantity - order.remaining, scales.amount),
      totalQuoteAmount: formatUnits(order.tradedNotional, exactScale),
      totalCommission: formatUnits(order.commission, scales.quote),
      IsApiKey: isByKey(traitsOf(row)),
    };
  }

  private ownerOf(account: number): string {
    return String(this.owner.get(account));
  }
}

/** The maker's has the larger id. */
function executionsOf(trade: TradeRow): Execution[] {
  const { id, takerOrder, makerOrder, takerFee, makerFee } = trade;
  return [
    { id: id + 1, orderId: makerOrder, fee: makerFee, trade },
    { id, orderId: takerOrder, fee: takerFee, trade },
  ];
}

function boundOf(text: string | null): Decimal | undefined {
  return text === null ? undefined : parseDecimal(text);
}

function isLess(left: Decimal, right: Decimal): boolean {
  return left.coefficient * powerOfTen(right.scale) < right.coefficient * powerOfTen(left.scale);
}
