import {
  OrderSource,
  OrderType,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../messages/enums.ts';
import { MarginOrderAccepted } from '../../messages/margin-events.ts';
import type { Books } from '../books.ts';
import { notionalOf } from '../charges.ts';
import type { Denial } from '../denial.ts';
import type { Market } from '../market.ts';
import { expiryOf, type Placement } from '../placement.ts';
import { inRootCeiling } from '../rates.ts';
import type { Recorder } from '../recorder.ts';
import type { Reservations } from '../reservations.ts';
import type { ClearingState } from '../state.ts';
import { capAt, marginOf } from './account-margin.ts';
import { commissionAt, type MarginFee, marginFeeOf } from './commission.ts';
import {
  checkMarginAccount,
  checkMarginOrder,
  checkOnMargin,
  checkWorth,
  closes,
  closingQuantity,
  hasRate,
  limitOf,
  type MarginRequest,
  marginPrice,
  noRate,
  noReference,
} from './margin-admission.ts';
import { checkMargin } from './margin-limits.ts';
import { requirementOf } from './requirement.ts';

/** What an admitted order on margin is bound to. */
export interface MarginAdmission {
  readonly quantity: number;
  readonly limit: number;
  readonly leverage: number;
  /** Quote units; 0 where it closes a position by its id. */
  readonly margin: bigint;
  readonly fee: MarginFee;
}

const NO_FEE: MarginFee = { rate: 0, perLot: 0n, minimum: 0n };

/** Admits orders on margin: checks them, reserves their margin, sends them to their market's book. */
export class MarginPlacement {
  private readonly state: ClearingState;
  private readonly recorder: Recorder;
  private readonly books: Books;
  private readonly spot: Placement;
  /** Root units promised to amends on their way to a book, by account. */
  private readonly reservations: Reservations;
  private readonly event = MarginOrderAccepted.blank();

  constructor(
    state: ClearingState,
    recorder: Recorder,
    books: Books,
    spot: Placement,
    reservations: Reservations,
  ) {
    this.state = state;
    this.recorder = recorder;
    this.books = books;
    this.spot = spot;
    this.reservations = reservations;
  }

  /** A client's order; stop orders go elsewhere. */
  place(request: MarginRequest, now: number): void {
    const { ticket, account, clientOrderId } = request;
    if (clientOrderId !== '') {
      const earlier = this.state.clientOrderIds.find(account, clientOrderId);
      if (earlier !== 0) return this.spot.repeat(request, earlier);
    }
    const admission = this.admit(request, now);
    if ('refusal' in admission) return this.recorder.refuse(ticket, admission);
    this.accept(request, admission, now);
  }

  /** Whether the order can be placed now, and what it is then bound to. Changes nothing. */
  admit(request: MarginRequest, now: number): MarginAdmission | Denial {
    const market = this.state.market(request.market);
    const denial =
      checkOnMargin(market) ??
      checkMarginOrder(market, request, now) ??
      checkMarginAccount(this.state, market, request) ??
      this.checkCount(request);
    if (denial !== undefined) return denial;
    const fee = marginFeeOf(this.state, market, request.account);
    return closes(request)
      ? this.admitClosing(market, request, fee ?? NO_FEE)
      : this.admitOpening(market, request, fee);
  }

  /** Creates the order that was admitted in the same step, and returns its id. */
  accept(request: MarginRequest, admission: MarginAdmission, now: number): number {
    const { event } = this;
    const market = this.state.market(request.market);
    event.time = now;
    event.orderId = this.state.nextOrderId;
    event.account = request.account;
    event.market = request.market;
    event.slot = market.orders.nextSlot();
    event.side = request.side;
    event.type = request.type;
    event.timeInForce = request.timeInForce;
    event.source = request.source;
    event.reason = request.reason;
    event.postOnly = request.postOnly;
    event.selfTradePrevention = request.selfTradePrevention;
    event.isTrailing = request.isTrailing;
    event.leverage = admission.leverage;
    event.price = request.price;
    event.limit = admission.limit;
    event.quantity = admission.quantity;
    event.expiresAt = expiryOf(market, request, now);
    event.stopLoss = request.stopLoss;
    event.takeProfit = request.takeProfit;
    event.positionId = request.positionId;
    event.stopOrderId = request.stopOrderId;
    event.margin = admission.margin;
    event.feeRate = admission.fee.rate;
    event.feePerLot = admission.fee.perLot;
    event.feeMinimum = admission.fee.minimum;
    event.clientOrderId = request.clientOrderId;
    event.comment = request.comment;
    this.recorder.marginOrderAccepted(event);
    this.books.submit(market, event.slot, request.ticket);
    return event.orderId;
  }

  /** Closes what is left of a position at the market, for the venue; the order's id, 0 where refused. */
  close(position: number, reason: number, now: number): number {
    const { positions } = this.state;
    const market = this.state.market(positions.markets[position] as number);
    const { priceScale, amountScale } = market.configuration;
    const request: MarginRequest = {
      ticket: 0,
      account: positions.accounts[position] as number,
      market: market.index,
      side: positions.sides[position] === Side.Buy ? Side.Sell : Side.Buy,
      type: OrderType.Market,
      timeInForce: TimeInForce.Ioc,
      source: OrderSource.System,
      reason,
      postOnly: 0,
      selfTradePrevention: SelfTradePrevention.EXPIRE_MAKER,
      isTrailing: 0,
      priceScale,
      amountScale,
      leverage: 0,
      price: 0,
      quantity: 0,
      expiresAt: 0,
      activationPrice: 0,
      stopLoss: 0,
      takeProfit: 0,
      positionId: positions.ids[position] as number,
      stopOrderId: 0,
      clientOrderId: '',
      comment: '',
    };
    const admission = this.admit(request, now);
    return 'refusal' in admission ? 0 : this.accept(request, admission, now);
  }

  private admitClosing(
    market: Market,
    request: MarginRequest,
    fee: MarginFee,
  ): MarginAdmission | Denial {
    const leverage = capAt(this.state, market, 0n);
    const quantity = closingQuantity(this.state, request);
    return { quantity, limit: limitOf(market, request), leverage, margin: 0n, fee };
  }

  private admitOpening(
    market: Market,
    request: MarginRequest,
    fee: MarginFee | undefined,
  ): MarginAdmission | Denial {
    const { account, side, quantity } = request;
    const price = marginPrice(market, request);
    if (price === 0) return noReference(market);
    const order = { account, side, price, quantity, leverage: request.leverage };
    const required = requirementOf(this.state, market, order);
    if ('refusal' in required) return required;
    const { leverage, margin } = required;
    const limit = limitOf(market, request);
    // What can only reduce is never refused for margin, nor for want of a rate.
    if (required.reduces) return { quantity, limit, leverage, margin, fee: fee ?? NO_FEE };
    if (fee === undefined || !hasRate(this.state, market)) return noRate(market);
    const notional = notionalOf(price, quantity);
    const worth = inRootCeiling(this.state.rates.ofQuote(market), marginOf(market, notional, 1));
    const commission = commissionAt(this.state, market, notional, quantity, fee);
    return (
      checkWorth(worth, market, quantity) ??
      checkMargin(this.state, this.reservations, account, required.growth, commission) ?? {
        quantity,
        limit,
        leverage,
        margin,
        fee,
      }
    );
  }

  private checkCount(request: MarginRequest): Denial | undefined {
    // An order that a stop order becomes takes its place.
    if (request.source === OrderSource.System || request.stopOrderId !== 0) return undefined;
    return this.spot.checkOpenOrders(request.account);
  }
}
