import { beforeEach, describe, expect, test } from 'vitest';
import {
  MarketQuoter,
  type OrderDesk,
  type OrderForm,
  type QuotedMarket,
} from '../../gateway/demo/market-quoter.ts';
import { PriceWalk } from '../../gateway/demo/price-walk.ts';
import { SeededRandom } from '../../gateway/demo/seeded-random.ts';

const market: QuotedMarket = {
  marketId: 'spot.btc_usdt',
  baseAssetId: 'btc',
  quoteAssetId: 'usdt',
  priceScale: 2,
  amountScale: 6,
  minAmount: '0.00001',
};

/** Remembers what it is asked for; refuses to amend the orders in `gone`. */
class RecordingDesk implements OrderDesk {
  readonly placed: OrderForm[] = [];
  readonly amended: [string, string][] = [];
  readonly cancelled: string[] = [];
  readonly gone = new Set<string>();
  refuses = false;

  async place(order: OrderForm): Promise<string | undefined> {
    this.placed.push(order);
    return this.refuses ? undefined : `order-${this.placed.length}`;
  }

  async amend(orderId: string, requestedPrice: string): Promise<boolean> {
    this.amended.push([orderId, requestedPrice]);
    return !this.gone.has(orderId);
  }

  async cancel(orderId: string): Promise<void> {
    this.cancelled.push(orderId);
  }
}

describe('a market quoter', () => {
  let walk: PriceWalk;
  let desk: RecordingDesk;
  let quoter: MarketQuoter;

  beforeEach(() => {
    walk = new PriceWalk(new SeededRandom(5), 'usdt');
    desk = new RecordingDesk();
    quoter = new MarketQuoter(market, walk, desk);
  });

  test('places both sides once and then waits for the price to move', async () => {
    await quoter.follow();
    await quoter.follow();
    expect(desk.placed).toHaveLength(10);
    expect(desk.amended).toEqual([]);
    expect(desk.placed[0]).toEqual({
      marketId: 'spot.btc_usdt',
      side: 'Buy',
      timeInForce: 'Gtc',
      requestedPrice: '59976',
      requestedAmount: '0.066666',
      selfTradePrevention: 'EXPIRE_MAKER',
    });
  });

  test('amends what the price has left behind', async () => {
    await quoter.follow();
    for (let step = 0; step < 300; step += 1) {
      walk.advance();
      await quoter.follow();
    }
    expect(desk.placed).toHaveLength(10);
    expect(desk.amended.length).toBeGreaterThan(10);
    expect(desk.amended.length).toBeLessThan(3000);
  });

  test('places anew what was filled or taken off, and makes sure that the old order is gone', async () => {
    await quoter.follow();
    const first = quoter.orderIds();
    for (const orderId of first) desk.gone.add(orderId);
    while (desk.amended.length === 0) {
      walk.advance();
      await quoter.follow();
    }
    expect(desk.cancelled).toEqual(desk.amended.map(([orderId]) => orderId));
    expect(desk.placed).toHaveLength(10 + desk.cancelled.length);
  });

  test('forgets orders that are open no more', async () => {
    await quoter.follow();
    const [kept] = quoter.orderIds();
    quoter.keepOnly(new Set(kept === undefined ? [] : [kept]));
    expect(quoter.orderIds()).toEqual([kept]);
    await quoter.follow();
    expect(desk.placed).toHaveLength(19);
  });

  test('tries again where a quote was refused', async () => {
    desk.refuses = true;
    await quoter.follow();
    expect(quoter.orderIds()).toEqual([]);
    desk.refuses = false;
    await quoter.follow();
    expect(quoter.orderIds()).toHaveLength(10);
  });

  test('never quotes below the minimum of the market', async () => {
    const coarse = new MarketQuoter({ ...market, amountScale: 0, minAmount: '3' }, walk, desk);
    await coarse.follow();
    expect(new Set(desk.placed.map(({ requestedAmount }) => requestedAmount))).toEqual(
      new Set(['3']),
    );
  });

  test('leaves a market alone that it has no price for', async () => {
    const unknown = new MarketQuoter({ ...market, baseAssetId: 'doge' }, walk, desk);
    await unknown.follow();
    expect(desk.placed).toEqual([]);
    expect(unknown.takerOrder(new SeededRandom(1))).toBeUndefined();
  });

  test('takes small amounts on both sides, at prices that reach the best quotes', () => {
    const random = new SeededRandom(2);
    const orders = Array.from({ length: 50 }, () => quoter.takerOrder(random));
    expect(new Set(orders.map((order) => order?.side))).toEqual(new Set(['Buy', 'Sell']));
    for (const order of orders) {
      expect(order?.timeInForce).toBe('Ioc');
      expect(order?.requestedPrice).toBe(order?.side === 'Buy' ? '60300.01' : '59699.99');
      expect(Number(order?.requestedAmount)).toBeLessThan(0.0101);
    }
  });
});
