import { beforeEach, describe, expect, it } from 'vitest';
import { OrderSource, OrderStatus, Reason } from '../../../core/messages/enums.ts';
import { CFD, CFD_EUR, DEALER, EUR_USDT, HEDGER, MarginRig, NETTER } from '../../margin/support.ts';
import { describe as answerOf, type Rig } from '../rig.ts';
import { open, openPositions, positionIds, quoteDeep, recorded, told } from './support.ts';

let margin: MarginRig;
let rig: Rig;

beforeEach(() => {
  margin = new MarginRig();
  ({ rig } = margin);
  quoteDeep(margin, CFD, 10_000, 10_000 + 1);
});

/** `position reason source` of every order that the venue placed itself. */
const closed = (): number[] =>
  recorded(rig, 'MarginOrderAccepted')
    .filter(({ source, reason }) => source === OrderSource.System && reason === Reason.StopOut)
    .map(({ positionId }) => positionId);

const total = (account: number): bigint =>
  rig.state.ledger.total(rig.state.ledger.find(account, rig.state.rootAsset));

describe('an account below the stop-out level', () => {
  it('loses the position with the largest loss first, and no more than it takes', () => {
    // 100 BTC at 100.01 and leverage 10: 1000.1 of margin each.
    margin.deposit(HEDGER, 'usdt', '3100');
    open(margin, HEDGER, { amount: 100_000 });
    quoteDeep(margin, CFD, 9_990, 9_991);
    open(margin, HEDGER, { amount: 100_000 });
    const [first, second] = positionIds(rig, HEDGER);
    // Losses of (100.01 - 89) × 100 = 1101 and 1091: equity 908 of 1999 is 45 %.
    quoteDeep(margin, CFD, 8_900, 8_901);
    expect(closed()).toEqual([first]);
    expect(positionIds(rig, HEDGER)).toEqual([second]);
    const order = recorded(rig, 'MarginExecution')
      .filter(({ account }) => account === HEDGER)
      .at(-1);
    expect(order).toMatchObject({ reason: Reason.StopOut, closedPositionId: first, price: 8_900 });
  });

  it('at exactly the level it keeps everything', () => {
    margin.deposit(HEDGER, 'usdt', '1500');
    open(margin, HEDGER, { side: 'Sell', amount: 100_000 });
    // Sold at 100.00: margin 1000. At 110.00 the loss is 1000, equity 500, level 50 %.
    quoteDeep(margin, CFD, 10_999, 11_000);
    expect(closed()).toEqual([]);
    quoteDeep(margin, CFD, 10_999, 11_001);
    expect(closed()).toHaveLength(1);
  });

  it('takes back its orders first, and where that is enough, nothing else', () => {
    margin.deposit(HEDGER, 'usdt', '3100');
    open(margin, HEDGER, { amount: 100_000 });
    margin.order(HEDGER, { market: CFD, side: 'Buy', amount: 100_000, price: 7_000 });
    margin.order(HEDGER, { market: CFD, side: 'Sell', amount: 10, activationPrice: 5_000 });
    // Equity 3100 - 2301 = 799 of 1700.1 is 47 %; without the order it is 80 %.
    quoteDeep(margin, CFD, 7_700, 7_710);
    expect(closed()).toEqual([]);
    expect(openPositions(rig, HEDGER)).toHaveLength(1);
    expect(recorded(rig, 'OrderClosed').filter(({ account }) => account === HEDGER)).toMatchObject([
      { status: OrderStatus.Cancelled, reason: Reason.StopOut, source: OrderSource.System },
    ]);
    expect(told(rig, 'StopOrderEnded')).toMatchObject([{ status: 'Cancelled', reason: 'StopOut' }]);
  });

  it('is left below zero by a gap, and the house covers it', () => {
    margin.deposit(HEDGER, 'usdt', '1200');
    open(margin, HEDGER, { amount: 100_000 });
    quoteDeep(margin, CFD, 5_000, 5_001);
    expect(openPositions(rig, HEDGER)).toEqual([]);
    // 1200 - (100.01 - 50) × 100 = -3801.
    expect(told(rig, 'NegativeBalanceCompensated')).toEqual([
      { type: 'NegativeBalanceCompensated', account: HEDGER, amount: 3_801_000_000n },
    ]);
    expect(total(HEDGER)).toBe(0n);
  });

  it('stays below zero where the venue does not protect it', () => {
    const settings = { marginCall: 10_000, stopOut: 5_000, negativeBalanceProtection: false };
    rig.cold({ type: 'SetMarginSettings', settings });
    margin.deposit(HEDGER, 'usdt', '1200');
    open(margin, HEDGER, { amount: 100_000 });
    quoteDeep(margin, CFD, 5_000, 5_001);
    expect(total(HEDGER)).toBe(-3_801_000_000n);
    expect(told(rig, 'NegativeBalanceCompensated')).toEqual([]);
  });

  it('keeps a position in a market that is closed until it opens', () => {
    const week = ['Monday', 'Tuesday', 'Wednesday'].map((dayOfWeek) => ({
      dayOfWeek,
      timeIntervals: [{ start: '10:00', end: '13:00' }],
    }));
    const calendar = { timeZoneId: 'UTC', tradingSessions: week, sessionOverrides: [] };
    margin.configure(CFD, { calendar });
    margin.deposit(HEDGER, 'usdt', '1200');
    open(margin, HEDGER, { amount: 100_000 });
    margin.order(DEALER, { market: CFD, side: 'Buy', price: 9_300, amount: 500_000 });
    margin.tick(3_600_000);
    const bid = rig.openOrders(CFD).find((text) => text.endsWith('@10000'));
    rig.cancel(DEALER, Number(bid?.split(' ')[0]));
    margin.tick(1_000);
    expect(closed()).toEqual([]);
    expect(openPositions(rig, HEDGER)).toHaveLength(1);
    margin.tick(21 * 3_600_000);
    expect(closed()).toHaveLength(1);
    expect(openPositions(rig, HEDGER)).toEqual([]);
  });

  it('waits for somebody to close against', () => {
    margin.deposit(HEDGER, 'usdt', '1200');
    open(margin, HEDGER, { amount: 100_000 });
    rig.run({ kind: 'cancelAll', account: DEALER, market: CFD });
    margin.order(DEALER, { market: CFD, side: 'Buy', price: 9_000, amount: 30_000 });
    margin.tick(100);
    expect(openPositions(rig, HEDGER)).toEqual(['long 70000 0 0']);
    margin.tick(1_000);
    margin.tick(1_000);
    expect(openPositions(rig, HEDGER)).toEqual(['long 70000 0 0']);
    margin.order(DEALER, { market: CFD, side: 'Buy', price: 9_000, amount: 70_000 });
    margin.tick(1_000);
    expect(openPositions(rig, HEDGER)).toEqual([]);
  });

  it('may be closed by its client at the same moment, who is told that nothing is left', () => {
    margin.deposit(HEDGER, 'usdt', '1200');
    const positionId = open(margin, HEDGER, { amount: 100_000 });
    rig.run({ kind: 'cancelAll', account: DEALER, market: CFD });
    rig.now += 100;
    const quote = { market: CFD, side: 'Buy', price: 9_000, amount: 500_000 } as const;
    rig.send({ kind: 'placeMargin', account: DEALER, ...quote });
    rig.matchAll();
    rig.settleAll();
    // The price is known, the valuation has run, its order is on its way to the book.
    rig.clearing.work();
    const close = { market: CFD, side: 'Sell', amount: 0, positionId } as const;
    const ticket = rig.send({ kind: 'placeMargin', account: HEDGER, ...close });
    rig.finish();
    expect(answerOf(rig.answers.get(ticket))).toBe('TR0241');
    expect(closed()).toEqual([positionId]);
    expect(openPositions(rig, HEDGER)).toEqual([]);
    margin.check();
  });

  it('is found when only the rate of its market’s asset has moved', () => {
    margin.quote(EUR_USDT, 11_000, 11_002);
    quoteDeep(margin, CFD_EUR, 10_000, 10_001);
    // 10 BTC at 100.01 EUR: 100.01 EUR of margin, 110 USDT.
    margin.deposit(HEDGER, 'usdt', '166');
    open(margin, HEDGER, { market: CFD_EUR, amount: 1_000 });
    quoteDeep(margin, CFD_EUR, 9_000, 9_001);
    // A loss of 100.1 EUR leaves 56 USDT of 110, just above half.
    expect(closed()).toHaveLength(0);
    margin.quote(EUR_USDT, 11_200, 11_202);
    margin.tick(1_000);
    expect(closed()).toHaveLength(1);
  });

  it('is found when only its collateral has lost', () => {
    margin.quote(0, 5_000_000, 5_000_001);
    margin.deposit(NETTER, 'btc', '1');
    margin.select(NETTER, 'btc');
    // 0.8 of 50000 is 40000; 2000 BTC at 100.01 and leverage 10 take 20002.
    quoteDeep(margin, CFD, 10_000, 10_001);
    margin.order(NETTER, { market: CFD, side: 'Buy', amount: 99_000 });
    margin.order(NETTER, { market: CFD, side: 'Buy', amount: 1_000 });
    expect(closed()).toEqual([]);
    margin.quote(0, 50_000, 50_001);
    margin.tick(1_000);
    expect(closed()).toHaveLength(1);
  });
});

it('a restart in the middle of a stop-out goes on with it', () => {
  margin.deposit(HEDGER, 'usdt', '3100');
  open(margin, HEDGER, { amount: 100_000 });
  open(margin, HEDGER, { amount: 100_000 });
  rig.run({ kind: 'cancelAll', account: DEALER, market: CFD });
  rig.now += 100;
  const quote = { market: CFD, side: 'Buy', price: 7_000, amount: 500_000 } as const;
  rig.send({ kind: 'placeMargin', account: DEALER, ...quote });
  rig.matchAll();
  rig.settleAll();
  rig.clearing.work();
  // The first close is on its way to the book when the process ends.
  const restarted = rig.restarted();
  restarted.tick(1_000);
  expect(openPositions(restarted, HEDGER)).toEqual([]);
  restarted.check();
});

it('a thousand accounts at once are stopped out in steps, and money is conserved', () => {
  const accounts: number[] = [];
  for (let count = 0; count < 1_000; count++) {
    rig.cold({
      type: 'OpenAccount',
      configuration: {
        accountName: `${count}`,
        accountType: count % 2 === 0 ? 'Hedging' : 'Netting',
        accountStatus: 'Active',
        ownerUserId: `${count}`,
        isCopyTradingAccount: false,
      },
    });
    const account = rig.state.accounts.count - 1;
    accounts.push(account);
    rig.deposit(account, 'usdt', '12');
    rig.run({ kind: 'placeMargin', account, market: CFD, side: 'Buy', amount: 1_000 });
  }
  margin.check();
  const exposed = (): number =>
    accounts.filter((each) => rig.state.exposures.hasPosition(each)).length;
  expect(exposed()).toBe(1_000);
  quoteDeep(margin, CFD, 9_000, 9_010);
  expect(exposed()).toBe(0);
  expect(closed()).toHaveLength(1_000);
  rig.check();
});
