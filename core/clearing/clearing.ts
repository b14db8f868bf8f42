import { DepthAnswer } from '../messages/answers.ts';
import {
  Depth,
  Fill,
  MakerRemoved,
  OrderReplaced,
  Outcome,
  Retried,
} from '../messages/book-results.ts';
import { decodeCold } from '../messages/codec.ts';
import type { AdminCommand } from '../messages/cold-commands.ts';
import {
  AmendOrder,
  CancelAllOrders,
  CancelOrder,
  ColdCommand,
  PlaceNamedOrder,
  PlaceOrder,
  PreviewOrder,
  RequestBalances,
  RequestDepth,
  Tick,
} from '../messages/commands.ts';
import { Reason, TimeInForce } from '../messages/enums.ts';
import { PlaceMarginOrder, PreviewMarginOrder } from '../messages/margin-commands.ts';
import type { Query } from '../messages/queries.ts';
import { BatchWriter, type RecordCursor } from '../messages/record.ts';
import { Administration } from './administration.ts';
import { Amendment } from './amendment.ts';
import { Books } from './books.ts';
import { Cancellation } from './cancellation.ts';
import { endingOf } from './causes.ts';
import { CommissionDays } from './commission-days.ts';
import { MarginAmendment } from './margin/margin-amendment.ts';
import { MarginPlacement } from './margin/margin-placement.ts';
import { MarginPreview } from './margin/margin-preview.ts';
import { MarginSettlement } from './margin/margin-settlement.ts';
import { Risk } from './margin/risk.ts';
import { PlacementDesk } from './margin/risk-desk.ts';
import type { Market } from './market.ts';
import { Placement } from './placement.ts';
import { Queries } from './queries.ts';
import { Recorder } from './recorder.ts';
import { Reservations } from './reservations.ts';
import { Settlement } from './settlement.ts';
import type { ClearingState } from './state.ts';
import { Undecided } from './undecided.ts';

export interface ClearingOptions {
  /** How many market workers there are: market n belongs to worker n modulo this. */
  readonly workers: number;
  /** How many orders one account may have open. */
  readonly openOrdersMax?: number;
  /** IANA zone of the platform's days; UTC unless it says otherwise. */
  readonly timeZoneId?: string;
}

const OPEN_ORDERS_MAX = 200_000;

/**
 * The sequencer and only writer of balances, holds and orders: a state machine that takes commands
 * and the books' results, record by record, and fills its outboxes. Whoever hosts it empties them
 * after any number of records; what was written between two records belongs together.
 *
 * - `events`: what happened, for the journal
 * - `answers`: for the gateway, true once the events before them are durable
 * - `workers[n]`: orders for the books of worker n
 */
export class Clearing {
  readonly state: ClearingState;
  readonly events = new BatchWriter();
  readonly answers = new BatchWriter();
  readonly workers: readonly BatchWriter[];
  private readonly recorder: Recorder;
  private readonly books: Books;
  private readonly placement: Placement;
  private readonly marginPlacement: MarginPlacement;
  private readonly marginPreview: MarginPreview;
  private readonly risk: Risk;
  private readonly cancellation: Cancellation;
  private readonly amendment: Amendment;
  private readonly settlement: Settlement;
  private readonly administration: Administration;
  private readonly queries: Queries;
  private readonly days: CommissionDays;
  private readonly place = PlaceOrder.blank();
  /** As a client asks for it: what would say otherwise stays as it is, so that none is copied. */
  private readonly placeOnMargin = {
    ...PlaceMarginOrder.blank(),
    reason: Reason.Trader,
    stopOrderId: 0,
  };
  private readonly balances = RequestBalances.blank();
  private readonly fill = Fill.blank();
  private readonly makerRemoved = MakerRemoved.blank();
  private readonly orderReplaced = OrderReplaced.blank();
  private readonly outcome = Outcome.blank();
  /** The latest time that any command has brought; 0 until the first. */
  private now = 0;

  constructor(state: ClearingState, options: ClearingOptions) {
    this.state = state;
    this.workers = Array.from({ length: options.workers }, () => new BatchWriter());
    const reservations = new Reservations();
    const marginReservations = new Reservations();
    const undecided = new Undecided();
    this.recorder = new Recorder(state, this.events, this.answers);
    this.books = new Books(this.workers, undecided);
    this.placement = new Placement(
      state,
      this.recorder,
      this.books,
      reservations,
      marginReservations,
      undecided,
      this.answers,
      options.openOrdersMax ?? OPEN_ORDERS_MAX,
    );
    this.marginPlacement = new MarginPlacement(
      state,
      this.recorder,
      this.books,
      this.placement,
      marginReservations,
    );
    this.marginPreview = new MarginPreview(state, this.recorder, this.answers);
    this.risk = new Risk(
      state,
      this.recorder,
      this.books,
      new PlacementDesk(state, this.placement, this.marginPlacement),
      options.timeZoneId ?? 'UTC',
    );
    this.recorder.watcher = this.risk;
    const { stopOrders } = this.risk;
    this.cancellation = new Cancellation(
      state,
      this.recorder,
      this.books,
      this.answers,
      stopOrders,
    );
    this.amendment = new Amendment(
      state,
      this.recorder,
      this.books,
      reservations,
      new MarginAmendment(state, this.recorder, marginReservations),
    );
    this.settlement = new Settlement(
      state,
      this.recorder,
      this.cancellation,
      this.amendment,
      undecided,
      new MarginSettlement(state, this.recorder),
    );
    this.administration = new Administration(
      state,
      this.recorder,
      this.books,
      this.cancellation,
      reservations,
      marginReservations,
    );
    this.queries = new Queries(state, this.books, this.risk, this.answers);
    this.days = new CommissionDays(state, this.recorder, options.timeZoneId ?? 'UTC');
  }

  /**
   * Takes up work after the state was recovered, before any command: what expired meanwhile expires
   * now, then the books get every open order in order of priority. Orders that rest cannot cross;
   * those that a crash caught on their way to the book stand behind them and match now.
   */
  resume(now: number): void {
    const since = this.state.time;
    this.advance(now);
    this.days.resume(this.now);
    if (this.state.sequence === 0) this.administration.openHouse(this.now);
    this.recorder.cold(this.now, { type: 'Resumed' });
    for (;;) {
      const orderId = this.state.expiries.takeDue(this.now);
      if (orderId === 0) break;
      if (this.risk.stopOrders.expire(orderId, this.now)) continue;
      const market = this.state.openOrder(orderId) as Market;
      const { slot } = this.state.orderIndex;
      const { status, reason, source } = endingOf(this.cancellation.expiryCause(market, slot));
      this.settlement.close(market, slot, status, reason, source, this.now);
    }
    this.risk.resume(since, this.now);
    for (const market of this.state.markets) {
      this.books.open(market);
      for (const slot of market.orders.slotsByPriority()) this.books.submit(market, slot, 0);
    }
    this.administration.resumeSweeps();
  }

  /** One record of the gateway (commands.ts). */
  command(cursor: RecordCursor): void {
    switch (cursor.kind) {
      case PlaceOrder.kind: {
        const command = PlaceOrder.read(cursor, this.place);
        return this.placement.place(command, this.arriveWith(command));
      }
      case PlaceNamedOrder.kind: {
        const command = PlaceNamedOrder.read(cursor, this.place);
        return this.placement.placeNamed(command, this.arriveWith(command));
      }
      case PreviewOrder.kind: {
        const command = PreviewOrder.read(cursor, this.place);
        return this.placement.preview(command, this.arriveWith(command));
      }
      case PlaceMarginOrder.kind: {
        PlaceMarginOrder.read(cursor, this.placeOnMargin);
        const command = this.placeOnMargin;
        const now = this.arriveWith(command);
        if (command.activationPrice !== 0) return this.risk.placeStopOrder(command, now);
        return this.marginPlacement.place(command, now);
      }
      case PreviewMarginOrder.kind: {
        const command = PreviewMarginOrder.read(cursor, this.placeOnMargin);
        return this.marginPreview.preview(command, this.arrive(command.time));
      }
      case CancelOrder.kind: {
        const command = CancelOrder.read(cursor, CancelOrder.blank());
        return this.cancellation.cancel(command, this.arrive(command.time));
      }
      case AmendOrder.kind: {
        const command = AmendOrder.read(cursor, AmendOrder.blank());
        return this.amendment.amend(command, this.arrive(command.time));
      }
      case CancelAllOrders.kind: {
        const command = CancelAllOrders.read(cursor, CancelAllOrders.blank());
        return this.cancellation.cancelAll(command, this.arrive(command.time));
      }
      case Tick.kind:
        return this.risk.tick(this.arrive(Tick.read(cursor, Tick.blank()).time));
      case RequestDepth.kind: {
        const command = RequestDepth.read(cursor, RequestDepth.blank());
        const market = this.state.market(command.market);
        return this.books.readDepth(market, command.ticket, command.levels);
      }
      case RequestBalances.kind: {
        const { ticket, time, account } = RequestBalances.read(cursor, this.balances);
        this.arrive(time);
        return this.queries.balances(ticket, account);
      }
      case ColdCommand.kind:
        return this.cold(ColdCommand.read(cursor, ColdCommand.blank()));
      default:
        throw new RangeError(`command of kind ${cursor.kind}`);
    }
  }

  /** One record of a market worker (book-results.ts). */
  result(cursor: RecordCursor): void {
    switch (cursor.kind) {
      case Fill.kind:
        return this.settlement.fill(Fill.read(cursor, this.fill), this.now);
      case Outcome.kind:
        this.books.underWay--;
        return this.settle(Outcome.read(cursor, this.outcome));
      case Retried.kind:
        return this.settle(Retried.read(cursor, this.outcome));
      case MakerRemoved.kind: {
        const { market, slot } = MakerRemoved.read(cursor, this.makerRemoved);
        return this.settlement.makerRemoved(this.state.market(market), slot, this.now);
      }
      case OrderReplaced.kind: {
        const replaced = OrderReplaced.read(cursor, this.orderReplaced);
        return this.amendment.replaced(replaced, this.now);
      }
      case Depth.kind:
        this.books.underWay--;
        return DepthAnswer.write(this.answers, Depth.read(cursor, Depth.blank()));
      default:
        throw new RangeError(`result of kind ${cursor.kind}`);
    }
  }

  /** Whether what was taken in since the last `work` has left it something to do. */
  get hasWork(): boolean {
    return this.risk.hasWork;
  }

  /** Goes on with long work in steps; false where none is left. */
  work(): boolean {
    const more = this.cancellation.sweep();
    return this.risk.work() || more;
  }

  /** What the new prices reach follows on what the command did. */
  private settle(outcome: Outcome): void {
    const market = this.state.market(outcome.market);
    const { bestBid, bestAsk } = market;
    this.settlement.outcome(outcome, this.now);
    if (market.bestBid === bestBid && market.bestAsk === bestAsk) return;
    this.risk.pricesChanged(market, this.now);
  }

  private cold(command: ColdCommand): void {
    const { ticket } = command;
    const now = this.arrive(command.time);
    const message = decodeCold<AdminCommand | Query>(command.payload);
    const answer = this.queries.answer(message as Query, now);
    if (answer !== undefined) return this.recorder.coldAnswer(ticket, answer);
    this.administration.apply(ticket, message as AdminCommand, now);
  }

  /** What is due goes first: no order trades with a command that came after its end. */
  private arrive(time: number): number {
    const now = this.advance(time);
    this.days.arrive(now);
    this.risk.arrive(now);
    this.cancellation.expire(now);
    return now;
  }

  /**
   * The same for an order. One for the day that its clock showed ends with the venue's day where that is
   * a later one: behind a clock that went back it would have ended before it came.
   */
  private arriveWith(
    order: Pick<PlaceOrder, 'time' | 'timeInForce'> & { expiresAt: number },
  ): number {
    const now = this.arrive(order.time);
    if (order.timeInForce === TimeInForce.Day && order.expiresAt <= now) {
      order.expiresAt = this.days.lastMoment;
    }
    return now;
  }

  /** Time never runs backwards, whatever the clock that stamped the command did. */
  private advance(time: number): number {
    this.now = Math.max(this.now, time, this.state.time);
    return this.now;
  }
}
