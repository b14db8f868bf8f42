import { expect, describe as group, it } from 'vitest';
import { ALICE, BOB, BTC_USDT, CAROL, describe, type Rig, tradingRig } from './rig.ts';

const buy = (price: number, amount: number) =>
  ({ market: BTC_USDT, side: 'Buy', price, amount }) as const;
const sell = (price: number, amount: number) =>
  ({ market: BTC_USDT, side: 'Sell', price, amount }) as const;

/** Everything of an order but its id and times. */
function place(rig: Rig, account: number, request: ReturnType<typeof buy | typeof sell>): number {
  return rig.order(account, request);
}

group('amending an order', () => {
  it('keeps its priority where only the amount shrinks', () => {
    const rig = tradingRig();
    const first = place(rig, ALICE, buy(100, 10));
    place(rig, BOB, buy(100, 10));
    expect(rig.amend(ALICE, first, { amount: 4 })).toMatchObject({ quantity: 4, remaining: 4 });
    place(rig, CAROL, sell(100, 5));
    expect(rig.take('OrdersTraded')).toMatchObject([
      { makerAccount: ALICE, quantity: 4 },
      { makerAccount: BOB, quantity: 1 },
    ]);
    rig.check();
  });

  it.each<[string, { price?: number; amount?: number }]>([
    ['more of it', { amount: 12 }],
    ['another price', { price: 101 }],
  ])('loses its priority for %s', (_, change) => {
    const rig = tradingRig();
    const first = place(rig, ALICE, buy(100, 10));
    const second = place(rig, BOB, buy(change.price ?? 100, 10));
    rig.amend(ALICE, first, change);
    const remaining = change.amount ?? 10;
    expect(rig.openOrders(BTC_USDT)).toEqual([
      `${second} Buy 10@${change.price ?? 100}`,
      `${first} Buy ${remaining}@${change.price ?? 100}`,
    ]);
    place(rig, CAROL, sell(100, 11));
    expect(rig.take('OrdersTraded')).toMatchObject([
      { makerAccount: BOB, quantity: 10 },
      { makerAccount: ALICE, quantity: 1 },
    ]);
    rig.check();
  });

  it('holds what the new terms need and gives back the rest', () => {
    const rig = tradingRig();
    const orderId = place(rig, ALICE, buy(10_000, 1_000));
    expect(rig.balance(ALICE, 'usdt')).toBe('100000/100.1');
    rig.amend(ALICE, orderId, { price: 20_000, amount: 2_000 });
    expect(rig.balance(ALICE, 'usdt')).toBe('100000/400.4');
    rig.amend(ALICE, orderId, { amount: 500 });
    expect(rig.balance(ALICE, 'usdt')).toBe('100000/100.1');
    expect(describe(rig.amend(ALICE, orderId, { price: 2_000_000_000 }))).toBe('TR0211');
    expect(describe(rig.amend(ALICE, orderId, { price: 90_000_000 }))).toBe('TR0400');
    expect(rig.balance(ALICE, 'usdt')).toBe('100000/100.1');
    rig.check();
  });

  it('matches at its new price, and the answer tells what is left', () => {
    const rig = tradingRig();
    place(rig, BOB, sell(101, 4));
    const orderId = place(rig, ALICE, buy(100, 10));
    const resting = rig.amend(ALICE, orderId, { price: 101 });
    expect(resting).toMatchObject({ status: 1, remaining: 6, price: 101 });
    place(rig, BOB, sell(102, 6));
    expect(rig.amend(ALICE, orderId, { price: 102 })).toMatchObject({ status: 3, remaining: 0 });
    rig.check();
  });

  it('is refused below what has filled, and for what is no resting Limit order', () => {
    const rig = tradingRig();
    const orderId = place(rig, ALICE, sell(100, 10));
    place(rig, BOB, buy(100, 4));
    expect(describe(rig.amend(ALICE, orderId, { amount: 4 }))).toBe('TR0219');
    expect(rig.amend(ALICE, orderId, { amount: 5 })).toMatchObject({ quantity: 5, remaining: 1 });
    const retry = { market: BTC_USDT, side: 'Buy', amount: 20, timeInForce: 'Retry' } as const;
    expect(describe(rig.amend(BOB, rig.order(BOB, retry), { amount: 1 }))).toBe('TR0220');
  });

  it('that would take is refused for a post-only order, which stays as it was', () => {
    const rig = tradingRig();
    place(rig, BOB, sell(101, 1));
    const orderId = rig.order(ALICE, { ...buy(100, 1), postOnly: true });
    const refused = rig.amend(ALICE, orderId, { price: 102, amount: 5 });
    expect(describe(refused)).toBe('TR0216');
    expect(refused).toMatchObject({ value: '1.02' });
    expect(rig.openOrders(BTC_USDT)).toContain(`${orderId} Buy 1@100`);
    rig.check();
  });

  it('is one at a time', () => {
    const rig = tradingRig();
    const orderId = place(rig, ALICE, buy(100, 10));
    rig.send({ kind: 'amend', account: ALICE, orderId, amount: 11 });
    const second = rig.send({ kind: 'amend', account: ALICE, orderId, amount: 12 });
    rig.finish();
    expect(describe(rig.answers.get(second))).toBe('TR0221');
    expect(rig.amend(ALICE, orderId, { amount: 12 })).toMatchObject({ quantity: 12 });
  });
});

group('an amend on its way to the book', () => {
  it('is computed anew where the order traded meanwhile', () => {
    const rig = tradingRig();
    const orderId = place(rig, ALICE, buy(100, 10));
    rig.send({ kind: 'place', account: BOB, ...sell(100, 6) });
    const ticket = rig.send({ kind: 'amend', account: ALICE, orderId, amount: 8 });
    rig.finish();
    expect(rig.answers.get(ticket)).toMatchObject({
      record: 'OrderState',
      quantity: 8,
      remaining: 2,
    });
    rig.check();
  });

  it('is refused where more than the new amount filled meanwhile', () => {
    const rig = tradingRig();
    const orderId = place(rig, ALICE, buy(100, 10));
    rig.send({ kind: 'place', account: BOB, ...sell(100, 6) });
    const ticket = rig.send({ kind: 'amend', account: ALICE, orderId, amount: 5 });
    rig.finish();
    expect(describe(rig.answers.get(ticket))).toBe('TR0219');
    expect(rig.openOrders(BTC_USDT)).toEqual([`${orderId} Buy 4@100`]);
  });

  it('never spends what the fills before it have spent', () => {
    const rig = tradingRig({}, { feeRate: 0 });
    // All that Carol has is in this order; half the price for twice the amount costs the same.
    const orderId = place(rig, CAROL, buy(1_000_000, 10_000));
    expect(rig.balance(CAROL, 'usdt')).toBe('100000/100000');
    rig.send({ kind: 'place', account: BOB, ...sell(1_000_000, 9_000) });
    const ticket = rig.send({
      kind: 'amend',
      account: CAROL,
      orderId,
      price: 500_000,
      amount: 20_000,
    });
    rig.finish();
    expect(describe(rig.answers.get(ticket))).toBe('TR0400');
    expect(rig.balance(CAROL, 'usdt')).toBe('10000/10000');
    rig.check();
    expect(rig.amend(CAROL, orderId, { price: 500_000, amount: 11_000 })).toMatchObject({
      remaining: 2_000,
    });
    rig.check();
  });

  it('reserves what it needs against everything else that wants it', () => {
    const rig = tradingRig({}, { feeRate: 0 });
    const orderId = place(rig, ALICE, buy(100, 1_000));
    rig.send({ kind: 'amend', account: ALICE, orderId, price: 9_999_900 });
    const other = rig.send({ kind: 'place', account: ALICE, ...buy(100, 2_000) });
    rig.finish();
    expect(describe(rig.answers.get(other))).toBe('TR0400');
    expect(rig.balance(ALICE, 'usdt')).toBe('100000/99999');
    rig.check();
  });

  it('finds an order that has filled or been cancelled closed, and reserves nothing any more', () => {
    const rig = tradingRig({}, { feeRate: 0 });
    const orderId = place(rig, ALICE, buy(100, 1_000));
    rig.send({ kind: 'cancel', account: ALICE, orderId });
    const late = rig.send({ kind: 'amend', account: ALICE, orderId, price: 9_999_900 });
    rig.finish();
    expect(describe(rig.answers.get(late))).toBe('TR0201');
    place(rig, ALICE, buy(10_000_000, 1_000));
  });

  it('stands where it was sent, also after a restart: before what was accepted later', () => {
    const rig = tradingRig();
    const first = place(rig, ALICE, buy(99, 10));
    rig.send({ kind: 'amend', account: ALICE, orderId: first, price: 100 });
    rig.send({ kind: 'place', account: BOB, ...buy(100, 10) });
    rig.finish();
    const again = rig.restarted();
    for (const venue of [rig, again]) {
      place(venue, CAROL, sell(100, 1));
      expect(venue.take('OrdersTraded')).toMatchObject([{ makerAccount: ALICE }]);
    }
  });
});
