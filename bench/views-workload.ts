import { encodeCold } from '../core/messages/codec.ts';
import type { ColdEvent } from '../core/messages/cold-events.ts';
import {
  OrderSource,
  OrderStatus,
  OrderType,
  Reason,
  SelfTradePrevention,
  TimeInForce,
} from '../core/messages/enums.ts';
import {
  ColdEventRecord,
  OrderAccepted,
  OrderClosed,
  OrdersTraded,
} from '../core/messages/events.ts';
import { BatchWriter } from '../core/messages/record.ts';
import type { JournalBatch } from '../persistence/journal/index.ts';

const MARKETS = 3;
const BATCH_EVENTS = 500;
const START = Date.UTC(2026, 0, 1);

interface Resting {
  readonly orderId: number;
  readonly account: number;
  readonly side: number;
  remaining: number;
}

/**
 * The events of a busy Spot venue: limit orders of many accounts, about half of which trade with an
 * order that rests, while the others rest until they trade or are cancelled. About 2.1 events an
 * order. The same parameters give the same events.
 */
export class ViewsWorkload {
  orders = 0;
  private readonly accounts: number;
  private readonly restingMax: number;
  private readonly resting: Resting[][] = Array.from({ length: MARKETS * 2 }, () => []);
  private readonly accepted = OrderAccepted.blank();
  private readonly traded = OrdersTraded.blank();
  private readonly closed = OrderClosed.blank();
  private readonly writer = new BatchWriter();
  private nextOrderId = 1;
  private nextExecutionId = 1;
  private nextSequence = 1;
  private time = START;
  private seed: number;

  constructor(accounts: number, restingMax: number, seed = 1) {
    this.accounts = accounts;
    this.restingMax = restingMax;
    this.seed = seed;
  }

  /** Assets, markets and accounts: the first batch. */
  opening(): JournalBatch {
    for (const [asset, assetId] of ['usdt', 'btc'].entries()) {
      this.writeCold({
        type: 'AssetConfigured',
        asset,
        configuration: {
          assetId,
          name: assetId,
          scale: asset === 0 ? 6 : 8,
          isRoot: asset === 0,
          marginRatio: 10_000,
          type: 'Crypto',
          source: 'Internal',
        },
      });
    }
    for (let market = 0; market < MARKETS; market++) this.writeMarket(market);
    return this.take();
  }

  /** A batch of about five hundred events. */
  next(): JournalBatch {
    while (this.writer.count < BATCH_EVENTS) this.order();
    return this.take();
  }

  private order(): void {
    this.orders++;
    if (this.orders % 60 === 0) this.time++;
    const market = this.random(MARKETS);
    const side = this.random(2);
    const orderId = this.nextOrderId++;
    const quantity = 100 + this.random(10_000);
    const account = this.random(this.accounts);
    this.writeAccepted(orderId, account, market, side, quantity);
    const order = { orderId, account, side, remaining: quantity };
    const makers = this.resting[market * 2 + (1 - side)] ?? [];
    if (this.random(100) < 50 && makers.length > 100) this.trade(order, market, makers);
    if (order.remaining === 0) return;
    const own = this.resting[market * 2 + side] ?? [];
    own.push(order);
    if (own.length > this.restingMax / (MARKETS * 2)) this.cancel(market, own);
  }

  private trade(taker: Resting, market: number, makers: Resting[]): void {
    const at = makers.length - 1 - this.random(Math.min(makers.length, 2_000));
    const maker = makers[at];
    if (maker === undefined) return;
    const quantity = Math.min(taker.remaining, maker.remaining);
    taker.remaining -= quantity;
    maker.remaining -= quantity;
    const notional = BigInt(quantity * 25_000);
    Object.assign(this.traded, {
      time: this.time,
      executionId: this.nextExecutionId,
      market,
      takerAccount: taker.account,
      makerAccount: maker.account,
      takerOrderId: taker.orderId,
      makerOrderId: maker.orderId,
      takerSide: taker.side,
      price: 2_500_000 + this.random(1_000),
      quantity,
      takerRemaining: taker.remaining,
      makerRemaining: maker.remaining,
      buyerDebit: notional,
      sellerCredit: notional,
      takerFee: notional / 1_000n,
      makerFee: notional / 1_000n,
    });
    this.nextExecutionId += 2;
    OrdersTraded.write(this.writer, this.traded);
    if (maker.remaining === 0) this.drop(makers, at);
  }

  private cancel(market: number, resting: Resting[]): void {
    const at = this.random(resting.length);
    const order = resting[at];
    if (order === undefined) return;
    Object.assign(this.closed, {
      time: this.time,
      orderId: order.orderId,
      account: order.account,
      market,
      status: OrderStatus.Cancelled,
      reason: Reason.Trader,
      source: OrderSource.Manual,
      remaining: order.remaining,
    });
    OrderClosed.write(this.writer, this.closed);
    this.drop(resting, at);
  }

  private writeAccepted(
    orderId: number,
    account: number,
    market: number,
    side: number,
    quantity: number,
  ): void {
    const price = 2_500_000 + this.random(1_000);
    Object.assign(this.accepted, {
      time: this.time,
      orderId,
      account,
      market,
      side,
      type: OrderType.Limit,
      timeInForce: TimeInForce.Gtc,
      source: OrderSource.Manual,
      selfTradePrevention: SelfTradePrevention.EXPIRE_TAKER,
      price,
      limit: price,
      quantity,
      feeRate: 100_000,
    });
    OrderAccepted.write(this.writer, this.accepted);
  }

  private writeMarket(market: number): void {
    this.writeCold({
      type: 'MarketConfigured',
      market,
      configuration: {
        marketId: `spot.btc${market}_usdt`,
        displayName: `BTC${market}/USDT`,
        fullName: null,
        type: 'Spot',
        subtype: null,
        baseAssetId: 'btc',
        quoteAssetId: 'usdt',
        priceScale: 2,
        amountScale: 6,
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
      },
    });
  }

  private writeCold(event: ColdEvent): void {
    ColdEventRecord.write(this.writer, { time: this.time, payload: encodeCold(event) });
  }

  private drop(resting: Resting[], at: number): void {
    const last = resting.pop();
    if (last !== undefined && at < resting.length) resting[at] = last;
  }

  private take(): JournalBatch {
    const { count } = this.writer;
    const firstSequence = this.nextSequence;
    this.nextSequence += count;
    return { firstSequence, count, events: new Uint8Array(this.writer.take()) };
  }

  private random(below: number): number {
    this.seed = (Math.imul(this.seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.seed / 2 ** 32) * below);
  }
}
