import { formatUnits, MAX_UNITS } from '../../fixed-point/index.ts';
import { OrderSource, OrderType, Side, TIMES_IN_FORCE, TimeInForce } from '../../messages/enums.ts';
import type { PlaceMarginOrder } from '../../messages/margin-commands.ts';
import { Refusals } from '../../messages/refusals.ts';
import {
  checkAccount,
  checkForm,
  checkMarket,
  checkPrice,
  checkQuantity,
  checkScales,
} from '../admission.ts';
import { type Denial, deny } from '../denial.ts';
import type { Market } from '../market.ts';
import type { ClearingState } from '../state.ts';
import { NO_ROW } from './exposures.ts';
import { NO_POSITION } from './positions.ts';

/** Slippage rates count in 10^-4. */
const RATE_UNIT = 10_000n;

/** An order on margin as it is asked for: by a client, by a stop order, by the venue itself. */
export interface MarginRequest extends Readonly<Omit<PlaceMarginOrder, 'time' | 'byKey'>> {
  readonly reason: number;
  /** The stop order that it comes from; 0 for none. */
  readonly stopOrderId: number;
}

/** Whether the order has the form of one that this market takes now, whoever places it. */
export function checkMarginOrder(
  market: Market,
  request: MarginRequest,
  now: number,
): Denial | undefined {
  const denial =
    checkMarket(market, closes(request) ? undefined : request.side, now) ??
    checkScales(market, request.priceScale, request.amountScale) ??
    checkForm(request, now);
  if (denial !== undefined) return denial;
  if (request.type === OrderType.Limit) {
    const outside = checkPrice(market, request.side, request.price);
    if (outside !== undefined) return outside;
  }
  return closes(request)
    ? checkNoTriggers(request)
    : (checkQuantity(market, request.quantity) ??
        checkLotStep(market, request.quantity) ??
        checkTriggers(market, request.side, referenceOf(market, request), request));
}

/** Whether the account may place it: what it closes is its own, what it opens has a rate and a limit. */
export function checkMarginAccount(
  state: ClearingState,
  market: Market,
  request: MarginRequest,
): Denial | undefined {
  const isSystem = request.source === OrderSource.System;
  const denial = isSystem ? undefined : checkAccount(state, request.account);
  if (denial !== undefined) return denial;
  return closes(request)
    ? checkClosing(state, market, request)
    : checkRoom(state, market, request.account, request.side, request.quantity);
}

export function closes({ positionId }: MarginRequest): boolean {
  return positionId !== 0;
}

/** Steps that a closing order is for: all that is left of the position where it names none. */
export function closingQuantity(state: ClearingState, request: MarginRequest): number {
  if (request.quantity !== 0) return request.quantity;
  const { positions } = state;
  const slot = positions.find(request.positionId);
  return (positions.quantities[slot] as number) - (positions.closings[slot] as number);
}

/** Positions grow in lot steps. */
export function checkLotStep(market: Market, quantity: number): Denial | undefined {
  const { margin, amountScale } = market.configuration;
  const lotStep = margin?.lotStep ?? 1;
  if (quantity % lotStep === 0) return undefined;
  const value = formatUnits(quantity, amountScale);
  return deny(Refusals.LotOffStep, 'requestedLotAmount', value, formatUnits(lotStep, amountScale));
}

/** The triggers of an order or position, ticks; 0 for none. */
export interface Triggers {
  readonly stopLoss: number;
  readonly takeProfit: number;
  /** 1 or true: the stop-loss trails. */
  readonly isTrailing: number | boolean;
}

/**
 * Triggers must stand on either side of the price that the position is opened at (or is worth):
 * stop-loss < price < take-profit for a long, the other way round for a short.
 */
export function checkTriggers(
  market: Market,
  side: number,
  reference: number,
  { stopLoss, takeProfit, isTrailing }: Triggers,
): Denial | undefined {
  if (isTrailing && stopLoss === 0) return deny(Refusals.TrailingNeedsStop, 'stopLoss');
  if (stopLoss === 0 && takeProfit === 0) return undefined;
  if (reference === 0) {
    return deny(Refusals.NoReferencePrice, 'marketId', market.configuration.marketId);
  }
  const sign = side === Side.Buy ? 1 : -1;
  const { priceScale } = market.configuration;
  const limit = formatUnits(reference, priceScale);
  if (stopLoss !== 0 && sign * (reference - stopLoss) <= 0) {
    return deny(Refusals.TriggerWrongSide, 'stopLoss', formatUnits(stopLoss, priceScale), limit);
  }
  if (takeProfit !== 0 && sign * (takeProfit - reference) <= 0) {
    const value = formatUnits(takeProfit, priceScale);
    return deny(Refusals.TriggerWrongSide, 'takeProfit', value, limit);
  }
  return undefined;
}

/** What an order would be opened at now: a Limit's own price, else the best one or the last trade. */
export function referenceOf(market: Market, order: OrderPrice): number {
  if (order.type === OrderType.Limit) return order.price;
  const met = order.side === Side.Buy ? market.bestAsk : market.bestBid;
  return met > 0 ? met : market.lastPrice;
}

interface OrderPrice {
  readonly type: number;
  readonly side: number;
  readonly price: number;
}

/** The worst price of an order in ticks; 0 for a Market sell, and where there is nothing to go by. */
export function limitOf(market: Market, order: OrderPrice): number {
  if (order.type === OrderType.Limit) return order.price;
  if (order.side === Side.Sell) return 0;
  const bound = slipped(market, referenceOf(market, order)) / RATE_UNIT;
  return Math.min(Number(bound), market.derived.maxPrice);
}

/**
 * The price in ticks that an order's margin is computed at: of a Limit buy its own, of a Limit sell that
 * or the best bid where it is higher; of a Market order the best price × slippageRate.
 */
export function marginPrice(market: Market, order: OrderPrice): number {
  if (order.side === Side.Buy) return limitOf(market, order);
  if (order.type === OrderType.Limit) return Math.max(order.price, market.bestBid);
  const worst = (slipped(market, referenceOf(market, order)) + RATE_UNIT - 1n) / RATE_UNIT;
  return Math.min(Number(worst), market.derived.maxPrice);
}

function slipped(market: Market, price: number): bigint {
  return BigInt(price) * BigInt(market.configuration.slippageRate);
}

function checkNoTriggers({ stopLoss, takeProfit }: MarginRequest): Denial | undefined {
  if (stopLoss === 0 && takeProfit === 0) return undefined;
  return deny(Refusals.TriggerNotTaken, stopLoss !== 0 ? 'stopLoss' : 'takeProfit');
}

function checkClosing(
  state: ClearingState,
  market: Market,
  request: MarginRequest,
): Denial | undefined {
  const { positions } = state;
  const { positionId, account, side, timeInForce } = request;
  const slot = positions.find(positionId);
  const isOwn = slot !== NO_POSITION && positions.accounts[slot] === account;
  if (!isOwn || positions.markets[slot] !== market.index) {
    return deny(Refusals.PositionUnknown, 'positionId', String(positionId));
  }
  if (positions.sides[slot] === side) {
    return deny(Refusals.ClosingSide, 'side', ...(side === Side.Buy ? BUY_NOT_SELL : SELL_NOT_BUY));
  }
  // Other orders may reduce a netting account's position: none that closes it may wait for that.
  const immediate = timeInForce === TimeInForce.Ioc || timeInForce === TimeInForce.Fok;
  if (state.accounts.isNetting(account) && !immediate) {
    const name = TIMES_IN_FORCE[timeInForce] as string;
    return deny(Refusals.TimeInForceMismatch, 'timeInForce', name, 'Ioc or Fok');
  }
  const left = (positions.quantities[slot] as number) - (positions.closings[slot] as number);
  const quantity = closingQuantity(state, request);
  if (quantity > 0 && quantity <= left) return checkLotStep(market, quantity);
  const { amountScale } = market.configuration;
  const value = formatUnits(quantity, amountScale);
  return deny(Refusals.CloseTooMuch, 'requestedLotAmount', value, formatUnits(left, amountScale));
}

const BUY_NOT_SELL = ['Buy', 'Sell'] as const;
const SELL_NOT_BUY = ['Sell', 'Buy'] as const;

/** What all orders and positions of an account can come to is bounded, so that every sum is exact. */
export function checkRoom(
  state: ClearingState,
  market: Market,
  account: number,
  side: number,
  quantity: number,
): Denial | undefined {
  const { exposures } = state;
  const row = exposures.find(account, market.index);
  if (row === NO_ROW) return undefined;
  const long = (exposures.longQuantities[row] as number) + (exposures.pendingBuys[row] as number);
  const short =
    (exposures.shortQuantities[row] as number) + (exposures.pendingSells[row] as number);
  const after = (side === Side.Buy ? long : short) + quantity;
  if (after <= market.derived.maxPosition) return undefined;
  const { amountScale } = market.configuration;
  return deny(
    Refusals.PositionTooLarge,
    'requestedLotAmount',
    formatUnits(quantity, amountScale),
    formatUnits(market.derived.maxPosition, amountScale),
  );
}

/** Whether what an order comes to in the root asset is an amount at all. */
export function checkWorth(units: bigint, market: Market, quantity: number): Denial | undefined {
  if (units <= MAX_UNITS) return undefined;
  const value = formatUnits(quantity, market.configuration.amountScale);
  return deny(Refusals.BalanceOverflow, 'requestedLotAmount', value, String(MAX_UNITS));
}

export function checkOnMargin(market: Market): Denial | undefined {
  if (market.margin !== undefined) return undefined;
  return deny(Refusals.MarginOrderMarket, 'marketId', market.configuration.marketId);
}

/** Whether the quote asset has a rate to the root asset now. */
export function hasRate(state: ClearingState, market: Market): boolean {
  return state.rates.fixed(market.quote.index) !== undefined;
}

export function noRate(market: Market): Denial {
  return deny(Refusals.NoRootRate, 'assetId', market.quote.configuration.assetId);
}

export function noReference(market: Market): Denial {
  return deny(Refusals.NoReferencePrice, 'marketId', market.configuration.marketId);
}
