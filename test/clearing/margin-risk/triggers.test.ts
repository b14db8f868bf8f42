import { beforeEach, describe, expect, it } from 'vitest';
import { OrderSource, OrderStatus, Reason } from '../../../core/messages/enums.ts';
import { CFD, DEALER, HEDGER, MarginRig, NETTER } from '../../margin/support.ts';
import { describe as answerOf } from '../rig.ts';
import { open, openPositions, positionIds, quoteDeep, recorded, told } from './support.ts';

let margin: MarginRig;

beforeEach(() => {
  margin = new MarginRig();
  margin.deposit(HEDGER, 'usdt', '100000');
  margin.deposit(NETTER, 'usdt', '100000');
  quoteDeep(margin, CFD, 10_000, 10_010);
});

/** The reasons of the orders that the venue placed itself. */
const closings = (): number[] =>
  recorded(margin.rig, 'MarginOrderAccepted')
    .filter(({ positionId }) => positionId !== 0)
    .map(({ reason }) => reason);

describe('a long position', () => {
  it('is closed at its stop-loss by the bid, not by the ask', () => {
    open(margin, HEDGER, { stopLoss: 9_900 });
    quoteDeep(margin, CFD, 9_901, 9_902);
    expect(openPositions(margin.rig, HEDGER)).toEqual(['long 1000 9900 0']);
    quoteDeep(margin, CFD, 9_900, 10_010);
    expect(openPositions(margin.rig, HEDGER)).toEqual([]);
    expect(closings()).toEqual([Reason.StopLoss]);
  });

  it('is closed at its take-profit by the bid', () => {
    open(margin, HEDGER, { takeProfit: 10_100 });
    quoteDeep(margin, CFD, 10_099, 10_200);
    expect(openPositions(margin.rig, HEDGER)).toHaveLength(1);
    quoteDeep(margin, CFD, 10_100, 10_200);
    expect(openPositions(margin.rig, HEDGER)).toEqual([]);
    expect(closings()).toEqual([Reason.TakeProfit]);
  });
});

describe('a short position', () => {
  it('is closed at its stop-loss by the ask, not by the bid', () => {
    open(margin, HEDGER, { side: 'Sell', stopLoss: 10_100 });
    quoteDeep(margin, CFD, 10_050, 10_099);
    expect(openPositions(margin.rig, HEDGER)).toHaveLength(1);
    quoteDeep(margin, CFD, 10_050, 10_100);
    expect(openPositions(margin.rig, HEDGER)).toEqual([]);
    expect(closings()).toEqual([Reason.StopLoss]);
  });

  it('is closed at its take-profit by the ask', () => {
    open(margin, HEDGER, { side: 'Sell', takeProfit: 9_900 });
    quoteDeep(margin, CFD, 9_800, 9_901);
    expect(openPositions(margin.rig, HEDGER)).toHaveLength(1);
    quoteDeep(margin, CFD, 9_800, 9_900);
    expect(openPositions(margin.rig, HEDGER)).toEqual([]);
    expect(closings()).toEqual([Reason.TakeProfit]);
  });
});

describe('when something fires', () => {
  it('everything that a price reaches goes, and nothing else', () => {
    for (const stopLoss of [9_900, 9_800, 9_700, 9_600]) open(margin, HEDGER, { stopLoss });
    quoteDeep(margin, CFD, 9_750, 9_760);
    expect(openPositions(margin.rig, HEDGER)).toEqual(['long 1000 9700 0', 'long 1000 9600 0']);
  });

  it('a price that lasts for a single order is enough', () => {
    open(margin, HEDGER, { stopLoss: 9_900, amount: 10 });
    margin.rig.run({ kind: 'cancelAll', account: DEALER, market: CFD });
    margin.order(DEALER, { market: CFD, side: 'Buy', price: 9_850, amount: 5 });
    expect(openPositions(margin.rig, HEDGER)).toEqual(['long 5 9900 0']);
  });

  it('stop-loss wins where one price reaches both', () => {
    const id = open(margin, HEDGER, { stopLoss: 9_900, takeProfit: 10_100 });
    // The book is empty while the market jumps to where the stop-loss is moved above the bid.
    margin.rig.run({ kind: 'cancelAll', account: DEALER, market: CFD });
    const slot = margin.rig.state.positions.find(id);
    expect(margin.rig.state.positions.stopLosses[slot]).toBe(9_900);
    quoteDeep(margin, CFD, 9_800, 10_500);
    expect(closings()).toEqual([Reason.StopLoss]);
    expect(openPositions(margin.rig, HEDGER)).toEqual([]);
  });

  it('what an empty book leaves is tried again when there is a price', () => {
    open(margin, HEDGER, { stopLoss: 9_900, amount: 100 });
    margin.rig.run({ kind: 'cancelAll', account: DEALER, market: CFD });
    margin.order(DEALER, { market: CFD, side: 'Buy', price: 9_890, amount: 30 });
    expect(openPositions(margin.rig, HEDGER)).toEqual(['long 70 9900 0']);
    margin.order(DEALER, { market: CFD, side: 'Buy', price: 9_880, amount: 30 });
    margin.tick(1_000);
    expect(openPositions(margin.rig, HEDGER)).toEqual(['long 40 9900 0']);
    quoteDeep(margin, CFD, 9_950, 9_960);
    margin.tick(1_000);
    expect(openPositions(margin.rig, HEDGER)).toEqual(['long 40 9900 0']);
    quoteDeep(margin, CFD, 9_900, 9_960);
    expect(openPositions(margin.rig, HEDGER)).toEqual([]);
  });

  it('an order of the trader that closes the position gives way', () => {
    const positionId = open(margin, HEDGER, { stopLoss: 9_900 });
    margin.order(HEDGER, { market: CFD, side: 'Sell', price: 10_500, amount: 600, positionId });
    quoteDeep(margin, CFD, 9_890, 9_900);
    expect(openPositions(margin.rig, HEDGER)).toEqual([]);
    expect(
      recorded(margin.rig, 'OrderClosed').filter(({ account }) => account === HEDGER),
    ).toMatchObject([
      { status: OrderStatus.Cancelled, reason: Reason.StopLoss, source: OrderSource.System },
    ]);
    margin.rig.check();
  });

  it('a client that closes at the same moment is told that there is nothing left to close', () => {
    const positionId = open(margin, HEDGER, { stopLoss: 9_900 });
    const { rig } = margin;
    rig.run({ kind: 'cancelAll', account: DEALER, market: CFD });
    // The stop-loss fires at the bid that comes with the dealer's order; the client's close crosses it.
    rig.send({
      kind: 'placeMargin',
      account: DEALER,
      market: CFD,
      side: 'Buy',
      price: 9_890,
      amount: 5_000,
    });
    rig.matchAll();
    rig.settleAll();
    const close = { market: CFD, side: 'Sell', amount: 1_000, positionId } as const;
    const ticket = rig.send({ kind: 'placeMargin', account: HEDGER, ...close });
    rig.finish();
    expect(answerOf(rig.answers.get(ticket))).toBe('TR0241');
    expect(openPositions(rig, HEDGER)).toEqual([]);
    margin.check();
  });

  it('a netting account loses its one position, and no more', () => {
    margin.order(NETTER, { market: CFD, side: 'Buy', amount: 300, stopLoss: 9_900 });
    margin.order(NETTER, { market: CFD, side: 'Buy', amount: 200, stopLoss: 9_950 });
    expect(openPositions(margin.rig, NETTER)).toEqual(['long 500 9950 0']);
    quoteDeep(margin, CFD, 9_940, 9_950);
    expect(openPositions(margin.rig, NETTER)).toEqual([]);
  });

  it('thousands at once take several steps', () => {
    const { rig } = margin;
    margin.deposit(HEDGER, 'usdt', '10000000');
    for (let count = 0; count < 500; count++) {
      rig.run({
        kind: 'placeMargin',
        account: HEDGER,
        market: CFD,
        side: 'Buy',
        amount: 1,
        stopLoss: 9_000 + count,
      });
    }
    margin.check();
    quoteDeep(margin, CFD, 9_100, 9_110);
    expect(positionIds(rig, HEDGER)).toHaveLength(100);
    quoteDeep(margin, CFD, 9_000, 9_110);
    expect(positionIds(rig, HEDGER)).toHaveLength(0);
  });
});

describe('nothing triggers', () => {
  it('while the market is paused; when it opens, all is looked at', () => {
    open(margin, HEDGER, { stopLoss: 9_900 });
    margin.configure(CFD, { status: 'Paused' });
    margin.rig.run({ kind: 'cancelAll', account: DEALER, market: CFD });
    margin.configure(CFD, { status: 'Open' });
    margin.configure(CFD, { status: 'Paused' });
    expect(openPositions(margin.rig, HEDGER)).toHaveLength(1);
    margin.configure(CFD, { status: 'Open' });
    quoteDeep(margin, CFD, 9_800, 9_900);
    expect(openPositions(margin.rig, HEDGER)).toEqual([]);
  });

  it('outside the session; at the opening, all is looked at', () => {
    const { rig } = margin;
    const hours = { dayOfWeek: 'Monday', timeIntervals: [{ start: '10:00', end: '13:00' }] };
    const next = { dayOfWeek: 'Tuesday', timeIntervals: [{ start: '10:00', end: '13:00' }] };
    margin.configure(CFD, {
      calendar: { timeZoneId: 'UTC', tradingSessions: [hours, next], sessionOverrides: [] },
    });
    open(margin, HEDGER, { stopLoss: 9_900 });
    margin.order(DEALER, { market: CFD, side: 'Buy', price: 9_890, amount: 5_000 });
    margin.tick(3_600_000);
    const bid = rig.openOrders(CFD).find((text) => text.endsWith('@10000'));
    rig.cancel(DEALER, Number(bid?.split(' ')[0]));
    expect(rig.state.market(CFD).bestBid).toBe(9_890);
    margin.tick(1_000);
    expect(openPositions(rig, HEDGER)).toHaveLength(1);
    margin.tick(21 * 3_600_000);
    expect(openPositions(rig, HEDGER)).toEqual([]);
  });
});

describe('triggers of an open position', () => {
  const setTriggers = (
    positionId: number,
    stopLoss: number,
    takeProfit: number,
    isTrailing = false,
  ) =>
    answerOf(
      margin.rig.run({
        kind: 'cold',
        command: {
          type: 'SetPositionTriggers',
          accountId: String(100_000 + HEDGER),
          positionId,
          priceScale: 2,
          stopLoss,
          takeProfit,
          isTrailing,
        },
      }),
    );

  it('are set, moved and taken away', () => {
    const id = open(margin, HEDGER, {});
    expect(setTriggers(id, 9_900, 10_200)).toBe('ColdAnswer');
    expect(openPositions(margin.rig, HEDGER)).toEqual(['long 1000 9900 10200']);
    expect(setTriggers(id, 9_500, 0)).toBe('ColdAnswer');
    quoteDeep(margin, CFD, 9_800, 9_810);
    expect(openPositions(margin.rig, HEDGER)).toEqual(['long 1000 9500 0']);
    expect(setTriggers(id, 0, 0)).toBe('ColdAnswer');
    quoteDeep(margin, CFD, 9_400, 9_410);
    expect(openPositions(margin.rig, HEDGER)).toEqual(['long 1000 0 0']);
    expect(setTriggers(id, 9_390, 0)).toBe('ColdAnswer');
    quoteDeep(margin, CFD, 9_390, 9_410);
    expect(openPositions(margin.rig, HEDGER)).toEqual([]);
  });

  it('are refused on the wrong side of the price, without a price, and on the position of another', () => {
    const id = open(margin, HEDGER, {});
    expect(setTriggers(id, 10_000, 0)).toBe('TR0243');
    expect(setTriggers(id, 0, 10_000)).toBe('TR0243');
    expect(setTriggers(id, 0, 0, true)).toBe('TR0246');
    const [other] = positionIds(margin.rig, DEALER);
    expect(setTriggers(other!, 9_000, 0)).toBe('TR0240');
    expect(setTriggers(987_654, 9_000, 0)).toBe('TR0240');
    expect(told(margin.rig, 'PositionTriggersSet')).toEqual([]);
  });
});
