import type {
  MarketTypeName,
  OrderTypeName,
  ReasonName,
  SideName,
  StopOrderStatusName,
  TimeInForceName,
  TransferStatusName,
  TransferTypeName,
} from '../../../core/messages/enums.ts';
import type { OrderFacts } from '../../../core/messages/order-view.ts';
import type { PaymentKind } from '../margin-schema.ts';

/** An order as it is stored, for whoever computes with it: its facts, with sums as decimal digits. */
export interface OrderRecord extends Omit<OrderFacts, 'tradedNotional' | 'commission'> {
  readonly account: number;
  readonly market: number;
  /** What it was placed with, whatever became of it by amends. */
  readonly admittedPrice: number;
  readonly admittedQuantity: number;
  readonly tradedNotional: string;
  readonly commission: string;
}

/** JSON has no integers as large as these sums may be. */
export function orderFacts(record: OrderRecord) {
  return {
    ...record,
    tradedNotional: BigInt(record.tradedNotional),
    commission: BigInt(record.commission),
  };
}

export interface ExecutionView {
  /** Empty for Spot, which has no positions. */
  readonly positionId: string;
  readonly orderId: string;
  readonly executionId: string;
  readonly side: SideName;
  readonly reason: ReasonName;
  readonly createdAt: string;
  readonly baseAmount: string;
  readonly executionPrice: string;
  /**
   * The commission in the root asset. A commission in another asset is converted by that asset's Spot
   * market against the root asset: at its last price before the minute of the execution or, in its
   * first minute, at its first price; rounded half up, "0" while there is none. So it never changes.
   */
  readonly commissionAmountInRAT: string;
  readonly commissions: readonly { readonly assetId: string; readonly amount: string }[];
  /** The order's; on margin that of the position, which is its opening order's. */
  readonly comment: string | null;
  /** "0" in Spot, where there is no position to realise anything of, and for what opens one. */
  readonly realizedPnlInRAT: string;
  /** Whether the position was larger after it; in Spot, whether there was more of the base asset. */
  readonly positionSizeIncreased: boolean;
  /** The venue has undone it; absent where it has not. */
  readonly isReverted?: true;
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

/** What was traded in a window of time; sums are exact. */
export interface TradeWindowView {
  /** Prices of its first and its last trade. */
  readonly open: string;
  readonly last: string;
  readonly high: string;
  readonly low: string;
  readonly baseVolume: string;
  /** Σ price × amount. */
  readonly quoteVolume: string;
}

/** A trade in the form that the public information has. */
export interface TradeView {
  /** That of the taker's execution. */
  readonly tradeID: number;
  readonly price: string;
  readonly base_volume: string;
  readonly quote_volume: string;
  /** Whole seconds since 1970. */
  readonly trade_timestamp: number;
  /** What the taker did. */
  readonly type: 'buy' | 'sell';
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

/** What is held in positions of a market, counted on one side: longs and shorts are equal. */
export interface OpenInterestView {
  /** In the base asset. */
  readonly amount: string;
}

/** Users who fit: those named, or all but those. */
export interface UserCondition {
  readonly userIds: readonly string[];
  readonly isAny: boolean;
}

/** A transfer as it was at one of its states, and where to tell of it. */
export interface CallbackView {
  /** Grows in the order of the journal. */
  readonly id: number;
  readonly url: string;
  readonly transfer: TransferView & { readonly accountId: string };
}

/** What one order closed of one position. */
export interface ClosedPositionView {
  readonly marketId: string;
  readonly marketFullName: string | null;
  readonly marketDisplayName: string;
  readonly marketType: MarketTypeName;
  readonly orderId: string;
  readonly orderType: OrderTypeName;
  readonly timeInForce: TimeInForceName;
  /** Of the order that closed. */
  readonly side: SideName;
  readonly positionCloseLotAmount: string;
  readonly reason: ReasonName;
  readonly realizedPnlInRAT: string;
  /** When the order last closed something of the position. */
  readonly closedAt: string;
  readonly positionId: string;
  /** Volume-weighted averages of what was closed: what it was opened at, and closed at. */
  readonly openPrice: string;
  readonly closePrice: string;
  /** What was closed was worth so much at closePrice and rateToRAT; rounded half up. */
  readonly positionPriceInRAT: string;
  /** The root asset for one of the quote asset, at the last of the order's fills. */
  readonly rateToRAT: string;
  readonly openedAt: string;
  readonly comment: string | null;
}

/** Newest order first; `isExceeded` where there are more than were asked for. */
export interface ClosedPositionPage {
  readonly data: readonly ClosedPositionView[];
  readonly isExceeded: boolean;
}

export interface StopOrderView {
  readonly marketId: string;
  readonly marketType: MarketTypeName;
  readonly marketDisplayName: string;
  readonly marketFullName: string | null;
  readonly orderId: string;
  readonly status: StopOrderStatusName;
  readonly reason: ReasonName;
  readonly side: SideName;
  readonly orderType: OrderTypeName;
  readonly timeInForce: TimeInForceName;
  readonly activationPrice: string;
  readonly requestedPrice: string | null;
  /** Base assets, and for markets with lots how many lots that is. */
  readonly requestedAmount: string;
  readonly requestedLotAmount: string | null;
  /** 0: the most that the market gives at activation. */
  readonly leverage: number;
  readonly stopLoss: { readonly price: string; readonly isTrailing: boolean } | null;
  readonly takeProfit: { readonly price: string } | null;
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly activatedOrderId: string | null;
  /** Why it was rejected at activation: a code of the catalogue. */
  readonly rejectCode: string | null;
  readonly comment: string | null;
  readonly clientOrderId: string | null;
}

/** A position that the account has or had. */
export interface PositionRecord {
  readonly positionId: number;
  readonly market: number;
  /** Side.Buy is long. */
  readonly side: number;
  readonly openedAt: number;
  /** Null while it is open. */
  readonly closedAt: number | null;
}

/** Settlements of a market, newest first; `appliedAt` is when they were due. */
export interface FundingPage {
  readonly fundingData: readonly {
    readonly appliedAt: string;
    /** Hours. */
    readonly interval: number;
    readonly rate: string;
  }[];
  readonly hasMore: boolean;
}

/** What an account got, or with a minus paid. */
export interface PaymentView {
  readonly paymentId: string;
  readonly type: PaymentKind;
  readonly createdAt: string;
  /** Null for a compensation, which is for no position. */
  readonly marketId: string | null;
  readonly positionId: string | null;
  readonly amountInRAT: string;
}
