import { divide } from '../../fixed-point/index.ts';
import { Side } from '../../messages/enums.ts';
import { greater, notionalOf } from '../charges.ts';
import type { Market } from '../market.ts';
import { inRootCeiling, inRootFloor } from '../rates.ts';
import type { ClearingState } from '../state.ts';
import { NO_ROW } from './exposures.ts';
import { leverageCap } from './leverage.ts';

/** A margin level of 1, in 10^-4. */
const LEVEL_UNIT = 10_000n;
/** Margin ratios count in 10^-4. */
const RATIO_UNIT = 10_000n;

/** What an account has and needs, root units. */
export interface MarginFigures {
  readonly marginBalance: bigint;
  readonly unrealized: bigint;
  /** marginBalance + unrealized. */
  readonly equity: bigint;
  readonly usedMargin: bigint;
  /** equity - usedMargin. */
  readonly freeMargin: bigint;
  /** equity / usedMargin in 10^-4, rounded down; undefined where no margin is used. */
  readonly level: bigint | undefined;
}

/**
 * The price in ticks at which positions of a side are valued: of a Cfd what closing them would meet (the
 * bid of a long, the ask of a short), of a Perp the mark price; without one the last trade; 0 for none.
 */
export function valuationPrice(market: Market, side: number): number {
  const isPerp = market.configuration.type === 'Perp';
  const met = side === Side.Buy ? market.bestBid : market.bestAsk;
  const price = isPerp ? (market.margin?.markPrice ?? 0) : met;
  return price > 0 ? price : market.lastPrice;
}

/** Ticks × steps as quote units, rounded towards minus infinity. */
export function quoteFloor(market: Market, notional: bigint): bigint {
  const { numerator, denominator } = market.scale;
  if (denominator === 1n) return notional * numerator;
  return divide(notional * numerator, denominator, 'floor');
}

/** Ticks × steps / leverage as quote units, rounded up: the margin that the notional needs. */
export function marginOf(market: Market, notional: bigint, leverage: number): bigint {
  const { numerator, denominator } = market.scale;
  return divide(notional * numerator, denominator * BigInt(leverage), 'ceiling');
}

/**
 * Root units that an exposure's positions would gain at the valuation price:
 * floor(floor((long quantity × price - long notional + short notional - short quantity × price) ×
 * scale) × rate). 0 where there is no price.
 */
function unrealizedOf(state: ClearingState, row: number): bigint {
  const { exposures } = state;
  const market = state.markets[exposures.markets[row] as number] as Market;
  const long = exposures.longQuantities[row] as number;
  const short = exposures.shortQuantities[row] as number;
  let gain = 0n;
  if (long > 0) {
    const price = valuationPrice(market, Side.Buy);
    if (price > 0) gain += notionalOf(price, long) - (exposures.longNotionals[row] as bigint);
  }
  if (short > 0) {
    const price = valuationPrice(market, Side.Sell);
    if (price > 0) gain += (exposures.shortNotionals[row] as bigint) - notionalOf(price, short);
  }
  if (gain === 0n) return 0n;
  return inRootFloor(state.rates.ofQuote(market), quoteFloor(market, gain));
}

/** The same for one position, at a price in ticks. */
export function unrealizedAt(state: ClearingState, slot: number, price: number): bigint {
  const { positions } = state;
  if (price === 0) return 0n;
  const market = state.market(positions.markets[slot] as number);
  const closed = notionalOf(price, positions.quantities[slot] as number);
  const opened = positions.openNotionals[slot] as bigint;
  const gain = positions.sides[slot] === Side.Buy ? closed - opened : opened - closed;
  return inRootFloor(state.rates.ofQuote(market), quoteFloor(market, gain));
}

/** Root units of margin that an exposure uses: its positions' and its open orders'. */
function usedMarginOf(state: ClearingState, row: number): bigint {
  const market = state.markets[state.exposures.markets[row] as number] as Market;
  const rate = state.rates.ofQuote(market);
  const positions = positionsMargin(state, market, row);
  const orders = ordersMargin(state, row);
  const used = positions === 0n ? 0n : inRootCeiling(rate, positions);
  return orders === 0n ? used : used + inRootCeiling(rate, orders);
}

/**
 * Quote units that an exposure's positions use: the sum of their margins, but at least the sum of
 * their opening notionals over the cap of the tier that their net opening notional is in.
 */
export function positionsMargin(state: ClearingState, market: Market, row: number): bigint {
  const { exposures } = state;
  const margins = exposures.margins[row] as bigint;
  const long = exposures.longNotionals[row] as bigint;
  const short = exposures.shortNotionals[row] as bigint;
  const open = long + short;
  if (open === 0n) return 0n;
  const least = marginOf(market, open, capAt(state, market, long - short));
  return greater(least, margins);
}

/** The most leverage at a net notional (ticks × steps, either sign), by its value in root units. */
export function capAt(state: ClearingState, market: Market, netNotional: bigint): number {
  const profile = market.configuration.margin?.leverage;
  if (profile === undefined) return 1;
  if (profile.leverageType === 'Fixed') return profile.maxLeverage;
  const magnitude = netNotional < 0n ? -netNotional : netNotional;
  const { numerator, denominator } = market.scale;
  const rate = state.rates.ofQuote(market);
  const inRoot = divide(
    magnitude * numerator * rate.numerator,
    denominator * rate.denominator,
    'ceiling',
  );
  return leverageCap(profile, inRoot);
}

/**
 * Quote units that an exposure's open orders reserve. Each side counts what is beyond the opposite
 * position of a netting account: ceil(pending margin × excess / pending quantity). So orders that can
 * only reduce reserve nothing, whatever the order of fills.
 */
export function ordersMargin(state: ClearingState, row: number): bigint {
  const { exposures } = state;
  const buys = exposures.pendingBuys[row] as number;
  const sells = exposures.pendingSells[row] as number;
  if (buys === 0 && sells === 0) return 0n;
  const net = netQuantity(state, row);
  return (
    pendingMargin(exposures.pendingBuyMargins[row] as bigint, buys, -net) +
    pendingMargin(exposures.pendingSellMargins[row] as bigint, sells, net)
  );
}

/** ceil(margin × excess / quantity), excess being what `quantity` is beyond `opposite`. */
export function pendingMargin(margin: bigint, quantity: number, opposite: number): bigint {
  const excess = quantity - Math.max(0, opposite);
  if (excess <= 0) return 0n;
  if (excess === quantity) return margin;
  return divide(margin * BigInt(excess), BigInt(quantity), 'ceiling');
}

/** Steps that orders of a netting account reduce before they open: long positive; hedging accounts 0. */
export function netQuantity(state: ClearingState, row: number): number {
  const { exposures } = state;
  if (!state.accounts.isNetting(exposures.accounts[row] as number)) return 0;
  return (exposures.longQuantities[row] as number) - (exposures.shortQuantities[row] as number);
}

/**
 * Root units of an account's balances as collateral: of the root asset and each selected one
 * floor(total × rate × marginRatio), totals including what is held.
 */
export function marginBalanceOf(state: ClearingState, account: number): bigint {
  const { ledger } = state;
  let balance = ledger.total(ledger.find(account, state.rootAsset));
  for (const asset of state.collateral.of(account)) {
    balance += collateralValue(state, asset, ledger.total(ledger.find(account, asset)));
  }
  return balance;
}

/** Root units that `units` of an asset count as collateral where it is selected. */
export function collateralValue(state: ClearingState, asset: number, units: bigint): bigint {
  if (asset === state.rootAsset) return units;
  const rate = state.rates.fixed(asset);
  const ratio = state.assets[asset]?.configuration.marginRatio ?? 0;
  if (rate === undefined || ratio === 0) return 0n;
  return divide(units * rate.numerator * BigInt(ratio), rate.denominator * RATIO_UNIT, 'floor');
}

/** Everything about an account's margin at this moment. */
export function marginFiguresOf(state: ClearingState, account: number): MarginFigures {
  const { exposures } = state;
  const marginBalance = marginBalanceOf(state, account);
  let unrealized = 0n;
  let usedMargin = 0n;
  for (let row = exposures.firstOf(account); row !== NO_ROW; row = exposures.nextOf(row)) {
    unrealized += unrealizedOf(state, row);
    usedMargin += usedMarginOf(state, row);
  }
  const equity = marginBalance + unrealized;
  const freeMargin = equity - usedMargin;
  const level = levelOf(equity, usedMargin);
  return { marginBalance, unrealized, equity, usedMargin, freeMargin, level };
}

/** equity / used in 10^-4, rounded towards minus infinity; undefined where no margin is used. */
export function levelOf(equity: bigint, usedMargin: bigint): bigint | undefined {
  if (usedMargin === 0n) return undefined;
  return divide(equity * LEVEL_UNIT, usedMargin, 'floor');
}
