/** A trade of a Spot market as it was booked, and now is undone. Money in units of the quote asset. */
export interface RevertedTrade {
  /** The execution of its taker. */
  readonly tradeId: number;
  readonly market: number;
  readonly buyer: number;
  readonly seller: number;
  /** Units of the base asset. */
  readonly base: bigint;
  readonly buyerDebit: bigint;
  readonly sellerCredit: bigint;
  readonly buyerFee: bigint;
  readonly sellerFee: bigint;
}

/** What these trades booked was booked back; `by` is the user who wanted it. */
export interface ReversalEvent {
  readonly type: 'TradesReverted';
  readonly trades: readonly RevertedTrade[];
  readonly by: string;
}

/** Undoes all of these trades or, where one cannot be undone, none. */
export interface ReversalCommand {
  readonly type: 'RevertTrades';
  readonly trades: readonly RevertedTrade[];
  readonly by: string;
}

/** How many trades were undone that had not been before. */
export interface ReversalAnswer {
  readonly count: number;
}
