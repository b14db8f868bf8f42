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
  lotSize: 1,
  amountScale: 6,
  amountStep: 1n,
  minAmount: 10n,
  isOpen: () => true,
};
const NOW = 0;

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
    await quoter.follow(NOW);
    await quoter.follow(NOW);
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
    await quoter.follow(NOW);
    for (let step = 0; step < 300; step += 1) {
      walk.advance();
      await quoter.follow(NOW);
    }
    expect(desk.placed).toHaveLength(10);
    expect(desk.amended.length).toBeGreaterThan(10);
    expect(desk.amended.length).toBeLessThan(3000);
  });

  test('places anew what was filled or taken off, and makes sure that the old order is gone', async () => {
    await quoter.follow(NOW);
    const first = quoter.orderIds();
    for (const orderId of first) desk.gone.add(orderId);
    while (desk.amended.length === 0) {
      walk.advance();
      await quoter.follow(NOW);
    }
    expect(desk.cancelled).toEqual(desk.amended.map(([orderId]) => orderId));
    expect(desk.placed).toHaveLength(10 + desk.cancelled.length);
  });

  test('forgets orders that are open no more', async () => {
    await quoter.follow(NOW);
    const [kept] = quoter.orderIds();
    quoter.keepOnly(new Set(kept === undefined ? [] : [kept]));
    expect(quoter.orderIds()).toEqual([kept]);
    await quoter.follow(NOW);
    expect(desk.placed).toHaveLength(19);
  });

  test('tries again where a quote was refused', async () => {
    desk.refuses = true;
    await quoter.follow(NOW);
    expect(quoter.orderIds()).toEqual([]);
    desk.refuses = false;
    await quoter.follow(NOW);
    expect(quoter.orderIds()).toHaveLength(10);
  });

  test('never quotes below the minimum of the market', async () => {
    const coarse = new MarketQuoter({ ...market, amountScale: 0, minAmount: 3n }, walk, desk);
    await coarse.follow(NOW);
    expect(new Set(desk.placed.map(({ requestedAmount }) => requestedAmount))).toEqual(
      new Set(['3']),
    );
  });

  test('quotes in whole steps of lots where a market trades in lots', async () => {
    const euro = { ...market, marketId: 'cfd.eur_usdt', baseAssetId: 'eur', priceScale: 5 };
    const lots = { ...euro, lotSize: 1000, amountScale: 2, amountStep: 5n, minAmount: 10n };
    await new MarketQuoter(lots, walk, desk).follow(NOW);
    // 4,000 usdt are 3,703.7 eur at 1.08: 3.7 lots; 40,000 usdt are 37.03 lots.
    expect(desk.placed.slice(0, 2).map(({ requestedAmount }) => requestedAmount)).toEqual([
      '3.7',
      '3.7',
    ]);
    expect(desk.placed.at(-1)?.requestedAmount).toBe('37');
    expect(desk.placed[0]?.requestedPrice).toBe('1.07957');
  });

  test('waits outside the trading hours of a market', async () => {
    const later = new MarketQuoter({ ...market, isOpen: (now) => now >= 1000 }, walk, desk);
    await later.follow(999);
    expect(desk.placed).toEqual([]);
    expect(later.takerOrder(new SeededRandom(1), 999)).toBeUndefined();
    await later.follow(1000);
    expect(desk.placed).toHaveLength(10);
    expect(later.takerOrder(new SeededRandom(1), 1000)).toBeDefined();
  });

  test('leaves a market alone that it has no price for', async () => {
    const unknown = new MarketQuoter({ ...market, baseAssetId: 'doge' }, walk, desk);
    await unknown.follow(NOW);
    expect(desk.placed).toEqual([]);
    expect(unknown.takerOrder(new SeededRandom(1), NOW)).toBeUndefined();
  });

  test('takes small amounts on both sides, at prices that reach the best quotes', () => {
    const random = new SeededRandom(2);
    const orders = Array.from({ length: 50 }, () => quoter.takerOrder(random, NOW));
    expect(new Set(orders.map((order) => order?.side))).toEqual(new Set(['Buy', 'Sell']));
    for (const order of orders) {
      expect(order?.timeInForce).toBe('Ioc');
      expect(order?.requestedPrice).toBe(order?.side === 'Buy' ? '60300.01' : '59699.99');
      expect(Number(order?.requestedAmount)).toBeLessThan(0.0101);
    }
  });
});
