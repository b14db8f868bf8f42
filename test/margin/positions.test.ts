import { describe, expect, it } from 'vitest';
import type { MarginExecution } from '../../core/messages/margin-events.ts';
import { CFD, CFD_EUR, DEALER, EUR_USDT, HEDGER, MarginRig, NETTER } from './support.ts';

/** The part of an execution that says what became of positions, of one account’s executions. */
function executionsOf(rig: MarginRig, account: number) {
  return rig.rig.events.filter(
    (event) => event.record === 'MarginExecution' && event.account === account,
  ) as unknown as MarginExecution[];
}

function last(rig: MarginRig, account: number) {
  const execution = executionsOf(rig, account).at(-1);
  if (execution === undefined) throw new Error(`account ${account} has not traded`);
  const { closedQuantity, closedNotional, closedMargin, realized, realizedInRoot } = execution;
  const { openedQuantity, openedMargin } = execution;
  return {
    closedQuantity,
    closedNotional,
    closedMargin,
    realized,
    realizedInRoot,
    openedQuantity,
    openedMargin,
  };
}

function open(rig: MarginRig, account: number) {
  return rig
    .positions(account)
    .map(({ side, quantity, openNotional, margin }) => [
      side === 0 ? 'long' : 'short',
      quantity,
      openNotional,
      margin,
    ]);
}

const NOTHING_CLOSED = {
  closedQuantity: 0,
  closedNotional: 0n,
  closedMargin: 0n,
  realized: 0n,
  realizedInRoot: 0n,
};
const NOTHING_OPENED = { openedQuantity: 0, openedMargin: 0n };
/** A USDT in units; a tick (0.01) times a step (0.001 BTC) is 10 units. */
const USDT = 1_000_000n;

describe('a netting account', () => {
  it('adds, reduces and flips one position', () => {
    const rig = new MarginRig();
    rig.deposit(NETTER, 'usdt', '100000');
    rig.trade(NETTER, CFD, 'Buy', 1_000, 6_000_000);
    expect(last(rig, NETTER)).toEqual({
      ...NOTHING_CLOSED,
      openedQuantity: 1_000,
      openedMargin: 6_000n * USDT,
    });
    const [first] = rig.positions(NETTER);
    rig.trade(NETTER, CFD, 'Buy', 1_000, 6_200_000);
    // 60000 + 62000 = 122000, margin 6000 + 6200
    expect(open(rig, NETTER)).toEqual([['long', 2_000, 12_200_000_000n, 12_200n * USDT]]);
    rig.trade(NETTER, CFD, 'Sell', 500, 6_300_000);
    // A quarter of 122000 is 30500; 0.5 × 63000 - 30500 = 1000; a quarter of 12200 is 3050
    expect(last(rig, NETTER)).toEqual({
      closedQuantity: 500,
      closedNotional: 3_050_000_000n,
      closedMargin: 3_050n * USDT,
      realized: 1_000n * USDT,
      realizedInRoot: 1_000n * USDT,
      ...NOTHING_OPENED,
    });
    rig.trade(NETTER, CFD, 'Sell', 2_500, 6_000_000);
    // 1.5 × 60000 - 91500 = -1500; the rest of 1 BTC is short, 60000 / 10
    expect(last(rig, NETTER)).toEqual({
      closedQuantity: 1_500,
      closedNotional: 9_150_000_000n,
      closedMargin: 9_150n * USDT,
      realized: -1_500n * USDT,
      realizedInRoot: -1_500n * USDT,
      openedQuantity: 1_000,
      openedMargin: 6_000n * USDT,
    });
    expect(open(rig, NETTER)).toEqual([['short', 1_000, 6_000_000_000n, 6_000n * USDT]]);
    const [flipped] = rig.positions(NETTER);
    expect(flipped?.positionId).not.toBe(first?.positionId);
    expect(rig.rig.balance(NETTER, 'usdt')).toBe('99500/0');
  });

  it('closes in parts that come to the whole, the last one taking the rest', () => {
    const rig = new MarginRig();
    rig.deposit(NETTER, 'usdt', '100');
    rig.trade(NETTER, CFD, 'Buy', 1, 3);
    rig.trade(NETTER, CFD, 'Buy', 2, 4);
    // 11 ticks × steps are 110 units; margins ceil(3) + ceil(8) = 11 units
    expect(open(rig, NETTER)).toEqual([['long', 3, 11n, 11n]]);
    const parts = [1, 1, 1].map((amount) => {
      rig.trade(NETTER, CFD, 'Sell', amount, 5);
      const { closedNotional, closedMargin, realized } = last(rig, NETTER);
      return [closedNotional, closedMargin, realized];
    });
    // floor(11 / 3) = 3, floor(8 / 2) = 4, 4; (5 - 3) × 10, (5 - 4) × 10, (5 - 4) × 10
    expect(parts).toEqual([
      [3n, 3n, 20n],
      [4n, 4n, 10n],
      [4n, 4n, 10n],
    ]);
    expect(open(rig, NETTER)).toEqual([]);
  });

  it('rounds every profit and every loss down, and the settlement keeps the rest', () => {
    const rig = new MarginRig();
    rig.quote(EUR_USDT, 10_000, 11_000);
    rig.deposit(NETTER, 'usdt', '1000');
    // A tick × step of lots of 10 BTC is 0.01 × 0.01 BTC: a hundredth of a cent. Cents × 1.05.
    rig.trade(NETTER, CFD_EUR, 'Buy', 1, 1_000);
    rig.trade(NETTER, CFD_EUR, 'Sell', 1, 1_150);
    // A gain of 1.5 cents is 1 cent: 0.0105 USDT
    expect(last(rig, NETTER)).toMatchObject({ realized: 1n, realizedInRoot: 10_500n });
    rig.trade(NETTER, CFD_EUR, 'Buy', 1, 1_150);
    rig.trade(NETTER, CFD_EUR, 'Sell', 1, 1_000);
    // A loss of 1.5 cents is 2 cents: 0.021 USDT
    expect(last(rig, NETTER)).toMatchObject({ realized: -2n, realizedInRoot: -21_000n });
  });
});

describe('a hedging account', () => {
  it('has a position of every opening order, and closes each by its id', () => {
    const rig = new MarginRig();
    rig.deposit(HEDGER, 'usdt', '100000');
    rig.trade(HEDGER, CFD, 'Buy', 1_000, 6_000_000);
    rig.trade(HEDGER, CFD, 'Sell', 400, 6_100_000);
    rig.trade(HEDGER, CFD, 'Buy', 1_000, 6_200_000);
    const ids = rig.positions(HEDGER).map(({ positionId }) => positionId);
    expect(new Set(ids).size).toBe(3);
    const [long, short] = [...rig.positions(HEDGER)].sort((a, b) => a.positionId - b.positionId);
    rig.order(DEALER, { market: CFD, side: 'Buy', amount: 250, price: 5_900_000 });
    rig.order(HEDGER, {
      market: CFD,
      side: 'Sell',
      amount: 250,
      positionId: long?.positionId ?? 0,
    });
    // 0.25 × (59000 - 60000) = -250; a quarter of 6000
    expect(last(rig, HEDGER)).toEqual({
      closedQuantity: 250,
      closedNotional: 1_500_000_000n,
      closedMargin: 1_500n * USDT,
      realized: -250n * USDT,
      realizedInRoot: -250n * USDT,
      ...NOTHING_OPENED,
    });
    rig.order(DEALER, { market: CFD, side: 'Sell', amount: 400, price: 5_950_000 });
    // Without an amount the whole: 0.4 × (61000 - 59500) = 600
    rig.order(HEDGER, { market: CFD, side: 'Buy', amount: 0, positionId: short?.positionId ?? 0 });
    expect(last(rig, HEDGER)).toMatchObject({ closedQuantity: 400, realized: 600n * USDT });
    expect(rig.positions(HEDGER)).toHaveLength(2);
    expect(rig.rig.balance(HEDGER, 'usdt')).toBe('100350/0');
  });

  it('has one position of all fills of an order', () => {
    const rig = new MarginRig();
    rig.deposit(HEDGER, 'usdt', '100000');
    rig.order(DEALER, { market: CFD, side: 'Sell', amount: 300, price: 6_000_000 });
    rig.order(DEALER, { market: CFD, side: 'Sell', amount: 300, price: 6_010_000 });
    rig.order(HEDGER, { market: CFD, side: 'Buy', amount: 700, price: 6_020_000 });
    rig.order(DEALER, { market: CFD, side: 'Sell', amount: 100, price: 6_020_000 });
    // 0.3 × 60000 + 0.3 × 60100 + 0.1 × 60200 = 42050, a tenth of it is margin
    expect(open(rig, HEDGER)).toEqual([['long', 700, 4_205_000_000n, 4_205n * USDT]]);
  });
});

describe('commissions on margin', () => {
  it('are at least the minimum over all fills of an order', () => {
    const rig = new MarginRig();
    rig.configure(CFD, { feeRate: 60_000, feeMinimum: 5n * USDT });
    rig.deposit(HEDGER, 'usdt', '100000');
    rig.order(HEDGER, { market: CFD, side: 'Buy', amount: 1_000, price: 6_000_000 });
    for (const amount of [100, 100, 300]) {
      rig.order(DEALER, { market: CFD, side: 'Sell', amount, price: 6_000_000 });
    }
    const charged = executionsOf(rig, HEDGER).map(({ commission, commissionAccrued }) => [
      commission,
      commissionAccrued,
    ]);
    // 6000 × 0.0006 = 3.60: 5 are charged; 7.20 in all: 2.20 more; 10.80 more
    expect(charged).toEqual([
      [5_000_000n, 3_600_000n],
      [2_200_000n, 7_200_000n],
      [10_800_000n, 18_000_000n],
    ]);
    expect(rig.rig.balance(HEDGER, 'usdt')).toBe('99982/0');
  });

  it('are rounded up to a unit at each fill', () => {
    const rig = new MarginRig();
    rig.configure(CFD, { feeRate: 60_000, feeMinimum: 0n });
    rig.deposit(HEDGER, 'usdt', '100');
    rig.trade(HEDGER, CFD, 'Buy', 7, 1_234);
    // 0.007 × 12.34 × 0.0006 = 0.000051828
    expect(executionsOf(rig, HEDGER).at(-1)).toMatchObject({ commission: 52n });
  });
});
