import { formatUnits } from '../fixed-point/index.ts';
import type { OrderReplaced } from '../messages/book-results.ts';
import type { AmendOrder } from '../messages/commands.ts';
import { OrderType, Side } from '../messages/enums.ts';
import { OrderAmended } from '../messages/events.ts';
import { Refusals } from '../messages/refusals.ts';
import { checkPrice, checkQuantity, checkScales, checkTrading, wouldTake } from './admission.ts';
import type { Books } from './books.ts';
import { buyHoldOf } from './charges.ts';
import { type Denial, deny } from './denial.ts';
import type { MarginAmendment } from './margin/margin-amendment.ts';
import type { Market } from './market.ts';
import { sideOf, typeOf } from './order-table.ts';
import { checkAvailable } from './placement.ts';
import type { Recorder } from './recorder.ts';
import type { Reservations } from './reservations.ts';
import type { ClearingState } from './state.ts';

/**
 * Amends that are sent between two events stand behind the first one and each other by this much of a
 * sequence number; beyond so many of them, their order among each other is not kept through a restart.
 */
const PRIORITY_STEP = 2 ** -14;

/**
 * Changes price and amount of a resting order. The book decides. Additional funds are reserved until
 * it has answered; where the order traded while the amend was on its way, what was computed does not
 * hold any more and the amend is looked at anew.
 */
export class Amendment {
  private readonly state: ClearingState;
  private readonly recorder: Recorder;
  private readonly books: Books;
  private readonly reservations: Reservations;
  private readonly onMargin: MarginAmendment;
  /** Amends at the books, by order id. */
  private readonly pending = new Map<number, AmendOrder>();
  private readonly event = OrderAmended.blank();
  private sentAt = 0;
  private sentSince = 0;

  constructor(
    state: ClearingState,
    recorder: Recorder,
    books: Books,
    reservations: Reservations,
    onMargin: MarginAmendment,
  ) {
    this.state = state;
    this.recorder = recorder;
    this.books = books;
    this.reservations = reservations;
    this.onMargin = onMargin;
  }

  amend(command: AmendOrder, now: number): void {
    const { ticket, account, orderId } = command;
    const market = this.state.openOrderOf(account, orderId);
    if (market === undefined) {
      return this.recorder.refuse(ticket, deny(Refusals.OrderUnknown, 'orderId', `${orderId}`));
    }
    const { slot } = this.state.orderIndex;
    const { orders } = market;
    const price = command.price || (orders.prices[slot] as number);
    const quantity = command.quantity || (orders.quantities[slot] as number);
    const denial =
      this.check(market, slot, command, price, quantity, now) ??
      (market.margin === undefined
        ? this.reserve(market, slot, price, quantity)
        : this.onMargin.reserve(market, slot, price, quantity));
    if (denial !== undefined) return this.recorder.refuse(ticket, denial);
    this.pending.set(orderId, command);
    const remaining = quantity - this.filled(market, slot);
    this.books.replace(market, slot, ticket, price, remaining, this.nextPriority());
  }

  /** The book changed the order; fills that follow from it come after. */
  replaced(replaced: OrderReplaced, now: number): void {
    const { slot, keptPriority, limit, remaining } = replaced;
    const market = this.state.market(replaced.market);
    const { orders } = market;
    const { event } = this;
    const orderId = orders.orderIds[slot] as number;
    const quantity = this.filled(market, slot) + remaining;
    const priority = keptPriority === 0 ? replaced.priority : (orders.priorities[slot] as number);
    if (market.margin !== undefined) {
      this.pending.delete(orderId);
      return this.onMargin.replaced(market, { ...replaced, priority }, quantity, now);
    }
    this.abandoned(orderId);
    event.time = now;
    event.orderId = orderId;
    event.account = orders.accounts[slot] as number;
    event.market = market.index;
    event.slot = slot;
    event.keptPriority = keptPriority;
    event.priority = priority;
    event.price = limit;
    event.quantity = quantity;
    event.remaining = remaining;
    event.hold = this.holdOf(market, slot, limit, remaining);
    this.recorder.orderAmended(event);
  }

  /** The book refused, or the order was gone. */
  abandoned(orderId: number): void {
    this.pending.delete(orderId);
    this.reservations.release(orderId);
    this.onMargin.abandoned(orderId);
  }

  /** The order is post-only and would take at its new price: why the book refused that. */
  wouldTake(market: Market, slot: number, orderId: number): Denial {
    const asked = this.pending.get(orderId)?.price || (market.orders.prices[slot] as number);
    this.abandoned(orderId);
    return wouldTake(market, asked);
  }

  /** The order traded before the amend reached the book. */
  outdated(orderId: number, now: number): void {
    const command = this.pending.get(orderId);
    if (command === undefined) throw new Error(`no amend of order ${orderId} is under way`);
    this.abandoned(orderId);
    this.amend(command, now);
  }

  /** An amend stands where it is sent: behind the last event, before the next. */
  private nextPriority(): number {
    const { sequence } = this.state;
    if (this.sentAt !== sequence) {
      this.sentAt = sequence;
      this.sentSince = 0;
    }
    if (this.sentSince < 1 / PRIORITY_STEP - 1) this.sentSince++;
    return sequence + this.sentSince * PRIORITY_STEP;
  }

  private check(
    market: Market,
    slot: number,
    command: AmendOrder,
    price: number,
    quantity: number,
    now: number,
  ): Denial | undefined {
    const { orders } = market;
    const traits = orders.traits[slot] as number;
    const { amountScale } = market.configuration;
    const denial =
      checkTrading(this.state, market, command.account, sideOf(traits), now) ??
      checkScales(market, command.priceScale, command.amountScale);
    if (denial !== undefined) return denial;
    if (typeOf(traits) === OrderType.Market) return deny(Refusals.AmendMarketOrder, 'orderId');
    if (this.pending.has(command.orderId)) {
      return deny(Refusals.AmendInProgress, 'orderId', `${command.orderId}`);
    }
    const isSmaller =
      price === orders.prices[slot] && quantity <= (orders.quantities[slot] as number);
    // What the market asks of prices, it asks of those that come: an order may always shrink.
    const outside =
      checkQuantity(market, quantity) ??
      (isSmaller ? undefined : checkPrice(market, sideOf(traits), price));
    if (outside !== undefined) return outside;
    const filled = this.filled(market, slot);
    if (quantity > filled) return undefined;
    return deny(
      Refusals.AmendBelowFilled,
      'requestedAmount',
      formatUnits(quantity, amountScale),
      formatUnits(filled, amountScale),
    );
  }

  private reserve(
    market: Market,
    slot: number,
    price: number,
    quantity: number,
  ): Denial | undefined {
    const { orders } = market;
    const remaining = quantity - this.filled(market, slot);
    const more = this.holdOf(market, slot, price, remaining) - (orders.holds[slot] as bigint);
    const needed = more > 0n ? more : 0n;
    const entry = this.state.holdEntry(market, slot);
    const available = this.state.ledger.available(entry) - this.reservations.on(entry);
    const buys = sideOf(orders.traits[slot] as number) === Side.Buy;
    const denial = checkAvailable(buys ? market.quote : market.base, needed, available);
    if (denial !== undefined) return denial;
    this.reservations.reserve(orders.orderIds[slot] as number, entry, needed);
    return undefined;
  }

  private holdOf(market: Market, slot: number, price: number, remaining: number): bigint {
    const { orders } = market;
    if (sideOf(orders.traits[slot] as number) === Side.Sell) return market.baseUnits(remaining);
    const traded = orders.tradedNotionals[slot] as bigint;
    const asTaker = orders.takerNotionalAt(slot);
    const terms = market.orders.feeTermsAt(slot);
    return buyHoldOf(traded, price, remaining, market.scale, terms, asTaker);
  }

  private filled(market: Market, slot: number): number {
    const { orders } = market;
    return (orders.quantities[slot] as number) - (orders.remainings[slot] as number);
  }
}
