import { formatUnits } from '../../fixed-point/index.ts';
import { MarginOrderPriced } from '../../messages/answers.ts';
import { NO_ACCOUNT } from '../../messages/commands.ts';
import {
  OrderSource,
  OrderType,
  Reason,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../messages/enums.ts';
import type { PlaceMarginOrder } from '../../messages/margin-commands.ts';
import { MarginOrderAccepted } from '../../messages/margin-events.ts';
import type { BatchWriter } from '../../messages/record.ts';
import { Refusals } from '../../messages/refusals.ts';
import type { Books } from '../books.ts';
import { greater, notionalOf } from '../charges.ts';
import { type Denial, deny } from '../denial.ts';
import type { Market } from '../market.ts';
import { expiryOf, type Placement } from '../placement.ts';
import { inRootCeiling } from '../rates.ts';
import type { Recorder } from '../recorder.ts';
import type { Reservations } from '../reservations.ts';
import type { ClearingState } from '../state.ts';
import { capAt, levelOf, marginFiguresOf, marginOf } from './account-margin.ts';
import { commissionOf, type MarginFee, marginFeeOf } from './commission.ts';
import {
  checkMarginAccount,
  checkMarginOrder,
  checkWorth,
  closes,
  closingQuantity,
  limitOf,
  type MarginRequest,
  marginPrice,
  referenceOf,
} from './margin-admission.ts';
import { committable } from './margin-limits.ts';
import { type Requirement, requirementOf } from './requirement.ts';

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
  private readonly answers: BatchWriter;
  private readonly event = MarginOrderAccepted.blank();

  constructor(
    state: ClearingState,
    recorder: Recorder,
    books: Books,
    spot: Placement,
    reservations: Reservations,
    answers: BatchWriter,
  ) {
    this.state = state;
    this.recorder = recorder;
    this.books = books;
    this.spot = spot;
    this.reservations = reservations;
    this.answers = answers;
  }

  /** A client's order; stop orders go elsewhere. */
  place(command: PlaceMarginOrder, now: number): void {
    const { ticket, account, clientOrderId } = command;
    if (clientOrderId !== '') {
      const earlier = this.state.clientOrderIds.find(account, clientOrderId);
      if (earlier !== 0) return this.spot.repeat(command, earlier);
    }
    const request = { ...command, reason: Reason.Trader, stopOrderId: 0 };
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

  /** What the order would take now; for `NO_ACCOUNT` only what does not depend on an account. */
  preview(command: PlaceMarginOrder, now: number): void {
    const { ticket, account } = command;
    const request = { ...command, reason: Reason.Trader, stopOrderId: 0 };
    const market = this.state.market(command.market);
    const denial =
      checkOnMargin(market) ??
      checkMarginOrder(market, request, now) ??
      (account === NO_ACCOUNT ? undefined : checkMarginAccount(this.state, market, request));
    if (denial !== undefined) return this.recorder.refuse(ticket, denial);
    const price = referenceOf(market, command);
    const fee = marginFeeOf(this.state, market, account);
    if (price === 0) return this.recorder.refuse(ticket, noReference(market));
    if (fee === undefined || !this.hasRate(market)) {
      return this.recorder.refuse(ticket, noRate(market));
    }
    const quantity = closes(request) ? closingQuantity(this.state, request) : request.quantity;
    const required = closes(request)
      ? this.nothingFor(market)
      : requirementOf(this.state, market, { ...request, price });
    if ('refusal' in required) return this.recorder.refuse(ticket, required);
    this.answerPreview(market, { ...request, price, quantity }, fee, required);
  }

  private answerPreview(
    market: Market,
    { ticket, account, price, quantity }: MarginRequest,
    fee: MarginFee,
    required: Requirement,
  ): void {
    const rate = this.state.rates.ofQuote(market);
    const notional = notionalOf(price, quantity);
    const quoteAmount = marginOf(market, notional, 1);
    const commissionInRoot = this.commissionAt(market, notional, quantity, fee);
    const inRoot = inRootCeiling(rate, quoteAmount);
    const denial = checkWorth(
      greater(greater(quoteAmount, inRoot), commissionInRoot),
      market,
      quantity,
    );
    if (denial !== undefined) return this.recorder.refuse(ticket, denial);
    MarginOrderPriced.write(this.answers, {
      ticket,
      price,
      bid: market.bestBid,
      ask: market.bestAsk,
      leverage: required.leverage,
      quoteAmount,
      marginInRoot: inRootCeiling(rate, required.margin),
      commissionInRoot,
      level: account === NO_ACCOUNT ? -1n : this.levelAfter(account, required.growth),
      rate: rate.rate,
    });
  }

  private levelAfter(account: number, growth: bigint): bigint {
    const { equity, usedMargin } = marginFiguresOf(this.state, account);
    return levelOf(equity, usedMargin + growth) ?? -1n;
  }

  private admitClosing(
    market: Market,
    request: MarginRequest,
    fee: MarginFee,
  ): MarginAdmission | Denial {
    const { leverage } = this.nothingFor(market);
    const quantity = closingQuantity(this.state, request);
    return { quantity, limit: limitOf(market, request), leverage, margin: 0n, fee };
  }

  private admitOpening(
    market: Market,
    request: MarginRequest,
    fee: MarginFee | undefined,
  ): MarginAdmission | Denial {
    const { quantity } = request;
    const price = marginPrice(market, request);
    if (price === 0) return noReference(market);
    const required = requirementOf(this.state, market, { ...request, price });
    if ('refusal' in required) return required;
    const { leverage, margin } = required;
    const admission = { quantity, limit: limitOf(market, request), leverage, margin };
    // What can only reduce is never refused for margin, nor for want of a rate.
    if (required.reduces) return { ...admission, fee: fee ?? NO_FEE };
    if (fee === undefined || !this.hasRate(market)) return noRate(market);
    const notional = notionalOf(price, quantity);
    const worth = inRootCeiling(this.state.rates.ofQuote(market), marginOf(market, notional, 1));
    const commission = this.commissionAt(market, notional, quantity, fee);
    return (
      checkWorth(worth, market, quantity) ??
      this.checkMargin(request.account, required.growth, commission) ?? { ...admission, fee }
    );
  }

  /**
   * Whether an account can take on `growth` root units of used margin and a commission: it must be
   * free, and the margin level neither is nor becomes lower than the margin call.
   */
  checkMargin(account: number, growth: bigint, commission: bigint): Denial | undefined {
    const { state } = this;
    const figures = marginFiguresOf(state, account);
    const free = committable(state, this.reservations, account, figures);
    const needed = growth + commission;
    const root = state.assets[state.rootAsset];
    if (needed > free) {
      const scale = root?.configuration.scale ?? 0;
      return deny(
        Refusals.InsufficientMargin,
        root?.configuration.assetId,
        formatUnits(needed, scale),
        formatUnits(free, scale),
      );
    }
    const level = levelOf(figures.equity - commission, figures.usedMargin + growth);
    const call = BigInt(state.marginSettings.marginCall);
    const now = figures.level ?? call;
    const lowest = level !== undefined && level < now ? level : now;
    if (lowest >= call) return undefined;
    return deny(
      Refusals.MarginCall,
      'marginLevel',
      formatUnits(lowest, LEVEL_SCALE),
      formatUnits(call, LEVEL_SCALE),
    );
  }

  private checkCount(request: MarginRequest): Denial | undefined {
    // An order that a stop order becomes takes its place.
    if (request.source === OrderSource.System || request.stopOrderId !== 0) return undefined;
    return this.spot.checkOpenOrders(request.account);
  }

  private commissionAt(market: Market, notional: bigint, quantity: number, fee: MarginFee): bigint {
    const rate = this.state.rates.ofQuote(market);
    const due = commissionOf(market, rate, notional, quantity, fee.rate, fee.perLot);
    return greater(due, fee.minimum);
  }

  private hasRate(market: Market): boolean {
    return this.state.rates.fixed(market.quote.index) !== undefined;
  }

  private nothingFor(market: Market): Requirement {
    const leverage = capAt(this.state, market, 0n);
    return { leverage, margin: 0n, growth: 0n, reduces: true };
  }
}

/** Levels of margin count in 10^-4. */
const LEVEL_SCALE = 4;

function checkOnMargin(market: Market): Denial | undefined {
  if (market.margin !== undefined) return undefined;
  return deny(Refusals.MarginOrderMarket, 'marketId', market.configuration.marketId);
}

function noReference(market: Market): Denial {
  return deny(Refusals.NoReferencePrice, 'marketId', market.configuration.marketId);
}

function noRate(market: Market): Denial {
  return deny(Refusals.NoRootRate, 'assetId', market.quote.configuration.assetId);
}
