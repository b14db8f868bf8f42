import { encodeCold } from '../../../core/messages/codec.ts';
import type { ColdEvent } from '../../../core/messages/cold-events.ts';
import type { MarketConfiguration } from '../../../core/messages/configuration.ts';
import {
  OrderSource,
  OrderStatus,
  OrderType,
  Reason,
  TIMES_IN_FORCE,
  TimeInForce,
} from '../../../core/messages/enums.ts';
import {
  ColdEventRecord,
  OrderAccepted,
  OrderAmended,
  OrderClosed,
  OrdersTraded,
} from '../../../core/messages/events.ts';
import { BatchWriter } from '../../../core/messages/record.ts';
import type { Random } from '../../persistence/support/random.ts';

/** Every event as a plain object, for whoever wants to compute from it independently. */
export type StreamEvent =
  | ({ readonly kind: 'accepted' } & OrderAccepted)
  | ({ readonly kind: 'traded' } & OrdersTraded)
  | ({ readonly kind: 'closed' } & OrderClosed)
  | ({ readonly kind: 'amended' } & OrderAmended)
  | { readonly kind: 'cold'; readonly event: ColdEvent };

export interface OpenOrder {
  readonly orderId: number;
  readonly account: number;
  readonly market: number;
  readonly side: number;
  price: number;
  quantity: number;
  remaining: number;
}

const ASSETS = [
  { assetId: 'usdt', scale: 6, isRoot: true },
  { assetId: 'btc', scale: 8, isRoot: false },
  { assetId: 'eth', scale: 18, isRoot: false },
] as const;

const MARKETS = [
  { base: 'btc', quote: 'usdt', priceScale: 2, amountScale: 6 },
  { base: 'eth', quote: 'usdt', priceScale: 4, amountScale: 0 },
  { base: 'eth', quote: 'btc', priceScale: 8, amountScale: 8 },
] as const;

const ACCOUNTS = 3;
/** One execution in so many is of a trade that is undone. */
const REVERTED_OF = 32;

function marketConfiguration(
  base: string,
  quote: string,
  priceScale: number,
  amountScale: number,
): MarketConfiguration {
  return {
    marketId: `spot.${base}_${quote}`,
    displayName: `${base.toUpperCase()}/${quote.toUpperCase()}`,
    fullName: base === 'btc' ? 'Bitcoin / Tether' : null,
    type: 'Spot',
    subtype: null,
    baseAssetId: base,
    quoteAssetId: quote,
    priceScale,
    amountScale,
    minAmount: 0,
    maxAmount: null,
    maxPrice: null,
    priceDeviation: 0,
    slippageRate: 11_000,
    feeRate: 100_000,
    feeMinimum: 0n,
    internalTtl: 0,
    externalTtl: 0,
    status: 'Open',
    calendar: null,
  };
}

/**
 * A random history that a venue could have had: orders of all kinds that trade, are amended,
 * cancelled and expire, transfers, accounts that are halted, markets whose scales change while no
 * order is open in them, a clock that stands still, leaps and now and then goes backwards.
 */
export class EventStream {
  readonly writer = new BatchWriter();
  readonly events: StreamEvent[] = [];
  time: number;
  private readonly random: Random;
  private readonly open: OpenOrder[] = [];
  private readonly scales: { priceScale: number; amountScale: number }[] = MARKETS.map(
    ({ priceScale, amountScale }) => ({ priceScale, amountScale }),
  );
  private nextOrderId = 1;
  private nextExecutionId = 1;
  private nextTransferId = 1;
  private readonly transfers: number[] = [];

  constructor(random: Random, start = Date.UTC(2026, 0, 31, 23, 50)) {
    this.random = random;
    this.time = start;
  }

  /** What must come first. */
  openVenue(): void {
    for (const [asset, { assetId, scale, isRoot }] of ASSETS.entries()) {
      this.cold({
        type: 'AssetConfigured',
        asset,
        configuration: {
          assetId,
          name: assetId,
          scale,
          isRoot,
          marginRatio: 0,
          type: 'Crypto',
          source: 'Internal',
        },
      });
    }
    for (let market = 0; market < MARKETS.length; market++) this.configureMarket(market);
    for (let account = 0; account < ACCOUNTS; account++) {
      this.cold({
        type: 'AccountOpened',
        account,
        configuration: {
          accountId: `account-${account}`,
          publicAccountId: account,
          accountName: 'Main',
          accountType: 'Netting',
          accountStatus: 'Active',
          ownerUserId: `user-${account}`,
          isCopyTradingAccount: false,
        },
      });
    }
  }

  /** One thing happens: one or a few events. */
  step(): void {
    this.passTime();
    const dice = this.random.next();
    if (dice < 0.55) this.place();
    else if (dice < 0.75) this.tradeOpenOrders();
    else if (dice < 0.83) this.end();
    else if (dice < 0.92) this.amend();
    else if (dice < 0.96) this.transfer();
    else if (dice < 0.97) this.changeScales();
    else this.changeAccount();
  }

  accept(order: Partial<OrderAccepted>): OpenOrder {
    const event = { ...OrderAccepted.blank(), time: this.time, ...order };
    event.orderId = this.nextOrderId++;
    OrderAccepted.write(this.writer, event);
    this.events.push({ ...event, kind: 'accepted' });
    const { orderId, account, market, side, price, quantity } = event;
    const open = { orderId, account, market, side, price, quantity, remaining: quantity };
    this.open.push(open);
    return open;
  }

  trade(
    taker: OpenOrder,
    maker: OpenOrder,
    price: number,
    quantity: number,
    fees = [7n, 5n],
  ): number {
    taker.remaining -= quantity;
    maker.remaining -= quantity;
    const executionId = this.nextExecutionId;
    this.nextExecutionId += 2;
    const event = {
      ...OrdersTraded.blank(),
      time: this.time,
      executionId,
      market: taker.market,
      takerAccount: taker.account,
      makerAccount: maker.account,
      takerOrderId: taker.orderId,
      makerOrderId: maker.orderId,
      takerSide: taker.side,
      price,
      quantity,
      takerRemaining: taker.remaining,
      makerRemaining: maker.remaining,
      takerFee: fees[0] ?? 0n,
      makerFee: fees[1] ?? 0n,
    };
    OrdersTraded.write(this.writer, event);
    this.events.push({ ...event, kind: 'traded' });
    this.forgetFilled();
    return executionId;
  }

  close(order: OpenOrder, status: number, reason: number = Reason.Trader): void {
    const { orderId, account, market, remaining } = order;
    const base = { ...OrderClosed.blank(), time: this.time, source: OrderSource.System };
    const event = { ...base, orderId, account, market, remaining, status, reason };
    OrderClosed.write(this.writer, event);
    this.events.push({ ...event, kind: 'closed' });
    this.open.splice(this.open.indexOf(order), 1);
  }

  cold(event: ColdEvent): void {
    ColdEventRecord.write(this.writer, { time: this.time, payload: encodeCold(event) });
    this.events.push({ kind: 'cold', event });
  }

  configureMarket(market: number): void {
    const { base, quote } = MARKETS[market] ?? MARKETS[0];
    const { priceScale, amountScale } = this.scales[market] ?? MARKETS[0];
    const configuration = marketConfiguration(base, quote, priceScale, amountScale);
    this.cold({ type: 'MarketConfigured', market, configuration });
  }

  private passTime(): void {
    const dice = this.random.next();
    if (dice < 0.4) return;
    if (dice < 0.9) this.time += this.random.between(1, 30_000);
    else if (dice < 0.97) this.time += this.random.between(1, 3 * 86_400_000);
    else this.time -= this.random.between(1, 200_000);
  }

  private place(): void {
    const timeInForce = this.random.between(0, TIMES_IN_FORCE.length - 1);
    const isMarket = timeInForce === TimeInForce.Retry || this.random.chance(0.2);
    const order = this.accept({
      account: this.random.between(0, ACCOUNTS - 1),
      market: this.random.between(0, MARKETS.length - 1),
      side: this.random.between(0, 1),
      type: isMarket ? OrderType.Market : OrderType.Limit,
      timeInForce,
      source: this.random.between(0, 2),
      price: isMarket ? 0 : this.size(),
      quantity: this.size(),
      clientOrderId: this.random.chance(0.3) ? `ключ-${this.nextOrderId}` : '',
      comment: this.random.chance(0.2) ? 'a "comment"' : '',
    });
    for (let fills = this.random.between(0, 2); fills > 0; fills--) this.tradeWith(order);
    const ends = isMarket || timeInForce === TimeInForce.Ioc || timeInForce === TimeInForce.Fok;
    if (ends && order.remaining > 0 && timeInForce !== TimeInForce.Retry) {
      this.close(order, OrderStatus.Cancelled);
    }
  }

  private tradeOpenOrders(): void {
    if (this.open.length > 0) this.tradeWith(this.random.pick(this.open));
  }

  private tradeWith(taker: OpenOrder): void {
    if (taker.remaining === 0) return;
    const makers = this.open.filter(
      (maker) => maker.market === taker.market && maker.side !== taker.side && maker !== taker,
    );
    if (makers.length === 0) return;
    const maker = this.random.pick(makers);
    const most = Math.min(taker.remaining, maker.remaining);
    const quantity = this.random.chance(0.5) ? most : this.random.between(1, most);
    const fees = [BigInt(this.random.between(0, 1_000)), 2n ** 40n];
    const executionId = this.trade(taker, maker, this.size(), quantity, fees);
    if (executionId % REVERTED_OF === 1) this.revert(executionId, taker, maker);
  }

  private revert(tradeId: number, buyer: OpenOrder, seller: OpenOrder): void {
    const money = { base: 1n, buyerDebit: 1n, sellerCredit: 1n, buyerFee: 0n, sellerFee: 0n };
    const accounts = { buyer: buyer.account, seller: seller.account };
    const trades = [{ tradeId, market: buyer.market, ...accounts, ...money }];
    this.cold({ type: 'TradesReverted', trades, by: 'user-0' });
  }

  private end(): void {
    if (this.open.length === 0) return;
    const order = this.random.pick(this.open);
    const status = this.random.pick([
      OrderStatus.Cancelled,
      OrderStatus.Expired,
      OrderStatus.Rejected,
    ]);
    this.close(order, status, this.random.between(0, 6));
  }

  private amend(): void {
    const limits = this.open.filter(({ price }) => price > 0);
    if (limits.length === 0) return;
    const order = this.random.pick(limits);
    const filled = order.quantity - order.remaining;
    order.price = this.size();
    order.remaining = this.size();
    order.quantity = filled + order.remaining;
    const { orderId, account, market, price, quantity, remaining } = order;
    const base = { ...OrderAmended.blank(), time: this.time, keptPriority: 0 };
    const event = { ...base, orderId, account, market, price, quantity, remaining };
    OrderAmended.write(this.writer, event);
    this.events.push({ ...event, kind: 'amended' });
  }

  private transfer(): void {
    if (this.transfers.length > 0 && this.random.chance(0.5)) {
      const transferId = this.random.pick(this.transfers);
      const status = this.random.pick(['Completed', 'Canceled'] as const);
      this.cold({
        type: 'TransferChanged',
        transferId,
        status,
        updatedAt: this.time,
        callbackUrl: callbackUrlOf(transferId),
      });
      return;
    }
    const transferId = this.nextTransferId++;
    this.transfers.push(transferId);
    this.cold({
      type: 'TransferCreated',
      transfer: {
        transferId,
        deduplicationId: `d${transferId}`,
        account: this.random.between(0, ACCOUNTS - 1),
        asset: this.random.between(0, ASSETS.length - 1),
        type: 'Withdrawal',
        status: 'AwaitingConfirmation',
        amount: this.random.chance(0.5) ? 2n ** 63n - 1n : BigInt(this.size()),
        createdAt: this.time,
        updatedAt: this.time,
        callbackUrl: callbackUrlOf(transferId),
      },
    });
  }

  private changeScales(): void {
    const market = this.random.between(0, MARKETS.length - 1);
    for (const order of this.open.filter((each) => each.market === market)) {
      this.close(order, OrderStatus.Cancelled, Reason.MarketHalted);
    }
    this.scales[market] = {
      priceScale: this.random.between(2, 8),
      amountScale: this.random.between(0, 8),
    };
    this.configureMarket(market);
  }

  private changeAccount(): void {
    const account = this.random.between(0, ACCOUNTS - 1);
    const status = this.random.pick(['Active', 'Halted', 'Frozen'] as const);
    this.cold({ type: 'AccountStatusChanged', account, status });
  }

  /** Mostly small, sometimes so large that a product is beyond the safe integers. */
  private size(): number {
    if (this.random.chance(0.8)) return this.random.between(1, 100_000);
    return this.random.between(1, 300_000_000);
  }

  private forgetFilled(): void {
    for (let at = this.open.length - 1; at >= 0; at--) {
      if (this.open[at]?.remaining === 0) this.open.splice(at, 1);
    }
  }
}

/** Every third transfer is nobody's to be told of. */
function callbackUrlOf(transferId: number): string | null {
  return transferId % 3 === 0 ? null : `https://t${transferId}.test/`;
}
