import type {
  ReasonName,
  SideName,
  TransferStatusName,
  TransferTypeName,
} from '../../../core/messages/enums.ts';
import type { OrderFacts } from '../../../core/messages/order-view.ts';

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
  /** Empty: Spot has no positions. */
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
  readonly comment: string | null;
  /** "0": what is bought and sold in Spot has no position to realise anything of. */
  readonly realizedPnlInRAT: string;
  /** Whether the account had more of the base asset after it. */
  readonly positionSizeIncreased: boolean;
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

/** A transfer as it was at one of its states, and where to tell of it. */
export interface CallbackView {
  /** Grows in the order of the journal. */
  readonly id: number;
  readonly url: string;
  readonly transfer: TransferView & { readonly accountId: string };
}
