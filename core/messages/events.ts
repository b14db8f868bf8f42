import { layout, type RecordOf } from './record.ts';

/**
 * Clearing → journal: what happened, in one total order. The n-th event ever has sequence n; a
 * batch in the journal knows the sequence of its first event. Events record outcomes: replaying
 * them needs no rule of pricing, matching, rounding or holding.
 *
 * `market`, `account` are clearing's dense indexes (announced by MarketConfigured, AccountOpened),
 * prices ticks, quantities amount steps, money (i64) units of the quote asset's scale.
 */

/** An order was admitted and its funds held; it goes to its market's book. */
export const OrderAccepted = layout('OrderAccepted', 1, {
  time: 'f64',
  orderId: 'f64',
  account: 'u32',
  market: 'u32',
  slot: 'u32',
  side: 'u8',
  type: 'u8',
  timeInForce: 'u8',
  source: 'u8',
  /** 1: a program sent it, or the stop order that it comes from, with a key. */
  byKey: 'u8',
  postOnly: 'u8',
  selfTradePrevention: 'u8',
  /** Requested price; 0 for a Market order. */
  price: 'f64',
  /** The worst price it may trade at; 0 for a market sell. */
  limit: 'f64',
  quantity: 'f64',
  /** When it ends by itself, UTC ms; 0 for never. */
  expiresAt: 'f64',
  /** What the order holds: quote units for a buy, base units for a sell. */
  hold: 'i64',
  /**
   * Commission terms frozen at admission: a fraction in 10^-8 of what it trades as a taker, another of
   * what it trades as a maker, and a minimum in quote units.
   */
  feeRate: 'u32',
  makerFeeRate: 'u32',
  feeMinimum: 'i64',
  clientOrderId: 'text',
  comment: 'text',
});
export type OrderAccepted = RecordOf<typeof OrderAccepted>;

/**
 * Two orders traded at the maker's price. The taker's execution has `executionId`, the maker's
 * `executionId + 1`. An order whose remaining quantity is 0 is Completed by this event.
 */
export const OrdersTraded = layout('OrdersTraded', 2, {
  time: 'f64',
  executionId: 'f64',
  market: 'u32',
  takerSlot: 'u32',
  makerSlot: 'u32',
  takerAccount: 'u32',
  makerAccount: 'u32',
  takerOrderId: 'f64',
  makerOrderId: 'f64',
  takerSide: 'u8',
  price: 'f64',
  quantity: 'f64',
  takerRemaining: 'f64',
  makerRemaining: 'f64',
  /** Quote units that left the buyer and reached the seller, before commissions. */
  buyerDebit: 'i64',
  sellerCredit: 'i64',
  takerFee: 'i64',
  makerFee: 'i64',
  /** What the buyer's order still holds afterwards; a seller's order holds its remaining base. */
  buyerHold: 'i64',
});
export type OrdersTraded = RecordOf<typeof OrdersTraded>;

/** An order ended unfilled or part-filled; what it still held is released. */
export const OrderClosed = layout('OrderClosed', 3, {
  time: 'f64',
  orderId: 'f64',
  account: 'u32',
  market: 'u32',
  slot: 'u32',
  status: 'u8',
  reason: 'u8',
  source: 'u8',
  remaining: 'f64',
});
export type OrderClosed = RecordOf<typeof OrderClosed>;

/**
 * An order changed. Where `keptPriority` is 0 it left its place in the queue. `priority` is where it
 * stands now: behind every order that was accepted up to that sequence, before all accepted later.
 * The event itself comes when the book has answered, so its own sequence would not tell.
 */
export const OrderAmended = layout('OrderAmended', 4, {
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
  hold: 'i64',
});
export type OrderAmended = RecordOf<typeof OrderAmended>;

/** Everything rare: `payload` is a `ColdEvent` (cold.ts). */
export const ColdEventRecord = layout('ColdEventRecord', 5, { time: 'f64', payload: 'bytes' });
