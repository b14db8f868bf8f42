import { layout, type RecordOf } from './record.ts';

/** Clearing → gateway, released by the journal once the events before them are durable. */

/**
 * An order was created; the gateway knows it from its OrderAccepted event. `replayed` is 1 where the
 * same clientOrderId had created it before: the answer is then that order's creation form.
 */
export const OrderPlaced = layout('OrderPlaced', 1, {
  ticket: 'f64',
  orderId: 'f64',
  replayed: 'u8',
});
export type OrderPlaced = RecordOf<typeof OrderPlaced>;

/** The state of one order after a cancel or an amend. */
export const OrderState = layout('OrderState', 2, {
  ticket: 'f64',
  orderId: 'f64',
  market: 'u32',
  side: 'u8',
  type: 'u8',
  timeInForce: 'u8',
  source: 'u8',
  status: 'u8',
  reason: 'u8',
  price: 'f64',
  quantity: 'f64',
  remaining: 'f64',
  /** Σ price × quantity of its fills, in ticks × steps. */
  tradedNotional: 'i64',
  commission: 'i64',
  createdAt: 'f64',
  updatedAt: 'f64',
});
export type OrderState = RecordOf<typeof OrderState>;

/** Nothing changed. `code` is of the catalogue; the texts fill its template. */
export const Refused = layout('Refused', 3, {
  ticket: 'f64',
  code: 'u16',
  field: 'text',
  value: 'text',
  limit: 'text',
});
export type Refused = RecordOf<typeof Refused>;

/** A cancel-all is done: this many orders were cancelled. */
export const OrdersCancelled = layout('OrdersCancelled', 5, { ticket: 'f64', count: 'u32' });
export type OrdersCancelled = RecordOf<typeof OrdersCancelled>;

/** Aggregated levels, best first: `levels` holds f64 pairs price, quantity; bids, then asks. */
export const DepthAnswer = layout('DepthAnswer', 6, {
  ticket: 'f64',
  market: 'u32',
  bids: 'u32',
  asks: 'u32',
  levels: 'bytes',
});
export type DepthAnswer = RecordOf<typeof DepthAnswer>;

/** The price of an order that was not placed; units of the quote asset, `price` in ticks. */
export const OrderPriced = layout('OrderPriced', 7, {
  ticket: 'f64',
  price: 'f64',
  quoteAmount: 'i64',
  commission: 'i64',
});
export type OrderPriced = RecordOf<typeof OrderPriced>;

/**
 * The price of an order on margin that was not placed. `price`, `bid` and `ask` in ticks; notional in
 * quote units; `rate` is root for quote in 10^-12; what ends in InRoot is in root units.
 * `level` is the margin level after it, in 10^-4, and -1 where there is none.
 */
export const MarginOrderPriced = layout('MarginOrderPriced', 8, {
  ticket: 'f64',
  price: 'f64',
  bid: 'f64',
  ask: 'f64',
  leverage: 'u16',
  quoteAmount: 'i64',
  marginInRoot: 'i64',
  commissionInRoot: 'i64',
  level: 'i64',
  rate: 'i64',
});
export type MarginOrderPriced = RecordOf<typeof MarginOrderPriced>;

/** What an account owns, as `unpackBalances` reads it. */
export const BalancesAnswer = layout('BalancesAnswer', 9, { ticket: 'f64', balances: 'bytes' });
export type BalancesAnswer = RecordOf<typeof BalancesAnswer>;

/** The answer of a cold command or a query: `payload` is the packed result. */
export const ColdAnswer = layout('ColdAnswer', 4, { ticket: 'f64', payload: 'bytes' });
export type ColdAnswer = RecordOf<typeof ColdAnswer>;
