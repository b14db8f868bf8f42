import { OrderState } from '../messages/answers.ts';
import { OpenBook, RemoveOrder, ReplaceOrder, SubmitOrder } from '../messages/book-commands.ts';
import { Disposition, type Fill, type Outcome } from '../messages/book-results.ts';
import { OrderSource, OrderStatus, OrderType, Reason, Side } from '../messages/enums.ts';
import { OrderClosed, OrdersTraded } from '../messages/events.ts';
import { Refusals } from '../messages/refusals.ts';
import { wouldTake } from './admission.ts';
import type { Amendment } from './amendment.ts';
import type { Cancellation } from './cancellation.ts';
import { Cause, endingOf } from './causes.ts';
import { buyHoldOf, creditOf, debitOf, feeOf, lesser, notionalOf } from './charges.ts';
import { type Denial, deny } from './denial.ts';
import type { MarginSettlement } from './margin/margin-settlement.ts';
import type { Market } from './market.ts';
import { sideOf, sourceOf, timeInForceOf, typeOf } from './order-table.ts';
import type { Recorder } from './recorder.ts';
import type { ClearingState } from './state.ts';
import type { Undecided } from './undecided.ts';

/** Turns what the books tell into settled trades, ended orders and answers. */
export class Settlement {
  private readonly state: ClearingState;
  private readonly recorder: Recorder;
  private readonly cancellation: Cancellation;
  private readonly amendment: Amendment;
  private readonly undecided: Undecided;
  private readonly onMargin: MarginSettlement;
  private readonly trade = OrdersTraded.blank();
  private readonly closing = OrderClosed.blank();
  /** The last order that left the table, as its answer shows it. */
  private readonly ended = OrderState.blank();

  constructor(
    state: ClearingState,
    recorder: Recorder,
    cancellation: Cancellation,
    amendment: Amendment,
    undecided: Undecided,
    onMargin: MarginSettlement,
  ) {
    this.state = state;
    this.recorder = recorder;
    this.cancellation = cancellation;
    this.amendment = amendment;
    this.undecided = undecided;
    this.onMargin = onMargin;
  }

  fill(fill: Fill, now: number): void {
    const market = this.state.market(fill.market);
    if (market.margin !== undefined) return this.fillOnMargin(market, fill, now);
    const { orders, scale } = market;
    const { maker, taker, price, quantity } = fill;
    const takerSide = sideOf(orders.traits[taker] as number);
    const buyer = takerSide === Side.Buy ? taker : maker;
    const seller = takerSide === Side.Buy ? maker : taker;
    const notional = notionalOf(price, quantity);

    const bought = orders.tradedNotionals[buyer] as bigint;
    const buyerTerms = market.orders.feeTermsAt(buyer);
    const buyerRemaining = (orders.remainings[buyer] as number) - quantity;
    const buyerDebit = debitOf(bought + notional, scale) - debitOf(bought, scale);
    const boughtAsTaker = orders.takerNotionalAt(buyer);
    const buyingAsTaker = buyer === taker ? boughtAsTaker + notional : boughtAsTaker;
    const buyerFee =
      feeOf(bought + notional, scale, buyerTerms, buyingAsTaker) -
      feeOf(bought, scale, buyerTerms, boughtAsTaker);
    const bound = orders.prices[buyer] as number;

    const sold = orders.tradedNotionals[seller] as bigint;
    const sellerTerms = market.orders.feeTermsAt(seller);
    const sellerCredit = creditOf(sold + notional, scale) - creditOf(sold, scale);
    const soldAsTaker = orders.takerNotionalAt(seller);
    const sellingAsTaker = seller === taker ? soldAsTaker + notional : soldAsTaker;
    const due = feeOf(sold + notional, scale, sellerTerms, sellingAsTaker);
    const owed = due - (orders.commissions[seller] as bigint);
    // A seller pays out of the proceeds: what a minimum asks beyond them waits for the next fill.
    const sellerFee = lesser(owed, sellerCredit);

    const { trade } = this;
    trade.time = now;
    trade.executionId = this.state.nextExecutionId;
    trade.market = fill.market;
    trade.takerSlot = taker;
    trade.makerSlot = maker;
    trade.takerAccount = orders.accounts[taker] as number;
    trade.makerAccount = orders.accounts[maker] as number;
    trade.takerOrderId = orders.orderIds[taker] as number;
    trade.makerOrderId = orders.orderIds[maker] as number;
    trade.takerSide = takerSide;
    trade.price = price;
    trade.quantity = quantity;
    trade.takerRemaining = (orders.remainings[taker] as number) - quantity;
    trade.makerRemaining = (orders.remainings[maker] as number) - quantity;
    trade.buyerDebit = buyerDebit;
    trade.sellerCredit = sellerCredit;
    trade.takerFee = takerSide === Side.Buy ? buyerFee : sellerFee;
    trade.makerFee = takerSide === Side.Buy ? sellerFee : buyerFee;
    trade.buyerHold = buyHoldOf(
      bought + notional,
      bound,
      buyerRemaining,
      scale,
      buyerTerms,
      buyingAsTaker,
    );
    if (trade.takerRemaining === 0) {
      this.noteCompleted(market, taker, notional, trade.takerFee, now);
    }
    this.recorder.ordersTraded(trade);
  }

  private fillOnMargin(market: Market, fill: Fill, now: number): void {
    this.onMargin.fill(market, fill, now, (slot, notional, commission) => {
      if (slot === fill.taker) this.noteCompleted(market, slot, notional, commission, now);
    });
  }

  /** A resting order was taken off because the taker is of the same account. */
  makerRemoved(market: Market, slot: number, now: number): void {
    this.close(market, slot, OrderStatus.Cancelled, Reason.Trader, OrderSource.System, now);
  }

  outcome(outcome: Outcome, now: number): void {
    const market = this.state.market(outcome.market);
    market.bestBid = outcome.bestBid;
    market.bestAsk = outcome.bestAsk;
    switch (outcome.command) {
      case SubmitOrder.kind:
        return this.submitted(market, outcome, now);
      case RemoveOrder.kind:
        return this.removed(market, outcome, now);
      case ReplaceOrder.kind:
        return this.replaced(market, outcome, now);
      case OpenBook.kind:
        return;
      default:
        throw new RangeError(`outcome of command ${outcome.command}`);
    }
  }

  private submitted(market: Market, outcome: Outcome, now: number): void {
    const { ticket, orderId, slot } = outcome;
    switch (outcome.disposition) {
      case Disposition.Killed:
        this.close(market, slot, OrderStatus.Cancelled, Reason.Trader, undefined, now);
        break;
      case Disposition.SelfTrade:
        this.close(market, slot, OrderStatus.Cancelled, Reason.Trader, OrderSource.System, now);
        break;
      case Disposition.WouldTake:
        this.close(market, slot, OrderStatus.Rejected, Reason.Trader, OrderSource.System, now);
        return this.refusePlacement(market, ticket, orderId);
    }
    this.recorder.placed(ticket, orderId, 0);
    for (const asker of this.undecided.decided(orderId)) this.recorder.placed(asker, orderId, 1);
  }

  private refusePlacement(market: Market, ticket: number, orderId: number): void {
    const denial = wouldTake(market, this.ended.price);
    this.recorder.refuse(ticket, denial);
    for (const asker of this.undecided.decided(orderId)) this.recorder.refuse(asker, denial);
  }

  private removed(market: Market, outcome: Outcome, now: number): void {
    const { ticket, orderId, slot, cause } = outcome;
    const removed = outcome.disposition === Disposition.Removed;
    if (removed) {
      const { status, reason, source } = endingOf(cause);
      this.close(market, slot, status, reason, source, now);
    }
    if (ticket === 0) return;
    if (cause === Cause.CancelAll) return this.cancellation.swept(ticket, removed);
    if (!removed) return this.recorder.refuse(ticket, gone(orderId));
    this.answerEnded(ticket);
  }

  private replaced(market: Market, outcome: Outcome, now: number): void {
    const { ticket, orderId, slot, disposition } = outcome;
    switch (disposition) {
      case Disposition.NotResting:
        this.amendment.abandoned(orderId);
        return this.recorder.refuse(ticket, gone(orderId));
      case Disposition.Outdated:
        return this.amendment.outdated(orderId, now);
      case Disposition.WouldTake:
        return this.recorder.refuse(ticket, this.amendment.wouldTake(market, slot, orderId));
      case Disposition.SelfTrade:
        this.close(market, slot, OrderStatus.Cancelled, Reason.Trader, OrderSource.System, now);
        return this.answerEnded(ticket);
      case Disposition.Filled:
        return this.answerEnded(ticket);
      default:
        this.note(market, slot, this.state.openStatus(market, slot), Reason.Trader, now);
        return this.answerEnded(ticket);
    }
  }

  /** Ends an open order; `source` undefined keeps the order's own. */
  close(
    market: Market,
    slot: number,
    status: number,
    reason: number,
    source: number | undefined,
    now: number,
  ): void {
    const { orders } = market;
    const { closing } = this;
    this.note(market, slot, status, reason, now);
    if (source !== undefined) this.ended.source = source;
    closing.time = now;
    closing.orderId = orders.orderIds[slot] as number;
    closing.account = orders.accounts[slot] as number;
    closing.market = market.index;
    closing.slot = slot;
    closing.status = status;
    closing.reason = reason;
    closing.source = this.ended.source;
    closing.remaining = orders.remainings[slot] as number;
    this.recorder.orderClosed(closing);
  }

  private answerEnded(ticket: number): void {
    this.ended.ticket = ticket;
    this.recorder.orderState(this.ended);
  }

  /** Keeps what the answer about the order at `slot` will need: the slot may be free by then. */
  private note(market: Market, slot: number, status: number, reason: number, now: number): void {
    const { orders } = market;
    const { ended } = this;
    const traits = orders.traits[slot] as number;
    const type = typeOf(traits);
    ended.orderId = orders.orderIds[slot] as number;
    ended.market = market.index;
    ended.side = sideOf(traits);
    ended.type = type;
    ended.timeInForce = timeInForceOf(traits);
    ended.source = sourceOf(traits);
    ended.status = status;
    ended.reason = reason;
    ended.price = type === OrderType.Limit ? (orders.prices[slot] as number) : 0;
    ended.quantity = orders.quantities[slot] as number;
    ended.remaining = orders.remainings[slot] as number;
    ended.tradedNotional = orders.tradedNotionals[slot] as bigint;
    ended.commission = orders.commissions[slot] as bigint;
    ended.createdAt = orders.createdAts[slot] as number;
    ended.updatedAt = now;
  }

  private noteCompleted(
    market: Market,
    slot: number,
    notional: bigint,
    fee: bigint,
    now: number,
  ): void {
    this.note(market, slot, OrderStatus.Completed, Reason.Trader, now);
    this.ended.remaining = 0;
    this.ended.tradedNotional += notional;
    this.ended.commission += fee;
  }
}

function gone(orderId: number): Denial {
  return deny(Refusals.OrderClosed, 'orderId', String(orderId));
}
