import { describe, expect, it } from 'vitest';
import { TradedVolumes } from '../../core/clearing/commission-volumes.ts';
import { hashState, takeSnapshot } from '../../core/clearing/index.ts';
import { marginFeeOf } from '../../core/clearing/margin/commission.ts';
import { Market } from '../../core/clearing/market.ts';
import type { Charge } from '../../core/messages/commissions.ts';
import {
  ALICE,
  BOB,
  BTC_USDT,
  CAROL,
  ETH_BTC,
  ETH_USDT,
  type Rig,
  type RigOptions,
  tradingRig,
} from './rig.ts';
import { START, spotMarket } from './venue.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** All markets in one group: 0.001, 0.0005 from 1000 usdt on, 0.0002 from 20000 on. */
function tieredRig(options: RigOptions = {}): Rig {
  const rig = tradingRig(options, { feeRate: null });
  rig.cold({
    type: 'CreateCommissionGroup',
    group: {
      name: 'Volume',
      type: 'Percent',
      assetId: null,
      minimum: 0n,
      tiers: [
        { size: 100_000, makerSize: 100_000, minTradingVolume: 0n },
        { size: 50_000, makerSize: 50_000, minTradingVolume: 1_000_000_000n },
        { size: 20_000, makerSize: 20_000, minTradingVolume: 20_000_000_000n },
      ],
    },
  });
  for (const { configuration } of rig.state.markets) {
    const { marketId } = configuration;
    rig.cold({ type: 'AssignCommissionGroup', marketId, groupId: 1 });
  }
  return rig;
}

/** A trade between the two; the amount in thousandths of the base. */
function trade(rig: Rig, maker: number, taker: number, price: number, amount: number): void {
  rig.order(maker, { market: BTC_USDT, side: 'Sell', price, amount });
  rig.order(taker, { market: BTC_USDT, side: 'Buy', price, amount });
}

/** Rates in 10^-8 that Alice, Bob and Carol would be charged, and the volume that decides. */
const rates = (rig: Rig): number[] =>
  [ALICE, BOB, CAROL].map(
    (account) => rig.state.commissions.termsOf(rig.state.market(BTC_USDT), account).rate,
  );
const volume = (rig: Rig, account: number): bigint => rig.state.commissions.volumes.of(account);

describe('traded volume', () => {
  it('chooses the tier that it reaches, from the end of the day on', () => {
    const rig = tieredRig();
    trade(rig, ALICE, CAROL, 999_99, 1_000);
    trade(rig, ALICE, BOB, 1_000_00, 1_000);
    expect(rates(rig)).toEqual([100_000, 100_000, 100_000]);
    rig.tick(12 * HOUR - 1);
    expect(rates(rig)).toEqual([100_000, 100_000, 100_000]);
    rig.tick(1);
    expect(rates(rig)).toEqual([50_000, 50_000, 100_000]);
    expect([ALICE, BOB, CAROL].map((account) => volume(rig, account))).toEqual([
      1_999_990_000n,
      1_000_000_000n,
      999_990_000n,
    ]);
    trade(rig, BOB, CAROL, 9_500_00, 2_000);
    expect(rig.take('OrdersTraded').map(({ makerFee }) => makerFee)).toEqual([
      999_990n,
      1_000_000n,
      9_500_000n,
    ]);
    rig.tick(DAY);
    expect(rates(rig)).toEqual([50_000, 20_000, 50_000]);
    expect([volume(rig, BOB), volume(rig, CAROL)]).toEqual([20_000_000_000n, 19_999_990_000n]);
  });

  it('counts for thirty days', () => {
    const rig = tieredRig();
    trade(rig, ALICE, BOB, 1_000_00, 1_000);
    rig.tick(12 * HOUR);
    trade(rig, ALICE, CAROL, 1_000_00, 1_000);
    rig.tick(29 * DAY);
    expect(rates(rig)).toEqual([50_000, 50_000, 50_000]);
    rig.tick(DAY - 1);
    expect(rates(rig)).toEqual([50_000, 50_000, 50_000]);
    rig.tick(1);
    expect(rates(rig)).toEqual([50_000, 100_000, 50_000]);
    rig.tick(DAY);
    expect(rates(rig)).toEqual([100_000, 100_000, 100_000]);
    // Nothing is left to end, and so nothing is recorded.
    rig.events.length = 0;
    rig.tick(DAY);
    expect(rig.events).toEqual([]);
  });

  it('in other assets is worth what they are worth at the end of the day, on both sides', () => {
    const rig = tieredRig();
    rig.order(ALICE, { market: ETH_BTC, side: 'Sell', price: 5_000, amount: 2_000 });
    rig.order(BOB, { market: ETH_BTC, side: 'Buy', price: 5_000, amount: 2_000 });
    rig.order(CAROL, { market: BTC_USDT, side: 'Buy', price: 9_000_00, amount: 1 });
    rig.order(CAROL, { market: BTC_USDT, side: 'Sell', price: 11_000_00, amount: 1 });
    rig.tick(12 * HOUR);
    // 0.1 btc at the middle of 9000 and 11000.
    expect([volume(rig, ALICE), volume(rig, BOB)]).toEqual([1_000_000_000n, 1_000_000_000n]);
    rig.order(CAROL, { market: BTC_USDT, side: 'Buy', price: 10_999_00, amount: 1 });
    rig.tick(DAY);
    expect(volume(rig, ALICE)).toBe(1_000_000_000n);
  });

  it('counts nothing where an asset has no rate to the root asset', () => {
    const rig = tieredRig();
    rig.order(ALICE, { market: ETH_BTC, side: 'Sell', price: 5_000, amount: 2_000 });
    rig.order(BOB, { market: ETH_BTC, side: 'Buy', price: 5_000, amount: 2_000 });
    rig.tick(12 * HOUR);
    expect(volume(rig, ALICE)).toBe(0n);
  });

  it('of a day that ended while the venue was down belongs to that day', () => {
    const rig = tieredRig();
    trade(rig, ALICE, BOB, 1_000_00, 1_000);
    const late = rig.restarted(START + 12 * HOUR + 29 * DAY);
    expect(rates(late)).toEqual([50_000, 50_000, 100_000]);
    late.tick(DAY);
    expect(rates(late)).toEqual([100_000, 100_000, 100_000]);
    expect(rates(rig.restarted(START + 60 * DAY))).toEqual([100_000, 100_000, 100_000]);
  });

  it('follows the days of the platform’s zone', () => {
    const rig = tieredRig({ timeZoneId: 'America/New_York' });
    trade(rig, ALICE, BOB, 1_000_00, 1_000);
    rig.tick(17 * HOUR - 1);
    expect(rates(rig)).toEqual([100_000, 100_000, 100_000]);
    rig.tick(1);
    expect(rates(rig)).toEqual([50_000, 50_000, 100_000]);
  });

  it('is the same after a replay and after a restart, also in the middle of a day', () => {
    const rig = tieredRig();
    trade(rig, ALICE, BOB, 1_000_00, 1_000);
    rig.tick(12 * HOUR);
    trade(rig, CAROL, BOB, 1_500_00, 1_000);
    rig.order(BOB, { market: ETH_USDT, side: 'Buy', price: 100_00, amount: 10 });
    expect(hashState(takeSnapshot(rig.replay()))).toBe(rig.hash());
    const restarted = rig.restarted();
    expect(rates(restarted)).toEqual([50_000, 50_000, 100_000]);
    restarted.tick(DAY);
    rig.tick(DAY);
    expect(rates(restarted)).toEqual([50_000, 50_000, 50_000]);
    expect(volume(restarted, BOB)).toBe(volume(rig, BOB));
  });
});

it('counts amounts of any size exactly, and no more than there could be', () => {
  const volumes = new TradedVolumes();
  const account = 40;
  const amounts = [1n, 2n ** 53n - 2n, 2n, 5n, 2n ** 53n, 2n ** 60n, 7n];
  for (const amount of amounts) volumes.traded(1, account, amount);
  const restored = new TradedVolumes();
  restored.load(volumes.save());
  const end = { type: 'TradingDayEnded', rates: [{ asset: 1, rate: 10n ** 12n }] } as const;
  restored.endDay({ ...end, day: 1, next: 2 }, 2, () => 4);
  const sum = amounts.reduce((total, amount) => total + amount);
  // From four decimal places to two.
  expect(restored.of(account)).toBe(sum / 100n);
  for (let trade = 0; trade < 9; trade++) restored.traded(1, account, 2n ** 62n);
  restored.endDay({ ...end, day: 2, next: 3 }, 18, () => 0);
  expect(restored.of(account)).toBe(sum / 100n + (2n ** 63n - 1n) / 30n);
});

describe('a charge by the lot', () => {
  /** What the default rule makes of a charge, in a Cfd market and in a Spot market. */
  function charged(rig: Rig, margin: Charge) {
    rig.cold({
      type: 'ChangeCommissionRule',
      profileId: 1,
      ruleId: 1,
      marketId: null,
      marketGroupId: null,
      fees: { spotSize: 70_000, margin, minimum: 9n },
      priorities: [],
    });
    const { base, quote } = rig.state.market(ETH_USDT);
    const configuration = { ...spotMarket('eth', 'usdt', { feeRate: null }), type: 'Cfd' } as const;
    const cfd = new Market(3, configuration, base, quote);
    return {
      fee: marginFeeOf(rig.state, cfd, ALICE),
      spot: rig.state.commissions.termsOf(rig.state.market(BTC_USDT), ALICE),
    };
  }

  it('is in the root asset, rounded up, at the rate of the moment', () => {
    const rig = tradingRig({}, { feeRate: null });
    const inRoot = charged(rig, { type: 'FixPerLot', size: 700_000_000, assetId: null });
    expect(inRoot.fee).toEqual({ rate: 0, perLot: 7_000_000n, minimum: 9n });
    expect(inRoot.spot.rate).toBe(70_000);
    const btc = { type: 'FixPerLot', size: 50_003, assetId: 'btc' } as const;
    expect(charged(rig, btc).fee).toBeUndefined();
    trade(rig, ALICE, BOB, 10_000_01, 1_000);
    // 0.00050003 × 10000.01 is 5.0003050003.
    expect(charged(rig, btc).fee?.perLot).toBe(5_000_306n);
    expect(charged(rig, { type: 'FixPerLot', size: 1, assetId: null }).fee?.perLot).toBe(1n);
  });

  it('is none where notional is charged', () => {
    const rig = tradingRig({}, { feeRate: null });
    const { fee } = charged(rig, { type: 'Percent', size: 2_500, assetId: null });
    expect(fee).toEqual({ rate: 2_500, perLot: 0n, minimum: 9n });
  });
});
