import { expect, describe as group, it } from 'vitest';
import { endOfDay } from '../../core/market/index.ts';
import { ORDER_STATUSES, REASONS } from '../../core/messages/enums.ts';
import type { OrderRequest } from './commands.ts';
import { ALICE, BOB, BTC_USDT, CAROL, describe, type Rig, tradingRig } from './rig.ts';
import { START } from './venue.ts';

const buy: OrderRequest = { market: BTC_USDT, side: 'Buy', price: 100, amount: 10 };
const sell: OrderRequest = { ...buy, side: 'Sell' };

/** How orders ended since the last call: `id status reason remaining`. */
function endings(rig: Rig): string[] {
  return rig
    .take('OrderClosed')
    .map(
      (end) =>
        `${end.orderId} ${ORDER_STATUSES[end.status]} ${REASONS[end.reason]} ${end.remaining}`,
    );
}

group('time in force', () => {
  it('Gtc rests until it fills or is cancelled', () => {
    const rig = tradingRig();
    rig.order(ALICE, buy);
    rig.tick(10 * 365 * 86_400_000);
    rig.order(BOB, { ...sell, amount: 4 });
    rig.order(BOB, { ...sell, amount: 6 });
    expect(rig.trades()).toEqual(['4@100', '6@100']);
    expect(rig.openOrders(BTC_USDT)).toEqual([]);
  });

  it.each(['Limit', 'Market'] as const)(
    'Ioc takes what it can and cancels the rest (%s)',
    (type) => {
      const rig = tradingRig();
      rig.order(ALICE, { ...sell, price: 100, amount: 4 });
      rig.order(ALICE, { ...sell, price: 120, amount: 4 });
      rig.events.length = 0;
      const price = type === 'Limit' ? 110 : 0;
      const orderId = rig.order(BOB, { ...buy, price, type, timeInForce: 'Ioc' });
      expect(endings(rig)).toEqual([`${orderId} Cancelled Trader 6`]);
      expect(rig.balance(BOB, 'usdt')).toBe('99999.995996/0');
      expect(rig.openOrders(BTC_USDT)).toHaveLength(1);
    },
  );

  it.each(['Limit', 'Market'] as const)(
    'Fok fills at once and whole, or not at all (%s)',
    (type) => {
      const rig = tradingRig();
      rig.order(ALICE, { ...sell, price: 100, amount: 4 });
      rig.order(CAROL, { ...sell, price: 105, amount: 6 });
      rig.events.length = 0;
      const price = type === 'Limit' ? 105 : 0;
      const orderId = rig.order(BOB, { ...buy, price, type, timeInForce: 'Fok', amount: 11 });
      expect(endings(rig)).toEqual([`${orderId} Cancelled Trader 11`]);
      rig.order(BOB, { ...buy, price, type, timeInForce: 'Fok', amount: 10 });
      expect(rig.trades()).toEqual(['4@100', '6@105']);
      rig.check();
    },
  );

  it('Fok does not count what its owner would not trade with', () => {
    const rig = tradingRig();
    rig.order(ALICE, { ...sell, amount: 5 });
    rig.order(BOB, { ...sell, amount: 5 });
    const fok = { ...buy, timeInForce: 'Fok' } as const;
    rig.order(ALICE, fok);
    rig.order(ALICE, { ...fok, selfTradePrevention: 'EXPIRE_MAKER' });
    expect(rig.trades()).toEqual([]);
    rig.order(ALICE, { ...fok, selfTradePrevention: 'NONE' });
    expect(rig.trades()).toEqual(['5@100', '5@100']);
  });

  it.each(['Gtd', 'Day'] as const)('%s expires when its time has come', (timeInForce) => {
    const rig = tradingRig();
    const orderId = rig.order(ALICE, { ...buy, timeInForce, expiresAt: START + 1_000 });
    rig.tick(999);
    expect(endings(rig)).toEqual([]);
    rig.tick(1);
    expect(endings(rig)).toEqual([`${orderId} Expired Trader 10`]);
    expect(rig.balance(ALICE, 'usdt')).toBe('100000/0');
  });

  it('never trades with what came after its time, tick or no tick', () => {
    const rig = tradingRig();
    const orderId = rig.order(ALICE, { ...buy, timeInForce: 'Gtd', expiresAt: START + 1_000 });
    rig.now += 1_000;
    rig.order(BOB, sell);
    expect(endings(rig)).toEqual([`${orderId} Expired Trader 10`]);
    expect(rig.openOrders(BTC_USDT)).toHaveLength(1);
  });

  it('expires the earliest first, and orders of one time in the order in which they came', () => {
    const rig = tradingRig();
    const at = (ms: number) => ({ ...buy, timeInForce: 'Gtd', expiresAt: START + ms }) as const;
    const ids = [300, 100, 200, 100, 300].map((ms) => rig.order(ALICE, at(ms)));
    rig.events.length = 0;
    rig.tick(1_000);
    expect(rig.take('OrderClosed').map((end) => end.orderId)).toEqual([
      ids[1],
      ids[3],
      ids[2],
      ids[0],
      ids[4],
    ]);
  });

  it('handles thirty thousand orders that expire together in one go', () => {
    const rig = tradingRig();
    for (let n = 0; n < 30_000; n++) {
      rig.send({
        kind: 'place',
        account: ALICE,
        ...buy,
        amount: 1,
        timeInForce: 'Day',
        expiresAt: START + 1,
      });
    }
    rig.finish();
    rig.events.length = 0;
    rig.tick(1);
    expect(rig.take('OrderClosed')).toHaveLength(30_000);
    rig.check();
  });

  it('expires at a restart what ended while the venue was down, before anything matches', () => {
    const rig = tradingRig();
    const orderId = rig.order(ALICE, { ...buy, timeInForce: 'Gtd', expiresAt: START + 1_000 });
    rig.send({ kind: 'place', account: BOB, ...sell });
    const again = rig.restarted(START + 1_000);
    expect(endings(again)).toEqual([`${orderId} Expired Trader 10`]);
    expect(again.openOrders(BTC_USDT)).toHaveLength(1);
    again.check();
  });

  it('does not run backwards with the clock', () => {
    const rig = tradingRig();
    rig.order(ALICE, { ...buy, timeInForce: 'Gtd', expiresAt: START + 1_000 });
    rig.tick(500);
    rig.tick(-86_400_000);
    rig.order(ALICE, buy);
    expect(rig.take('OrderAccepted')[1]?.time).toBe(START + 500);
  });

  it.each(['UTC', 'Europe/Berlin'])(
    'behind a clock that went back, Day is the day of the venue in %s',
    (timeZoneId) => {
      const rig = tradingRig({ timeZoneId });
      const day = 86_400_000;
      const expiresAt = endOfDay(START, timeZoneId);
      rig.tick(day);
      rig.tick(-day);
      const orderId = rig.order(ALICE, { ...buy, timeInForce: 'Day', expiresAt });
      const end = endOfDay(START + day, timeZoneId);
      expect(rig.take('OrderAccepted')).toMatchObject([{ orderId, expiresAt: end }]);
      rig.tick(end - rig.now - 1);
      expect(rig.openOrders(BTC_USDT)).toHaveLength(1);
      rig.tick(1);
      expect(rig.openOrders(BTC_USDT)).toEqual([]);
    },
  );
});

group('Retry', () => {
  const retry: OrderRequest = { market: BTC_USDT, side: 'Buy', amount: 10, timeInForce: 'Retry' };

  function priced(): Rig {
    const rig = tradingRig();
    rig.order(ALICE, { ...sell, amount: 1 });
    rig.order(CAROL, { ...buy, amount: 1 });
    rig.events.length = 0;
    return rig;
  }

  it('waits for the book to change and takes what comes, within its price', () => {
    const rig = priced();
    const orderId = rig.order(BOB, retry);
    expect(rig.state.openOrder(orderId)).toBeDefined();
    rig.order(ALICE, { ...sell, price: 111, amount: 3 });
    rig.order(ALICE, { ...sell, price: 110, amount: 4 });
    rig.order(ALICE, { ...sell, price: 90, amount: 4 });
    rig.order(ALICE, { ...sell, price: 95, amount: 4 });
    expect(rig.trades()).toEqual(['4@110', '4@90', '2@95']);
    expect(rig.state.openOrder(orderId)).toBeUndefined();
    rig.check();
  });

  it('ends Cancelled when the market has let it wait long enough', () => {
    const rig = priced();
    const orderId = rig.order(BOB, retry);
    rig.tick(4_999);
    expect(rig.state.openOrder(orderId)).toBeDefined();
    rig.tick(1);
    expect(endings(rig)).toEqual([`${orderId} Cancelled Trader 10`]);
    expect(rig.balance(BOB, 'usdt')).toBe('100000/0');
  });

  it('can be cancelled, and waits again after a restart', () => {
    const rig = priced();
    const first = rig.order(BOB, retry);
    const second = rig.order(CAROL, { ...retry, amount: 3 });
    rig.cancel(BOB, first);
    const again = rig.restarted();
    again.order(ALICE, sell);
    expect(again.trades()).toEqual(['3@100']);
    expect(again.state.openOrder(second)).toBeUndefined();
  });

  it('is served first come first, also by an order that changes its price', () => {
    const rig = priced();
    rig.order(BOB, { ...retry, amount: 4 });
    rig.order(CAROL, { ...retry, amount: 4 });
    const orderId = rig.order(ALICE, { ...sell, price: 200, amount: 6 });
    rig.events.length = 0;
    rig.amend(ALICE, orderId, { price: 105 });
    expect(rig.take('OrdersTraded')).toMatchObject([
      { takerAccount: BOB, quantity: 4 },
      { takerAccount: CAROL, quantity: 2 },
    ]);
    rig.check();
  });

  it('tells the best price anew where a retry only took its own orders off', () => {
    const rig = priced();
    rig.order(BOB, { ...retry, selfTradePrevention: 'EXPIRE_MAKER' });
    const own = rig.order(BOB, { ...sell, price: 105 });
    expect(endings(rig)).toEqual([`${own} Cancelled Trader 10`]);
    expect(rig.state.market(BTC_USDT).bestAsk).toBe(0);
  });
});

group('post-only', () => {
  const maker = { ...buy, postOnly: true } as const;

  it('rests, or is refused and ends Rejected', () => {
    const rig = tradingRig();
    rig.order(BOB, { ...sell, price: 101 });
    rig.events.length = 0;
    expect(describe(rig.place(ALICE, maker))).toBe('OrderPlaced');
    expect(describe(rig.place(ALICE, { ...maker, price: 101 }))).toBe('TR0216');
    expect(rig.take('OrderClosed')).toMatchObject([{ status: 6, remaining: 10 }]);
    expect(rig.openOrders(BTC_USDT)).toHaveLength(2);
    rig.check();
  });

  it('answers whoever repeats the request before the book has spoken as the first', () => {
    for (const [makers, answers] of [
      [[], ['OrderPlaced', 'OrderPlaced']],
      [[BOB], ['TR0216', 'TR0216']],
    ] as const) {
      const rig = tradingRig();
      for (const account of makers) rig.order(account, sell);
      const request = { kind: 'place', account: ALICE, ...maker, clientOrderId: 'x' } as const;
      const tickets = [rig.send(request), rig.send(request)];
      rig.finish();
      expect(tickets.map((ticket) => describe(rig.answers.get(ticket)))).toEqual(answers);
      // And after a crash that caught it on its way.
      const again = rig.restarted();
      expect(describe(again.run(request))).toBe(answers[0]);
    }
  });

  it('is refused again when the refused request is repeated, also after a restart', () => {
    const rig = tradingRig();
    rig.order(BOB, sell);
    const request = { kind: 'place', account: ALICE, ...maker, clientOrderId: 'x' } as const;
    const first = rig.run(request);
    const again = rig.restarted();
    for (const venue of [rig, again]) {
      expect({ ...venue.run(request), ticket: 0 }).toEqual({ ...first, ticket: 0 });
    }
  });
});

group('orders of one account', () => {
  it.each([
    ['NONE', ['5@100', '5@100'], [], []],
    ['EXPIRE_TAKER', ['5@100'], ['taker'], ['maker']],
    ['EXPIRE_MAKER', ['5@100'], ['maker'], ['taker']],
    ['EXPIRE_BOTH', ['5@100'], ['maker', 'taker'], []],
  ] as const)('do not trade with each other, by the rule %s', (rule, trades, ended, open) => {
    const rig = tradingRig();
    rig.order(BOB, { ...sell, amount: 5 });
    const maker = rig.order(ALICE, { ...sell, amount: 5 });
    rig.events.length = 0;
    const taker = rig.order(ALICE, { ...buy, selfTradePrevention: rule });
    const name = (orderId: number) => (orderId === maker ? 'maker' : 'taker');
    const { events } = rig;
    expect(
      events.flatMap((event) => (event.record === 'OrderClosed' ? [name(event.orderId)] : [])),
    ).toEqual(ended);
    expect(rig.trades()).toEqual(trades);
    const left = [maker, taker].filter((orderId) => rig.state.openOrder(orderId) !== undefined);
    expect(left.map(name)).toEqual(open);
    rig.check();
  });

  it('are taken off by an amend too', () => {
    const rig = tradingRig();
    rig.order(ALICE, { ...sell, price: 101 });
    const orderId = rig.order(ALICE, buy);
    expect(rig.amend(ALICE, orderId, { price: 101 })).toMatchObject({ status: 4, remaining: 10 });
    expect(rig.openOrders(BTC_USDT)).toHaveLength(1);
    rig.check();
  });
});
