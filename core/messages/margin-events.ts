import { layout, type RecordOf } from './record.ts';

/**
 * Clearing → journal, for Cfd and Perp markets. Prices are ticks (0 for none), quantities
 * 10^-amountScale lots. Money (i64) is in units of the quote asset, or of the root asset where the
 * name says so. As in events.ts, replaying needs no rule of pricing, rounding or margin.
 */

/** An order on margin was admitted; it goes to its market's book. Its slot is of the market's table. */
export const MarginOrderAccepted = layout('MarginOrderAccepted', 6, {
  time: 'f64',
  orderId: 'f64',
  account: 'u32',
  market: 'u32',
  slot: 'u32',
  side: 'u8',
  type: 'u8',
  timeInForce: 'u8',
  source: 'u8',
  reason: 'u8',
  postOnly: 'u8',
  selfTradePrevention: 'u8',
  isTrailing: 'u8',
  leverage: 'u16',
  /** Requested price; 0 for a Market order. */
  price: 'f64',
  /** The worst price it may trade at; 0 for a market sell. */
  limit: 'f64',
  quantity: 'f64',
  expiresAt: 'f64',
  /** For the position that it opens. */
  stopLoss: 'f64',
  takeProfit: 'f64',
  /** The only position that it may close; 0 for an order that opens, adds, reduces or flips. */
  positionId: 'f64',
  /** The stop order that it comes from; 0 for none. */
  stopOrderId: 'f64',
  /** Initial margin of the whole order, as if all of it opened; 0 where it closes a position. */
  margin: 'i64',
  /** Commission terms frozen at admission: a fraction of notional in 10^-8; and root units a lot. */
  feeRate: 'f64',
  feePerLot: 'i64',
  /** Root units an order with any fill pays at least. */
  feeMinimum: 'i64',
  clientOrderId: 'text',
  comment: 'text',
});
export type MarginOrderAccepted = RecordOf<typeof MarginOrderAccepted>;

/**
 * One side of a trade between two orders on margin; the taker's comes first, the maker's, with the
 * next executionId, directly behind. What it closes of a position is settled in root units at `rate`; what
 * it opens goes to `openedPositionId`, which is a new position or one that grows. A flip does both.
 */
export const MarginExecution = layout('MarginExecution', 7, {
  time: 'f64',
  executionId: 'f64',
  orderId: 'f64',
  account: 'u32',
  market: 'u32',
  slot: 'u32',
  /** Of the order. */
  side: 'u8',
  isMaker: 'u8',
  reason: 'u8',
  price: 'f64',
  quantity: 'f64',
  /** Of the order; 0 completes it. */
  remaining: 'f64',
  /** The margin that the rest of the order still reserves. */
  orderMargin: 'i64',
  closedPositionId: 'f64',
  closedQuantity: 'f64',
  /** Opening notional that leaves the position, ticks × steps. */
  closedNotional: 'i64',
  closedMargin: 'i64',
  /** Profit of what was closed, negative for a loss: quote units, and root units at `rate`. */
  realized: 'i64',
  realizedInRoot: 'i64',
  openedPositionId: 'f64',
  openedQuantity: 'f64',
  openedMargin: 'i64',
  /** Root asset for one of the quote asset, in 10^-12. */
  rate: 'i64',
  /** Root units charged by this execution in all, and the part of it that the root ledger paid. */
  commission: 'i64',
  commissionFromRoot: 'i64',
  /** Root units: what the fills of the order have come to, before any minimum. */
  commissionAccrued: 'i64',
});
export type MarginExecution = RecordOf<typeof MarginExecution>;

/** The rest of an execution's commission, paid in another asset; follows its execution. */
export const CommissionDeducted = layout('CommissionDeducted', 8, {
  time: 'f64',
  executionId: 'f64',
  account: 'u32',
  asset: 'u32',
  amount: 'i64',
  amountInRoot: 'i64',
});
export type CommissionDeducted = RecordOf<typeof CommissionDeducted>;

/** A resting order on margin changed; as OrderAmended, with margin in the place of the hold. */
export const MarginOrderAmended = layout('MarginOrderAmended', 9, {
  time: 'f64',
  orderId: 'f64',
  account: 'u32',
  market: 'u32',
  slot: 'u32',
  keptPriority: 'u8',
  priority: 'f64',
  price: 'f64',
  quantity: 'f64',
  remaining: 'f64',
  margin: 'i64',
});
export type MarginOrderAmended = RecordOf<typeof MarginOrderAmended>;

/** The bid and ask that trailing stops have followed: each of the market moves to where they take it. */
export const TrailingStopsMoved = layout('TrailingStopsMoved', 10, {
  time: 'f64',
  market: 'u32',
  bid: 'f64',
  ask: 'f64',
});
export type TrailingStopsMoved = RecordOf<typeof TrailingStopsMoved>;

/**
 * Payments on open positions, in one step for one market: `positions` holds their ids (f64), `amounts`
 * what each account gets, negative for what it pays, in root units (i64). The market's settlement
 * ledger (funding) or the house (swaps) is the other side.
 */
const payments = {
  time: 'f64',
  market: 'u32',
  /** When it was due, UTC ms. */
  dueAt: 'f64',
  /** Root asset for one of the quote asset, in 10^-12. */
  rate: 'i64',
  positions: 'bytes',
  amounts: 'bytes',
} as const;

/** `fundingRate` in 10^-8, positive where longs pay; `markPrice` in ticks. */
export const FundingApplied = layout('FundingApplied', 11, {
  ...payments,
  fundingRate: 'f64',
  markPrice: 'f64',
  intervalHours: 'u8',
});
export type FundingApplied = RecordOf<typeof FundingApplied>;

/** `nights` that one end of day charges; three before a closed weekend. */
export const SwapsCharged = layout('SwapsCharged', 12, { ...payments, nights: 'u8' });
export type SwapsCharged = RecordOf<typeof SwapsCharged>;
