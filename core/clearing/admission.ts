import { formatUnits, MAX_UNITS } from '../fixed-point/index.ts';
import type { PlaceOrder } from '../messages/commands.ts';
import { OrderType, Side, TIMES_IN_FORCE, TimeInForce } from '../messages/enums.ts';
import { Refusals } from '../messages/refusals.ts';
import { buyHoldOf, type FeeTerms, lesser } from './charges.ts';
import { type Denial, deny } from './denial.ts';
import { BOTH_SIDES, type Market } from './market.ts';
import type { ClearingState } from './state.ts';

/** Rates of a market's configuration (priceDeviation, slippageRate) count in 10^-4. */
const RATE_SCALE = 4;
const RATE_UNIT = 10_000;

/** What an admitted order is bound to. */
export interface OrderTerms {
  /** The worst price in ticks that it may trade at; 0 for a market sell. */
  readonly limit: number;
  /** Quote units for a buy, base units for a sell. */
  readonly hold: bigint;
  readonly fee: FeeTerms;
}

/** Whether the venue takes orders of this account on this side of the market now. */
export function checkTrading(
  state: ClearingState,
  market: Market,
  account: number,
  side: number,
  now: number,
): Denial | undefined {
  return checkAccount(state, account) ?? checkMarket(market, side, now);
}

/** Whether the venue takes orders on this side of the market now; undefined: on any side. */
export function checkMarket(
  market: Market,
  side: number | undefined,
  now: number,
): Denial | undefined {
  const { marketId, status } = market.configuration;
  if (status !== 'Open') return deny(Refusals.MarketNotOpen, 'marketId', marketId, status);
  const { onlySide } = market.derived;
  if (side !== undefined && onlySide !== BOTH_SIDES && onlySide !== side) {
    return deny(Refusals.MarketOneSided, 'side', marketId, market.configuration.side);
  }
  if (market.derived.sessions.isOpen(now)) return undefined;
  const opening = market.derived.sessions.nextOpening(now);
  const when = opening === undefined ? 'no known time' : new Date(opening).toISOString();
  return deny(Refusals.MarketClosed, 'marketId', marketId, when);
}

/** Whether the venue takes orders of this account. */
export function checkAccount(state: ClearingState, account: number): Denial | undefined {
  const { accountId, accountStatus } = state.accounts.configuration(account);
  if (accountStatus === 'Active') return undefined;
  const refusal = accountStatus === 'Halted' ? Refusals.AccountHalted : Refusals.AccountFrozen;
  return deny(refusal, 'accountId', accountId);
}

/** The scales that a price and an amount were converted with must still be the market's. */
export function checkScales(
  market: Market,
  priceScale: number,
  amountScale: number,
): Denial | undefined {
  const { configuration } = market;
  if (priceScale === configuration.priceScale && amountScale === configuration.amountScale) {
    return undefined;
  }
  return deny(Refusals.PrecisionChanged, 'marketId', configuration.marketId);
}

type OrderForm = Pick<PlaceOrder, 'type' | 'timeInForce' | 'price' | 'postOnly' | 'expiresAt'>;

/** The rules between type, time in force, price and dates. */
export function checkForm(command: Readonly<OrderForm>, now: number): Denial | undefined {
  const { type, timeInForce } = command;
  const name = TIMES_IN_FORCE[timeInForce] as string;
  if (type === OrderType.Market) {
    if (command.price !== 0) return deny(Refusals.PriceForbidden, 'requestedPrice');
    const goes =
      timeInForce === TimeInForce.Ioc ||
      timeInForce === TimeInForce.Fok ||
      timeInForce === TimeInForce.Retry;
    if (!goes) return deny(Refusals.TimeInForceMismatch, 'timeInForce', name, 'Ioc, Fok or Retry');
    if (command.postOnly !== 0) return deny(Refusals.PostOnlyMismatch, 'postOnly');
    return undefined;
  }
  if (timeInForce === TimeInForce.Retry) {
    return deny(Refusals.TimeInForceMismatch, 'timeInForce', name, 'Gtc, Ioc, Fok, Gtd or Day');
  }
  if (command.price === 0) return deny(Refusals.PriceRequired, 'requestedPrice');
  const immediate = timeInForce === TimeInForce.Ioc || timeInForce === TimeInForce.Fok;
  if (command.postOnly !== 0 && immediate) return deny(Refusals.PostOnlyMismatch, 'postOnly');
  if (timeInForce !== TimeInForce.Gtd) return undefined;
  if (command.expiresAt === 0) {
    return deny(Refusals.CancellationDateRequired, 'cancellationDate');
  }
  if (command.expiresAt > now) return undefined;
  const value = new Date(command.expiresAt).toISOString();
  return deny(Refusals.CancellationDatePast, 'cancellationDate', value);
}

export function checkQuantity(market: Market, quantity: number): Denial | undefined {
  const { amountScale } = market.configuration;
  const { minAmount, maxAmount } = market.derived;
  const tooSmall = quantity < minAmount;
  if (!tooSmall && quantity <= maxAmount) return undefined;
  return deny(
    tooSmall ? Refusals.AmountTooSmall : Refusals.AmountTooLarge,
    'requestedAmount',
    formatUnits(quantity, amountScale),
    formatUnits(tooSmall ? minAmount : maxAmount, amountScale),
  );
}

export function checkPrice(market: Market, side: number, price: number): Denial | undefined {
  const { priceScale, minPrice = 0 } = market.configuration;
  if (price >= minPrice && price <= market.derived.maxPrice) {
    return checkCollar(market, side, price);
  }
  const value = formatUnits(price, priceScale);
  if (price < minPrice) {
    const least = formatUnits(minPrice, priceScale);
    return deny(Refusals.PriceTooSmall, 'requestedPrice', value, least);
  }
  return deny(
    Refusals.PriceTooLarge,
    'requestedPrice',
    value,
    formatUnits(market.derived.maxPrice, priceScale),
  );
}

/**
 * The collar of Limit orders: the price may deviate from the price it would meet (best ask for a buy,
 * best bid for a sell, else the last trade) by at most priceDeviation, either way. Without a reference
 * there is no collar.
 */
function checkCollar(market: Market, side: number, price: number): Denial | undefined {
  const { priceDeviation, priceScale } = market.configuration;
  if (priceDeviation === 0) return undefined;
  const met = side === Side.Buy ? market.bestAsk : market.bestBid;
  const reference = met > 0 ? met : market.lastPrice;
  if (reference === 0) return undefined;
  const deviation = BigInt(Math.abs(price - reference)) * BigInt(RATE_UNIT);
  if (deviation <= BigInt(reference) * BigInt(priceDeviation)) return undefined;
  return deny(
    Refusals.PriceOutsideCollar,
    'requestedPrice',
    formatUnits(price, priceScale),
    formatUnits(priceDeviation, RATE_SCALE),
  );
}

/** Why the book refuses a post-only order at `price`. */
export function wouldTake(market: Market, price: number): Denial {
  const value = formatUnits(price, market.configuration.priceScale);
  return deny(Refusals.PostOnlyWouldTake, 'postOnly', value);
}

/**
 * The worst price of an order in ticks: a Limit's own; for a Market buy the best ask (or the last
 * trade) times slippageRate, rounded down; for a Market sell 0. Undefined where a Market buy has
 * neither an ask nor a last trade to start from.
 */
function worstPrice(market: Market, command: PlaceOrder): number | undefined {
  if (command.type === OrderType.Limit) return command.price;
  if (command.side === Side.Sell) return 0;
  const reference = market.bestAsk > 0 ? market.bestAsk : market.lastPrice;
  if (reference === 0) return undefined;
  const slippage = BigInt(market.configuration.slippageRate);
  const bound = Number((BigInt(reference) * slippage) / BigInt(RATE_UNIT));
  return Math.min(bound, market.derived.maxPrice);
}

/** The commission terms of an order admitted now; the minimum is rounded up to a quote unit. */
function feeTermsOf(state: ClearingState, market: Market, account: number): FeeTerms {
  const terms = state.commissions.termsOf(market, account);
  const rate = BigInt(terms.rate);
  const makerRate = BigInt(terms.makerRate);
  if (terms.minimum === 0n) return { rate, makerRate, minimum: 0n };
  const toRoot = state.rates.exact(market.quote.index);
  if (toRoot === undefined) return { rate, makerRate, minimum: 0n };
  const scaled = terms.minimum * toRoot.denominator + toRoot.numerator - 1n;
  const minimum = scaled / toRoot.numerator;
  return { rate, makerRate, minimum: lesser(minimum, MAX_UNITS) };
}

/** What an order is bound to, if it were admitted now. */
export function termsOf(
  state: ClearingState,
  market: Market,
  command: PlaceOrder,
): OrderTerms | Denial {
  const limit = worstPrice(market, command);
  if (limit === undefined && command.timeInForce === TimeInForce.Retry) {
    return deny(Refusals.NoReferencePrice, 'marketId', market.configuration.marketId);
  }
  const fee = feeTermsOf(state, market, command.account);
  if (command.side === Side.Sell) {
    return { limit: limit ?? 0, hold: market.baseUnits(command.quantity), fee };
  }
  // Without a price to bound it by, a Market buy holds nothing and so trades nothing.
  if (limit === undefined) return { limit: 0, hold: 0n, fee };
  return { limit, hold: buyHoldOf(0n, limit, command.quantity, market.scale, fee), fee };
}
