import type Database from 'better-sqlite3';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import { Side } from '../../../core/messages/enums.ts';
import { amountScaleOf, lotSizeOf, priceScaleOf } from '../packing.ts';
import type { TradeView } from './forms.ts';
import { BOUND_LIMIT } from './limit.ts';
import { PAGE_LIMITS, pageSize, type TradesRequest } from './requests.ts';

type TradeRow = readonly [
  id: number,
  time: number,
  takerSide: number,
  price: number,
  quantity: number,
  scales: number,
  lots: number | null,
];

/** A page of a market's trades: a scan of as many index entries. */
export const TRADES = {
  trades: `SELECT trades.id, trades.time, taker_side, trades.price, trades.quantity, scales,
      lots
    FROM trades CROSS JOIN orders ON orders.id = taker_order
    WHERE trades.market = ? AND (trades.time, trades.id) < (?, ?) AND trades.time >= ?
    ORDER BY trades.time DESC, trades.id DESC ${BOUND_LIMIT}`,
} as const;

export class TradeQueries {
  private readonly before: Database.Statement;
  private readonly timeOf: Database.Statement;

  constructor(database: Database.Database) {
    this.before = database.prepare(TRADES.trades).raw();
    this.timeOf = database.prepare('SELECT time FROM trades WHERE id = ? AND market = ?').pluck();
  }

  /** A market's trades since a moment, newest first; after a cursor that it does not have, none. */
  list({ market, from, limit, lastTradeId }: TradesRequest): TradeView[] {
    const cursor = this.cursor(market, lastTradeId);
    if (cursor === undefined) return [];
    const size = pageSize(limit, PAGE_LIMITS.trades);
    return (this.before.all(market, ...cursor, from, size) as TradeRow[]).map(tradeView);
  }

  private cursor(market: number, tradeId: number | null): readonly number[] | undefined {
    if (tradeId === null) return [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
    const time = this.timeOf.get(tradeId, market) as number | undefined;
    return time === undefined ? undefined : [time, tradeId];
  }
}

function tradeView([id, time, takerSide, price, quantity, scales, lots]: TradeRow): TradeView {
  const [priceScale, amountScale] = [priceScaleOf(scales), amountScaleOf(scales)];
  const amount = BigInt(quantity) * BigInt(lotSizeOf(lots));
  return {
    tradeID: id,
    price: formatUnits(price, priceScale),
    base_volume: formatUnits(amount, amountScale),
    quote_volume: formatUnits(BigInt(price) * amount, priceScale + amountScale),
    trade_timestamp: Math.floor(time / 1000),
    type: takerSide === Side.Buy ? 'buy' : 'sell',
  };
}
