/**
 * The enumerations of the domain. In records each value travels as its index in the list, so a list
 * may only grow at its end; at the edge (HTTP, views) the name itself is used.
 */

export const SIDES = ['Buy', 'Sell'] as const;
export const ORDER_TYPES = ['Market', 'Limit'] as const;
export const TIMES_IN_FORCE = ['Gtc', 'Ioc', 'Fok', 'Gtd', 'Day', 'Retry'] as const;
export const ORDER_STATUSES = [
  'Started',
  'Pending',
  'Working',
  'Completed',
  'Cancelled',
  'Expired',
  'Rejected',
] as const;
export const ORDER_SOURCES = ['Manual', 'StopOrder', 'FixApi', 'System'] as const;
export const REASONS = [
  'Trader',
  'StopOut',
  'MarketHalted',
  'MarketDisabled',
  'TakeProfit',
  'StopLoss',
  'Admin',
] as const;
/** What happens when a taker would meet an order of its own account. */
export const SELF_TRADE_PREVENTIONS = [
  'NONE',
  'EXPIRE_TAKER',
  'EXPIRE_MAKER',
  'EXPIRE_BOTH',
] as const;
export const STOP_ORDER_STATUSES = [
  'WaitingForActivation',
  'Activated',
  'Rejected',
  'Cancelled',
  'Expired',
] as const;
export const SWAP_TYPES = ['FixPerLot', 'Percent', 'Points'] as const;
export const CHARGE_TYPES = ['Percent', 'FixPerLot'] as const;
export const MARKET_TYPES = ['Spot', 'Cfd', 'Perp'] as const;
export const MARKET_STATUSES = ['Open', 'Paused', 'Halted', 'Disabled'] as const;
/** Which orders a market takes. */
export const MARKET_SIDES = ['BuySell', 'Buy', 'Sell'] as const;
export const ASSET_TYPES = ['Crypto', 'Fiat', 'Metal'] as const;
export const ASSET_SOURCES = ['Internal', 'LiquidityProvider'] as const;
export const ACCOUNT_TYPES = ['Hedging', 'Netting'] as const;
export const ACCOUNT_STATUSES = ['Active', 'Halted', 'Frozen'] as const;
export const TRANSFER_TYPES = ['Deposit', 'Withdrawal'] as const;
export const TRANSFER_STATUSES = [
  'AwaitingConfirmation',
  'Pending',
  'Completed',
  'Failed',
  'Canceled',
] as const;

export type SideName = (typeof SIDES)[number];
export type OrderTypeName = (typeof ORDER_TYPES)[number];
export type TimeInForceName = (typeof TIMES_IN_FORCE)[number];
export type OrderStatusName = (typeof ORDER_STATUSES)[number];
export type OrderSourceName = (typeof ORDER_SOURCES)[number];
export type ReasonName = (typeof REASONS)[number];
export type SelfTradePreventionName = (typeof SELF_TRADE_PREVENTIONS)[number];
export type StopOrderStatusName = (typeof STOP_ORDER_STATUSES)[number];
export type SwapTypeName = (typeof SWAP_TYPES)[number];
export type ChargeTypeName = (typeof CHARGE_TYPES)[number];
export type MarketTypeName = (typeof MARKET_TYPES)[number];
export type MarketStatusName = (typeof MARKET_STATUSES)[number];
export type MarketSideName = (typeof MARKET_SIDES)[number];
export type AssetTypeName = (typeof ASSET_TYPES)[number];
export type AssetSourceName = (typeof ASSET_SOURCES)[number];
export type AccountTypeName = (typeof ACCOUNT_TYPES)[number];
export type AccountStatusName = (typeof ACCOUNT_STATUSES)[number];
export type TransferTypeName = (typeof TRANSFER_TYPES)[number];
export type TransferStatusName = (typeof TRANSFER_STATUSES)[number];

/** The name at `index` of one of the lists above. Throws where there is none: no record has such. */
export function nameAt<T extends string>(names: readonly T[], index: number): T {
  const name = names[index];
  if (name === undefined) throw new RangeError(`${index} is no index into ${names}`);
  return name;
}

type Indexes<L extends readonly string[]> = { readonly [K in L[number]]: number };

function indexes<const L extends readonly string[]>(list: L): Indexes<L> {
  return Object.fromEntries(list.map((name, index) => [name, index])) as Indexes<L>;
}

export const Side = indexes(SIDES);
export const OrderType = indexes(ORDER_TYPES);
export const TimeInForce = indexes(TIMES_IN_FORCE);
export const OrderStatus = indexes(ORDER_STATUSES);
export const OrderSource = indexes(ORDER_SOURCES);
export const Reason = indexes(REASONS);
export const SelfTradePrevention = indexes(SELF_TRADE_PREVENTIONS);
