import { Side } from '../../messages/enums.ts';
import { Refusals } from '../../messages/refusals.ts';
import { greater, notionalOf } from '../charges.ts';
import { type Denial, deny } from '../denial.ts';
import type { Market } from '../market.ts';
import { inRootCeiling } from '../rates.ts';
import type { ClearingState } from '../state.ts';
import {
  capAt,
  marginOf,
  netQuantity,
  ordersMargin,
  pendingMargin,
  positionsMargin,
} from './account-margin.ts';
import { NO_ROW } from './exposures.ts';
import { highestLeverage } from './leverage.ts';
import { NO_POSITION } from './positions.ts';

/** An order as its margin is computed: not one that closes a position by its id. */
export interface MarginedOrder {
  readonly account: number;
  readonly side: number;
  /** At which its margin is computed, ticks; 0 where there is none. */
  readonly price: number;
  readonly quantity: number;
  /** As chosen; 0 for the most. */
  readonly leverage: number;
}

/** An open order of the same account and side that the order takes the place of. */
export interface ReplacedOrder {
  readonly quantity: number;
  readonly margin: bigint;
}

export interface Requirement {
  /** What the order gets. */
  readonly leverage: number;
  /** What the whole order needs if all of it opens, quote units. */
  readonly margin: bigint;
  /** Root units by which what its exposure uses grows. */
  readonly growth: bigint;
  /** Whether it can do nothing but reduce a position, whatever is filled first. */
  readonly reduces: boolean;
}

const NOTHING: ReplacedOrder = { quantity: 0, margin: 0n };

/**
 * What an order needs: ceil(notional / leverage) at its price. Where it moves the exposure into a tier
 * of less leverage, it also needs what the tier asks of everything before it, so that nobody's margin
 * grows by a fill.
 */
export function requirementOf(
  state: ClearingState,
  market: Market,
  order: MarginedOrder,
  replaced = NOTHING,
): Requirement | Denial {
  const row = state.exposures.find(order.account, market.index);
  const reduces = onlyReduces(state, row, order, replaced);
  const net = netAfter(state, row, order, replaced);
  const cap = capAt(state, market, reduces ? netNotional(state, row) : net);
  const denial = checkLeverage(market, order.leverage, reduces, cap);
  if (denial !== undefined) return denial;
  const leverage = order.leverage || cap;
  const notional = notionalOf(order.price, order.quantity);
  const own = marginOf(market, notional, leverage);
  const rest = reduces ? 0n : tierMargin(state, market, row, order, replaced, net, cap);
  const margin = greater(own, rest);
  const rate = state.rates.ofQuote(market);
  const before = row === NO_ROW ? 0n : inRootCeiling(rate, ordersMargin(state, row));
  const after = inRootCeiling(rate, ordersAfter(state, row, order, replaced, margin));
  return { leverage, margin, growth: after - before, reduces };
}

/** What a side's open orders come to, but for the one that is replaced. */
function pendingOf(state: ClearingState, row: number, side: number, replaced: ReplacedOrder) {
  if (row === NO_ROW) return NOTHING;
  const { exposures } = state;
  const buys = side === Side.Buy;
  const quantity = (buys ? exposures.pendingBuys : exposures.pendingSells)[row] as number;
  const margin = (buys ? exposures.pendingBuyMargins : exposures.pendingSellMargins)[row] as bigint;
  return { quantity: quantity - replaced.quantity, margin: margin - replaced.margin };
}

/** Steps of the opposite position of a netting account that nothing has claimed by its id. */
function reducible(state: ClearingState, row: number, side: number): number {
  const net = netQuantity(state, row);
  const opposite = side === Side.Buy ? -net : net;
  if (opposite <= 0) return 0;
  const position = state.exposures.firstPositions[row] as number;
  if (position === NO_POSITION) return 0;
  return opposite - (state.positions.closings[position] as number);
}

function onlyReduces(
  state: ClearingState,
  row: number,
  { side, quantity }: MarginedOrder,
  replaced: ReplacedOrder,
): boolean {
  if (row === NO_ROW) return false;
  const pending = pendingOf(state, row, side, replaced);
  return pending.quantity + quantity <= reducible(state, row, side);
}

function netNotional(state: ClearingState, row: number): bigint {
  if (row === NO_ROW) return 0n;
  const { longNotionals, shortNotionals } = state.exposures;
  return (longNotionals[row] as bigint) - (shortNotionals[row] as bigint);
}

/** Net opening notional once the order and all others of its side are filled, at its price. */
function netAfter(
  state: ClearingState,
  row: number,
  { side, price, quantity }: MarginedOrder,
  replaced: ReplacedOrder,
): bigint {
  const pending = pendingOf(state, row, side, replaced);
  const added = notionalOf(price, pending.quantity + quantity);
  const net = netNotional(state, row);
  return side === Side.Buy ? net + added : net - added;
}

/** What a tier asks of everything after the order beyond what is reserved before it, quote units. */
function tierMargin(
  state: ClearingState,
  market: Market,
  row: number,
  order: MarginedOrder,
  replaced: ReplacedOrder,
  net: bigint,
  cap: number,
): bigint {
  const profile = market.configuration.margin?.leverage;
  if (profile?.leverageType !== 'Dynamic' || row === NO_ROW) return 0n;
  const before = netNotional(state, row);
  const against = order.side === Side.Buy ? before < 0n : before > 0n;
  const netting = state.accounts.isNetting(order.account);
  if (netting && against) return 0n;
  const { longNotionals, shortNotionals } = state.exposures;
  const pending = pendingOf(state, row, order.side, replaced);
  const added = notionalOf(order.price, pending.quantity + order.quantity);
  const open = (longNotionals[row] as bigint) + (shortNotionals[row] as bigint) + added;
  const magnitude = net < 0n ? -net : net;
  const needed = marginOf(market, netting ? magnitude : open, cap);
  const reserved = positionsMargin(state, market, row) + pending.margin;
  return needed - reserved;
}

function ordersAfter(
  state: ClearingState,
  row: number,
  order: MarginedOrder,
  replaced: ReplacedOrder,
  margin: bigint,
): bigint {
  if (row === NO_ROW) return margin;
  const { side } = order;
  const net = netQuantity(state, row);
  const pending = pendingOf(state, row, side, replaced);
  const quantity = pending.quantity + order.quantity;
  const opposite = side === Side.Buy ? -net : net;
  const own = pendingMargin(pending.margin + margin, quantity, opposite);
  const otherSide = side === Side.Buy ? Side.Sell : Side.Buy;
  const others = pendingOf(state, row, otherSide, NOTHING);
  return own + pendingMargin(others.margin, others.quantity, -opposite);
}

function checkLeverage(
  market: Market,
  chosen: number,
  reduces: boolean,
  cap: number,
): Denial | undefined {
  const profile = market.configuration.margin?.leverage;
  if (chosen === 0 || profile === undefined) return undefined;
  const most = reduces ? highestLeverage(profile) : cap;
  if (chosen > most) return deny(Refusals.LeverageTooHigh, 'leverage', `${chosen}`, `${most}`);
  if (profile.useOnlyMaxLeverage && !reduces && chosen !== cap) {
    return deny(Refusals.LeverageFixed, 'leverage', `${chosen}`, `${cap}`);
  }
  return undefined;
}
