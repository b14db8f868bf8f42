import type {
  DepthAnswer,
  MarginOrderPriced,
  OrderPriced,
  OrderState,
} from '../../core/messages/answers.ts';
import { encodeCold } from '../../core/messages/codec.ts';
import type { AdminCommand } from '../../core/messages/cold-commands.ts';
import {
  ALL_MARKETS,
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
} from '../../core/messages/commands.ts';
import { PlaceMarginOrder, PreviewMarginOrder } from '../../core/messages/margin-commands.ts';
import type { ConfigurationAnswer, Query } from '../../core/messages/queries.ts';
import { BatchWriter } from '../../core/messages/record.ts';
import { Refusals } from '../../core/messages/refusals.ts';
import { Refused, refuse } from '../http/refused.ts';
import { LiveOrders } from './live-orders.ts';
import { LivePositions } from './live-positions.ts';
import { PendingRequests } from './pending-requests.ts';
import { Reference } from './reference.ts';
import { ReleaseReader } from './release-reader.ts';

/** What is asked of clearing, without the ticket that this side adds. */
export type Ticketless<T> = Omit<T, 'ticket'>;

/** An order's creation; `replayed`: an earlier request with the same clientOrderId made it. */
export interface Placed {
  readonly orderId: number;
  readonly replayed: boolean;
}

/** A release of the journal, as far as the gateway reads it. */
export interface Release {
  readonly durableSequence: number;
  readonly batches: readonly { readonly events: ArrayBuffer; readonly answers: ArrayBuffer }[];
}

export interface VenueOptions {
  /** Requests under way at once; a power of two. */
  readonly pendingMax: number;
  /** Orders kept in memory for reads; a power of two. */
  readonly liveOrders: number;
}

interface CommandLayout<C> {
  write(batch: BatchWriter, command: C): void;
}

const BUSY_RETRY_SECONDS = 1;

/**
 * A batch this full goes out at once: while this thread reads on, clearing already works. Without it
 * hundreds of clients in step would move as one convoy, and each thread would wait for the others.
 */
const FLUSH_COUNT = 64;

/**
 * The gateway's side of the road: sends commands to clearing, in batches of what a turn of the event loop brings,
 * and resolves each when the journal has released its answer. A refusal resolves too; nothing rejects.
 */
export class Venue {
  readonly orders: LiveOrders;
  readonly positions = new LivePositions();
  readonly reference = new Reference();
  /** Every event up to here is durable, and what the gateway has in memory reflects it. */
  durableSequence = 0;
  private readonly pending: PendingRequests;
  private readonly reader: ReleaseReader;
  private readonly batch = new BatchWriter();
  /** Events from before the configuration is known, which they are read with. */
  private early: ArrayBuffer[] | undefined = [];
  private readonly send: (batch: ArrayBuffer) => void;
  private flushing = false;
  private readonly flush = (): void => {
    this.flushing = false;
    if (!this.batch.empty) this.send(this.batch.take());
  };

  constructor(options: VenueOptions, send: (batch: ArrayBuffer) => void) {
    this.orders = new LiveOrders(options.liveOrders, this.reference);
    this.pending = new PendingRequests(options.pendingMax);
    this.reader = new ReleaseReader(this.orders, this.positions, this.reference, this.pending);
    this.send = send;
  }

  get pendingCount(): number {
    return this.pending.count;
  }

  /**
   * Takes over everything configured so far; call it once, when clearing has resumed. By then it may have
   * placed orders: triggers and stop-outs wait for nobody.
   */
  async load(time: number): Promise<void> {
    const answer = await this.cold<ConfigurationAnswer>(time, { type: 'Configuration' });
    if (answer instanceof Refused) throw new Error('clearing does not tell its configuration');
    this.reference.load(answer);
    const { early = [] } = this;
    this.early = undefined;
    for (const events of early) this.reader.events(events);
    this.durableSequence = Math.max(this.durableSequence, answer.sequence);
  }

  /** A release of the journal arrived. */
  released(release: Release): void {
    for (const { events } of release.batches) {
      if (events.byteLength === 0) continue;
      if (this.early === undefined) this.reader.events(events);
      else this.early.push(events);
    }
    this.durableSequence = release.durableSequence;
    for (const { answers } of release.batches) {
      if (answers.byteLength > 0) this.reader.answers(answers);
    }
  }

  place(order: Ticketless<PlaceOrder>): Promise<Placed | Refused> {
    return this.ask<Placed, PlaceOrder>(PlaceOrder, order);
  }

  /** The same where a clientOrderId names open orders only: one in use is refused. */
  placeNamed(order: Ticketless<PlaceOrder>): Promise<Placed | Refused> {
    return this.ask<Placed, PlaceOrder>(PlaceNamedOrder, order);
  }

  preview(order: Ticketless<PlaceOrder>): Promise<OrderPriced | Refused> {
    return this.ask<OrderPriced, PlaceOrder>(PreviewOrder, order);
  }

  /** An order on margin, or a stop order of any market; the id of a stop order is one of orders too. */
  placeOnMargin(order: Ticketless<PlaceMarginOrder>): Promise<Placed | Refused> {
    return this.ask<Placed, PlaceMarginOrder>(PlaceMarginOrder, order);
  }

  previewOnMargin(order: Ticketless<PlaceMarginOrder>): Promise<MarginOrderPriced | Refused> {
    return this.ask<MarginOrderPriced, PlaceMarginOrder>(PreviewMarginOrder, order);
  }

  cancel(command: Ticketless<CancelOrder>): Promise<OrderState | Refused> {
    return this.ask<OrderState, CancelOrder>(CancelOrder, command);
  }

  amend(command: Ticketless<AmendOrder>): Promise<OrderState | Refused> {
    return this.ask<OrderState, AmendOrder>(AmendOrder, command);
  }

  /** Resolves with how many orders were cancelled; `market` undefined means all. */
  cancelAll(time: number, account: number, market: number | undefined): Promise<number | Refused> {
    const command = { time, account, market: market ?? ALL_MARKETS };
    return this.ask<number, CancelAllOrders>(CancelAllOrders, command);
  }

  depth(time: number, market: number, levels: number): Promise<DepthAnswer | Refused> {
    return this.ask<DepthAnswer, RequestDepth>(RequestDepth, { time, market, levels });
  }

  /** What an account owns, as `unpackBalances` reads it. */
  balances(time: number, account: number): Promise<Uint8Array | Refused> {
    return this.ask<Uint8Array, RequestBalances>(RequestBalances, { time, account });
  }

  /** A query or an administrative command; resolves with its answer of queries.ts. */
  cold<T>(time: number, message: AdminCommand | Query): Promise<T | Refused> {
    return this.ask<T, ColdCommand>(ColdCommand, { time, payload: encodeCold(message) });
  }

  /** Tells clearing what time it is. */
  tick(time: number): void {
    Tick.write(this.batch, { time });
    this.schedule();
  }

  private ask<T, C extends { ticket: number }>(
    layout: CommandLayout<C>,
    command: Ticketless<C>,
  ): Promise<T | Refused> {
    return new Promise((resolve) => {
      const ticket = this.pending.add<T>(resolve);
      if (ticket === 0) {
        const busy = { retryAfterSeconds: BUSY_RETRY_SECONDS };
        return resolve(refuse(Refusals.Overloaded, busy));
      }
      const record = command as C;
      record.ticket = ticket;
      layout.write(this.batch, record);
      this.schedule();
    });
  }

  /** The event loop hands over all requests that it has, up to FLUSH_COUNT, before a batch goes out. */
  private schedule(): void {
    if (this.batch.count >= FLUSH_COUNT) return this.send(this.batch.take());
    if (this.flushing) return;
    this.flushing = true;
    setImmediate(this.flush);
  }
}
