import { Matching } from '../../core/market/index.ts';
import { RemoveOrder, ReplaceOrder, type SubmitOrder } from '../../core/messages/book-commands.ts';
import {
  Disposition,
  Fill,
  MakerRemoved,
  OrderReplaced,
  Outcome,
  Retried,
} from '../../core/messages/book-results.ts';
import { OrderSource, OrderStatus, Reason, TimeInForce } from '../../core/messages/enums.ts';
import type { OrderAmended, OrderClosed, OrdersTraded } from '../../core/messages/events.ts';
import { BatchWriter, RecordCursor } from '../../core/messages/record.ts';
import { Difference } from './difference.ts';

/** An accepted order whose turn at the book has not come yet, as far as the events tell. */
interface WaitingOrder {
  readonly sequence: number;
  readonly submission: SubmitOrder;
}

/** What the matching of a trade is told by, on margin or not. */
export type TradeRecord = Pick<OrdersTraded, 'takerSlot' | 'makerSlot' | 'price' | 'quantity'>;
export type AmendRecord = Omit<OrderAmended, 'hold'>;

/**
 * Matches one market's orders again and compares what comes of them with what is recorded.
 *
 * The journal has an order where it was accepted, but trades, ends and amends where the book's answer
 * came: an order that rests at once leaves no trace of when that was. The book takes its commands in
 * the order in which they were sent. So an order waits here until some event shows that its turn had
 * come: one that it takes part in, or that followed on its resting; one of an order that was accepted
 * later; or an amend that was sent later. Until then it can have changed nothing.
 */
export class MarketRematch {
  private readonly market: number;
  private readonly results = new BatchWriter(1 << 12);
  private matching: Matching;
  private waiting: WaitingOrder[] = [];
  private head = 0;
  private readonly waitingIds = new Set<number>();
  /** What the last command came to and the journal has still to tell. */
  private due: string[] = [];

  constructor(market: number) {
    this.market = market;
    this.matching = new Matching(market, this.results);
  }

  get book() {
    return this.matching.book;
  }

  waits(orderId: number): boolean {
    return this.waitingIds.has(orderId);
  }

  /** The books begin anew: what they had not answered is forgotten. */
  restart(sequence: number): void {
    this.finish(sequence);
    this.matching = new Matching(this.market, this.results);
    this.waiting = [];
    this.head = 0;
    this.waitingIds.clear();
  }

  /** Nothing more is recorded. */
  finish(sequence: number): void {
    const [first] = this.due;
    if (first !== undefined)
      throw new Difference(sequence, `"${first}" should have come before it`);
  }

  accept(sequence: number, submission: SubmitOrder): void {
    this.waiting.push({ sequence, submission });
    this.waitingIds.add(submission.orderId);
  }

  traded(sequence: number, event: TradeRecord): void {
    const { takerSlot, makerSlot, quantity, price } = event;
    if (this.due.length === 0) this.submitUntil(() => false);
    this.expect(sequence, `trade ${takerSlot}/${makerSlot} ${quantity}@${price}`);
  }

  /** `timeInForce` of the order that ended. */
  closed(sequence: number, event: OrderClosed, timeInForce: number): void {
    const { orderId, slot, status, source } = event;
    if (this.due.length === 0) {
      // A maker that its own owner's order took off; a Retry order is no maker.
      const byTaker =
        status === OrderStatus.Cancelled &&
        source === OrderSource.System &&
        timeInForce !== TimeInForce.Retry &&
        event.reason === Reason.Trader;
      if (this.waits(orderId)) this.submitUntil((order) => order.orderId === orderId);
      if (byTaker) this.submitUntil(() => false);
      if (this.due.length === 0) this.remove(event);
    }
    const rejected = status === OrderStatus.Rejected;
    this.expect(sequence, `${rejected ? 'reject' : 'close'} ${slot}`);
  }

  /** `order` is what was open before: its whole rest, account and traits as a submission has them. */
  amended(sequence: number, event: AmendRecord, order: SubmitOrder): void {
    const { orderId, slot, keptPriority, priority, price, remaining } = event;
    if (this.due.length === 0) {
      if (this.waits(orderId)) this.submitUntil((each) => each.orderId === orderId);
      if (keptPriority === 0) this.submitBefore(priority);
      if (this.due.length === 0) this.replace(event, order);
    }
    this.expect(sequence, `amend ${slot} ${remaining}@${price} ${keptPriority}`);
  }

  private expect(sequence: number, recorded: string): void {
    const due = this.due.shift();
    if (due === recorded) return;
    const made = due === undefined ? 'nothing' : `"${due}"`;
    throw new Difference(
      sequence,
      `recorded in market ${this.market} is "${recorded}", matching again gives ${made}`,
    );
  }

  /** Submits orders in their turn until one of them has come to something, or was the last one. */
  private submitUntil(isLast: (submission: SubmitOrder) => boolean): void {
    while (this.due.length === 0) {
      const submission = this.submitNext();
      if (submission === undefined || isLast(submission)) return;
    }
  }

  /** Submits what was sent before something that stands at `priority`. */
  private submitBefore(priority: number): void {
    while (this.due.length === 0) {
      const next = this.waiting[this.head];
      if (next === undefined || next.sequence > priority) return;
      this.submitNext();
    }
  }

  private submitNext(): SubmitOrder | undefined {
    const next = this.waiting[this.head];
    if (next === undefined) return undefined;
    this.head++;
    if (this.head >= 1024 && 2 * this.head > this.waiting.length) {
      this.waiting = this.waiting.slice(this.head);
      this.head = 0;
    }
    this.waitingIds.delete(next.submission.orderId);
    this.matching.submit(next.submission);
    this.collect();
    return next.submission;
  }

  private remove({ orderId, slot }: OrderClosed): void {
    const removal = RemoveOrder.blank();
    this.matching.remove({ ...removal, orderId, slot, market: this.market });
    this.collect();
  }

  private replace(event: AmendRecord, order: SubmitOrder): void {
    const { orderId, slot, priority, price, remaining } = event;
    const { owner, postOnly, selfTradePrevention, quantity } = order;
    const replacement = { ...ReplaceOrder.blank(), orderId, slot, priority, market: this.market };
    const terms = { limit: price, quantity: remaining, expectedRemaining: quantity };
    this.matching.replace({ ...replacement, ...terms, owner, postOnly, selfTradePrevention });
    this.collect();
  }

  private collect(): void {
    const { results, due } = this;
    const cursor = new RecordCursor(results.bytes.subarray(0, results.length));
    while (cursor.next()) {
      const line = lineOf(cursor);
      if (line !== undefined) due.push(line);
    }
    results.clear();
  }
}

const fill = Fill.blank();
const makerRemoved = MakerRemoved.blank();
const replaced = OrderReplaced.blank();
const outcome = Outcome.blank();

/** What a result will be recorded as; undefined where it leaves no event. */
function lineOf(cursor: RecordCursor): string | undefined {
  switch (cursor.kind) {
    case Fill.kind: {
      const { taker, maker, quantity, price } = Fill.read(cursor, fill);
      return `trade ${taker}/${maker} ${quantity}@${price}`;
    }
    case MakerRemoved.kind:
      return `close ${MakerRemoved.read(cursor, makerRemoved).slot}`;
    case OrderReplaced.kind: {
      const { slot, remaining, limit, keptPriority } = OrderReplaced.read(cursor, replaced);
      return `amend ${slot} ${remaining}@${limit} ${keptPriority}`;
    }
    case Outcome.kind:
      return endOf(Outcome.read(cursor, outcome));
    case Retried.kind:
      return endOf(Retried.read(cursor, outcome));
    default:
      throw new RangeError(`result of kind ${cursor.kind}`);
  }
}

function endOf({ disposition, slot }: Outcome): string | undefined {
  switch (disposition) {
    case Disposition.Killed:
    case Disposition.SelfTrade:
    case Disposition.Removed:
      return `close ${slot}`;
    case Disposition.WouldTake:
      return `reject ${slot}`;
    default:
      return undefined;
  }
}
