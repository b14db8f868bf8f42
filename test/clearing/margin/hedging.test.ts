import { describe, expect, it } from 'vitest';
import type { Rig } from '../rig.ts';
import {
  CROSS,
  executionsOf,
  HEDGE,
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

const buy = { account: HEDGE, market: PERP, side: 'Buy', leverage: 10 } as const;
const sell = { account: HEDGE, market: PERP, side: 'Sell', leverage: 10 } as const;

/** What the maker bids for, so that a long can be closed. */
function bid(rig: Rig, price: number, amount: number): void {
  expect(place(rig, { account: MAKER, market: PERP, side: 'Buy', price, amount })).toBe(
    'OrderPlaced',
  );
}

const idsOf = (rig: Rig): number[] => positionsOf(rig, HEDGE).map(({ positionId }) => positionId);

describe('positions of a hedging account', () => {
  it('are one for each order that opens, with all its fills', () => {
    const rig = marginRig();
    place(rig, { ...buy, price: 6_000_000, amount: 300 });
    place(rig, { account: MAKER, market: PERP, side: 'Sell', price: 6_000_000, amount: 100 });
    place(rig, { account: MAKER, market: PERP, side: 'Sell', price: 6_000_000, amount: 200 });
    trade(rig, { ...sell, price: 6_000_000, amount: 50 });
    expect(positionTexts(rig, HEDGE)).toEqual([
      'long 300 for 1800000000, margin 1800000000',
      'short 50 for 300000000, margin 300000000',
    ]);
    // Both sides use their margin.
    expect(marginOf(rig, HEDGE).usedMargin).toBe(2_100_000_000n);
    rig.check();
  });

  it('are closed in parts by their id, and no order claims more than is left', () => {
    const rig = marginRig();
    trade(rig, { ...buy, price: 6_000_000, amount: 300 });
    const [positionId = 0] = idsOf(rig);
    const closing = { ...sell, leverage: 0, positionId };
    expect(place(rig, { ...closing, price: 6_100_000, amount: 200 })).toBe('OrderPlaced');
    expect(positionsOf(rig, HEDGE)[0]).toMatchObject({ quantity: 300, closing: 200 });
    expect(marginOf(rig, HEDGE).usedMargin).toBe(1_800_000_000n);
    expect(place(rig, { ...closing, price: 6_200_000, amount: 101 })).toBe('TR0241');
    bid(rig, 6_000_000, 1_000);
    // All that is left to be closed is 100.
    expect(place(rig, { ...closing, amount: 0 })).toBe('OrderPlaced');
    expect(positionsOf(rig, HEDGE)[0]).toMatchObject({ quantity: 200, closing: 200 });
    expect(place(rig, { ...closing, amount: 0 })).toBe('TR0241');
    executionsOf(rig, HEDGE);
    trade(rig, { account: NET, market: PERP, side: 'Sell', price: 6_000_000, amount: 1 });
    place(rig, { account: NET, market: PERP, side: 'Buy', price: 6_100_000, amount: 200 });
    expect(executionsOf(rig, HEDGE)).toMatchObject([
      // 0.2 × 1000
      { closedPositionId: positionId, closedQuantity: 200, realizedInRoot: 200_000_000n },
    ]);
    expect(idsOf(rig)).toEqual([]);
    expect(place(rig, { ...closing, amount: 0 })).toBe('TR0240');
    rig.check();
  });

  it('get back what a closing order has claimed when it is cancelled', () => {
    const rig = marginRig();
    trade(rig, { ...buy, price: 6_000_000, amount: 300 });
    const [positionId = 0] = idsOf(rig);
    place(rig, { ...sell, positionId, price: 6_100_000, amount: 200 });
    const orderId = rig.state.nextOrderId - 1;
    expect(rig.amend(HEDGE, orderId, { amount: 250 })).toMatchObject({ code: 247 });
    expect(rig.amend(HEDGE, orderId, { amount: 150 })).toMatchObject({ record: 'OrderState' });
    expect(positionsOf(rig, HEDGE)[0]).toMatchObject({ closing: 150 });
    rig.check();
    rig.cancel(HEDGE, orderId);
    expect(positionsOf(rig, HEDGE)[0]).toMatchObject({ quantity: 300, closing: 0 });
    rig.check();
  });

  it('are nobody else’s, and closed from their other side without triggers', () => {
    const rig = marginRig();
    trade(rig, { ...buy, price: 6_000_000, amount: 300 });
    const [positionId = 0] = idsOf(rig);
    const closing = { ...sell, positionId, price: 6_100_000, amount: 100 };
    expect(place(rig, { ...closing, account: NET })).toBe('TR0240');
    expect(place(rig, { ...closing, positionId: 999 })).toBe('TR0240');
    expect(place(rig, { ...closing, side: 'Buy' })).toBe('TR0245');
    expect(place(rig, { ...closing, stopLoss: 6_200_000 })).toBe('TR0244');
    expect(place(rig, { ...closing, market: CROSS })).toBe('TR0240');
  });

  it('opens a new position for the rest of an order whose position was closed meanwhile', () => {
    const rig = marginRig();
    place(rig, { ...buy, price: 6_000_000, amount: 300 });
    place(rig, { account: MAKER, market: PERP, side: 'Sell', price: 6_000_000, amount: 100 });
    const [positionId = 0] = idsOf(rig);
    // The rest of the order bids for its own position: another bid has to take it.
    bid(rig, 6_000_100, 100);
    expect(place(rig, { ...sell, positionId, amount: 0 })).toBe('OrderPlaced');
    expect(idsOf(rig)).toEqual([]);
    place(rig, { account: NET, market: PERP, side: 'Sell', price: 6_000_000, amount: 200 });
    const [later = 0] = idsOf(rig);
    expect(later).toBeGreaterThan(positionId);
    expect(positionTexts(rig, HEDGE)).toEqual(['long 200 for 1200000000, margin 1200000000']);
    rig.check();
  });
});
