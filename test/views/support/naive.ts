import type { ColdEvent } from '../../../core/messages/cold-events.ts';
import {
  ORDER_SOURCES,
  ORDER_STATUSES,
  ORDER_TYPES,
  REASONS,
  SIDES,
  TIMES_IN_FORCE,
} from '../../../core/messages/enums.ts';
import type { StreamEvent } from './event-stream.ts';

/**
 * What the views must answer, computed the plain way: every event on its own, whole objects, exact
 * fractions, and nothing shared with the code under test.
 */

type Cold<T extends ColdEvent['type']> = Extract<ColdEvent, { type: T }>;
type Accepted = Extract<StreamEvent, { kind: 'accepted' }>;
type Traded = Extract<StreamEvent, { kind: 'traded' }>;

/** A decimal of at most `digits` places, cut or rounded half up, without padding. */
export function decimal(
  numerator: bigint,
  denominator: bigint,
  digits: number,
  up = false,
): string {
  const scaled = numerator * 10n ** BigInt(digits) * 2n + (up ? denominator : 0n);
  const units = String(scaled / (2n * denominator)).padStart(digits + 1, '0');
  const whole = units.slice(0, units.length - digits);
  const fraction = units.slice(units.length - digits).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

const inUnits = (units: bigint | number, scale: number): string =>
  decimal(BigInt(units), 10n ** BigInt(scale), scale);

const iso = (time: number): string => new Date(time).toISOString();

export interface NaiveExecution {
  readonly executionId: number;
  readonly time: number;
  readonly price: number;
  readonly quantity: number;
  readonly fee: bigint;
}

export interface NaiveOrder {
  readonly accepted: Accepted;
  readonly market: Cold<'MarketConfigured'>['configuration'];
  readonly quoteScale: number;
  readonly executions: NaiveExecution[];
  price: number;
  quantity: number;
  remaining: number;
  status: string;
  source: number;
  reason: string;
  updated: number;
  ended: number | null;
}

export interface NaiveTrade {
  readonly market: number;
  readonly time: number;
  /** At eight places and sixteen, whatever the market's scales were. */
  readonly price: bigint;
  readonly amount: bigint;
}

export class NaiveViews {
  readonly orders = new Map<number, NaiveOrder>();
  readonly trades: NaiveTrade[] = [];
  /** Both executions of each trade that was undone. */
  private readonly reverted = new Set<number>();
  readonly transfers = new Map<number, Cold<'TransferCreated'>['transfer']>();
  /** States of transfers to be told of, in their order. */
  readonly callbacks: {
    readonly url: string;
    readonly transfer: Cold<'TransferCreated'>['transfer'];
  }[] = [];
  private readonly assets = new Map<number, Cold<'AssetConfigured'>['configuration']>();
  private readonly markets = new Map<number, Cold<'MarketConfigured'>['configuration']>();

  apply(event: StreamEvent): void {
    if (event.kind === 'cold') this.configure(event.event);
    else if (event.kind === 'accepted') this.accept(event);
    else if (event.kind === 'traded') this.trade(event);
    else {
      const order = this.order(event.orderId);
      order.updated = event.time;
      order.remaining = event.remaining;
      if (event.kind === 'amended') {
        order.price = event.price;
        order.quantity = event.quantity;
      } else {
        order.status = ORDER_STATUSES[event.status] ?? '';
        order.source = event.source;
        order.reason = REASONS[event.reason] ?? '';
        if (order.status !== 'Rejected') order.ended = event.time;
      }
    }
  }

  /** What an order was placed with, whatever amends made of it. */
  admitted(id: number): Record<string, unknown> {
    const { price, quantity } = this.order(id).accepted;
    return { admittedPrice: price, admittedQuantity: quantity };
  }

  /** The read form of an order. */
  orderView(id: number): Record<string, unknown> {
    const order = this.order(id);
    const { accepted, market, executions } = order;
    const filled = executions.reduce((sum, { quantity }) => sum + BigInt(quantity), 0n);
    const notional = executions.reduce(
      (sum, { price, quantity }) => sum + BigInt(price) * BigInt(quantity),
      0n,
    );
    const commission = executions.reduce((sum, { fee }) => sum + fee, 0n);
    const orderType = ORDER_TYPES[accepted.type];
    const ticks = 10n ** BigInt(market.priceScale);
    return {
      marketId: market.marketId,
      marketType: 'Spot',
      marketDisplayName: market.displayName,
      marketFullName: market.fullName,
      orderId: String(id),
      timeInForce: TIMES_IN_FORCE[accepted.timeInForce],
      status: order.status,
      source: ORDER_SOURCES[order.source],
      reason: order.reason,
      side: SIDES[accepted.side],
      orderType,
      requestedAmount: inUnits(order.quantity, market.amountScale),
      remainingAmount: inUnits(order.remaining, market.amountScale),
      requestedPrice: orderType === 'Market' ? null : inUnits(order.price, market.priceScale),
      executionPrice:
        filled === 0n ? '0' : decimal(notional, filled * ticks, market.priceScale + 6, true),
      createdAt: iso(accepted.time),
      updatedAt: iso(order.updated),
      cancellationDate: order.ended === null ? null : iso(order.ended),
      commissionAssetId: market.quoteAssetId,
      commissionAmount: inUnits(commission, order.quoteScale),
      leverage: 1,
      rejectDetails: '',
      fillFactor: decimal(filled, BigInt(order.quantity), 8),
      comment: accepted.comment || null,
      clientOrderId: accepted.clientOrderId || null,
    };
  }

  /** The ids of an account's orders, newest first. */
  orderIdsOf(account: number): number[] {
    return [...this.orders.values()]
      .filter(({ accepted }) => accepted.account === account)
      .sort((a, b) => b.accepted.time - a.accepted.time || b.accepted.orderId - a.accepted.orderId)
      .map(({ accepted }) => accepted.orderId);
  }

  /** An order's executions, newest first, less the commission in the root asset. */
  executionViews(id: number): Record<string, unknown>[] {
    const { accepted, market, executions, reason, quoteScale } = this.order(id);
    return executions.toReversed().map(({ executionId, time, price, quantity, fee }) => ({
      positionId: '',
      orderId: String(id),
      executionId: String(executionId),
      side: SIDES[accepted.side],
      reason,
      createdAt: iso(time),
      baseAmount: inUnits(quantity, market.amountScale),
      executionPrice: inUnits(price, market.priceScale),
      commissions: [{ assetId: market.quoteAssetId, amount: inUnits(fee, quoteScale) }],
      comment: accepted.comment || null,
      realizedPnlInRAT: '0',
      positionSizeIncreased: SIDES[accepted.side] === 'Buy',
      ...(this.reverted.has(executionId) ? { isReverted: true } : {}),
    }));
  }

  transferViews(account: number): Record<string, unknown>[] {
    return [...this.transfers.values()]
      .filter((transfer) => transfer.account === account)
      .sort((a, b) => b.transferId - a.transferId)
      .map((transfer) => this.transferView(transfer));
  }

  callbackViews(accountIds: readonly string[]): Record<string, unknown>[] {
    return this.callbacks.map(({ url, transfer }, index) => ({
      id: index + 1,
      url,
      transfer: { ...this.transferView(transfer), accountId: accountIds[transfer.account] },
    }));
  }

  private transferView(transfer: Cold<'TransferCreated'>['transfer']): Record<string, unknown> {
    return {
      transferId: String(transfer.transferId),
      deduplicationId: transfer.deduplicationId,
      assetId: this.asset(transfer.asset).assetId,
      type: transfer.type,
      status: transfer.status,
      amount: inUnits(transfer.amount, this.asset(transfer.asset).scale),
      createdAt: iso(transfer.createdAt),
      updatedAt: iso(transfer.updatedAt),
    };
  }

  /** A market's candles, oldest first; `startOf` names the period of a time. */
  candles(market: number, startOf: (time: number) => number): Record<string, string>[] {
    const periods = new Map<number, NaiveTrade[]>();
    for (const trade of this.trades) {
      if (trade.market !== market) continue;
      const start = startOf(trade.time);
      periods.set(start, [...(periods.get(start) ?? []), trade]);
    }
    return [...periods]
      .sort(([a], [b]) => a - b)
      .map(([start, trades]) => {
        const prices = trades.map(({ price }) => price);
        const sorted = prices.toSorted((a, b) => (a < b ? -1 : 1));
        const price = (units: bigint | undefined): string => inUnits(units ?? 0n, 8);
        const sum = (of: (trade: NaiveTrade) => bigint): bigint =>
          trades.reduce((total, trade) => total + of(trade), 0n);
        return {
          start: iso(start),
          open: price(prices[0]),
          high: price(sorted.at(-1)),
          low: price(sorted[0]),
          close: price(prices.at(-1)),
          volume: inUnits(
            sum(({ amount }) => amount),
            8,
          ),
          quoteVolume: inUnits(
            sum(({ amount, price: each }) => amount * each),
            16,
          ),
        };
      });
  }

  private accept(event: Accepted): void {
    const market = this.markets.get(event.market);
    if (market === undefined) throw new Error(`no market ${event.market}`);
    const quote = [...this.assets.values()].find(({ assetId }) => assetId === market.quoteAssetId);
    const name = TIMES_IN_FORCE[event.timeInForce] ?? '';
    const rests = ORDER_TYPES[event.type] === 'Limit' && !['Ioc', 'Fok'].includes(name);
    this.orders.set(event.orderId, {
      accepted: event,
      market,
      quoteScale: quote?.scale ?? 0,
      executions: [],
      price: event.price,
      quantity: event.quantity,
      remaining: event.quantity,
      status: rests ? 'Pending' : 'Working',
      source: event.source,
      reason: 'Trader',
      updated: event.time,
      ended: null,
    });
  }

  private trade(event: Traded): void {
    const { executionId, time, price, quantity } = event;
    const sides = [
      [event.takerOrderId, executionId, event.takerRemaining, event.takerFee],
      [event.makerOrderId, executionId + 1, event.makerRemaining, event.makerFee],
    ] as const;
    for (const [orderId, id, remaining, fee] of sides) {
      const order = this.order(orderId);
      order.executions.push({ executionId: id, time, price, quantity, fee });
      order.remaining = remaining;
      order.updated = time;
      if (remaining === 0) order.status = 'Completed';
    }
    const { priceScale, amountScale } = this.order(event.takerOrderId).market;
    this.trades.push({
      market: event.market,
      time,
      price: BigInt(price) * 10n ** BigInt(8 - priceScale),
      amount: BigInt(quantity) * 10n ** BigInt(8 - amountScale),
    });
  }

  private configure(event: ColdEvent): void {
    if (event.type === 'AssetConfigured') this.assets.set(event.asset, event.configuration);
    if (event.type === 'MarketConfigured') this.markets.set(event.market, event.configuration);
    if (event.type === 'TradesReverted') {
      for (const { tradeId } of event.trades) this.reverted.add(tradeId).add(tradeId + 1);
    }
    if (event.type === 'TransferCreated') {
      this.setTransfer(event.transfer);
    }
    if (event.type === 'TransferChanged') {
      const { transferId, status, callbackUrl, updatedAt } = event;
      const transfer = this.transfers.get(transferId);
      if (transfer === undefined) throw new Error(`no transfer ${transferId}`);
      this.setTransfer({ ...transfer, status, callbackUrl, updatedAt });
    }
  }

  private setTransfer(transfer: Cold<'TransferCreated'>['transfer']): void {
    const { transferId, callbackUrl } = transfer;
    this.transfers.set(transferId, transfer);
    if (callbackUrl !== null) this.callbacks.push({ url: callbackUrl, transfer });
  }

  private order(id: number): NaiveOrder {
    const order = this.orders.get(id);
    if (order === undefined) throw new Error(`no order ${id}`);
    return order;
  }

  private asset(index: number): Cold<'AssetConfigured'>['configuration'] {
    const asset = this.assets.get(index);
    if (asset === undefined) throw new Error(`no asset ${index}`);
    return asset;
  }
}
