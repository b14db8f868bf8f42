import type { OrderStatusName } from '../../../core/messages/enums.ts';
import type { Timeframe } from '../timeframes.ts';

/** The most that one page holds. Larger limits are cut to these. */
export const PAGE_LIMITS = {
  orders: 1_000,
  executions: 1_000,
  transfers: 1_000,
  /** Thirty days of minutes fit. */
  candles: 45_000,
  trades: 10_000,
  callbacks: 1_000,
} as const;

/** How much an absent limit stands for. */
export const PAGE_DEFAULT = 100;
/** How many orders one request for executions may name; more are an error of the caller. */
export const ORDERS_PER_REQUEST = 1_000;

/** Accounts and markets are clearing's dense indexes, times UTC ms, bounds inclusive. */
export interface OrderRequest {
  /** In its read form, or as it is stored. */
  readonly kind: 'order' | 'orderRecord';
  readonly account: number;
  readonly orderId: number;
}

export interface OrderListRequest {
  readonly kind: 'orders';
  readonly account: number;
  /** Null or empty: any. */
  readonly statuses: readonly OrderStatusName[] | null;
  readonly createdAtFrom: number | null;
  readonly createdAtTo: number | null;
  readonly limit: number | null;
  /** Continues after this order, the last of the page before. */
  readonly lastOrderId: number | null;
}

export interface ExecutionsRequest {
  readonly kind: 'executions';
  readonly account: number;
  readonly orderIds: readonly number[];
  readonly limit: number | null;
  /** Continues after this execution, the last of the page before. */
  readonly lastExecutionId: number | null;
}

export interface CandlesRequest {
  readonly kind: 'candles';
  readonly market: number;
  readonly timeframe: Timeframe;
  /** Candles that start in this window. */
  readonly from: number | null;
  readonly to: number | null;
  /** The newest so many of the window. */
  readonly count: number | null;
}

/** Trades of a market at `from` or later. */
export interface TradesRequest {
  readonly kind: 'trades';
  readonly market: number;
  readonly from: number;
  readonly limit: number | null;
  /** Continues after this trade, the last of the page before. */
  readonly lastTradeId: number | null;
}

/** What was traded in each of some markets at `from` or later. */
export interface TradeWindowsRequest {
  readonly kind: 'tradeWindows';
  readonly markets: readonly number[];
  readonly from: number;
}

export interface TransfersRequest {
  readonly kind: 'transfers';
  readonly account: number;
  readonly limit: number | null;
  readonly lastTransferId: number | null;
}

/** What is to be told of transfers, oldest first. */
export interface CallbacksRequest {
  readonly kind: 'callbacks';
  /** Those after this one; 0 for the first. */
  readonly after: number;
  readonly limit: number | null;
}

export type QueryRequest =
  | OrderRequest
  | OrderListRequest
  | ExecutionsRequest
  | CandlesRequest
  | TradesRequest
  | TradeWindowsRequest
  | TransfersRequest
  | CallbacksRequest;

/** A limit as asked for, cut to what is allowed. */
export function pageSize(limit: number | null, most: number): number {
  return Math.max(1, Math.min(limit ?? PAGE_DEFAULT, most));
}
