import { formatUnits, MAX_UNITS } from '../fixed-point/index.ts';
import { OrderPriced } from '../messages/answers.ts';
import { NO_ACCOUNT, type PlaceOrder } from '../messages/commands.ts';
import { OrderSource, OrderType, Side, TimeInForce } from '../messages/enums.ts';
import { OrderAccepted } from '../messages/events.ts';
import type { BatchWriter } from '../messages/record.ts';
import { Refusals } from '../messages/refusals.ts';
import {
  checkAccount,
  checkForm,
  checkMarket,
  checkPrice,
  checkQuantity,
  checkScales,
  type OrderTerms,
  termsOf,
  wouldTake,
} from './admission.ts';
import type { Books } from './books.ts';
import { creditOf, debitOf, feeOf, notionalOf } from './charges.ts';
import { type Denial, deny } from './denial.ts';
import { checkLeaving } from './margin/margin-limits.ts';
import type { Asset, Market } from './market.ts';
import type { Recorder } from './recorder.ts';
import type { Reservations } from './reservations.ts';
import type { ClearingState } from './state.ts';
import type { Undecided } from './undecided.ts';

/** What is looked at of an order that the client sent before. */
type RepeatedOrder = Readonly<Pick<PlaceOrder, 'ticket' | 'market' | 'price'>>;

/** Admits orders: checks them, holds their funds, sends them to their market's book. */
export class Placement {
  private readonly state: ClearingState;
  private readonly recorder: Recorder;
  private readonly books: Books;
  private readonly reservations: Reservations;
  /** Root units promised to amends on margin, by account. */
  private readonly marginReservations: Reservations;
  private readonly undecided: Undecided;
  private readonly openOrdersMax: number;
  private readonly answers: BatchWriter;
  private readonly event = OrderAccepted.blank();

  constructor(
    state: ClearingState,
    recorder: Recorder,
    books: Books,
    reservations: Reservations,
    marginReservations: Reservations,
    undecided: Undecided,
    answers: BatchWriter,
    openOrdersMax: number,
  ) {
    this.state = state;
    this.recorder = recorder;
    this.books = books;
    this.reservations = reservations;
    this.marginReservations = marginReservations;
    this.undecided = undecided;
    this.answers = answers;
    this.openOrdersMax = openOrdersMax;
  }

  place(command: PlaceOrder, now: number): void {
    const { account, clientOrderId } = command;
    if (clientOrderId !== '') {
      const earlier = this.state.clientOrderIds.find(account, clientOrderId);
      if (earlier !== 0) return this.repeat(command, earlier);
    }
    this.placeNow(command, now);
  }

  /** A client's id that names an open order is refused; any other names this order from now on. */
  placeNamed(command: PlaceOrder, now: number): void {
    const { ticket, account, clientOrderId } = command;
    const earlier =
      clientOrderId === '' ? 0 : this.state.clientOrderIds.find(account, clientOrderId);
    if (earlier !== 0 && this.state.openOrder(earlier) !== undefined) {
      const denial = deny(Refusals.ClientOrderIdInUse, 'clientOrderId', clientOrderId);
      return this.recorder.refuse(ticket, denial);
    }
    this.placeNow(command, now);
  }

  private placeNow(command: PlaceOrder, now: number): void {
    const terms = this.admit(command, now);
    if ('refusal' in terms) return this.recorder.refuse(command.ticket, terms);
    this.accept(command, terms, now);
  }

  /** Whether the order can be placed now, and what it is then bound to. Changes nothing. */
  admit(command: PlaceOrder, now: number): OrderTerms | Denial {
    const market = this.state.market(command.market);
    const denial = this.check(market, command, now);
    if (denial !== undefined) return denial;
    const terms = termsOf(this.state, market, command);
    if ('refusal' in terms) return terms;
    return this.checkFunds(market, command, terms) ?? terms;
  }

  /**
   * What the order would cost now: at its own price, or a Market order at the best one. For
   * `NO_ACCOUNT` only what does not depend on an account is checked.
   */
  preview(command: PlaceOrder, now: number): void {
    const { ticket } = command;
    const market = this.state.market(command.market);
    const denial =
      command.account === NO_ACCOUNT
        ? checkOrder(market, command, now)
        : this.check(market, command, now);
    if (denial !== undefined) return this.recorder.refuse(ticket, denial);
    const terms = termsOf(this.state, market, command);
    if ('refusal' in terms) return this.recorder.refuse(ticket, terms);
    const best = command.side === Side.Buy ? market.bestAsk : market.bestBid;
    const price = command.type === OrderType.Limit ? command.price : best || market.lastPrice;
    if (price === 0) {
      const { marketId } = market.configuration;
      return this.recorder.refuse(ticket, deny(Refusals.NoReferencePrice, 'marketId', marketId));
    }
    const notional = notionalOf(price, command.quantity);
    const amountOf = command.side === Side.Buy ? debitOf : creditOf;
    const quoteAmount = amountOf(notional, market.scale);
    const commission = feeOf(notional, market.scale, terms.fee);
    if (quoteAmount + commission > MAX_UNITS) {
      return this.recorder.refuse(ticket, beyondAnyBalance(market, command.quantity));
    }
    OrderPriced.write(this.answers, { ticket, price, quoteAmount, commission });
  }

  /** The client's id has created an order before: the first answer again. */
  repeat(command: RepeatedOrder, orderId: number): void {
    const { ticket, market, price } = command;
    if (this.undecided.ask(orderId, ticket)) return;
    if (!this.state.clientOrderIds.wasRejected(orderId)) {
      return this.recorder.placed(ticket, orderId, 1);
    }
    this.recorder.refuse(ticket, wouldTake(this.state.market(market), price));
  }

  private check(market: Market, command: PlaceOrder, now: number): Denial | undefined {
    const { account } = command;
    const denial = checkAccount(this.state, account) ?? checkOrder(market, command, now);
    // An order that a stop order becomes takes its place.
    if (denial !== undefined || command.source === OrderSource.StopOrder) return denial;
    return this.checkOpenOrders(account);
  }

  /** Whether the account may have one more order open, stop orders among them. */
  checkOpenOrders(account: number): Denial | undefined {
    const open = this.state.accounts.openOrderCount(account);
    if (open < this.openOrdersMax) return undefined;
    return deny(Refusals.TooManyOpenOrders, 'accountId', `${open}`, `${this.openOrdersMax}`);
  }

  private checkFunds(market: Market, command: PlaceOrder, terms: OrderTerms): Denial | undefined {
    const asset = command.side === Side.Buy ? market.quote : market.base;
    const { ledger } = this.state;
    const entry = ledger.find(command.account, asset.index);
    const available = ledger.available(entry) - this.reservations.on(entry);
    return (
      checkAvailable(asset, terms.hold, available) ??
      checkLeaving(this.state, this.marginReservations, command.account, asset, terms.hold)
    );
  }

  /** Creates the order that was admitted in the same step, and returns its id. */
  accept(command: PlaceOrder, terms: OrderTerms, now: number): number {
    const { event } = this;
    const market = this.state.market(command.market);
    event.time = now;
    event.orderId = this.state.nextOrderId;
    event.account = command.account;
    event.market = command.market;
    event.slot = market.orders.nextSlot();
    event.side = command.side;
    event.type = command.type;
    event.timeInForce = command.timeInForce;
    event.source = command.source;
    event.byKey = command.byKey;
    event.postOnly = command.postOnly;
    event.selfTradePrevention = command.selfTradePrevention;
    event.price = command.price;
    event.limit = terms.limit;
    event.quantity = command.quantity;
    event.expiresAt = expiryOf(market, command, now);
    event.hold = terms.hold;
    event.feeRate = Number(terms.fee.rate);
    event.makerFeeRate = Number(terms.fee.makerRate);
    event.feeMinimum = terms.fee.minimum;
    event.clientOrderId = command.clientOrderId;
    event.comment = command.comment;
    this.recorder.orderAccepted(event);
    this.books.submit(market, event.slot, command.ticket);
    return event.orderId;
  }
}

/** What makes an order one that the market takes now, whoever places it. */
function checkOrder(market: Market, command: PlaceOrder, now: number): Denial | undefined {
  const denial =
    checkSpot(market) ??
    checkMarket(market, command.side, now) ??
    checkScales(market, command.priceScale, command.amountScale) ??
    checkForm(command, now) ??
    checkQuantity(market, command.quantity);
  if (denial !== undefined || command.type !== OrderType.Limit) return denial;
  return checkPrice(market, command.side, command.price);
}

function checkSpot(market: Market): Denial | undefined {
  if (market.margin === undefined) return undefined;
  return deny(Refusals.MarketTypeMismatch, 'marketId', market.configuration.marketId, 'Spot');
}

/** Whether `needed` units can be held of what is `available`. */
export function checkAvailable(
  asset: Asset,
  needed: bigint,
  available: bigint,
): Denial | undefined {
  if (needed <= available) return undefined;
  const { assetId, scale } = asset.configuration;
  return deny(
    Refusals.InsufficientFunds,
    assetId,
    formatUnits(needed, scale),
    formatUnits(available, scale),
  );
}

function beyondAnyBalance(market: Market, quantity: number): Denial {
  const value = formatUnits(quantity, market.configuration.amountScale);
  const most = formatUnits(MAX_UNITS, market.quote.configuration.scale);
  return deny(Refusals.BalanceOverflow, 'requestedAmount', value, most);
}

interface ExpiringOrder {
  readonly timeInForce: number;
  readonly expiresAt: number;
}

/** The gateway has turned Day into the end of the platform's day; Retry ends with the market's TTL. */
export function expiryOf(market: Market, command: ExpiringOrder, now: number): number {
  switch (command.timeInForce) {
    case TimeInForce.Gtd:
    case TimeInForce.Day:
      return command.expiresAt;
    case TimeInForce.Retry:
      return now + market.configuration.internalTtl;
    default:
      return 0;
  }
}
