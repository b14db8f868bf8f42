import { expect, describe as group, it } from 'vitest';
import type { OrderRequest } from './commands.ts';
import { ALICE, ALICE_TOO, BOB, BTC_USDT, CAROL, describe, type Rig, tradingRig } from './rig.ts';
import { START } from './venue.ts';

const buy: OrderRequest = { market: BTC_USDT, side: 'Buy', price: 10_000, amount: 100 };
const sell: OrderRequest = { ...buy, side: 'Sell' };
const marketBuy: OrderRequest = { market: BTC_USDT, side: 'Buy', amount: 100 };
const marketSell: OrderRequest = { ...marketBuy, side: 'Sell' };

group('the form of an order', () => {
  it.each<[string, string, OrderRequest]>([
    ['a Market order with a price', 'TR0203', { ...marketBuy, type: 'Market', price: 1 }],
    ['a Market order that would rest', 'TR0204', { ...marketBuy, timeInForce: 'Gtc' }],
    ['a Market order until a date', 'TR0204', { ...marketBuy, timeInForce: 'Gtd' }],
    ['a Market order for the day', 'TR0204', { ...marketBuy, timeInForce: 'Day' }],
    ['a Limit order that retries', 'TR0204', { ...buy, timeInForce: 'Retry' }],
    ['a Limit order without a price', 'TR0202', { ...buy, type: 'Limit', price: 0 }],
    ['a Gtd order without its date', 'TR0205', { ...buy, timeInForce: 'Gtd' }],
    ['a date that is now', 'TR0206', { ...buy, timeInForce: 'Gtd', expiresAt: START }],
    ['a post-only Market order', 'TR0217', { ...marketBuy, postOnly: true }],
    ['a post-only Ioc order', 'TR0217', { ...buy, postOnly: true, timeInForce: 'Ioc' }],
    ['a post-only Fok order', 'TR0217', { ...buy, postOnly: true, timeInForce: 'Fok' }],
    ['an amount of nothing', 'TR0209', { ...buy, amount: 0 }],
    ['a price of another scale', 'TR0223', { ...buy, priceScale: 3 }],
    ['an amount of another scale', 'TR0223', { ...buy, amountScale: 4 }],
    ['more than all funds', 'TR0400', { ...buy, amount: 100_000_000 }],
    ['a Retry order without a price to go by', 'TR0222', { ...marketBuy, timeInForce: 'Retry' }],
  ])('%s is refused with %s', (_, code, request) => {
    const rig = tradingRig();
    const before = rig.hash();
    expect(describe(rig.place(ALICE, request))).toBe(code);
    expect(describe(rig.run({ kind: 'preview', account: ALICE, ...request }))).toBe(
      code === 'TR0400' ? 'OrderPriced' : code,
    );
    expect(rig.hash()).toBe(before);
  });

  it.each<[string, string, OrderRequest]>([
    ['less than the minimum', 'TR0209', { ...buy, amount: 9 }],
    ['more than the maximum', 'TR0210', { ...buy, amount: 1_001 }],
    ['a price above the highest', 'TR0211', { ...buy, amount: 10, price: 20_001 }],
  ])('%s is refused with %s', (_, code, request) => {
    const rig = tradingRig({}, { minAmount: 10, maxAmount: 1_000, maxPrice: 20_000 });
    expect(describe(rig.place(ALICE, request))).toBe(code);
    expect(describe(rig.place(ALICE, { ...buy, amount: 10, price: 20_000 }))).toBe('OrderPlaced');
    expect(describe(rig.place(ALICE, { ...buy, amount: 1_000, price: 1 }))).toBe('OrderPlaced');
  });

  it('is bounded so that what any order trades for is exact', () => {
    const rig = tradingRig();
    const { maxAmount, maxPrice } = rig.state.market(BTC_USDT).derived;
    expect(BigInt(maxAmount) * BigInt(maxPrice) < 2n ** 63n).toBe(true);
    expect(describe(rig.place(ALICE, { ...buy, price: maxPrice + 1 }))).toBe('TR0211');
    expect(describe(rig.place(ALICE, { ...sell, amount: maxAmount + 1 }))).toBe('TR0210');
  });

  it('ignores a cancellation date that its time in force has no use for', () => {
    const rig = tradingRig();
    rig.order(ALICE, { ...buy, expiresAt: START - 1 });
    rig.tick(86_400_000);
    expect(rig.openOrders(BTC_USDT)).toHaveLength(1);
  });

  it('takes no more open orders than an account may have', () => {
    const rig = tradingRig({ openOrdersMax: 2 });
    rig.order(ALICE, buy);
    const second = rig.order(ALICE, buy);
    expect(describe(rig.place(ALICE, buy))).toBe('TR0401');
    rig.order(BOB, { ...buy, price: 1 });
    rig.cancel(ALICE, second);
    rig.order(ALICE, buy);
  });
});

group('the collar of Limit orders', () => {
  const collar = { priceDeviation: 1_000 };

  it('measures from the price that the order would meet', () => {
    const rig = tradingRig({}, collar);
    rig.order(ALICE, { ...sell, price: 10_000 });
    rig.order(ALICE, { ...buy, price: 9_000, amount: 1 });
    expect(describe(rig.place(BOB, { ...buy, price: 11_001 }))).toBe('TR0215');
    expect(describe(rig.place(BOB, { ...buy, price: 8_999 }))).toBe('TR0215');
    expect(describe(rig.place(BOB, { ...sell, price: 9_901 }))).toBe('TR0215');
    expect(describe(rig.place(BOB, { ...sell, price: 8_099 }))).toBe('TR0215');
    expect(describe(rig.place(BOB, { ...sell, price: 9_900 }))).toBe('OrderPlaced');
    expect(describe(rig.place(BOB, { ...buy, price: 10_890, amount: 1 }))).toBe('OrderPlaced');
  });

  it('measures from the last trade where it would meet nobody, and from nothing before that', () => {
    const rig = tradingRig({}, collar);
    rig.order(ALICE, { ...sell, price: 10_000 });
    rig.order(BOB, { ...buy, price: 10_000 });
    expect(describe(rig.place(BOB, { ...buy, price: 11_001 }))).toBe('TR0215');
    expect(describe(rig.place(BOB, { ...buy, price: 11_000 }))).toBe('OrderPlaced');
    expect(describe(rig.amend(BOB, rig.order(BOB, buy), { price: 8_999 }))).toBe('TR0215');
    const other = tradingRig({}, collar);
    expect(describe(other.place(BOB, { ...buy, price: 1 }))).toBe('OrderPlaced');
    expect(describe(other.place(BOB, { ...buy, price: 99_999 }))).toBe('OrderPlaced');
  });

  it('does not keep an order from shrinking that the market has moved away from', () => {
    const rig = tradingRig({}, collar);
    const orderId = rig.order(BOB, { ...buy, price: 1_000, amount: 10 });
    rig.order(CAROL, { ...buy, price: 20_000 });
    rig.order(ALICE, { ...sell, price: 20_000 });
    expect(rig.amend(BOB, orderId, { amount: 4 })).toMatchObject({ quantity: 4 });
    expect(rig.amend(BOB, orderId, { price: 1_000, amount: 3 })).toMatchObject({ quantity: 3 });
    expect(describe(rig.amend(BOB, orderId, { amount: 4 }))).toBe('TR0215');
    expect(describe(rig.amend(BOB, orderId, { price: 999, amount: 2 }))).toBe('TR0215');
    rig.check();
  });
});

group('what an order holds', () => {
  it('is price times amount and commission for a limit buy, rounded up', () => {
    const rig = tradingRig({}, { feeRate: 333_333 });
    rig.order(ALICE, { ...buy, price: 10_001, amount: 1 });
    // 100.01 × 0.001 = 0.10001; commission 0.10001 × 0.00333333 = 0.00033336633… → 0.000334
    expect(rig.balance(ALICE, 'usdt')).toBe('100000/0.100344');
  });

  it('is at least the minimum commission', () => {
    const rig = tradingRig({}, { feeMinimum: 250_000n });
    rig.order(ALICE, { ...buy, price: 10_000, amount: 10 });
    expect(rig.balance(ALICE, 'usdt')).toBe('100000/1.25');
  });

  it('is the base amount for a sell, limit or market', () => {
    const rig = tradingRig();
    rig.order(ALICE, { ...sell, amount: 10_000 });
    expect(rig.balance(ALICE, 'btc')).toBe('10/10');
    expect(describe(rig.place(ALICE, { ...sell, amount: 1 }))).toBe('TR0400');
    expect(describe(rig.place(ALICE, { ...marketSell, amount: 1 }))).toBe('TR0400');
  });

  it('is the best ask times slippage for a market buy, which trades no worse than that', () => {
    const rig = tradingRig({}, { feeRate: 0 });
    rig.order(BOB, { ...sell, price: 10_000, amount: 100 });
    rig.order(BOB, { ...sell, price: 11_000, amount: 100 });
    rig.order(BOB, { ...sell, price: 11_001, amount: 100 });
    rig.order(ALICE, { ...marketBuy, amount: 250 });
    expect(rig.trades()).toEqual(['100@10000', '100@11000']);
    expect(rig.balance(ALICE, 'usdt')).toBe('99979/0');
    expect(rig.openOrders(BTC_USDT)).toHaveLength(1);
  });

  it('is refused where a market buy could not be paid at its worst price', () => {
    const rig = tradingRig({}, { feeRate: 0, slippageRate: 100_000 });
    rig.order(BOB, { ...sell, price: 10_000, amount: 200 });
    rig.order(CAROL, { ...buy, price: 9_000_000, amount: 100 });
    // 0.1 × 100 × 10 is held for the first, though it trades for a tenth.
    expect(describe(rig.place(ALICE, { ...marketBuy, amount: 100_001 }))).toBe('TR0400');
    expect(describe(rig.place(ALICE, { ...marketBuy, amount: 100 }))).toBe('OrderPlaced');
  });

  it('is nothing for a market buy without any price, which then trades nothing', () => {
    const rig = tradingRig();
    rig.order(ALICE, marketBuy);
    expect(rig.take('OrderClosed')).toMatchObject([{ remaining: 100, status: 4 }]);
    expect(rig.balance(ALICE, 'usdt')).toBe('100000/0');
  });

  it('counts against every account separately', () => {
    const rig = tradingRig({}, { feeRate: 0 });
    rig.order(ALICE, { ...buy, price: 10_000_000, amount: 1_000 });
    expect(describe(rig.place(ALICE, { ...buy, price: 1, amount: 1_000 }))).toBe('TR0400');
    expect(describe(rig.place(ALICE_TOO, { ...buy, price: 1, amount: 1_000 }))).toBe('OrderPlaced');
  });
});

group('previews', () => {
  function priced(rig: Rig, request: OrderRequest) {
    return rig.expect('OrderPriced', { kind: 'preview', account: ALICE, ...request });
  }

  it('tell price, cost and commission and place nothing', () => {
    const rig = tradingRig();
    rig.order(BOB, { ...sell, price: 10_000 });
    rig.order(BOB, { ...buy, price: 9_000 });
    expect(priced(rig, { ...buy, price: 9_500, amount: 200 })).toMatchObject({
      price: 9_500,
      quoteAmount: 19_000_000n,
      commission: 19_000n,
    });
    expect(priced(rig, marketBuy)).toMatchObject({ price: 10_000, quoteAmount: 10_000_000n });
    expect(priced(rig, marketSell)).toMatchObject({ price: 9_000, quoteAmount: 9_000_000n });
    expect(rig.openOrders(BTC_USDT)).toHaveLength(2);
  });

  it('need a price, and refuse what no balance could hold', () => {
    const rig = tradingRig();
    const preview = { kind: 'preview', account: ALICE } as const;
    expect(describe(rig.run({ ...preview, ...marketBuy }))).toBe('TR0222');
    expect(describe(rig.run({ ...preview, ...marketSell }))).toBe('TR0222');
    const { maxAmount, maxPrice } = rig.state.market(BTC_USDT).derived;
    const all = { ...buy, price: maxPrice, amount: maxAmount };
    expect(describe(rig.run({ ...preview, ...all }))).toBe('TR0505');
  });
});
