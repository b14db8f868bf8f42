import { describe, expect, it } from 'vitest';
import type { LeverageProfile } from '../../core/messages/configuration.ts';
import { BTC_USDT, CFD, CFD_EUR, EUR_USDT, HEDGER, MarginRig, NETTER } from './support.ts';

/** Cents to a tick, thousandths of a BTC to a step; USDT has 6 decimals. */
const PRICE = 6_000_000;
const usdt = (units: bigint): string => {
  const sign = units < 0n ? '-' : '';
  const digits = String(units < 0n ? -units : units).padStart(7, '0');
  return `${sign}${digits.slice(0, -6)}.${digits.slice(-6)}`;
};

function figures(rig: MarginRig, account: number): Record<string, string> {
  const { marginBalance, unrealized, equity, usedMargin, freeMargin, level } = rig.margin(account);
  return {
    balance: usdt(marginBalance),
    unrealized: usdt(unrealized),
    equity: usdt(equity),
    used: usdt(usedMargin),
    free: usdt(freeMargin),
    level: level === null ? 'none' : String(level),
  };
}

const TIERS: LeverageProfile = {
  leverageType: 'Dynamic',
  useOnlyMaxLeverage: false,
  tiers: [
    { maxLeverage: 20, maxNotionalInRoot: 50_000_000_000n },
    { maxLeverage: 10, maxNotionalInRoot: 200_000_000_000n },
    { maxLeverage: 5, maxNotionalInRoot: null },
  ],
};

describe('an account’s margin', () => {
  it('is what its positions were opened with, and its level follows the bid of a long', () => {
    const rig = new MarginRig();
    rig.deposit(HEDGER, 'usdt', '20000');
    // 2 BTC × 60000 / 10 = 12000
    rig.trade(HEDGER, CFD, 'Buy', 2_000, PRICE);
    // 2 × (59000 - 60000) = -2000; 20000 - 2000 = 18000; 18000 / 12000 = 1.5
    rig.quote(CFD, 5_900_000, 5_900_100);
    expect(figures(rig, HEDGER)).toEqual({
      balance: '20000.000000',
      unrealized: '-2000.000000',
      equity: '18000.000000',
      used: '12000.000000',
      free: '6000.000000',
      level: '15000',
    });
  });

  it('values a short at the ask, and rounds its level down', () => {
    const rig = new MarginRig();
    rig.deposit(HEDGER, 'usdt', '20000');
    // 1.5 BTC × 60000 / 7 = 12857.142857142… is rounded up
    rig.order(1, { market: CFD, side: 'Buy', amount: 1_500, price: PRICE });
    rig.order(HEDGER, { market: CFD, side: 'Sell', amount: 1_500, price: PRICE, leverage: 7 });
    // 1.5 × (60000 - 60100.01) = -150.015; 19849.985 / 12857.142858 = 1.54388…
    rig.quote(CFD, 6_009_000, 6_010_001);
    expect(figures(rig, HEDGER)).toEqual({
      balance: '20000.000000',
      unrealized: '-150.015000',
      equity: '19849.985000',
      used: '12857.142858',
      free: '6992.842142',
      level: '15438',
    });
  });

  it('has no level without positions or orders', () => {
    const rig = new MarginRig();
    rig.deposit(HEDGER, 'usdt', '1.5');
    expect(figures(rig, HEDGER)).toMatchObject({
      used: '0.000000',
      free: '1.500000',
      level: 'none',
    });
  });

  it('counts collateral by ratio and rate, what is held included', () => {
    const rig = new MarginRig();
    rig.quote(BTC_USDT, 5_999_000, 6_001_000);
    rig.quote(EUR_USDT, 10_849, 10_852);
    rig.deposit(HEDGER, 'usdt', '1000');
    rig.deposit(HEDGER, 'btc', '0.5');
    rig.deposit(HEDGER, 'eur', '100.01');
    expect(figures(rig, HEDGER)['balance']).toBe('1000.000000');
    rig.select(HEDGER, 'btc');
    // 0.5 × 60000 × 0.8 = 24000
    expect(figures(rig, HEDGER)['balance']).toBe('25000.000000');
    rig.select(HEDGER, 'eur');
    // 100.01 × 1.08505 × 0.95 = 103.09005797… is rounded down
    expect(figures(rig, HEDGER)['balance']).toBe('25103.090057');
    rig.select(HEDGER, 'btc', false);
    expect(figures(rig, HEDGER)['balance']).toBe('1103.090057');
  });

  it('is in root units at the rate of the quote asset', () => {
    const rig = new MarginRig();
    rig.quote(EUR_USDT, 10_849, 10_852);
    rig.deposit(HEDGER, 'usdt', '5000');
    // 0.021 lots of 10 BTC at 55123.45 EUR is 11575.9245 EUR; / 10 = 1157.59245 is rounded up to
    // 1157.60 EUR; × 1.08505 = 1256.05388
    rig.trade(HEDGER, CFD_EUR, 'Buy', 21, 5_512_345);
    // 0.21 × (55000 - 55123.45) = -25.9245 EUR is rounded down to -25.93; × 1.08505 = -28.1353465
    rig.quote(CFD_EUR, 5_500_000, 5_500_100);
    expect(figures(rig, HEDGER)).toMatchObject({
      used: '1256.053880',
      unrealized: '-28.135347',
    });
  });
});

describe('tiers of leverage', () => {
  // What is bought in one order after the other (steps, chosen leverage), and the margin used then.
  const TABLE: readonly (readonly [string, readonly (readonly [number, number])[], string])[] = [
    // 30000 / 20
    ['the first tier gives the most', [[500, 0]], '1500.000000'],
    ['less may be chosen: 30000 / 8', [[500, 8]], '3750.000000'],
    // 48000 / 20, exactly at the end of the tier with 50000.04: 0.83334 is off step, so 0.833: 49980
    ['up to its end: 49980 / 20', [[833, 0]], '2499.000000'],
    // 50040 / 10
    ['beyond its end the next one: 50040 / 10', [[834, 0]], '5004.000000'],
    // 1500 + 3000 = 4500 as opened; all of it at 10: 60000 / 10
    [
      'for the whole position',
      [
        [500, 0],
        [500, 0],
      ],
      '6000.000000',
    ],
    // 240000 / 5
    [
      'and the last one has no end',
      [
        [2_000, 0],
        [2_000, 0],
      ],
      '48000.000000',
    ],
    // 30000 / 2 + 30000 / 10
    [
      'who has chosen less has paid more already',
      [
        [500, 2],
        [500, 0],
      ],
      '18000.000000',
    ],
  ];
  it.each(TABLE)('%s', (_, orders, used) => {
    for (const account of [HEDGER, NETTER]) {
      const rig = new MarginRig();
      rig.leverage(CFD, TIERS);
      rig.deposit(account, 'usdt', '100000');
      for (const [amount, leverage] of orders) {
        rig.order(1, { market: CFD, side: 'Sell', amount, price: PRICE, leverage: 1 });
        rig.order(account, { market: CFD, side: 'Buy', amount, price: PRICE, leverage });
      }
      expect(figures(rig, account)['used']).toBe(used);
    }
  });

  it('count the net of longs and shorts', () => {
    const rig = new MarginRig();
    rig.leverage(CFD, TIERS);
    rig.deposit(HEDGER, 'usdt', '100000');
    rig.trade(HEDGER, CFD, 'Buy', 500, PRICE);
    rig.trade(HEDGER, CFD, 'Sell', 500, PRICE);
    rig.trade(HEDGER, CFD, 'Buy', 500, PRICE);
    // Net 30000 throughout, or nothing: 3 × 30000 / 20
    expect(figures(rig, HEDGER)['used']).toBe('4500.000000');
  });
});

describe('orders that rest', () => {
  it('take margin at their price', () => {
    const rig = new MarginRig();
    rig.deposit(HEDGER, 'usdt', '10000');
    // 0.1 × 50000 / 10
    rig.order(HEDGER, { market: CFD, side: 'Buy', amount: 100, price: 5_000_000 });
    expect(figures(rig, HEDGER)).toMatchObject({ used: '500.000000', free: '9500.000000' });
  });

  it('take what a better price makes of a sell: the bid that it would meet', () => {
    const rig = new MarginRig();
    rig.deposit(HEDGER, 'usdt', '10000');
    rig.quote(CFD, PRICE, PRICE + 100);
    rig.order(HEDGER, { market: CFD, side: 'Sell', amount: 101, price: 5_000_000 });
    // One step is sold at 60000 and 100 rest; 0.101 × 60000 / 10 = 606, × 100 / 101 = 600; 6 as opened
    expect(figures(rig, HEDGER)['used']).toBe('606.000000');
  });

  it('of a netting account take margin only beyond what they reduce', () => {
    const rig = new MarginRig();
    rig.deposit(NETTER, 'usdt', '50000');
    // 12000
    rig.trade(NETTER, CFD, 'Buy', 2_000, PRICE);
    rig.order(NETTER, { market: CFD, side: 'Sell', amount: 2_000, price: 6_500_000 });
    expect(figures(rig, NETTER)['used']).toBe('12000.000000');
    // Of 3000 pending, 1000 are beyond: ceil((13000 + 6500) × 1000 / 3000) = 6500
    rig.order(NETTER, { market: CFD, side: 'Sell', amount: 1_000, price: 6_500_000 });
    expect(figures(rig, NETTER)['used']).toBe('18500.000000');
  });

  it('of a hedging account always take margin', () => {
    const rig = new MarginRig();
    rig.deposit(HEDGER, 'usdt', '50000');
    rig.trade(HEDGER, CFD, 'Buy', 2_000, PRICE);
    rig.order(HEDGER, { market: CFD, side: 'Sell', amount: 2_000, price: 6_500_000 });
    // 12000 + 2 × 65000 / 10
    expect(figures(rig, HEDGER)['used']).toBe('25000.000000');
  });

  it('of a netting account go where the position that they were to reduce is gone, and no margin is there', () => {
    for (const [deposit, left] of [
      ['10000', 0],
      ['20000', 1],
    ] as const) {
      const rig = new MarginRig();
      rig.deposit(NETTER, 'usdt', deposit);
      rig.trade(NETTER, CFD, 'Buy', 1_000, PRICE);
      // It reserves nothing beside the position; without it, 1 × 100000 / 10.
      rig.order(NETTER, { market: CFD, side: 'Sell', amount: 1_000, price: 10_000_000 });
      rig.quote(CFD, 5_600_000, 5_600_100);
      rig.order(1, { market: CFD, side: 'Buy', amount: 1_000, price: 5_600_000 });
      const [position] = rig.positions(NETTER);
      const positionId = position?.positionId ?? 0;
      rig.order(NETTER, { market: CFD, side: 'Sell', amount: 0, positionId });
      expect(rig.positions(NETTER)).toEqual([]);
      // 4000 are lost: 6000 are left of 10000, and 16000 of 20000.
      const open = [...rig.follower.orders.values()].filter(
        ({ accepted }) => accepted.account === NETTER,
      );
      expect(open).toHaveLength(left);
    }
  });
});
