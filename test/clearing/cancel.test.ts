import { expect, describe as group, it } from 'vitest';
import { ALICE, ALICE_TOO, BOB, BTC_USDT, describe, ETH_USDT, tradingRig } from './rig.ts';

group('cancelling an order', () => {
  it('ends it, releases its hold and answers its last state', () => {
    const rig = tradingRig();
    const orderId = rig.order(ALICE, { market: BTC_USDT, side: 'Sell', price: 10_000, amount: 4 });
    rig.order(BOB, { market: BTC_USDT, side: 'Buy', price: 10_000, amount: 1 });
    expect(rig.balance(ALICE, 'btc')).toBe('9.999/0.003');
    expect(rig.cancel(ALICE, orderId)).toMatchObject({ record: 'OrderState', remaining: 3 });
    expect(rig.balance(ALICE, 'btc')).toBe('9.999/0');
    expect(rig.openOrders(BTC_USDT)).toEqual([]);
  });

  it('finds it by the id that the client gave it', () => {
    const rig = tradingRig();
    const request = { market: BTC_USDT, side: 'Buy', price: 100, amount: 1 } as const;
    rig.order(ALICE, { ...request, clientOrderId: 'mine' });
    const other = rig.order(ALICE, request);
    rig.expect('OrderState', { kind: 'cancel', account: ALICE, clientOrderId: 'mine' });
    expect(rig.openOrders(BTC_USDT)).toEqual([`${other} Buy 1@100`]);
  });

  it('leaves every order alone where the id names none', () => {
    const rig = tradingRig();
    const first = rig.order(ALICE, { market: BTC_USDT, side: 'Buy', price: 100, amount: 1 });
    for (const command of [
      { kind: 'cancel', account: ALICE, clientOrderId: 'unknown' },
      { kind: 'cancel', account: ALICE, orderId: 0 },
      { kind: 'cancel', account: ALICE, orderId: 99 },
      { kind: 'cancel', account: BOB, orderId: first },
      { kind: 'cancel', account: ALICE_TOO, orderId: first },
      { kind: 'amend', account: ALICE, orderId: 0, amount: 2, priceScale: 2, amountScale: 3 },
    ] as const) {
      expect(describe(rig.run(command))).toBe('TR0200');
    }
    expect(rig.openOrders(BTC_USDT)).toHaveLength(1);
  });

  it('answers a second cancel, and one that lost against a fill, that the order is closed', () => {
    const rig = tradingRig();
    const orderId = rig.order(ALICE, { market: BTC_USDT, side: 'Sell', price: 10_000, amount: 1 });
    const first = rig.send({ kind: 'cancel', account: ALICE, orderId });
    const second = rig.send({ kind: 'cancel', account: ALICE, orderId });
    rig.finish();
    expect(describe(rig.answers.get(first))).toBe('OrderState');
    expect(describe(rig.answers.get(second))).toBe('TR0201');

    const filled = rig.order(ALICE, { market: BTC_USDT, side: 'Sell', price: 10_000, amount: 1 });
    const buy = { market: BTC_USDT, side: 'Buy', price: 10_000, amount: 1 } as const;
    rig.send({ kind: 'place', account: BOB, ...buy });
    const late = rig.send({ kind: 'cancel', account: ALICE, orderId: filled });
    rig.finish();
    expect(describe(rig.answers.get(late))).toBe('TR0201');
    rig.check();
  });

  it('does not touch an order that took over the slot of the one that was meant', () => {
    const rig = tradingRig();
    const request = { market: BTC_USDT, side: 'Sell', price: 10_000, amount: 1 } as const;
    const orderId = rig.order(ALICE, request);
    rig.send({ kind: 'cancel', account: ALICE, orderId });
    const late = rig.send({ kind: 'cancel', account: ALICE, orderId });
    rig.matchAll();
    rig.settleAll();
    const next = rig.order(ALICE, request);
    expect(describe(rig.answers.get(late))).toBe('TR0201');
    expect(rig.openOrders(BTC_USDT)).toEqual([`${next} Sell 1@10000`]);
  });
});

group('cancelling all orders', () => {
  it('takes those of the account, in one market or in all, and says how many', () => {
    const rig = tradingRig();
    for (const market of [BTC_USDT, ETH_USDT]) {
      for (const account of [ALICE, BOB]) {
        rig.order(account, { market, side: 'Buy', price: 100, amount: 1 });
        rig.order(account, { market, side: 'Buy', price: 101, amount: 1 });
      }
    }
    const one = { kind: 'cancelAll', account: ALICE, market: ETH_USDT } as const;
    expect(rig.expect('OrdersCancelled', one).count).toBe(2);
    const all = { kind: 'cancelAll', account: ALICE } as const;
    expect(rig.expect('OrdersCancelled', all).count).toBe(2);
    expect(rig.expect('OrdersCancelled', all).count).toBe(0);
    expect(rig.balance(ALICE, 'usdt')).toBe('100000/0');
    expect(rig.openOrders(BTC_USDT)).toHaveLength(2);
    rig.check();
  });

  it('counts only what it cancelled where some fill first', () => {
    const rig = tradingRig();
    rig.order(ALICE, { market: BTC_USDT, side: 'Sell', price: 100, amount: 1 });
    rig.order(ALICE, { market: BTC_USDT, side: 'Sell', price: 200, amount: 1 });
    rig.send({ kind: 'place', account: BOB, market: BTC_USDT, side: 'Buy', price: 100, amount: 1 });
    const ticket = rig.send({ kind: 'cancelAll', account: ALICE });
    rig.finish();
    expect(rig.answers.get(ticket)).toMatchObject({ record: 'OrdersCancelled', count: 1 });
  });

  it('goes on in steps where there are many, and several sweeps wait for each other', () => {
    const rig = tradingRig();
    for (let n = 0; n < 2500; n++) {
      rig.order(ALICE, { market: BTC_USDT, side: 'Buy', price: 100, amount: 1 });
    }
    rig.order(BOB, { market: BTC_USDT, side: 'Buy', price: 100, amount: 1 });
    const alice = rig.send({ kind: 'cancelAll', account: ALICE });
    const again = rig.send({ kind: 'cancelAll', account: ALICE });
    const bob = rig.send({ kind: 'cancelAll', account: BOB });
    rig.finish();
    expect(rig.answers.get(alice)).toMatchObject({ count: 2500 });
    expect(rig.answers.get(again)).toMatchObject({ count: 0 });
    expect(rig.answers.get(bob)).toMatchObject({ count: 1 });
    expect(rig.openOrders(BTC_USDT)).toEqual([]);
    rig.check();
  });
});
