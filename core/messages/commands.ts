import { layout, type RecordOf } from './record.ts';

/**
 * Gateway → clearing. `ticket` names the waiting request (0: nobody waits), `time` is the gateway's
 * UTC milliseconds. Prices are ticks of 10^-priceScale, quantities 10^-amountScale (lot steps for
 * Cfd and Perp), both safe integers. `account` and `market` are the dense indexes that clearing gave.
 */

/** In `market`: every market of the account. */
export const ALL_MARKETS = 0xffff_ffff;

/** The account of a preview that is made for nobody in particular. */
export const NO_ACCOUNT = 0xffff_ffff;

const placement = {
  ticket: 'f64',
  time: 'f64',
  account: 'u32',
  market: 'u32',
  side: 'u8',
  type: 'u8',
  timeInForce: 'u8',
  source: 'u8',
  /** 1: a program sent it, with a key, instead of a person who signed in. */
  byKey: 'u8',
  postOnly: 'u8',
  selfTradePrevention: 'u8',
  /** The scales that the gateway converted with; an order under stale scales is refused. */
  priceScale: 'u8',
  amountScale: 'u8',
  price: 'f64',
  quantity: 'f64',
  expiresAt: 'f64',
  clientOrderId: 'text',
  comment: 'text',
} as const;

export const PlaceOrder = layout('PlaceOrder', 1, placement);
export type PlaceOrder = RecordOf<typeof PlaceOrder>;

/** The same order, priced and not placed. */
export const PreviewOrder = layout('PreviewOrder', 2, placement);

/**
 * The same order under another rule for its clientOrderId: one whose order is open is refused, and one
 * whose order has ended names the new order from now on. (In PlaceOrder a repeat is answered again.)
 */
export const PlaceNamedOrder = layout('PlaceNamedOrder', 20, placement);

/** Cancels by `orderId`, or by `clientOrderId` where `orderId` is 0. */
export const CancelOrder = layout('CancelOrder', 3, {
  ticket: 'f64',
  time: 'f64',
  account: 'u32',
  orderId: 'f64',
  clientOrderId: 'text',
});
export type CancelOrder = RecordOf<typeof CancelOrder>;

/** `price` and `quantity` of 0 keep what the order has. `quantity` is the new requested amount. */
export const AmendOrder = layout('AmendOrder', 4, {
  ticket: 'f64',
  time: 'f64',
  account: 'u32',
  orderId: 'f64',
  priceScale: 'u8',
  amountScale: 'u8',
  price: 'f64',
  quantity: 'f64',
});
export type AmendOrder = RecordOf<typeof AmendOrder>;

/** Cancels every open order of the account, in one market or in `ALL_MARKETS`. */
export const CancelAllOrders = layout('CancelAllOrders', 5, {
  ticket: 'f64',
  time: 'f64',
  account: 'u32',
  market: 'u32',
});
export type CancelAllOrders = RecordOf<typeof CancelAllOrders>;

/** Time passes: expiries and sessions are looked at. */
export const Tick = layout('Tick', 6, { time: 'f64' });
export type Tick = RecordOf<typeof Tick>;

/** The best levels of one order book. */
export const RequestDepth = layout('RequestDepth', 7, {
  ticket: 'f64',
  time: 'f64',
  market: 'u32',
  levels: 'u32',
});
export type RequestDepth = RecordOf<typeof RequestDepth>;

/** What an account owns. */
export const RequestBalances = layout('RequestBalances', 11, {
  ticket: 'f64',
  time: 'f64',
  account: 'u32',
});
export type RequestBalances = RecordOf<typeof RequestBalances>;

/** Everything rare: `payload` is an `AdminCommand` or a `Query` (cold.ts). */
export const ColdCommand = layout('ColdCommand', 8, {
  ticket: 'f64',
  time: 'f64',
  payload: 'bytes',
});
export type ColdCommand = RecordOf<typeof ColdCommand>;
