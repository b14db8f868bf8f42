import { type ClearingState, submissionOf } from '../../core/clearing/index.ts';
import { SubmitOrder } from '../../core/messages/book-commands.ts';
import { decodeCold } from '../../core/messages/codec.ts';
import type { ColdEvent } from '../../core/messages/cold-events.ts';
import { TimeInForce } from '../../core/messages/enums.ts';
import {
  ColdEventRecord,
  OrderAccepted,
  OrderAmended,
  OrderClosed,
  OrdersTraded,
} from '../../core/messages/events.ts';
import {
  MarginExecution,
  MarginOrderAccepted,
  MarginOrderAmended,
} from '../../core/messages/margin-events.ts';
import type { RecordCursor } from '../../core/messages/record.ts';
import { checkAdmission, checkAmendedHold, checkCharges } from './check-charges.ts';
import { bookDifference } from './compare-books.ts';
import { Difference } from './difference.ts';
import { MarketRematch } from './market-rematch.ts';

export interface RematchCounts {
  orders: number;
  trades: number;
  starts: number;
}

/**
 * Matches everything again that the journal tells of. Each event is shown to it before it is applied
 * to `state`; it throws a Difference at the first one that the rules do not lead to.
 */
export class Rematch {
  readonly counts: RematchCounts = { orders: 0, trades: 0, starts: 0 };
  private readonly state: ClearingState;
  private readonly markets: MarketRematch[] = [];
  /** Orders that were over when the venue took up work, as they must end now. */
  private overdue: { readonly orderId: number; readonly expiresAt: number }[] = [];
  /** The venue has begun anew and its books are still empty. */
  private starting = false;
  private readonly expiries = new Map<number, number>();
  private readonly order = SubmitOrder.blank();
  private readonly accepted = OrderAccepted.blank();
  private readonly traded = OrdersTraded.blank();
  private readonly closed = OrderClosed.blank();
  private readonly amended = OrderAmended.blank();
  private readonly marginAccepted = MarginOrderAccepted.blank();
  private readonly execution = MarginExecution.blank();
  private readonly marginAmended = MarginOrderAmended.blank();
  /** The slot of the taker whose trade on margin waits for its maker's side. */
  private marginTaker = 0;

  constructor(state: ClearingState) {
    this.state = state;
  }

  /** The event at the cursor, which `state` gets next. */
  event(cursor: RecordCursor): void {
    const sequence = this.state.sequence + 1;
    if (this.starting) this.fillBooks();
    if (this.overdue.length > 0 && cursor.kind !== OrderClosed.kind && !endsStopOrder(cursor)) {
      throw new Difference(sequence, `order ${this.overdue[0]?.orderId} should have expired first`);
    }
    switch (cursor.kind) {
      case OrderAccepted.kind:
        return this.accept(sequence, OrderAccepted.read(cursor, this.accepted));
      case OrdersTraded.kind:
        return this.trade(sequence, OrdersTraded.read(cursor, this.traded));
      case OrderClosed.kind:
        return this.close(sequence, OrderClosed.read(cursor, this.closed));
      case OrderAmended.kind:
        return this.amend(sequence, OrderAmended.read(cursor, this.amended));
      case MarginOrderAccepted.kind:
        return this.submit(sequence, MarginOrderAccepted.read(cursor, this.marginAccepted));
      case MarginExecution.kind:
        return this.execute(sequence, MarginExecution.read(cursor, this.execution));
      case MarginOrderAmended.kind:
        return this.replace(sequence, MarginOrderAmended.read(cursor, this.marginAmended));
      case ColdEventRecord.kind:
        return this.cold(sequence, cursor);
      default:
        // Payments on positions and moves of trailing stops: no book has a part in them.
        return;
    }
  }

  /** All events were shown: what is left open must be what the books hold. */
  finish(): void {
    const { sequence } = this.state;
    if (this.starting) this.fillBooks();
    const [first] = this.overdue;
    if (first !== undefined) throw new Difference(sequence, `order ${first.orderId} is overdue`);
    for (const market of this.markets) market.finish(sequence);
    this.compareBooks(sequence);
  }

  private market(index: number): MarketRematch {
    const market = this.markets[index];
    if (market === undefined) throw new RangeError(`no market ${index}`);
    return market;
  }

  private accept(sequence: number, event: OrderAccepted): void {
    checkAdmission(sequence, event, this.state);
    this.submit(sequence, event);
  }

  private submit(sequence: number, event: OrderAccepted | MarginOrderAccepted): void {
    this.counts.orders++;
    if (event.expiresAt > 0) this.expiries.set(event.orderId, event.expiresAt);
    const { market, slot, orderId, account, limit, quantity, side } = event;
    const { timeInForce, postOnly, selfTradePrevention } = event;
    this.market(market).accept(sequence, {
      ticket: 0,
      orderId,
      market,
      slot,
      owner: account,
      side,
      timeInForce,
      postOnly,
      selfTradePrevention,
      limit,
      quantity,
    });
  }

  /** The taker's side of a trade on margin comes first; matched is the trade, with the maker's. */
  private execute(sequence: number, event: MarginExecution): void {
    const { slot, price, quantity } = event;
    if (event.remaining === 0) this.expiries.delete(event.orderId);
    if (event.isMaker === 0) {
      this.marginTaker = slot;
      return;
    }
    this.counts.trades++;
    const trade = { takerSlot: this.marginTaker, makerSlot: slot, price, quantity };
    this.market(event.market).traded(sequence, trade);
  }

  private trade(sequence: number, event: OrdersTraded): void {
    this.counts.trades++;
    checkCharges(sequence, event, this.state);
    this.market(event.market).traded(sequence, event);
    if (event.makerRemaining === 0) this.expiries.delete(event.makerOrderId);
    if (event.takerRemaining === 0) this.expiries.delete(event.takerOrderId);
  }

  private close(sequence: number, event: OrderClosed): void {
    const { orders } = this.state.market(event.market);
    if (event.remaining !== orders.remainings[event.slot]) {
      throw new Difference(sequence, `order ${event.orderId} ends with ${event.remaining} left`);
    }
    this.expiries.delete(event.orderId);
    const [overdue] = this.overdue;
    if (overdue === undefined) {
      const { timeInForce } = this.orderAt(event.market, event.slot);
      return this.market(event.market).closed(sequence, event, timeInForce);
    }
    if (overdue.orderId !== event.orderId) {
      throw new Difference(sequence, `order ${overdue.orderId} should have expired first`);
    }
    this.overdue.shift();
  }

  private amend(sequence: number, event: OrderAmended): void {
    checkAmendedHold(sequence, event, this.state);
    this.replace(sequence, event);
  }

  private replace(sequence: number, event: OrderAmended | MarginOrderAmended): void {
    this.market(event.market).amended(sequence, event, this.orderAt(event.market, event.slot));
  }

  /** The open order at `slot` as it would be submitted now. */
  private orderAt(market: number, slot: number): SubmitOrder {
    return submissionOf(this.state.market(market), slot, this.order);
  }

  private cold(sequence: number, cursor: RecordCursor): void {
    const { time, payload } = ColdEventRecord.read(cursor, ColdEventRecord.blank());
    const event = decodeCold<ColdEvent>(payload);
    if (event.type === 'Resumed') this.resume(sequence, time);
    else if (event.type === 'MarketConfigured') {
      this.markets[event.market] ??= new MarketRematch(event.market);
    }
  }

  private resume(sequence: number, now: number): void {
    this.counts.starts++;
    this.compareBooks(sequence);
    for (const market of this.markets) market.restart(sequence);
    this.overdue = [...this.expiries]
      .filter(([, expiresAt]) => expiresAt <= now)
      .map(([orderId, expiresAt]) => ({ orderId, expiresAt }))
      .sort((a, b) => a.expiresAt - b.expiresAt || a.orderId - b.orderId);
    this.starting = true;
  }

  /** What was overdue has ended: every open order goes to its book anew, in order of priority. */
  private fillBooks(): void {
    if (this.overdue.length > 0) return;
    this.starting = false;
    for (const market of this.state.markets) {
      for (const slot of market.orders.slotsByPriority()) {
        const submission = submissionOf(market, slot, SubmitOrder.blank());
        this.market(market.index).accept(this.state.sequence, submission);
      }
    }
  }

  private compareBooks(sequence: number): void {
    for (const market of this.state.markets) {
      const rematch = this.market(market.index);
      const { orders } = market;
      const difference = bookDifference(rematch.book, market, (slot) => {
        const { timeInForce } = this.orderAt(market.index, slot);
        return timeInForce === TimeInForce.Retry || rematch.waits(orders.orderIds[slot] as number);
      });
      if (difference !== undefined) throw new Difference(sequence, difference);
    }
  }
}

/** Stop orders expire among the others, and no book knows them. */
function endsStopOrder(cursor: RecordCursor): boolean {
  if (cursor.kind !== ColdEventRecord.kind) return false;
  const { payload } = ColdEventRecord.read(cursor, ColdEventRecord.blank());
  return decodeCold<ColdEvent>(payload).type === 'StopOrderEnded';
}
