import { describe, expect, it } from 'vitest';
import type { AdminCommand } from '../../core/messages/cold-commands.ts';
import type { CommissionCommand, FeeSettings } from '../../core/messages/commissions.ts';
import {
  ALICE,
  ALICE_TOO,
  BOB,
  BTC_USDT,
  CAROL,
  describe as described,
  ETH_BTC,
  ETH_USDT,
  type Rig,
  tradingRig,
} from './rig.ts';
import { accountIdOf } from './venue.ts';

const FREE: FeeSettings = {
  spotSize: 0,
  margin: { type: 'Percent', size: 0, assetId: null },
  minimum: 0n,
};
const fees = (spotSize: number, minimum = 0n): FeeSettings => ({ ...FREE, spotSize, minimum });
const group = (marketGroupId: string) => ({ marketGroupId, marketGroupName: marketGroupId });

/** Markets without rates of their own: rules decide. */
const ruledRig = (): Rig => tradingRig({}, { feeRate: null });

const apply = (rig: Rig, command: AdminCommand): string =>
  described(rig.run({ kind: 'cold', command }));

type Creation = Extract<CommissionCommand, { type: 'CreateCommissionRule' }>;

function rule(rig: Rig, more: Partial<Creation>): number {
  return rig.cold<{ ruleId: number }>(creation(more)).ruleId;
}

const creation = (more: Partial<Creation>): Creation => ({
  type: 'CreateCommissionRule',
  profileId: 1,
  marketId: null,
  marketGroupId: null,
  fees: FREE,
  priority: null,
  priorities: [],
  ...more,
});

/** `id:priority` of each rule, in order. */
const order = (rig: Rig, profileId = 1): string =>
  rig.state.commissions.schedule
    .profile(profileId)!
    .rules.map(({ ruleId, priority }) => `${ruleId}:${priority}`)
    .join(' ');

/** The rate that an order of the account would be charged, in 10^-8. */
const rateOf = (rig: Rig, market: number, account = ALICE): number =>
  rig.state.commissions.termsOf(rig.state.market(market), account).rate;

describe('a venue without rules', () => {
  it('charges 0.001 of the notional on both sides', () => {
    const rig = ruledRig();
    rig.order(ALICE, { market: BTC_USDT, side: 'Sell', price: 10_000_00, amount: 1_000 });
    rig.order(BOB, { market: BTC_USDT, side: 'Buy', price: 10_000_00, amount: 1_000 });
    expect(rig.take('OrdersTraded')).toMatchObject([
      { buyerDebit: 10_000_000_000n, takerFee: 10_000_000n, makerFee: 10_000_000n },
    ]);
    expect(order(rig)).toBe('1:1');
    rig.check();
  });
});

describe('the rule that decides', () => {
  it('is the strongest that names the market or its group, before group, own rate and default', () => {
    const rig = ruledRig();
    rig.configureMarket(ETH_USDT, group('majors'));
    rig.configureMarket(BTC_USDT, group('majors'));
    expect(rateOf(rig, BTC_USDT)).toBe(100_000);
    rig.configureMarket(BTC_USDT, { feeRate: 70_000 });
    expect([rateOf(rig, BTC_USDT), rateOf(rig, ETH_USDT)]).toEqual([70_000, 100_000]);
    rig.cold({
      type: 'CreateCommissionGroup',
      group: {
        name: 'g',
        type: 'Percent',
        assetId: null,
        minimum: 0n,
        tiers: [{ size: 60_000, makerSize: 60_000, minTradingVolume: 0n }],
      },
    });
    rig.cold({ type: 'AssignCommissionGroup', marketId: 'spot.btc_usdt', groupId: 1 });
    expect(rateOf(rig, BTC_USDT)).toBe(60_000);
    rule(rig, { marketGroupId: 'majors', fees: fees(50_000) });
    expect([rateOf(rig, BTC_USDT), rateOf(rig, ETH_USDT)]).toEqual([50_000, 50_000]);
    const weaker = rule(rig, { marketId: 'spot.btc_usdt', fees: fees(40_000) });
    expect(rateOf(rig, BTC_USDT)).toBe(50_000);
    rig.cold({
      type: 'SetCommissionPriorities',
      profileId: 1,
      priorities: [
        { ruleId: weaker, priority: 1 },
        { ruleId: 2, priority: 2 },
      ],
    });
    expect([rateOf(rig, BTC_USDT), rateOf(rig, ETH_USDT)]).toEqual([40_000, 50_000]);
    rig.cold({ type: 'DeleteCommissionRule', profileId: 1, ruleId: weaker });
    expect(rateOf(rig, BTC_USDT)).toBe(50_000);
    expect(rateOf(rig, ETH_BTC)).toBe(100_000);
  });

  it('is of the profile of the account', () => {
    const rig = ruledRig();
    const { profileId } = rig.cold<{ profileId: number }>({
      type: 'CreateCommissionProfile',
      name: 'VIP',
    });
    expect(order(rig, profileId)).toBe('2:1');
    rig.cold({
      type: 'ChangeCommissionRule',
      profileId,
      ruleId: 2,
      marketId: null,
      marketGroupId: null,
      fees: fees(20_000),
      priorities: [],
    });
    rig.cold({ type: 'AssignCommissionProfile', accountId: accountIdOf(BOB), profileId });
    expect([rateOf(rig, BTC_USDT, BOB), rateOf(rig, BTC_USDT)]).toEqual([20_000, 100_000]);
    rig.cold({ type: 'AssignCommissionProfile', accountId: accountIdOf(BOB), profileId: 1 });
    expect(rateOf(rig, BTC_USDT, BOB)).toBe(100_000);
  });

  it('is frozen when an order is admitted', () => {
    const rig = ruledRig();
    rig.order(ALICE, { market: BTC_USDT, side: 'Buy', price: 10_000_00, amount: 1_000 });
    rule(rig, { marketId: 'spot.btc_usdt', fees: fees(1_000_000) });
    rig.order(BOB, { market: BTC_USDT, side: 'Sell', price: 10_000_00, amount: 1_000 });
    expect(rig.take('OrdersTraded')).toMatchObject([
      { makerFee: 10_000_000n, takerFee: 100_000_000n },
    ]);
    rig.check();
  });

  it('holds a minimum over all fills of an order, whatever the quote asset', () => {
    const rig = ruledRig();
    rule(rig, { marketId: 'spot.btc_usdt', fees: fees(100_000, 15_000_000n) });
    rule(rig, { marketId: 'spot.eth_btc', fees: fees(0, 5_000_000n) });
    rig.order(ALICE, { market: BTC_USDT, side: 'Buy', price: 10_000_00, amount: 2_000 });
    for (const [amount, fee] of [
      [500, 15_000_000n],
      [500, 0n],
      [750, 2_500_000n],
      [250, 2_500_000n],
    ] as const) {
      rig.order(CAROL, { market: BTC_USDT, side: 'Sell', price: 10_000_00, amount });
      expect(rig.take('OrdersTraded')).toMatchObject([{ makerFee: fee }]);
    }
    // 5 usdt at 10000 is 0.0005 btc.
    rig.order(ALICE, { market: ETH_BTC, side: 'Sell', price: 5_000, amount: 1_000 });
    rig.order(BOB, { market: ETH_BTC, side: 'Buy', price: 5_000, amount: 1_000 });
    expect(rig.take('OrdersTraded')).toMatchObject([{ makerFee: 50_000n, takerFee: 50_000n }]);
    rig.check();
  });
});

describe('priorities', () => {
  it('stand behind all others unless they are given, and the default rule behind the last', () => {
    const rig = ruledRig();
    expect(rule(rig, { marketId: 'spot.btc_usdt' })).toBe(2);
    expect(rule(rig, { marketId: 'spot.eth_usdt', priority: 10 })).toBe(3);
    expect(order(rig)).toBe('2:1 3:10 1:11');
    const priorities = [
      { ruleId: 3, priority: 20 },
      { ruleId: 2, priority: null },
    ];
    expect(rule(rig, { marketId: 'spot.eth_btc', priorities })).toBe(4);
    expect(order(rig)).toBe('2:1 3:20 4:21 1:22');
  });

  it('move together, the rule itself as null', () => {
    const rig = ruledRig();
    rule(rig, { marketId: 'spot.btc_usdt' });
    rule(rig, { marketId: 'spot.eth_usdt', priority: 1, priorities: [{ ruleId: 2, priority: 2 }] });
    expect(order(rig)).toBe('3:1 2:2 1:3');
    const { marketGroupId, fees } = creation({});
    rig.cold({
      type: 'ChangeCommissionRule',
      profileId: 1,
      ruleId: 2,
      marketId: 'spot.eth_btc',
      marketGroupId,
      fees,
      priorities: [
        { ruleId: null, priority: 1 },
        { ruleId: 3, priority: 7 },
      ],
    });
    expect(order(rig)).toBe('2:1 3:7 1:8');
    rig.cold({ type: 'DeleteCommissionRule', profileId: 1, ruleId: 3 });
    expect(order(rig)).toBe('2:1 1:2');
    expect(rule(rig, { marketId: 'spot.eth_usdt' })).toBe(4);
  });
});

describe('a change of commissions', () => {
  const change = (more: object): AdminCommand => ({
    ...creation({ marketId: 'spot.btc_usdt' }),
    type: 'ChangeCommissionRule',
    ruleId: 2,
    ...more,
  });
  const priorities = (...list: [number | null, number | null][]): AdminCommand => ({
    type: 'SetCommissionPriorities',
    profileId: 1,
    priorities: list.map(([ruleId, priority]) => ({ ruleId, priority })),
  });
  const percent = (size: number, assetId: string | null = null): FeeSettings => ({
    ...FREE,
    margin: { type: 'Percent', size, assetId },
  });
  const perLot = (size: number, assetId: string | null): FeeSettings => ({
    ...FREE,
    margin: { type: 'FixPerLot', size, assetId },
  });
  const tiers = (...list: [number, bigint][]): AdminCommand => ({
    type: 'CreateCommissionGroup',
    group: {
      name: 'other',
      type: 'Percent',
      assetId: null,
      minimum: 0n,
      tiers: list.map(([size, minTradingVolume]) => ({ size, makerSize: size, minTradingVolume })),
    },
  });
  const perLotGroup: Extract<AdminCommand, { type: 'ChangeCommissionGroup' }> = {
    type: 'ChangeCommissionGroup',
    group: {
      groupId: 1,
      name: 'known',
      type: 'FixPerLot',
      assetId: null,
      minimum: 0n,
      tiers: [{ size: 1, makerSize: 1, minTradingVolume: 0n }],
    },
  };

  it.each<[string, string, AdminCommand]>([
    ['TR0700', 'in no profile', creation({ profileId: 9, marketId: 'spot.eth_btc' })],
    [
      'TR0610',
      'a rule that names both',
      creation({ marketId: 'spot.eth_btc', marketGroupId: 'g' }),
    ],
    ['TR0610', 'a rule that names neither', creation({})],
    ['TR0300', 'a rule for no market', creation({ marketId: 'spot.doge_usdt' })],
    ['TR0701', 'a rule for no market group', creation({ marketGroupId: 'none' })],
    ['TR0611', 'two rules for a market', creation({ marketId: 'spot.btc_usdt' })],
    ['TR0611', 'two rules for a group', creation({ marketGroupId: 'g' })],
    ['TR0612', 'a priority twice', creation({ marketId: 'spot.eth_btc', priority: 1 })],
    ['TR0600', 'a priority of 0', creation({ marketId: 'spot.eth_btc', priority: 0 })],
    ['TR0600', 'more than all', creation({ marketId: 'spot.eth_btc', fees: fees(100_000_001) })],
    ['TR0600', 'a negative minimum', creation({ marketId: 'spot.eth_btc', fees: fees(0, -1n) })],
    ['TR0600', 'a negative size', creation({ marketId: 'spot.eth_btc', fees: percent(-1) })],
    ['TR0708', 'percents of what', creation({ marketId: 'spot.eth_btc', fees: percent(1, 'btc') })],
    ['TR0500', 'an unknown asset', creation({ marketId: 'spot.eth_btc', fees: perLot(1, 'doge') })],
    ['TR0611', 'the target of another rule', change({ marketId: null, marketGroupId: 'g' })],
    ['TR0610', 'a rule into a default one', change({ marketId: null })],
    ['TR0700', 'no rule', change({ ruleId: 99 })],
    ['TR0613', 'what the default rule names', change({ ruleId: 1 })],
    ['TR0613', 'the place of the default rule', priorities([1, 1])],
    ['TR0612', 'priorities to the same', priorities([2, 2])],
    ['TR0600', 'a priority and once more', priorities([2, 3], [2, 4])],
    ['TR0701', 'the priority of no rule', priorities([9, 3])],
    ['TR0701', 'the priority of nobody', priorities([null, 3])],
    ['TR0613', 'away the default rule', { type: 'DeleteCommissionRule', profileId: 1, ruleId: 1 }],
    ['TR0700', 'away no rule', { type: 'DeleteCommissionRule', profileId: 1, ruleId: 7 }],
    ['TR0602', 'a name twice', { type: 'CreateCommissionProfile', name: 'Default' }],
    ['TR0709', 'away the default profile', { type: 'RemoveCommissionProfile', profileId: 1 }],
    ['TR0703', 'away a profile in use', { type: 'RemoveCommissionProfile', profileId: 2 }],
    ['TR0700', 'away no profile', { type: 'RemoveCommissionProfile', profileId: 3 }],
    ['TR0703', 'away a group with a market', { type: 'RemoveCommissionGroup', groupId: 1 }],
    ['TR0700', 'away no group', { type: 'RemoveCommissionGroup', groupId: 2 }],
    [
      'TR0700',
      'the profile of nobody',
      { type: 'AssignCommissionProfile', accountId: '1', profileId: 1 },
    ],
    [
      'TR0701',
      'to no profile',
      { type: 'AssignCommissionProfile', accountId: accountIdOf(ALICE_TOO), profileId: 9 },
    ],
    ['TR0600', 'tiers from above 0', tiers([1, 1n])],
    ['TR0600', 'tiers that do not rise', tiers([1, 0n], [2, 5n], [3, 5n])],
    ['TR0600', 'a tier of more than all', tiers([100_000_001, 0n])],
    ['TR0600', 'no tiers', tiers()],
    ['TR0600', 'lots into a group of Spot', perLotGroup],
    ['TR0700', 'no group', { ...perLotGroup, group: { ...perLotGroup.group, groupId: 5 } }],
    [
      'TR0701',
      'a market into no group',
      { type: 'AssignCommissionGroup', marketId: 'spot.btc_usdt', groupId: 5 },
    ],
    [
      'TR0300',
      'no market into a group',
      { type: 'AssignCommissionGroup', marketId: 'spot.x_y', groupId: 1 },
    ],
  ])('is refused with %s: %s', (code, _, command) => {
    const rig = ruledRig();
    rig.configureMarket(ETH_USDT, group('g'));
    rule(rig, { marketId: 'spot.btc_usdt' });
    rule(rig, { marketGroupId: 'g' });
    const known = tiers([1, 0n]) as Extract<AdminCommand, { type: 'CreateCommissionGroup' }>;
    rig.cold({ ...known, group: { ...known.group, name: 'known' } });
    rig.cold({ type: 'AssignCommissionGroup', marketId: 'spot.btc_usdt', groupId: 1 });
    rig.cold({ type: 'CreateCommissionProfile', name: 'VIP' });
    rig.cold({ type: 'AssignCommissionProfile', accountId: accountIdOf(BOB), profileId: 2 });
    const before = rig.hash();
    expect(apply(rig, command)).toBe(code);
    expect(rig.hash()).toBe(before);
  });

  it('is there after a restart and in a replay', () => {
    const rig = ruledRig();
    rule(rig, { marketId: 'spot.btc_usdt', fees: fees(30_000, 7n) });
    const gone = rule(rig, { marketId: 'spot.eth_usdt' });
    rig.cold({ type: 'DeleteCommissionRule', profileId: 1, ruleId: gone });
    rig.cold({ type: 'CreateCommissionProfile', name: 'VIP' });
    rig.cold({ type: 'AssignCommissionProfile', accountId: accountIdOf(BOB), profileId: 2 });
    rig.cold(tiers([5, 0n]));
    rig.cold({ type: 'AssignCommissionGroup', marketId: 'spot.eth_btc', groupId: 1 });
    rig.cold({ type: 'CreateCommissionProfile', name: 'Passing' });
    rig.cold({ type: 'RemoveCommissionProfile', profileId: 3 });
    const brief = tiers([5, 0n]) as Extract<AdminCommand, { type: 'CreateCommissionGroup' }>;
    rig.cold({ ...brief, group: { ...brief.group, name: 'Brief' } });
    rig.cold({ type: 'RemoveCommissionGroup', groupId: 2 });
    const saved = rig.state.commissions.schedule.save();
    const restarted = rig.restarted();
    for (const state of [rig.replay(), restarted.state]) {
      expect(state.commissions.schedule.save()).toEqual(saved);
    }
    expect(rateOf(restarted, BTC_USDT)).toBe(30_000);
    expect(rateOf(restarted, ETH_BTC, BOB)).toBe(5);
    // Each profile that was made has a default rule, also the one that went again.
    expect(rule(restarted, { marketId: 'spot.eth_usdt' })).toBe(gone + 3);
    const made = restarted.cold({ type: 'CreateCommissionProfile', name: 'Passing' });
    expect(made).toMatchObject({ profileId: 4 });
    const next = { ...brief, group: { ...brief.group, name: 'Brief' } };
    expect(restarted.cold(next)).toMatchObject({ groupId: 3 });
  });
});
