import { describe, expect, it } from 'vitest';
import type { LeverageProfile } from '../../../core/messages/configuration.ts';
import type { Rig } from '../rig.ts';
import {
  CROSS,
  FOREX,
  HEDGE,
  MAKER,
  marginOf,
  marginRig,
  NET,
  NET_TOO,
  PERP,
  place,
  SPOT_BTC,
  trade,
} from './margin-rig.ts';

const buy = { account: NET, market: PERP, side: 'Buy', price: 6_000_000 } as const;
const sell = { account: NET, market: PERP, side: 'Sell', price: 6_000_000 } as const;

/** Root units that the account uses. */
const used = (rig: Rig, account = NET): bigint => marginOf(rig, account).usedMargin;

function withLeverage(leverage: LeverageProfile): Rig {
  const rig = marginRig();
  const { margin } = rig.state.market(PERP).configuration;
  if (margin === undefined) throw new Error('not on margin');
  rig.configureMarket(PERP, { margin: { ...margin, leverage } });
  return rig;
}

describe('the margin of open orders', () => {
  it('is reserved for what could open, and given back', () => {
    const rig = marginRig();
    place(rig, { ...buy, amount: 100, leverage: 10 });
    // 6000 / 10
    expect(used(rig)).toBe(600_000_000n);
    place(rig, { ...sell, price: 7_000_000, amount: 100, leverage: 7 });
    // 7000 / 7 more: either could be filled
    expect(used(rig)).toBe(1_600_000_000n);
    rig.cancel(NET, rig.state.nextOrderId - 1);
    expect(used(rig)).toBe(600_000_000n);
    rig.check();
  });

  it('is none for what can only reduce, and only for the excess beyond it', () => {
    const rig = marginRig();
    trade(rig, { ...buy, amount: 100, leverage: 10 });
    expect(used(rig)).toBe(600_000_000n);
    place(rig, { ...sell, price: 7_000_000, amount: 60, leverage: 10 });
    expect(used(rig)).toBe(600_000_000n);
    place(rig, { ...sell, price: 8_000_000, amount: 90, leverage: 10 });
    // 420 + 720 for 150 steps, of which 50 are beyond the position
    expect(used(rig)).toBe(600_000_000n + 380_000_000n);
    expect(place(rig, { ...sell, account: HEDGE, amount: 50, leverage: 10 })).toBe('OrderPlaced');
    rig.check();
  });

  it('is computed at the worst price of a market order', () => {
    const rig = marginRig();
    place(rig, { ...sell, account: MAKER, amount: 1_000 });
    // 60000 × 1.1 × 0.15 = 9900 fits in 10000 without leverage; 0.152 does not.
    const market = { account: NET, market: PERP, side: 'Buy', leverage: 1 } as const;
    expect(place(rig, { ...market, amount: 152 })).toBe('TR0410');
    expect(place(rig, { ...market, amount: 150 })).toBe('OrderPlaced');
    expect(used(rig)).toBe(9_000_000_000n);
  });

  it('needs a price to be computed at, and a rate to the root asset', () => {
    const rig = marginRig();
    expect(place(rig, { account: NET, market: PERP, side: 'Buy', amount: 1 })).toBe('TR0222');
    expect(place(rig, { ...buy, market: CROSS, amount: 1 })).toBe('TR0414');
    expect(place(rig, { ...buy, market: SPOT_BTC, amount: 1 })).toBe('TR0248');
    expect(rig.place(NET, { market: PERP, side: 'Buy', price: 1, amount: 1 })).toMatchObject({
      code: 303,
    });
  });
});

describe('an order beyond the margin of its account', () => {
  it('is refused to the last unit', () => {
    const rig = marginRig();
    // 10000 × 100 = 1000000 = 60000.00 × 16.666
    expect(place(rig, { ...buy, amount: 16_667 })).toBe('TR0410');
    expect(place(rig, { ...buy, amount: 16_666 })).toBe('OrderPlaced');
    expect(place(rig, { ...buy, amount: 1 })).toBe('TR0410');
    expect(marginOf(rig, NET).freeMargin).toBe(400_000n);
  });

  it('is refused for its commission, too', () => {
    const rig = marginRig({}, { feeRate: 100_000 });
    // 0.1 × 60000 = 6000 at 1:1 and 6 of commission; 9994 is too much, 9984 + 9.984 is not.
    expect(place(rig, { ...buy, price: 9_999_000, amount: 100, leverage: 1 })).toBe('TR0410');
    expect(place(rig, { ...buy, price: 9_990_000, amount: 100, leverage: 1 })).toBe('OrderPlaced');
  });

  it('is refused where its amount is off the step, or its triggers on the wrong side', () => {
    const rig = marginRig();
    const { margin } = rig.state.market(PERP).configuration;
    if (margin === undefined) throw new Error('not on margin');
    rig.configureMarket(PERP, { margin: { ...margin, lotStep: 5 } });
    expect(place(rig, { ...buy, amount: 12 })).toBe('TR0242');
    expect(place(rig, { ...buy, amount: 10, stopLoss: 6_000_000 })).toBe('TR0243');
    expect(place(rig, { ...buy, amount: 10, takeProfit: 5_999_999 })).toBe('TR0243');
    expect(place(rig, { ...sell, amount: 10, stopLoss: 5_999_999 })).toBe('TR0243');
    expect(place(rig, { ...sell, amount: 10, takeProfit: 6_000_001 })).toBe('TR0243');
    expect(place(rig, { ...buy, amount: 10, isTrailing: true })).toBe('TR0246');
    expect(place(rig, { ...buy, amount: 10, stopLoss: 5_999_999, takeProfit: 6_000_001 })).toBe(
      'OrderPlaced',
    );
  });

  it('is refused where positions could become too large to count', () => {
    const rig = marginRig();
    rig.deposit(NET, 'usdt', '1000000000000');
    const { maxAmount, maxPosition } = rig.state.market(PERP).derived;
    const orders = Math.floor(maxPosition / maxAmount);
    const order = { ...buy, price: 1, amount: maxAmount };
    for (let n = 0; n < orders; n++) expect(place(rig, order)).toBe('OrderPlaced');
    expect(place(rig, order)).toBe('TR0415');
  });

  it('is refused below the margin call, and reducing is not', () => {
    const rig = marginRig();
    rig.cold({
      type: 'SetMarginSettings',
      settings: { marginCall: 20_000, stopOut: 5_000, negativeBalanceProtection: true },
    });
    // 10000 / 5100 is below 200 %
    expect(place(rig, { ...buy, amount: 850, leverage: 10 })).toBe('TR0411');
    trade(rig, { ...buy, amount: 800, leverage: 10 });
    expect(place(rig, { ...sell, price: 7_000_000, amount: 800, leverage: 10 })).toBe(
      'OrderPlaced',
    );
    // Another trade at 57500.00: a loss of 2000 leaves 8000 for 4800.
    trade(rig, { ...buy, account: NET_TOO, price: 6_000_000, amount: 1 });
    trade(rig, { ...buy, account: NET_TOO, price: 5_750_000, amount: 1 });
    expect(marginOf(rig, NET).level).toBe(16_666n);
    expect(place(rig, { ...buy, price: 1_000, amount: 1 })).toBe('TR0411');
    rig.cancel(NET, rig.state.nextOrderId - 1);
    rig.check();
  });
});

describe('leverage', () => {
  it('is at most what the market gives', () => {
    const rig = marginRig();
    expect(place(rig, { ...buy, amount: 10, leverage: 101 })).toBe('TR0412');
    expect(place(rig, { ...buy, amount: 10, leverage: 100 })).toBe('OrderPlaced');
    expect(place(rig, { ...buy, amount: 10, leverage: 1 })).toBe('OrderPlaced');
    // 6 + 600
    expect(used(rig)).toBe(606_000_000n);
    expect(place(rig, { ...buy, amount: 10 })).toBe('OrderPlaced');
    expect(used(rig)).toBe(612_000_000n);
  });

  it('is the most where the market takes nothing else', () => {
    const profile = { leverageType: 'Fixed', useOnlyMaxLeverage: true, maxLeverage: 20 } as const;
    const rig = withLeverage(profile);
    expect(place(rig, { ...buy, amount: 10, leverage: 19 })).toBe('TR0413');
    expect(place(rig, { ...buy, amount: 10, leverage: 20 })).toBe('OrderPlaced');
    expect(place(rig, { ...buy, amount: 10 })).toBe('OrderPlaced');
  });

  const tiers: LeverageProfile = {
    leverageType: 'Dynamic',
    useOnlyMaxLeverage: false,
    tiers: [
      { maxLeverage: 100, maxNotionalInRoot: 6_000_000_000n },
      { maxLeverage: 20, maxNotionalInRoot: 60_000_000_000n },
      { maxLeverage: 5, maxNotionalInRoot: null },
    ],
  };

  it('falls with the net notional, and then asks more of all of it', () => {
    const rig = withLeverage(tiers);
    expect(place(rig, { ...buy, amount: 101, leverage: 100 })).toBe('TR0412');
    trade(rig, { ...buy, amount: 100, leverage: 100 });
    // 6000 / 100, exactly at the end of the tier
    expect(used(rig)).toBe(60_000_000n);
    expect(place(rig, { ...buy, amount: 100, leverage: 21 })).toBe('TR0412');
    trade(rig, { ...buy, amount: 100, leverage: 20 });
    // 12000 / 20, though 60 + 300 were asked
    expect(used(rig)).toBe(600_000_000n);
    trade(rig, { ...sell, amount: 100 });
    // half of 60 + 300 again
    expect(used(rig)).toBe(180_000_000n);
    rig.check();
  });

  it('reserves with an order what its tier will ask of everything', () => {
    const rig = withLeverage(tiers);
    trade(rig, { ...buy, amount: 100, leverage: 100 });
    const before = used(rig);
    place(rig, { ...buy, amount: 100 });
    const reserved = used(rig);
    expect(reserved).toBe(600_000_000n);
    place(rig, { ...sell, account: MAKER, amount: 100 });
    expect(used(rig)).toBe(reserved);
    expect(before).toBe(60_000_000n);
  });

  it('counts net: a hedge brings the cap back', () => {
    const rig = withLeverage(tiers);
    trade(rig, { ...buy, account: HEDGE, amount: 150, leverage: 20 });
    expect(used(rig, HEDGE)).toBe(450_000_000n);
    trade(rig, { ...sell, account: HEDGE, amount: 150, leverage: 100 });
    // 450 + 90 at their own leverage
    expect(used(rig, HEDGE)).toBe(540_000_000n);
    rig.check();
  });
});

describe('an amend', () => {
  it('takes and gives back margin', () => {
    const rig = marginRig();
    place(rig, { ...buy, amount: 100, leverage: 10 });
    const orderId = rig.state.nextOrderId - 1;
    expect(rig.amend(NET, orderId, { price: 5_000_000 })).toMatchObject({ record: 'OrderState' });
    expect(used(rig)).toBe(500_000_000n);
    expect(rig.amend(NET, orderId, { amount: 200 })).toMatchObject({ record: 'OrderState' });
    expect(used(rig)).toBe(1_000_000_000n);
    expect(rig.amend(NET, orderId, { amount: 2_001 })).toMatchObject({ code: 410 });
    expect(rig.amend(NET, orderId, { amount: 2_000 })).toMatchObject({ record: 'OrderState' });
    expect(used(rig)).toBe(10_000_000_000n);
    expect(rig.amend(NET, orderId, { price: 5_000_001 })).toMatchObject({ code: 410 });
    expect(rig.amend(NET, orderId, { price: 4_000_000, amount: 1_000 })).toMatchObject({
      record: 'OrderState',
    });
    expect(used(rig)).toBe(4_000_000_000n);
    rig.check();
  });

  it('of a part-filled order keeps what was filled', () => {
    const rig = marginRig();
    place(rig, { ...buy, amount: 100, leverage: 10 });
    const orderId = rig.state.nextOrderId - 1;
    place(rig, { ...sell, account: MAKER, amount: 40 });
    expect(used(rig)).toBe(600_000_000n);
    rig.amend(NET, orderId, { price: 5_000_000 });
    // 240 of the position, 300 of the rest
    expect(used(rig)).toBe(540_000_000n);
    rig.check();
  });
});

it('is priced without being placed', () => {
  const rig = marginRig({}, { feeRate: 100_000 });
  place(rig, { ...sell, account: MAKER, price: 6_010_000, amount: 100 });
  place(rig, { ...buy, account: MAKER, price: 5_990_000, amount: 100 });
  const preview = { kind: 'previewMargin', account: NET, market: PERP, side: 'Buy' } as const;
  expect(rig.expect('MarginOrderPriced', { ...preview, amount: 100, leverage: 10 })).toMatchObject({
    price: 6_010_000,
    bid: 5_990_000,
    ask: 6_010_000,
    leverage: 10,
    quoteAmount: 6_010_000_000n,
    marginInRoot: 601_000_000n,
    commissionInRoot: 6_010_000n,
    // 10000 / 601
    level: 166_389n,
    rate: 1_000_000_000_000n,
  });
  expect(used(rig)).toBe(0n);
  const guest = { ...preview, account: 0xffff_ffff, amount: 100, leverage: 10 } as const;
  expect(rig.expect('MarginOrderPriced', guest)).toMatchObject({ level: -1n });
  const forex = { ...preview, market: FOREX, price: 108_000, amount: 100 } as const;
  // A lot of 100,000 at 1.08000, over 100
  expect(rig.expect('MarginOrderPriced', forex)).toMatchObject({ marginInRoot: 1_080_000_000n });
});
