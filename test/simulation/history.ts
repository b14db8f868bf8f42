import type { ClearingState } from '../../core/clearing/index.ts';
import type { ColdEvent, StopOrder, Transfer } from '../../core/messages/cold-events.ts';
import { OrderStatus, Side } from '../../core/messages/enums.ts';
import { RecordCursor } from '../../core/messages/record.ts';
import type { JournalBatch } from '../../persistence/journal/chain.ts';
import { decodeEvents, type EventOf, type VenueEvent } from '../clearing/records.ts';
import { MarginFollower } from '../model/margin/follower.ts';

type Accepted = EventOf<'OrderAccepted'> | EventOf<'MarginOrderAccepted'>;

/** An order as the events so far tell of it. */
export interface HistoricOrder {
  readonly accepted: Accepted;
  limit: number;
  quantity: number;
  remaining: number;
  open: boolean;
  status: number;
}

/**
 * What happened, as the journal tells it, kept apart from clearing and checked for sense: every event
 * must follow from those before it.
 */
export class History {
  readonly orders = new Map<number, HistoricOrder>();
  readonly transfers = new Map<number, Transfer>();
  /** Every stop order there ever was; `follower` knows which still wait. */
  readonly stopOrders = new Map<number, StopOrder>();
  readonly follower = new MarginFollower();
  /** Each event's bytes, by sequence. */
  readonly records: Uint8Array[] = [];
  /** How many orders each account's own id has created. */
  private readonly clientOrderIds = new Map<string, number>();
  private readonly house = new Map<number, bigint>();
  /** Whose orders up to which id a halt ends: `market n` and `account n`. */
  private readonly halted = new Map<string, number>();
  private newestOrder = 0;
  private readonly marketStatuses = new Map<number, string>();
  private executions = 0;
  private time = 0;

  get sequence(): number {
    return this.records.length;
  }

  get open(): { id: number; account: number }[] {
    const open: { id: number; account: number }[] = [];
    for (const [id, { open: isOpen, accepted }] of this.orders) {
      if (isOpen) open.push({ id, account: accepted.account });
    }
    return open;
  }

  get waitingStopOrders(): { id: number; account: number }[] {
    return [...this.follower.stopOrders.values()].map(({ orderId: id, account }) => ({
      id,
      account,
    }));
  }

  append({ firstSequence, events }: Pick<JournalBatch, 'firstSequence' | 'events'>): void {
    if (firstSequence !== this.sequence + 1) {
      throw new Error(`events from ${firstSequence} follow on ${this.sequence}`);
    }
    const bytes = new Uint8Array(events);
    const cursor = new RecordCursor(bytes);
    while (cursor.next()) this.records.push(cursor.slice());
    for (const event of decodeEvents(bytes)) this.apply(event);
  }

  orderOf(account: number, clientOrderId: string): number | undefined {
    return this.clientOrderIds.get(`${account} ${clientOrderId}`);
  }

  /** Throws where clearing has other orders open than this, or other terms of them. */
  compareWith(state: ClearingState): void {
    let open = 0;
    for (const [id, order] of this.orders) {
      const market = state.openOrder(id);
      if ((market !== undefined) !== order.open) {
        throw new Error(`order ${id} is ${order.open ? 'open' : 'ended'} in the journal only`);
      }
      if (market === undefined) continue;
      open++;
      const { slot } = state.orderIndex;
      const { prices, quantities, remainings } = market.orders;
      const kept = [prices[slot], quantities[slot], remainings[slot]].join();
      const told = [order.limit, order.quantity, order.remaining].join();
      if (kept !== told)
        throw new Error(`order ${id} is ${kept} in clearing, ${told} by its events`);
    }
    if (open !== state.orderIndex.count) {
      throw new Error(`${state.orderIndex.count} open orders where events tell of ${open}`);
    }
  }

  /** Throws where an order is open whose time was up when the last event happened. */
  checkExpired(): void {
    for (const [id, { open, accepted }] of this.orders) {
      const { expiresAt } = accepted;
      if (open && expiresAt > 0 && expiresAt <= this.time) {
        throw new Error(`order ${id} was to end at ${expiresAt} and is open at ${this.time}`);
      }
    }
    for (const { orderId, expiresAt } of this.follower.stopOrders.values()) {
      if (expiresAt > 0 && expiresAt <= this.time) {
        throw new Error(`stop order ${orderId} was to end at ${expiresAt} and still waits`);
      }
    }
  }

  /** Throws where an order is open that a halt of its market or account was to end. */
  checkHalted(): void {
    for (const [id, { open, accepted }] of this.orders) {
      if (!open) continue;
      for (const whose of [`market ${accepted.market}`, `account ${accepted.account}`]) {
        if (id <= (this.halted.get(whose) ?? 0))
          throw new Error(`order ${id} outlives a halt of ${whose}`);
      }
    }
  }

  private apply(event: VenueEvent): void {
    if (event.time < this.time) throw new Error(`time runs back to ${event.time}`);
    this.time = event.time;
    this.follower.apply(event);
    switch (event.record) {
      case 'OrderAccepted':
      case 'MarginOrderAccepted':
        return this.accept(event);
      case 'MarginExecution':
        return this.execute(event);
      case 'OrdersTraded':
        return this.trade(event);
      case 'OrderClosed':
        return this.close(event);
      case 'OrderAmended':
      case 'MarginOrderAmended':
        return this.amend(event);
      case 'Cold':
        return this.cold(event.event);
    }
  }

  private cold(event: ColdEvent): void {
    if (event.type === 'TransferCreated') {
      const { transfer } = event;
      this.transfers.set(transfer.transferId, transfer);
    } else if (event.type === 'StopOrderPlaced') {
      const { stopOrder } = event;
      this.stopOrders.set(stopOrder.orderId, stopOrder);
      this.name(stopOrder.account, stopOrder.clientOrderId, stopOrder.orderId);
    } else if (event.type === 'MarketConfigured') {
      const { market, configuration } = event;
      const changed = this.marketStatuses.get(market) !== configuration.status;
      this.marketStatuses.set(market, configuration.status);
      const ends = configuration.status === 'Halted' || configuration.status === 'Disabled';
      if (changed && ends) this.halted.set(`market ${market}`, this.newestOrder);
    } else if (event.type === 'AccountStatusChanged' && event.status === 'Halted') {
      this.halted.set(`account ${event.account}`, this.newestOrder);
    }
  }

  private accept(event: Accepted): void {
    const { orderId, account, clientOrderId, limit, quantity } = event;
    if (this.orders.has(orderId)) throw new Error(`order ${orderId} is accepted twice`);
    this.name(account, clientOrderId, orderId);
    const status = OrderStatus.Started;
    const order = { accepted: event, limit, quantity, remaining: quantity, open: true, status };
    this.newestOrder = orderId;
    this.orders.set(orderId, order);
  }

  private name(account: number, clientOrderId: string, orderId: number): void {
    if (clientOrderId === '') return;
    const key = `${account} ${clientOrderId}`;
    if (this.clientOrderIds.has(key)) throw new Error(`${key} creates order ${orderId} as well`);
    this.clientOrderIds.set(key, orderId);
  }

  /** A taker at a price within its limit, a maker at its own. */
  private execute(event: EventOf<'MarginExecution'>): void {
    const { orderId, price, quantity, remaining, side, isMaker } = event;
    const order = this.openOrder(orderId);
    const within = side === Side.Buy ? price <= order.limit : price >= order.limit;
    if (!within || (isMaker === 1 && price !== order.limit)) {
      throw new Error(`${orderId} trades at ${price}, its limit is ${order.limit}`);
    }
    if (event.executionId !== this.executions + 1) {
      throw new Error(`execution ${event.executionId} is not next`);
    }
    this.executions++;
    this.fill(order, orderId, quantity, remaining);
  }

  private trade(event: EventOf<'OrdersTraded'>): void {
    const { takerOrderId, makerOrderId, takerSide, price, quantity, executionId } = event;
    const taker = this.openOrder(takerOrderId);
    const maker = this.openOrder(makerOrderId);
    if (price !== maker.limit) throw new Error(`${makerOrderId} trades at ${price}`);
    const within = takerSide === Side.Buy ? price <= taker.limit : price >= taker.limit;
    if (!within) throw new Error(`${takerOrderId} trades at ${price}, beyond ${taker.limit}`);
    if (executionId !== this.executions + 1)
      throw new Error(`execution ${executionId} is not next`);
    this.executions += 2;
    this.fill(taker, takerOrderId, quantity, event.takerRemaining);
    this.fill(maker, makerOrderId, quantity, event.makerRemaining);
    if (event.takerFee < 0n || event.makerFee < 0n) throw new Error('a negative commission');
    const residue = event.buyerDebit - event.sellerCredit;
    const kept = (this.house.get(event.market) ?? 0n) + residue;
    if (kept < 0n) throw new Error(`the house has paid ${-kept} units of rounding`);
    this.house.set(event.market, kept);
  }

  private fill(order: HistoricOrder, id: number, quantity: number, left: number): void {
    if (left < 0 || order.remaining - quantity !== left) {
      throw new Error(`order ${id} has ${left} left of ${order.remaining} less ${quantity}`);
    }
    order.remaining = left;
    if (left > 0) return;
    order.open = false;
    order.status = OrderStatus.Completed;
  }

  private close(event: EventOf<'OrderClosed'>): void {
    const order = this.openOrder(event.orderId);
    if (event.remaining !== order.remaining) {
      throw new Error(`order ${event.orderId} ends with ${event.remaining} of ${order.remaining}`);
    }
    order.open = false;
    order.status = event.status;
  }

  private amend(event: EventOf<'OrderAmended'> | EventOf<'MarginOrderAmended'>): void {
    const order = this.openOrder(event.orderId);
    const filled = order.quantity - order.remaining;
    if (event.quantity !== filled + event.remaining || event.remaining <= 0) {
      throw new Error(
        `order ${event.orderId} is amended to ${event.remaining} of ${event.quantity}`,
      );
    }
    order.limit = event.price;
    order.quantity = event.quantity;
    order.remaining = event.remaining;
  }

  private openOrder(id: number): HistoricOrder {
    const order = this.orders.get(id);
    if (order === undefined || !order.open) throw new Error(`order ${id} is not open`);
    return order;
  }
}
