import { layout, type RecordOf } from './record.ts';

/**
 * Gateway → clearing, for Cfd and Perp markets. As in commands.ts; quantities count 10^-amountScale
 * lots. Prices are ticks, 0 for none.
 */
const marginPlacement = {
  ticket: 'f64',
  time: 'f64',
  account: 'u32',
  market: 'u32',
  side: 'u8',
  type: 'u8',
  timeInForce: 'u8',
  source: 'u8',
  /** As in PlaceOrder. */
  byKey: 'u8',
  postOnly: 'u8',
  selfTradePrevention: 'u8',
  /** 1: the stop-loss follows the price at the distance that it has from the entry. */
  isTrailing: 'u8',
  /** As in PlaceOrder: what the gateway converted with. */
  priceScale: 'u8',
  amountScale: 'u8',
  /** 1 to 10000; 0 for the most that the market gives. */
  leverage: 'u16',
  price: 'f64',
  quantity: 'f64',
  expiresAt: 'f64',
  /** Not 0: a stop order, which becomes an order of `type` once this price is reached. */
  activationPrice: 'f64',
  stopLoss: 'f64',
  takeProfit: 'f64',
  /** Not 0: closes this position, `quantity` of it or with 0 all of it. */
  positionId: 'f64',
  clientOrderId: 'text',
  comment: 'text',
} as const;

/** Spot stop orders come as this record too, with leverage, triggers and positionId 0. */
export const PlaceMarginOrder = layout('PlaceMarginOrder', 9, marginPlacement);
export type PlaceMarginOrder = RecordOf<typeof PlaceMarginOrder>;

/** The same order, priced and not placed; for `NO_ACCOUNT` without what depends on an account. */
export const PreviewMarginOrder = layout('PreviewMarginOrder', 10, marginPlacement);
