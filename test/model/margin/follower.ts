import type { ColdEvent, StopOrder, Transfer } from '../../../core/messages/cold-events.ts';
import { REASONS, Side } from '../../../core/messages/enums.ts';
import type { EventOf, VenueEvent } from '../../clearing/records.ts';
import { chargeOf, commissionOf } from './charges.ts';
import { type FollowedMarket, FollowedVenue, HOUSE } from './followed-venue.ts';
import { fundingDue, fundingRate } from './payments.ts';
import { NaivePositions } from './positions.ts';
import { ceiling, floor, halfUp, over, times } from './rational.ts';
import { FollowedTriggers } from './triggers.ts';

/** An open order on margin, as the events tell of it. */
export interface FollowedOrder {
  readonly accepted: EventOf<'MarginOrderAccepted'>;
  quantity: bigint;
  remaining: bigint;
  /** Of its whole quantity, and of what remains, quote units. */
  wholeMargin: bigint;
  margin: bigint;
  accrued: bigint;
  charged: bigint;
  /** The position that its fills went to last. */
  openedPositionId: number;
}

interface SpotOrder {
  readonly account: number;
  readonly asset: number;
  readonly market: number;
  readonly side: number;
  hold: bigint;
}

/**
 * A venue as its events tell of it, and nothing else: each event must be what exact arithmetic makes
 * of those before it. Throws where one is not.
 */
export class MarginFollower {
  readonly venue = new FollowedVenue();
  readonly positions = new NaivePositions();
  readonly triggers = new FollowedTriggers();
  readonly orders = new Map<number, FollowedOrder>();
  readonly stopOrders = new Map<number, StopOrder>();
  /** What of the commission of an execution the root ledger has not paid, and other assets are still to. */
  readonly unpaid = new Map<number, bigint>();
  /** How often each market has closed a part of a position: each time a part of a unit is kept. */
  readonly closings = new Map<number, bigint>();
  private readonly spotOrders = new Map<number, SpotOrder>();
  private readonly transfers = new Map<number, Transfer>();
  /** Of the running funding interval of each market: their sum in 10^-8, and how many. */
  private readonly premiums = new Map<number, { sum: number; count: number }>();
  private lastExecution: EventOf<'MarginExecution'> | undefined;
  private lastPositionId = 0;
  /** How many events of each kind were followed. */
  readonly met = new Map<string, number>();

  apply(event: VenueEvent): void {
    this.count(event);
    switch (event.record) {
      case 'MarginOrderAccepted':
        return this.accept(event);
      case 'MarginExecution':
        return this.execute(event);
      case 'CommissionDeducted':
        return this.deduct(event);
      case 'MarginOrderAmended':
        return this.amend(event);
      case 'TrailingStopsMoved':
        return this.triggers.follow(event, this.positions);
      case 'FundingApplied':
        return this.fund(event);
      case 'SwapsCharged':
        return this.swap(event);
      case 'OrderAccepted':
      case 'OrdersTraded':
      case 'OrderAmended':
        return this.spot(event);
      case 'OrderClosed':
        return this.close(event);
      case 'Cold':
        return this.cold(event.event);
    }
  }

  /** Steps that open orders which close this position may still take of it. */
  closingOf(positionId: number): bigint {
    let closing = 0n;
    for (const { accepted, remaining } of this.orders.values()) {
      if (accepted.positionId === positionId) closing += remaining;
    }
    return closing;
  }

  /** What is open on one side, without what closes a position by its id. */
  pendingOf(account: number, market: number, side: number) {
    const pending = { quantity: 0n, margin: 0n };
    for (const { accepted, remaining, margin } of this.orders.values()) {
      if (accepted.account !== account || accepted.market !== market) continue;
      if (accepted.side !== side || accepted.positionId !== 0) continue;
      pending.quantity += remaining;
      pending.margin += margin;
    }
    return pending;
  }

  /** What must be held of each asset, by `account asset`. */
  heldNow(): Map<string, bigint> {
    const held = new Map<string, bigint>();
    const add = (account: number, asset: number, amount: bigint) => {
      const key = `${account} ${asset}`;
      held.set(key, (held.get(key) ?? 0n) + amount);
    };
    for (const { account, asset, hold } of this.spotOrders.values()) add(account, asset, hold);
    for (const { account, asset, amount, status } of this.transfers.values()) {
      if (status === 'AwaitingConfirmation') add(account, asset, amount);
    }
    return held;
  }

  private count(event: VenueEvent): void {
    let name: string = event.record === 'Cold' ? event.event.type : event.record;
    if (event.record === 'MarginOrderAccepted') name += ` ${REASONS[event.reason]}`;
    if (event.record === 'OrderClosed') name += ` ${REASONS[event.reason]}`;
    if (event.record === 'FundingApplied' && event.fundingRate !== 0) name += ' paid';
    if (event.record === 'Cold' && event.event.type === 'StopOrderEnded') {
      name += ` ${event.event.status}`;
    }
    this.met.set(name, (this.met.get(name) ?? 0) + 1);
  }

  private accept(event: EventOf<'MarginOrderAccepted'>): void {
    const { orderId, quantity, leverage, positionId, margin, stopOrderId } = event;
    if (leverage < 1 || leverage > 10_000) throw new Error(`${orderId} has leverage ${leverage}`);
    if (positionId !== 0) this.checkClosing(event);
    if (stopOrderId !== 0 && this.stopOrders.has(stopOrderId)) {
      throw new Error(`stop order ${stopOrderId} still waits beside its order ${orderId}`);
    }
    this.orders.set(orderId, {
      accepted: event,
      quantity: BigInt(quantity),
      remaining: BigInt(quantity),
      wholeMargin: margin,
      margin,
      accrued: 0n,
      charged: 0n,
      openedPositionId: 0,
    });
  }

  /** What closes a position claims no more of it than others have left. */
  private checkClosing(event: EventOf<'MarginOrderAccepted'>): void {
    const { orderId, positionId, quantity, account, side, margin } = event;
    const position = this.positions.open.get(positionId);
    if (position === undefined) throw new Error(`${orderId} closes no position`);
    if (position.account !== account) throw new Error(`${orderId} closes another’s position`);
    if (position.side === side) throw new Error(`${orderId} does not close, it adds`);
    if (margin !== 0n) throw new Error(`${orderId} closes and takes ${margin} of margin`);
    if (this.closingOf(positionId) + BigInt(quantity) > position.quantity) {
      throw new Error(`${orderId} closes more of ${positionId} than there is`);
    }
  }

  private execute(event: EventOf<'MarginExecution'>): void {
    const market = this.venue.market(event.market);
    const order = this.openOrder(event.orderId);
    const { accepted } = order;
    this.checkPair(event);
    order.remaining -= BigInt(event.quantity);
    this.same(event, 'remaining', BigInt(event.remaining), order.remaining);
    this.same(event, 'side', BigInt(event.side), BigInt(accepted.side));
    order.margin = ceiling(over(times(order.wholeMargin, order.remaining), order.quantity));
    this.same(event, 'orderMargin', event.orderMargin, order.margin);
    const known = this.positions.open.has(event.openedPositionId);
    if (!known && event.openedPositionId !== 0) this.checkNewId(event);
    const result = this.positions.fill(
      market.terms,
      { ...accepted, time: event.time, netting: this.venue.isNetting(event.account) },
      BigInt(event.price),
      BigInt(event.quantity),
      event.rate,
      event.openedPositionId,
    );
    for (const [field, value] of Object.entries(result)) {
      this.same(event, field, BigInt(event[field as keyof typeof result]), BigInt(value));
    }
    if (result.closedQuantity > 0n) {
      this.closings.set(event.market, (this.closings.get(event.market) ?? 0n) + 1n);
    }
    this.settle(event, market, result.realizedInRoot);
    this.charge(event, market, order);
    if (event.openedPositionId !== order.openedPositionId && event.openedPositionId !== 0) {
      this.triggers.opened(event.openedPositionId, !known, accepted, event.price);
      order.openedPositionId = event.openedPositionId;
    }
    if (!this.positions.open.has(event.closedPositionId))
      this.triggers.ended(event.closedPositionId);
    if (order.remaining === 0n) this.orders.delete(event.orderId);
  }

  /** The two sides of a trade follow one another, the taker's first. */
  private checkPair(event: EventOf<'MarginExecution'>): void {
    const { executionId } = event;
    this.same(event, 'executionId', BigInt(executionId), BigInt(this.venue.executions + 1));
    this.venue.executions = executionId;
    if (event.isMaker === 0) {
      this.lastExecution = event;
      return;
    }
    const taker = this.lastExecution;
    const pairs =
      taker !== undefined &&
      taker.executionId === executionId - 1 &&
      taker.price === event.price &&
      taker.quantity === event.quantity &&
      taker.market === event.market &&
      taker.side !== event.side;
    if (!pairs) throw new Error(`execution ${executionId} has no other side`);
  }

  private checkNewId({ openedPositionId, executionId }: EventOf<'MarginExecution'>): void {
    if (openedPositionId <= this.lastPositionId) {
      throw new Error(`execution ${executionId} opens ${openedPositionId}, an id used before`);
    }
    this.lastPositionId = openedPositionId;
  }

  private settle(event: EventOf<'MarginExecution'>, market: FollowedMarket, profit: bigint): void {
    this.venue.add(event.account, this.venue.rootAsset, profit);
    market.settlement -= profit;
  }

  private charge(
    event: EventOf<'MarginExecution'>,
    { terms }: FollowedMarket,
    order: FollowedOrder,
  ): void {
    const { accepted } = order;
    const [price, quantity] = [BigInt(event.price), BigInt(event.quantity)];
    order.accrued += commissionOf(terms, accepted, price, quantity, event.rate);
    this.same(event, 'commissionAccrued', event.commissionAccrued, order.accrued);
    const commission = chargeOf(order.accrued, accepted.feeMinimum, order.charged);
    this.same(event, 'commission', event.commission, commission);
    order.charged += commission;
    const unpaid = commission - event.commissionFromRoot;
    if (unpaid !== 0n) this.unpaid.set(event.executionId, unpaid);
    this.venue.move(event.account, HOUSE, this.venue.rootAsset, event.commissionFromRoot);
  }

  private deduct(event: EventOf<'CommissionDeducted'>): void {
    const left = (this.unpaid.get(event.executionId) ?? 0n) - event.amountInRoot;
    if (event.amount <= 0n || left < 0n) this.same(event, 'left to pay', left, 0n);
    if (left === 0n) this.unpaid.delete(event.executionId);
    else this.unpaid.set(event.executionId, left);
    this.venue.move(event.account, HOUSE, event.asset, event.amount);
  }

  private amend(event: EventOf<'MarginOrderAmended'>): void {
    const order = this.openOrder(event.orderId);
    const filled = order.quantity - order.remaining;
    order.quantity = BigInt(event.quantity);
    order.remaining = BigInt(event.remaining);
    if (order.quantity - order.remaining !== filled) throw new Error('an amend that fills');
    order.margin = event.margin;
    // What the rest needs is told; the whole is in proportion to it.
    order.wholeMargin = ceiling(over(times(event.margin, order.quantity), order.remaining));
  }

  /** Each position pays its exact share, rounded up or down by less than a unit; all come to nothing. */
  private fund(event: EventOf<'FundingApplied'>): void {
    const market = this.venue.market(event.market);
    const { markPrice, fundingRate, rate } = event;
    this.same(event, 'fundingRate', BigInt(fundingRate), this.rateDue(event));
    const paid = this.payments(event);
    let sum = 0n;
    for (const position of this.positions.open.values()) {
      if (position.market !== event.market) continue;
      const amount = paid.get(position.id) ?? 0n;
      paid.delete(position.id);
      const due = fundingDue(market.terms, position, markPrice, fundingRate, rate);
      if (amount !== floor(due)) this.same(event, `of ${position.id}`, amount, ceiling(due));
      this.venue.add(position.account, this.venue.rootAsset, amount);
      sum += amount;
    }
    this.same(event, 'positions that are not there', BigInt(paid.size), 0n);
    this.same(event, 'all payments', sum, 0n);
    this.premiums.delete(event.market);
  }

  /** By the premiums since the last settlement; none where there is nothing to pay by. */
  private rateDue({ market, markPrice, rate, intervalHours }: EventOf<'FundingApplied'>): bigint {
    const { sum, count } = this.premiums.get(market) ?? { sum: 0, count: 0 };
    const cap = this.venue.market(market).configuration.margin?.funding?.cap ?? 0;
    if (count === 0 || markPrice === 0 || rate === 0n) return 0n;
    return fundingRate(halfUp(over(sum, count)), intervalHours, cap);
  }

  private swap(event: EventOf<'SwapsCharged'>): void {
    for (const [id, amount] of this.payments(event)) {
      const { account, market } = this.openPosition(id);
      this.same(event, 'market', BigInt(market), BigInt(event.market));
      this.venue.move(HOUSE, account, this.venue.rootAsset, amount);
    }
  }

  /** Position ids with what each is paid. */
  private payments(
    event: EventOf<'FundingApplied'> | EventOf<'SwapsCharged'>,
  ): Map<number, bigint> {
    const ids = new Float64Array(event.positions.slice().buffer);
    const amounts = new BigInt64Array(event.amounts.slice().buffer);
    const paid = new Map<number, bigint>();
    ids.forEach((id, at) => {
      paid.set(id, amounts[at] ?? 0n);
    });
    this.same(event, 'positions', BigInt(paid.size), BigInt(amounts.length));
    return paid;
  }

  private openPosition(id: number) {
    const position = this.positions.open.get(id);
    if (position === undefined) throw new Error(`position ${id} is paid and not open`);
    return position;
  }

  private spot(
    event: EventOf<'OrderAccepted'> | EventOf<'OrdersTraded'> | EventOf<'OrderAmended'>,
  ): void {
    switch (event.record) {
      case 'OrderAccepted': {
        const { account, side, market, hold } = event;
        const { base, quote } = this.venue.market(market);
        const asset = side === Side.Buy ? quote : base;
        this.spotOrders.set(event.orderId, { account, asset, market, side, hold });
        return;
      }
      case 'OrderAmended':
        this.spotOrder(event.orderId).hold = event.hold;
        return;
      case 'OrdersTraded':
        return this.trade(event);
    }
  }

  private trade(event: EventOf<'OrdersTraded'>): void {
    const { venue } = this;
    const { base, quote, baseUnitsPerStep } = venue.market(event.market);
    this.same(event, 'executionId', BigInt(event.executionId), BigInt(venue.executions + 1));
    venue.executions += 2;
    const sides = [
      [event.takerOrderId, event.takerAccount, event.takerFee, event.takerRemaining],
      [event.makerOrderId, event.makerAccount, event.makerFee, event.makerRemaining],
    ] as const;
    const amount = BigInt(event.quantity) * baseUnitsPerStep;
    let kept = 0n;
    for (const [id, account, fee, remaining] of sides) {
      const order = this.spotOrder(id);
      const buys = order.side === Side.Buy;
      venue.add(account, base, buys ? amount : -amount);
      venue.add(account, quote, (buys ? -event.buyerDebit : event.sellerCredit) - fee);
      kept += fee + (buys ? event.buyerDebit : -event.sellerCredit);
      order.hold = buys ? event.buyerHold : BigInt(remaining) * baseUnitsPerStep;
      if (remaining === 0) this.spotOrders.delete(id);
    }
    venue.add(HOUSE, quote, kept);
  }

  private close(event: EventOf<'OrderClosed'>): void {
    if (this.spotOrders.delete(event.orderId)) return;
    const order = this.openOrder(event.orderId);
    this.same(event, 'remaining', BigInt(event.remaining), order.remaining);
    this.orders.delete(event.orderId);
  }

  private cold(event: ColdEvent): void {
    switch (event.type) {
      case 'StopOrderPlaced':
        this.stopOrders.set(event.stopOrder.orderId, event.stopOrder);
        return;
      case 'StopOrderEnded':
        if (!this.stopOrders.delete(event.orderId)) {
          throw new Error(`stop order ${event.orderId} ends and does not wait`);
        }
        return;
      case 'PositionTriggersSet':
        this.openPosition(event.positionId);
        return this.triggers.set(event.positionId, event.triggers);
      case 'PremiumSampled': {
        const { sum, count } = this.premiums.get(event.market) ?? { sum: 0, count: 0 };
        this.premiums.set(event.market, { sum: sum + event.sum, count: count + event.count });
        return;
      }
      case 'TransferCreated':
        return this.transfer(event.transfer);
      case 'TransferChanged':
        return this.changeTransfer(event);
      case 'NegativeBalanceCompensated': {
        const { account, amount } = event;
        const { venue } = this;
        if (amount <= 0n) throw new Error(`account ${account} is compensated by ${amount}`);
        if ([...this.positions.open.values()].some((each) => each.account === account)) {
          throw new Error(`account ${account} is compensated and still has positions`);
        }
        return venue.move(HOUSE, account, venue.rootAsset, amount);
      }
      default:
        return this.venue.cold(event);
    }
  }

  private transfer(transfer: Transfer): void {
    this.transfers.set(transfer.transferId, transfer);
    const { type, status, account, asset, amount } = transfer;
    if (type === 'Deposit' && status === 'Completed') this.venue.add(account, asset, amount);
  }

  private changeTransfer(event: Extract<ColdEvent, { type: 'TransferChanged' }>): void {
    const transfer = this.transfers.get(event.transferId);
    if (transfer === undefined) throw new Error(`no transfer ${event.transferId}`);
    this.transfers.set(event.transferId, { ...transfer, status: event.status });
    const { account, asset, amount } = transfer;
    if (event.status === 'Completed') this.venue.add(account, asset, -amount);
  }

  private spotOrder(id: number): SpotOrder {
    const order = this.spotOrders.get(id);
    if (order === undefined) throw new Error(`no open Spot order ${id}`);
    return order;
  }

  private openOrder(id: number): FollowedOrder {
    const order = this.orders.get(id);
    if (order === undefined) throw new Error(`no open order ${id} on margin`);
    return order;
  }

  private same(event: VenueEvent, field: string, told: bigint, due: bigint): void {
    if (told === due) return;
    const text = JSON.stringify(event, (_, value) =>
      typeof value === 'bigint' ? String(value) : value instanceof Uint8Array ? '…' : value,
    );
    throw new Error(`${field} is ${told} where ${due} is due: ${text}`);
  }
}
