import { beforeEach, describe, expect, it } from 'vitest';
import { OrderSource } from '../../../core/messages/enums.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { BTC_USDT, CFD, DEALER, HEDGER, MarginRig, NETTER } from '../../margin/support.ts';
import type { MarginRequest } from '../commands.ts';
import { describe as answerOf, type Rig } from '../rig.ts';
import { openPositions, quoteDeep, recorded, told } from './support.ts';

let margin: MarginRig;
let rig: Rig;

beforeEach(() => {
  margin = new MarginRig();
  ({ rig } = margin);
  margin.deposit(HEDGER, 'usdt', '100000');
  margin.deposit(HEDGER, 'btc', '5');
  margin.deposit(NETTER, 'usdt', '100000');
  quoteDeep(margin, CFD, 10_000, 10_010);
});

const stop = (request: Partial<MarginRequest>, account = HEDGER): number =>
  margin.order(account, { market: CFD, side: 'Buy', amount: 100, ...request });
const waiting = (): number => rig.state.stopOrders.count;
const endings = (): string[] =>
  told(rig, 'StopOrderEnded').map(({ status, reason }) => `${status} ${reason}`);

describe('a stop order becomes an order', () => {
  it('a buy when the ask has come up to its price', () => {
    const orderId = stop({ activationPrice: 10_100 });
    quoteDeep(margin, CFD, 10_099, 10_099);
    expect(waiting()).toBe(1);
    quoteDeep(margin, CFD, 10_050, 10_100);
    expect(waiting()).toBe(0);
    expect(openPositions(rig, HEDGER)).toEqual(['long 100 0 0']);
    const [ended] = told(rig, 'StopOrderEnded');
    const accepted = recorded(rig, 'MarginOrderAccepted').at(-1)!;
    expect(ended).toMatchObject({ orderId, status: 'Activated', refusal: null });
    expect(ended?.activatedOrderId).toBe(accepted.orderId);
    expect(accepted).toMatchObject({ stopOrderId: orderId, source: OrderSource.StopOrder });
  });

  it('a sell when the bid has come down to its price', () => {
    stop({ side: 'Sell', activationPrice: 9_900 });
    quoteDeep(margin, CFD, 9_901, 9_902);
    expect(waiting()).toBe(1);
    quoteDeep(margin, CFD, 9_900, 10_100);
    expect(openPositions(rig, HEDGER)).toEqual(['short 100 0 0']);
  });

  it('at once where the price is beyond already', () => {
    stop({ activationPrice: 10_000 });
    expect(told(rig, 'StopOrderPlaced')).toHaveLength(1);
    expect(endings()).toEqual(['Activated Trader']);
    expect(openPositions(rig, HEDGER)).toEqual(['long 100 0 0']);
  });

  it('by prices since it was placed, however much earlier ones still have to bring about', () => {
    margin.deposit(HEDGER, 'usdt', '10000000');
    for (let count = 0; count < 200; count++) stop({ amount: 1, stopLoss: 9_500 });
    rig.run({ kind: 'cancelAll', account: DEALER, market: CFD });
    const later = { kind: 'placeMargin', market: CFD, account: DEALER, side: 'Buy' } as const;
    // The price comes back while the stop-losses go, 64 at a time.
    for (const price of [9_400, 10_000]) {
      rig.send({ ...later, price, amount: 1_000_000, leverage: 10 });
      rig.matchAll();
      rig.settleAll();
    }
    expect(openPositions(rig, HEDGER).length).toBeGreaterThan(100);
    const wait = { ...later, account: NETTER, side: 'Sell', amount: 100 } as const;
    rig.send({ ...wait, activationPrice: 9_600 });
    rig.finish();
    expect(openPositions(rig, HEDGER)).toEqual([]);
    expect(waiting()).toBe(1);
    quoteDeep(margin, CFD, 9_600, 10_010);
    expect(openPositions(rig, NETTER)).toEqual(['short 100 0 0']);
  });

  it('a limit, with its triggers', () => {
    stop({ activationPrice: 10_100, price: 10_050, stopLoss: 9_000, takeProfit: 12_000 });
    quoteDeep(margin, CFD, 10_090, 10_100);
    expect(openPositions(rig, HEDGER)).toEqual([]);
    quoteDeep(margin, CFD, 10_000, 10_050);
    expect(openPositions(rig, HEDGER)).toEqual(['long 100 9000 12000']);
  });

  it('in a Spot market', () => {
    margin.quote(BTC_USDT, 50_000, 50_010);
    stop({ market: BTC_USDT, side: 'Sell', amount: 1, activationPrice: 49_900 });
    expect(rig.balance(HEDGER, 'btc')).toBe('5/0');
    margin.quote(BTC_USDT, 49_900, 50_000);
    expect(rig.balance(HEDGER, 'btc')).toBe('4.999/0');
    expect(endings()).toEqual(['Activated Trader']);
  });

  it('all that a price reaches, the nearest first', () => {
    const far = stop({ activationPrice: 10_300 });
    const near = stop({ activationPrice: 10_100 });
    const middle = stop({ activationPrice: 10_200 });
    quoteDeep(margin, CFD, 10_000, 10_250);
    expect(told(rig, 'StopOrderEnded').map(({ orderId }) => orderId)).toEqual([near, middle]);
    expect(rig.state.stopOrders.has(far)).toBe(true);
  });
});

describe('a stop order is rejected', () => {
  it('where the margin is not there when its price comes', () => {
    stop({ activationPrice: 10_100, amount: 1_000_000, leverage: 1 });
    quoteDeep(margin, CFD, 10_000, 10_100);
    expect(openPositions(rig, HEDGER)).toEqual([]);
    expect(told(rig, 'StopOrderEnded')).toMatchObject([
      { status: 'Rejected', activatedOrderId: null, refusal: Refusals.InsufficientMargin.code },
    ]);
  });

  it('where the account is frozen', () => {
    stop({ activationPrice: 10_100 });
    const accountId = String(100_000 + HEDGER);
    rig.cold({ type: 'SetAccountStatus', accountId, status: 'Frozen' });
    quoteDeep(margin, CFD, 10_000, 10_100);
    expect(told(rig, 'StopOrderEnded')).toMatchObject([
      { status: 'Rejected', refusal: Refusals.AccountFrozen.code },
    ]);
  });
});

describe('a stop order is refused', () => {
  const refusal = (request: Partial<MarginRequest>): string =>
    answerOf(
      margin.place(HEDGER, {
        market: CFD,
        side: 'Buy',
        amount: 100,
        activationPrice: 10_100,
        ...request,
      }),
    );

  it('for what no order of its kind could be', () => {
    const calendar = { timeZoneId: 'UTC', tradingSessions: [], sessionOverrides: [] };
    expect(refusal({ price: 0, type: 'Limit' })).toBe('TR0202');
    expect(refusal({ leverage: 11 })).toBe('TR0412');
    expect(refusal({ stopLoss: 10_100 })).toBe('TR0243');
    expect(refusal({ takeProfit: 10_100 })).toBe('TR0243');
    expect(refusal({ price: 10_050, stopLoss: 10_051 })).toBe('TR0243');
    expect(refusal({ activationPrice: 2 ** 53 - 1 })).toBe('TR0211');
    expect(refusal({ amount: 2 ** 53 - 1 })).toBe('TR0210');
    expect(refusal({ timeInForce: 'Gtd', price: 10_000, expiresAt: rig.now })).toBe('TR0206');
    expect(refusal({ priceScale: 3 })).toBe('TR0223');
    margin.configure(CFD, { status: 'Paused' });
    expect(refusal({})).toBe('TR0301');
    margin.configure(CFD, { status: 'Open', calendar });
    expect(refusal({})).toBe('TR0302');
    expect(waiting()).toBe(0);
  });
});

describe('a stop order ends without becoming an order', () => {
  it('cancelled by its trader, by id or by the id that the client gave', () => {
    const first = stop({ activationPrice: 10_100 });
    stop({ activationPrice: 10_200, clientOrderId: 'mine' });
    expect(rig.cancel(HEDGER, first)).toMatchObject({ record: 'OrderState', status: 4 });
    expect(answerOf(rig.run({ kind: 'cancel', account: HEDGER, clientOrderId: 'mine' }))).toBe(
      'OrderState',
    );
    expect(answerOf(rig.cancel(HEDGER, first))).toBe('TR0200');
    expect(endings()).toEqual(['Cancelled Trader', 'Cancelled Trader']);
    quoteDeep(margin, CFD, 10_300, 10_310);
    expect(openPositions(rig, HEDGER)).toEqual([]);
  });

  it('not by another account', () => {
    const orderId = stop({ activationPrice: 10_100 });
    expect(answerOf(rig.cancel(NETTER, orderId))).toBe('TR0200');
    expect(waiting()).toBe(1);
  });

  it('among all orders of the account, and counted', () => {
    stop({ activationPrice: 10_100 });
    stop({ activationPrice: 10_200 });
    stop({ price: 9_000 });
    stop({ activationPrice: 10_100 }, NETTER);
    const answer = rig.expect('OrdersCancelled', { kind: 'cancelAll', account: HEDGER });
    expect(answer.count).toBe(3);
    expect(waiting()).toBe(1);
  });

  it('with its time, by order of the day or the date', () => {
    stop({
      activationPrice: 10_100,
      price: 10_000,
      timeInForce: 'Gtd',
      expiresAt: rig.now + 5_000,
    });
    stop({
      activationPrice: 10_200,
      price: 10_000,
      timeInForce: 'Day',
      expiresAt: rig.now + 6_000,
    });
    margin.tick(5_000);
    expect(endings()).toEqual(['Expired Trader']);
    margin.tick(1_000);
    expect(waiting()).toBe(0);
  });

  it('with its time while the venue was down', () => {
    stop({
      activationPrice: 10_100,
      price: 10_000,
      timeInForce: 'Gtd',
      expiresAt: rig.now + 5_000,
    });
    const restarted = rig.restarted(rig.now + 60_000);
    expect(restarted.state.stopOrders.count).toBe(0);
    expect(told(restarted, 'StopOrderEnded')).toMatchObject([{ status: 'Expired' }]);
  });

  it('with its account and with its market', () => {
    stop({ activationPrice: 10_100 });
    stop({ activationPrice: 10_100 }, NETTER);
    const accountId = String(100_000 + HEDGER);
    rig.cold({ type: 'SetAccountStatus', accountId, status: 'Halted' });
    expect(endings()).toEqual(['Cancelled Admin']);
    margin.configure(CFD, { status: 'Halted' });
    expect(endings()).toEqual(['Cancelled Admin', 'Cancelled MarketHalted']);
    expect(waiting()).toBe(0);
  });
});

describe('stop orders', () => {
  it('are created once for each id that a client gives', () => {
    const first = stop({ activationPrice: 10_100, clientOrderId: 'once' });
    const again = stop({ activationPrice: 10_100, clientOrderId: 'once' });
    expect(again).toBe(first);
    expect(waiting()).toBe(1);
  });

  it('survive a restart in the order of their prices', () => {
    for (const activationPrice of [10_500, 10_200, 10_400, 10_300]) stop({ activationPrice });
    const restarted = rig.restarted();
    restarted.run({ kind: 'cancelAll', account: DEALER, market: CFD });
    for (const [side, price] of [
      ['Buy', 10_000],
      ['Sell', 10_300],
    ] as const) {
      restarted.run({
        kind: 'placeMargin',
        account: DEALER,
        market: CFD,
        side,
        price,
        amount: 9_000,
      });
    }
    restarted.finish();
    expect(restarted.state.stopOrders.all().map(({ activationPrice }) => activationPrice)).toEqual([
      10_500, 10_400,
    ]);
    expect(openPositions(restarted, HEDGER)).toHaveLength(2);
    restarted.check();
  });
});
