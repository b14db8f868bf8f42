import { describe, expect, it } from 'vitest';
import {
  executionsOf,
  FOREX,
  MAKER,
  marginOf,
  marginRig,
  NET,
  PERP,
  place,
  positionsOf,
  positionTexts,
  trade,
} from './margin-rig.ts';

const buy = { account: NET, market: PERP, side: 'Buy' } as const;
const sell = { account: NET, market: PERP, side: 'Sell' } as const;

describe('a position of a netting account', () => {
  it('is opened, added to, reduced and flipped, to the last unit', () => {
    const rig = marginRig();
    // 0.5 × 60000.00 = 30000, over 10 = 3000.
    trade(rig, { ...buy, price: 6_000_000, amount: 500, leverage: 10 });
    expect(positionTexts(rig, NET)).toEqual(['long 500 for 3000000000, margin 3000000000']);
    // 0.25 × 61000.00 = 15250, over 20 = 762.5.
    trade(rig, { ...buy, price: 6_100_000, amount: 250, leverage: 20 });
    expect(positionTexts(rig, NET)).toEqual(['long 750 for 4525000000, margin 3762500000']);
    const [{ positionId } = { positionId: 0 }] = positionsOf(rig, NET);
    executionsOf(rig, NET);
    // A third goes: floor(4525000000 / 3) ticks × steps; (62000.00 × 0.25) - 15083.33333 = 416.66667.
    trade(rig, { ...sell, price: 6_200_000, amount: 250 });
    expect(executionsOf(rig, NET)).toMatchObject([
      {
        closedPositionId: positionId,
        closedQuantity: 250,
        closedNotional: 1_508_333_333n,
        closedMargin: 1_254_166_666n,
        realized: 416_666_670n,
        realizedInRoot: 416_666_670n,
        openedPositionId: 0,
        openedQuantity: 0,
        openedMargin: 0n,
      },
    ]);
    expect(rig.balance(NET, 'usdt')).toBe('10416.66667/0');
    // The rest closes at a loss: 30000 - 30166.66667; 0.2 × 60000.00 = 12000 over 5 opens.
    trade(rig, { ...sell, price: 6_000_000, amount: 700, leverage: 5 });
    const [flip] = executionsOf(rig, NET);
    expect(flip).toMatchObject({
      closedPositionId: positionId,
      closedQuantity: 500,
      closedNotional: 3_016_666_667n,
      closedMargin: 2_508_333_334n,
      realized: -166_666_670n,
      openedQuantity: 200,
      openedMargin: 2_400_000_000n,
    });
    expect(flip?.openedPositionId).toBeGreaterThan(positionId);
    expect(positionTexts(rig, NET)).toEqual(['short 200 for 1200000000, margin 2400000000']);
    expect(rig.balance(NET, 'usdt')).toBe('10250/0');
    rig.check();
  });

  it('rounds a profit down and a loss up', () => {
    const rig = marginRig();
    // 0.03 lots of 100,000 at 1.08001, then 1.08002: thirds of an odd notional.
    const forex = { account: NET, market: FOREX } as const;
    trade(rig, { ...forex, side: 'Buy', price: 108_001, amount: 2 });
    trade(rig, { ...forex, side: 'Buy', price: 108_002, amount: 1 });
    trade(rig, { ...forex, side: 'Sell', price: 108_001, amount: 1 });
    // 324004 / 3 = 108001.33 is 108001: nothing is lost; the last part takes what is left.
    trade(rig, { ...forex, side: 'Sell', price: 108_001, amount: 2 });
    const realized = executionsOf(rig, NET).map(({ realizedInRoot }) => realizedInRoot);
    // A tick × step is 1000 × 10^-5 × 10^6 units.
    expect(realized).toEqual([0n, 0n, 0n, -10_000n]);
    rig.check();
  });

  it('values what is open at the mark price, and the level by it', () => {
    const rig = marginRig();
    trade(rig, { ...buy, price: 6_000_000, amount: 500, leverage: 10 });
    const margin = marginOf(rig, NET);
    expect(margin).toMatchObject({
      marginBalance: 10_000_000_000n,
      unrealized: 0n,
      usedMargin: 3_000_000_000n,
      freeMargin: 7_000_000_000n,
      level: 33_333n,
    });
    // The last trade is the price: 500 ticks × 500 steps × 10 units up.
    trade(rig, { account: 2, market: PERP, side: 'Buy', price: 6_000_500, amount: 1 });
    expect(marginOf(rig, NET).unrealized).toBe(2_500_000n);
  });

  it('takes the triggers of the order that adds to it, where it has any', () => {
    const rig = marginRig();
    const triggers = () => positionsOf(rig, NET)[0]?.triggers;
    const first = { stopLoss: 5_900_000, takeProfit: 6_500_000 };
    trade(rig, { ...buy, price: 6_000_000, amount: 10, ...first });
    expect(triggers()).toEqual({ ...first, trailingOffset: 0 });
    trade(rig, { ...buy, price: 6_100_000, amount: 10 });
    expect(triggers()).toEqual({ ...first, trailingOffset: 0 });
    trade(rig, { ...buy, price: 6_100_000, amount: 10, stopLoss: 6_050_000, isTrailing: true });
    expect(triggers()).toEqual({
      stopLoss: 6_050_000,
      takeProfit: 6_500_000,
      trailingOffset: 50_000,
    });
  });

  it('is closed by its id at once or not at all', () => {
    const rig = marginRig();
    trade(rig, { ...buy, price: 6_000_000, amount: 500 });
    const [{ positionId } = { positionId: 0 }] = positionsOf(rig, NET);
    const closing = { ...sell, amount: 0, positionId };
    expect(place(rig, { ...closing, price: 6_000_000, timeInForce: 'Gtc' })).toBe('TR0204');
    expect(
      place(rig, { account: MAKER, market: PERP, side: 'Buy', price: 6_010_000, amount: 500 }),
    ).toBe('OrderPlaced');
    expect(place(rig, closing)).toBe('OrderPlaced');
    expect(positionsOf(rig, NET)).toEqual([]);
    // 0.5 × 100
    expect(rig.balance(NET, 'usdt')).toBe('10050/0');
    rig.check();
  });
});
