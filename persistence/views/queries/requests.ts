import type {
  MarketTypeName,
  OrderStatusName,
  StopOrderStatusName,
} from '../../../core/messages/enums.ts';
import type { Timeframe } from '../timeframes.ts';

/** The most that one page holds. Larger limits are cut to these. */
export const PAGE_LIMITS = {
  orders: 1_000,
  executions: 1_000,
  transfers: 1_000,
  /** Thirty days of minutes fit. */
  candles: 45_000,
  trades: 10_000,
  accountTrades: 2_000,
  callbacks: 1_000,
  closings: 1_000,
  funding: 1_000,
  payments: 1_000,
} as const;

/** How much an absent limit stands for. */
export const PAGE_DEFAULT = 100;
/** How many orders or positions one request for executions may name; more are the caller's error. */
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

/** An order, and the position that it changed; null for every one, and for Spot, which has none. */
export interface OrderPositionPair {
  readonly orderId: number;
  readonly positionId: number | null;
}

export interface ExecutionsRequest {
  readonly kind: 'executions';
  readonly account: number;
  readonly orders: readonly OrderPositionPair[];
  readonly limit: number | null;
  /** Continues after this execution, the last of the page before. */
  readonly lastExecutionId: number | null;
}

/** Executions of positions, whatever order they are of. */
export interface PositionExecutionsRequest {
  readonly kind: 'positionExecutions';
  readonly account: number;
  readonly positionIds: readonly number[];
  readonly limit: number | null;
  /** How many of the newest to leave out; of one position only. */
  readonly offset: number | null;
}

/** What orders closed of positions. */
export interface ClosingsRequest {
  readonly kind: 'closings';
  readonly account: number;
  /** When the position was opened. */
  readonly createdAtFrom: number | null;
  readonly createdAtTo: number | null;
  /** When the order last closed something of it. */
  readonly closedAtFrom: number | null;
  readonly closedAtTo: number | null;
  readonly market: number | null;
  readonly marketType: MarketTypeName | null;
  readonly limit: number | null;
  /** Continues after this order, the last of the page before. */
  readonly lastOrderId: number | null;
}

export interface StopOrderRequest {
  readonly kind: 'stopOrder';
  readonly account: number;
  readonly orderId: number;
}

export interface StopOrdersRequest {
  readonly kind: 'stopOrders';
  readonly account: number;
  /** Null or empty: any. */
  readonly statuses: readonly StopOrderStatusName[] | null;
  readonly limit: number | null;
  readonly lastOrderId: number | null;
}

/** Whether an account has or had a position. */
export interface PositionRequest {
  readonly kind: 'position';
  readonly account: number;
  readonly positionId: number;
}

export interface FundingRequest {
  readonly kind: 'funding';
  readonly market: number;
  readonly limit: number | null;
  readonly offset: number | null;
  readonly appliedAtFrom: number | null;
  readonly appliedAtTo: number | null;
}

export interface PaymentsRequest {
  readonly kind: 'payments';
  readonly account: number;
  readonly limit: number | null;
  readonly lastPaymentId: number | null;
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

/** Canonical decimals, both ends included. */
export interface AmountRange {
  readonly from: string;
  readonly to: string;
}

/** Which users have deposited and traded so much, in the root asset; null: not asked. */
export interface UserActivityRequest {
  readonly kind: 'userActivity';
  /** Both ends included. `deposited` counts what came in the same time. */
  readonly depositedAt: { readonly from: number; readonly to: number } | null;
  readonly deposited: AmountRange | null;
  readonly traded: AmountRange | null;
}

/** What is held in positions of a market. */
export interface OpenInterestRequest {
  readonly kind: 'openInterest';
  readonly market: number;
}

/** What is to be told of transfers, oldest first. */
export interface CallbacksRequest {
  readonly kind: 'callbacks';
  /** Those after this one; 0 for the first. */
  readonly after: number;
  readonly limit: number | null;
}

/** What of the Spot markets' past is asked for; null: any. */
interface SpotFilter {
  readonly account: number;
  readonly markets: readonly number[];
  readonly side: number | null;
  readonly from: number | null;
  readonly to: number | null;
  readonly limit: number | null;
}

/** An account's orders, by more than `OrderListRequest` can ask for. */
export interface OrderHistoryRequest extends SpotFilter {
  readonly kind: 'orderHistory';
  readonly statuses: readonly OrderStatusName[] | null;
  /** Continues after this order, the last of the page before. */
  readonly lastOrderId: number | null;
}

/** An account's executions, of all its orders or of one. */
export interface TradeHistoryRequest extends SpotFilter {
  readonly kind: 'tradeHistory';
  readonly orderId: number | null;
  /** Continues after this execution, the last of the page before. */
  readonly lastExecutionId: number | null;
}

/** Everybody's executions in a window of time. */
export interface AccountTradesRequest {
  readonly kind: 'accountTrades';
  readonly markets: readonly number[];
  readonly from: number;
  readonly to: number;
  /** Decimals of base assets, inclusive. */
  readonly minAmount: string | null;
  readonly maxAmount: string | null;
  readonly limit: number | null;
  readonly lastExecutionId: number | null;
}

/** Page `page` of everybody's executions, from 1, `size` of them (an even number), newest first. */
export interface LastTradesRequest {
  readonly kind: 'lastTrades';
  readonly page: number;
  readonly size: number;
}

/** What the trade of an execution moved. */
export interface TradeMovesRequest {
  readonly kind: 'tradeMoves';
  readonly executionId: number;
}

export type QueryRequest =
  | OrderHistoryRequest
  | TradeHistoryRequest
  | AccountTradesRequest
  | LastTradesRequest
  | TradeMovesRequest
  | OrderRequest
  | OrderListRequest
  | ExecutionsRequest
  | PositionExecutionsRequest
  | ClosingsRequest
  | StopOrderRequest
  | StopOrdersRequest
  | PositionRequest
  | FundingRequest
  | PaymentsRequest
  | CandlesRequest
  | TradesRequest
  | TradeWindowsRequest
  | TransfersRequest
  | CallbacksRequest
  | UserActivityRequest
  | OpenInterestRequest;

/** A limit as asked for, cut to what is allowed. */
export function pageSize(limit: number | null, most: number): number {
  return Math.max(1, Math.min(limit ?? PAGE_DEFAULT, most));
}
