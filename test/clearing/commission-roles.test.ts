import { describe, expect, it } from 'vitest';
import type { MarketConfiguration } from '../../core/messages/configuration.ts';
import { randomSource, seed } from '../support/seed.ts';
import { ALICE, BOB, BTC_USDT, CAROL, type Rig, tradingRig } from './rig.ts';

const BTC = 1_000;
const AT_10000 = 10_000_00;
/** 20 usdt of 10000 from takers, 5 from makers. */
const MAKERS_LESS = { feeRate: 200_000, makerFeeRate: 50_000 };

const roles = (market: Partial<MarketConfiguration>): Rig => tradingRig({}, market);
const buy = (rig: Rig, account: number, amount: number) =>
  rig.order(account, { market: BTC_USDT, side: 'Buy', price: AT_10000, amount });
const sell = (rig: Rig, account: number, amount: number) =>
  rig.order(account, { market: BTC_USDT, side: 'Sell', price: AT_10000, amount });

/** What takers and makers were charged since the last call, in usdt, and what the buyer still held. */
const charges = (rig: Rig): string[] =>
  rig
    .take('OrdersTraded')
    .map(({ takerFee, makerFee, buyerHold }) =>
      [takerFee, makerFee, buyerHold].map((units) => Number(units) / 1e6).join(' '),
    );

describe('makers and takers', () => {
  it('pay their own rates, and a buy holds for the dearer', () => {
    const rig = roles(MAKERS_LESS);
    buy(rig, ALICE, BTC);
    expect(rig.balance(ALICE, 'usdt')).toBe('100000/10020');
    sell(rig, BOB, BTC);
    expect(charges(rig)).toEqual(['20 5 0']);
    expect([rig.balance(ALICE, 'usdt'), rig.balance(BOB, 'usdt')]).toEqual(['89995/0', '109980/0']);
    rig.check();
  });

  it('may be one order after the other', () => {
    const rig = roles(MAKERS_LESS);
    sell(rig, ALICE, BTC);
    const orderId = buy(rig, BOB, 3 * BTC);
    expect(charges(rig)).toEqual(['20 5 20040']);
    sell(rig, CAROL, BTC);
    expect(charges(rig)).toEqual(['20 5 10020']);
    rig.amend(BOB, orderId, { amount: 3.5 * BTC });
    expect(rig.balance(BOB, 'usdt')).toBe('79975/15030');
    const restarted = rig.restarted();
    sell(restarted, CAROL, 1.5 * BTC);
    expect(charges(restarted)).toEqual(['30 7.5 0']);
    expect(restarted.balance(BOB, 'usdt')).toBe('64967.5/0');
    restarted.check();
  });

  it('pay one minimum an order, whatever it was in its fills', () => {
    const rig = roles({ ...MAKERS_LESS, feeMinimum: 22_000_000n });
    sell(rig, ALICE, BTC);
    buy(rig, BOB, 2 * BTC);
    expect(charges(rig)).toEqual(['22 22 10018']);
    sell(rig, CAROL, BTC);
    expect(charges(rig)).toEqual(['22 3 0']);
    rig.check();
  });

  it('may be dearer the other way round', () => {
    const rig = roles({ feeRate: 50_000, makerFeeRate: 200_000 });
    sell(rig, ALICE, BTC);
    buy(rig, BOB, 2 * BTC);
    expect(charges(rig)).toEqual(['5 20 10020']);
    rig.check();
  });

  it('have their rates by tier of a group as well', () => {
    const rig = roles({});
    rig.cold({
      type: 'CreateCommissionGroup',
      group: {
        name: 'g',
        type: 'Percent',
        assetId: null,
        minimum: 0n,
        tiers: [{ size: 300_000, makerSize: 0, minTradingVolume: 0n }],
      },
    });
    rig.cold({ type: 'AssignCommissionGroup', marketId: 'spot.btc_usdt', groupId: 1 });
    sell(rig, ALICE, BTC);
    buy(rig, BOB, BTC);
    expect(charges(rig)).toEqual(['30 0 0']);
  });
});

it('charges every order its parts in its roles, rounded up once', () => {
  process.stdout.write(`SEED=${seed}\n`);
  const random = randomSource(seed);
  const below = (n: number) => Math.floor(random() * n);
  const rig = roles({ feeRate: 123_457, makerFeeRate: 33_331 });
  const terms = new Map<number, { taker: bigint; maker: bigint; paid: bigint; rates: bigint[] }>();
  let rates = [123_457n, 33_331n];
  for (let step = 0; step < 400; step++) {
    if (below(40) === 0) {
      const feeRate = below(300_000);
      const makerFeeRate = below(3) === 0 ? null : below(300_000);
      rig.configureMarket(BTC_USDT, { feeRate, makerFeeRate });
      rates = [BigInt(feeRate), BigInt(makerFeeRate ?? feeRate)];
    }
    const orderId = rig.state.nextOrderId;
    terms.set(orderId, { taker: 0n, maker: 0n, paid: 0n, rates });
    const account = [ALICE, BOB, CAROL][below(3)] as number;
    const side = below(2) === 0 ? 'Buy' : 'Sell';
    const price = AT_10000 + below(40) - 20;
    rig.place(account, { market: BTC_USDT, side, price, amount: 1 + below(50) });
    for (const trade of rig.take('OrdersTraded')) {
      const notional = BigInt(trade.price) * BigInt(trade.quantity);
      const taker = terms.get(trade.takerOrderId)!;
      const maker = terms.get(trade.makerOrderId)!;
      taker.taker += notional;
      maker.maker += notional;
      taker.paid += trade.takerFee;
      maker.paid += trade.makerFee;
    }
    rig.check();
  }
  const ends = [...terms.values()].filter(({ taker, maker }) => taker + maker > 0n);
  expect(ends.some(({ taker, maker }) => taker > 0n && maker > 0n)).toBe(true);
  for (const {
    taker,
    maker,
    paid,
    rates: [takerRate, makerRate],
  } of ends) {
    // Ticks × steps are 10^-5 of a usdt, ten of its units.
    const rated = 10n * (taker * takerRate! + maker * makerRate!);
    expect(paid).toBe((rated + 99_999_999n) / 100_000_000n);
  }
});
