import type { OrderStatusName, OrderTypeName, SideName } from '../../../core/messages/enums.ts';

/** An execution in a Spot market as its owner's programs see it; decimals are texts. */
export interface SpotTradeView {
  readonly executionId: number;
  readonly orderId: number;
  readonly market: number;
  readonly side: number;
  readonly executedAt: string;
  readonly amount: string;
  readonly executionPrice: string;
  /** Quote asset. */
  readonly commission: string;
  readonly isReverted: boolean;
}

/** An execution with its order and whose it is; `total…` is the order's, so far. */
export interface AccountTradeView {
  readonly executionId: number;
  /** The execution of the taker. */
  readonly tradeId: number;
  readonly orderId: number;
  readonly ownerUserId: string;
  readonly marketId: string;
  readonly side: SideName;
  readonly makerOrTaker: 'Maker' | 'Taker';
  readonly orderType: OrderTypeName;
  /** That of the order, or Reverted where the execution was undone. */
  readonly orderStatus: OrderStatusName | 'Reverted';
  readonly acceptedAt: string;
  readonly executedAt: string;
  /** Null while the order is not filled. */
  readonly completedAt: string | null;
  readonly executionPrice: string;
  readonly baseAmount: string;
  readonly quoteAmount: string;
  readonly commission: string;
  readonly commissionCurrency: string;
  /** At the time of the execution, and at the latest price. */
  readonly commissionInRootAsset: string;
  readonly commissionInRootAssetNow: string;
  readonly rootAsset: string;
  readonly remainingAmount: string;
  readonly totalBaseAmount: string;
  readonly totalQuoteAmount: string;
  readonly totalCommission: string;
  /** Whether a program sent the order with a key. */
  readonly IsApiKey: boolean;
}

export interface LastTradesView {
  readonly executions: readonly {
    readonly executionId: number;
    readonly executedAt: string;
    readonly ownerUserId: string;
  }[];
  /** Whether there are older ones. */
  readonly hasMore: boolean;
}

/** What a trade moved, as it was booked: money in units of the quote asset, as digits. */
export interface TradeMoves {
  readonly tradeId: number;
  readonly market: number;
  /** Of the execution that was asked for. */
  readonly orderId: number;
  readonly ownerUserId: string;
  /** Null for a trade on margin. */
  readonly booked: {
    readonly buyer: number;
    readonly seller: number;
    /** In steps of this many decimal places. */
    readonly quantity: number;
    readonly amountScale: number;
    readonly buyerDebit: string;
    readonly sellerCredit: string;
    readonly buyerFee: string;
    readonly sellerFee: string;
  } | null;
}
