import type {
  OrderSourceName,
  OrderStatusName,
  OrderTypeName,
  ReasonName,
  SideName,
  TimeInForceName,
  TransferStatusName,
  TransferTypeName,
} from '../../../core/messages/enums.ts';

/** An order in its read form. Amounts, prices and ids are decimal strings, times ISO 8601 UTC. */
export interface OrderView {
  readonly marketId: string;
  readonly marketType: string;
  readonly marketDisplayName: string;
  readonly marketFullName: string | null;
  readonly orderId: string;
  readonly timeInForce: TimeInForceName;
  readonly status: OrderStatusName;
  readonly source: OrderSourceName;
  readonly reason: ReasonName;
  readonly side: SideName;
  readonly orderType: OrderTypeName;
  readonly requestedAmount: string;
  readonly remainingAmount: string;
  /** Null for a Market order. */
  readonly requestedPrice: string | null;
  /** The volume-weighted average, as `averagePrice` of core/messages has it. */
  readonly executionPrice: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When it was cancelled or expired. */
  readonly cancellationDate: string | null;
  readonly commissionAssetId: string;
  readonly commissionAmount: string;
  readonly leverage: number;
  readonly rejectDetails: string;
  readonly fillFactor: string;
  readonly comment: string | null;
  /** What the client named the order, if it did; an extension. */
  readonly clientOrderId: string | null;
}

/**
 * An order as it is stored, for whoever computes with it: enumerations are indexes into the lists of
 * core/messages, prices ticks, amounts steps, times UTC ms. Sums are decimal digits, because they may
 * be beyond what a number holds.
 */
export interface OrderRecord {
  readonly orderId: number;
  readonly account: number;
  readonly market: number;
  readonly side: number;
  readonly type: number;
  readonly timeInForce: number;
  readonly source: number;
  readonly status: number;
  readonly reason: number;
  readonly price: number;
  readonly quantity: number;
  readonly remaining: number;
  /** Σ price × quantity of its fills, in ticks × steps. */
  readonly tradedNotional: string;
  /** Units of the quote asset. */
  readonly commission: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When it was cancelled or expired. */
  readonly cancelledAt: number | null;
  /** The scales that it was placed in; the market's may be others by now. */
  readonly priceScale: number;
  readonly amountScale: number;
  readonly quoteScale: number;
  readonly clientOrderId: string | null;
  readonly comment: string | null;
}

export interface ExecutionView {
  /** Null: Spot has no positions. */
  readonly positionId: string | null;
  readonly orderId: string;
  readonly executionId: string;
  readonly side: SideName;
  readonly reason: ReasonName;
  readonly createdAt: string;
  readonly baseAmount: string;
  readonly executionPrice: string;
  /**
   * The commission in the root asset. A commission in another asset is converted at the close of the
   * newest minute candle, up to the execution's, of that asset's Spot market against the root asset,
   * rounded half up; "0" while there is none.
   */
  readonly commissionAmountInRAT: string;
  readonly commissions: readonly { readonly assetId: string; readonly amount: string }[];
  readonly comment: string | null;
}

/** A page of executions, newest first; `isExceeded` where there are more than were asked for. */
export interface ExecutionPage {
  readonly executions: readonly ExecutionView[];
  readonly isExceeded: boolean;
}

/** A candle of the period from `start` up to, not including, `end`. */
export interface CandleView {
  readonly instrument: string;
  readonly start: string;
  readonly end: string;
  readonly low: string;
  readonly high: string;
  readonly open: string;
  readonly close: string;
  readonly volume: string;
  readonly quoteVolume: string;
}

export interface TransferView {
  readonly transferId: string;
  readonly deduplicationId: string;
  readonly assetId: string;
  readonly type: TransferTypeName;
  readonly status: TransferStatusName;
  readonly amount: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}
