import { expect, describe as group, it } from 'vitest';
import type { AssetConfiguration, MarketConfiguration } from '../../core/messages/configuration.ts';
import { ORDER_STATUSES, REASONS } from '../../core/messages/enums.ts';
import type { ConfigurationAnswer } from '../../core/messages/queries.ts';
import { ALICE, BOB, BTC_USDT, CAROL, describe, ETH_USDT, Rig, tradingRig } from './rig.ts';
import { accountIdOf, asset, START, spotMarket } from './venue.ts';

const buy = { market: BTC_USDT, side: 'Buy', price: 100, amount: 10 } as const;

function reasons(rig: Rig): string[] {
  return rig
    .take('OrderClosed')
    .map((end) => `${ORDER_STATUSES[end.status]} ${REASONS[end.reason]}`);
}

function setMarket(rig: Rig, status: MarketConfiguration['status']): void {
  rig.cold({ type: 'SetMarketStatus', marketId: 'spot.btc_usdt', status });
}

function setAccount(rig: Rig, account: number, status: 'Active' | 'Halted' | 'Frozen'): void {
  rig.cold({ type: 'SetAccountStatus', accountId: accountIdOf(account), status });
}

/** What a process that died begins with: nothing of what was on its way. */
const AFTER_A_CRASH: [string, (rig: Rig) => Rig][] = [
  ['a snapshot', (rig) => rig.restarted()],
  ['the journal', (rig) => new Rig({ state: rig.replay(), now: rig.now })],
];

group('the status of a market', () => {
  it.each([
    ['Paused', [], 2],
    ['Halted', ['Cancelled MarketHalted', 'Cancelled MarketHalted'], 0],
    ['Disabled', ['Cancelled MarketDisabled', 'Cancelled MarketDisabled'], 0],
  ] as const)('%s takes no orders and no amends', (status, ended, open) => {
    const rig = tradingRig();
    const orderId = rig.order(ALICE, buy);
    rig.order(BOB, buy);
    rig.order(BOB, { ...buy, market: ETH_USDT });
    rig.events.length = 0;
    setMarket(rig, status);
    expect(reasons(rig)).toEqual(ended);
    expect(rig.openOrders(BTC_USDT)).toHaveLength(open);
    expect(rig.openOrders(ETH_USDT)).toHaveLength(1);
    expect(describe(rig.place(ALICE, buy))).toBe('TR0301');
    expect(describe(rig.run({ kind: 'preview', account: ALICE, ...buy }))).toBe('TR0301');
    expect(describe(rig.amend(ALICE, orderId, { amount: 1 }))).toBe(open > 0 ? 'TR0301' : 'TR0200');
    if (open > 0) rig.cancel(ALICE, orderId);
    setMarket(rig, 'Open');
    rig.order(ALICE, buy);
    rig.check();
  });

  it('sweeps what is on its way to the book as well, and trades it made first stand', () => {
    const rig = tradingRig();
    rig.order(ALICE, buy);
    rig.send({ kind: 'place', account: BOB, ...buy, side: 'Sell', amount: 4 });
    rig.send({ kind: 'place', account: CAROL, ...buy, price: 99 });
    const command = {
      type: 'SetMarketStatus',
      marketId: 'spot.btc_usdt',
      status: 'Halted',
    } as const;
    rig.send({ kind: 'cold', command });
    rig.finish();
    expect(rig.trades()).toEqual(['4@100']);
    expect(rig.openOrders(BTC_USDT)).toEqual([]);
    rig.check();
  });

  it('is set for a market that is known only', () => {
    const command = { type: 'SetMarketStatus', marketId: 'spot.a_b', status: 'Open' } as const;
    expect(describe(tradingRig().run({ kind: 'cold', command }))).toBe('TR0300');
  });

  it('goes on sweeping after a restart', () => {
    const rig = tradingRig();
    for (let n = 0; n < 5; n++) rig.order(ALICE, buy);
    const command = {
      type: 'SetMarketStatus',
      marketId: 'spot.btc_usdt',
      status: 'Halted',
    } as const;
    rig.send({ kind: 'cold', command });
    const again = rig.restarted();
    expect(reasons(again)).toEqual(new Array(5).fill('Cancelled MarketHalted'));
    again.check();
  });

  it.each(AFTER_A_CRASH)(
    'sweeps what a halt ended after a restart from %s, though it is open again',
    (_, restart) => {
      const rig = tradingRig();
      const [amended] = [rig.order(ALICE, buy), rig.order(BOB, buy), rig.order(BOB, buy)];
      const ends = {
        type: 'SetMarketStatus',
        marketId: 'spot.btc_usdt',
        status: 'Halted',
      } as const;
      rig.send({ kind: 'cold', command: ends });
      rig.send({ kind: 'cold', command: { ...ends, status: 'Open' } });
      rig.send({ kind: 'amend', account: ALICE, orderId: amended, price: 101 });
      rig.send({ kind: 'place', account: CAROL, ...buy });
      const again = restart(rig);
      expect(reasons(again)).toEqual(new Array(3).fill('Cancelled MarketHalted'));
      expect(again.openOrders(BTC_USDT)).toEqual(['4 Buy 10@100']);
      again.check();
      expect(reasons(again.restarted())).toEqual([]);
    },
  );
});

group('the status of an account', () => {
  it('Halted may not trade and loses its open orders; it may withdraw and cancel', () => {
    const rig = tradingRig();
    rig.order(ALICE, buy);
    rig.order(ALICE, { ...buy, market: ETH_USDT });
    rig.order(BOB, buy);
    rig.events.length = 0;
    setAccount(rig, ALICE, 'Halted');
    expect(reasons(rig)).toEqual(['Cancelled Admin', 'Cancelled Admin']);
    expect(describe(rig.place(ALICE, buy))).toBe('TR0104');
    expect(describe(rig.cancel(ALICE, 1))).toBe('TR0200');
    expect(describe(rig.run({ kind: 'cancelAll', account: ALICE }))).toBe('OrdersCancelled');
    setAccount(rig, ALICE, 'Active');
    rig.order(ALICE, buy);
    rig.check();
  });

  it('Frozen changes nothing any more; its orders stay and may trade', () => {
    const rig = tradingRig();
    const orderId = rig.order(ALICE, buy);
    setAccount(rig, ALICE, 'Frozen');
    expect(describe(rig.place(ALICE, buy))).toBe('TR0105');
    expect(describe(rig.amend(ALICE, orderId, { amount: 1 }))).toBe('TR0105');
    expect(describe(rig.cancel(ALICE, orderId))).toBe('TR0105');
    expect(describe(rig.run({ kind: 'cancelAll', account: ALICE }))).toBe('TR0105');
    rig.order(BOB, { ...buy, side: 'Sell', amount: 4 });
    expect(rig.trades()).toEqual(['4@100']);
  });

  it('is set for an account that is known only', () => {
    const command = { type: 'SetAccountStatus', accountId: '5', status: 'Halted' } as const;
    expect(describe(tradingRig().run({ kind: 'cold', command }))).toBe('TR0103');
  });

  it('goes on sweeping after a restart', () => {
    const rig = tradingRig();
    rig.order(ALICE, buy);
    rig.order(BOB, buy);
    const accountId = accountIdOf(ALICE);
    const command = { type: 'SetAccountStatus', accountId, status: 'Halted' } as const;
    rig.send({ kind: 'cold', command });
    const again = rig.restarted();
    expect(reasons(again)).toEqual(['Cancelled Admin']);
    expect(again.openOrders(BTC_USDT)).toHaveLength(1);
  });

  it.each(AFTER_A_CRASH)(
    'ends what it had open after a restart from %s, though it is active again',
    (_, restart) => {
      const rig = tradingRig();
      rig.order(ALICE, buy);
      rig.order(BOB, buy);
      const halts = {
        type: 'SetAccountStatus',
        accountId: accountIdOf(ALICE),
        status: 'Halted',
      } as const;
      rig.send({ kind: 'cold', command: halts });
      rig.send({ kind: 'cold', command: { ...halts, status: 'Active' } });
      rig.send({ kind: 'place', account: ALICE, ...buy, price: 99 });
      const again = restart(rig);
      expect(reasons(again)).toEqual(['Cancelled Admin']);
      expect(again.openOrders(BTC_USDT)).toEqual(['2 Buy 10@100', '3 Buy 10@99']);
      again.check();
      expect(reasons(again.restarted())).toEqual([]);
    },
  );
});

group('a market outside its sessions', () => {
  const calendar = {
    timeZoneId: 'UTC',
    tradingSessions: [{ dayOfWeek: 'Monday', timeIntervals: [{ start: '12:00', end: '12:01' }] }],
    sessionOverrides: [],
  };

  it('refuses orders and amends and names its next opening; cancels are taken', () => {
    const rig = tradingRig({}, { calendar });
    const orderId = rig.order(ALICE, buy);
    rig.now = START + 60_000;
    expect(rig.place(ALICE, buy)).toMatchObject({ code: 302, limit: '2026-03-09T12:00:00.000Z' });
    expect(describe(rig.amend(ALICE, orderId, { amount: 1 }))).toBe('TR0302');
    expect(describe(rig.cancel(ALICE, orderId))).toBe('OrderState');
    rig.now = Date.UTC(2026, 2, 9, 12);
    rig.order(ALICE, buy);
  });

  it('that never opens says so', () => {
    const rig = tradingRig({}, { calendar: { ...calendar, tradingSessions: [] } });
    expect(rig.place(ALICE, buy)).toMatchObject({ code: 302, limit: 'no known time' });
  });
});

group('configuring', () => {
  const configure = (rig: Rig, configuration: MarketConfiguration) =>
    describe(rig.run({ kind: 'cold', command: { type: 'ConfigureMarket', configuration } }));

  it.each<[string, Partial<AssetConfiguration>]>([
    ['an id with capitals', { assetId: 'DOGE' }],
    ['a scale of 19', { scale: 19 }],
    ['a scale of half', { scale: 0.5 }],
    ['a margin ratio above 1', { marginRatio: 10_001 }],
    ['a second root asset', { isRoot: true, marginRatio: 10_000 }],
  ])('an asset with %s is refused', (_, change) => {
    const configuration = { ...asset('doge', 8), ...change };
    const answer = tradingRig().run({
      kind: 'cold',
      command: { type: 'ConfigureAsset', configuration },
    });
    expect(describe(answer)).toBe('TR0600');
  });

  it('the scale of an asset never changes', () => {
    const rig = tradingRig();
    const command = { type: 'ConfigureAsset', configuration: asset('btc', 7) } as const;
    expect(describe(rig.run({ kind: 'cold', command }))).toBe('TR0608');
    rig.cold({ type: 'ConfigureAsset', configuration: { ...asset('btc', 8), name: 'Bitcoin' } });
    const { assets } = rig.cold<ConfigurationAnswer>({ type: 'Configuration' });
    expect(assets.map((each) => each.name)).toEqual(['USDT', 'Bitcoin', 'ETH']);
  });

  it.each<[string, string, Partial<MarketConfiguration>]>([
    ['TR0500', 'an unknown base', { baseAssetId: 'doge' }],
    ['TR0500', 'an unknown quote', { quoteAssetId: 'doge' }],
    ['TR0600', 'an id that is not its assets', { marketId: 'spot.usdt_btc' }],
    ['TR0600', 'a price scale of 1', { priceScale: 1 }],
    ['TR0600', 'a price scale of 9', { priceScale: 9 }],
    ['TR0600', 'an amount finer than its asset', { amountScale: 9 }],
    ['TR0600', 'a minimum below nothing', { minAmount: -1 }],
    ['TR0600', 'a maximum below the minimum', { minAmount: 5, maxAmount: 4 }],
    ['TR0600', 'prices too high for its amounts', { maxAmount: 2 ** 40, maxPrice: 2 ** 24 }],
    ['TR0600', 'a deviation above 1', { priceDeviation: 10_001 }],
    ['TR0600', 'a slippage below 1', { slippageRate: 9_999 }],
    ['TR0600', 'a slippage above 10', { slippageRate: 100_001 }],
    ['TR0600', 'a commission above 1', { feeRate: 100_000_001 }],
    ['TR0600', 'a minimum commission below nothing', { feeMinimum: -1n }],
    ['TR0600', 'a minimum commission beyond all money', { feeMinimum: 2n ** 63n }],
    ['TR0600', 'a wait of more than a day', { internalTtl: 86_400_001 }],
    [
      'TR0600',
      'a zone that is none',
      { calendar: { timeZoneId: 'Mars/Olympus', tradingSessions: [], sessionOverrides: [] } },
    ],
  ])('a market is refused with %s for %s', (code, _, change) => {
    const rig = tradingRig();
    const before = rig.hash();
    expect(configure(rig, { ...spotMarket('btc', 'usdt'), ...change })).toBe(code);
    expect(rig.hash()).toBe(before);
  });

  it('the scales of a market change only while nothing is open in it', () => {
    const rig = tradingRig();
    const orderId = rig.order(ALICE, buy);
    expect(configure(rig, spotMarket('btc', 'usdt', { priceScale: 3 }))).toBe('TR0601');
    expect(configure(rig, spotMarket('btc', 'usdt', { amountScale: 4 }))).toBe('TR0601');
    rig.cancel(ALICE, orderId);
    expect(configure(rig, spotMarket('btc', 'usdt', { priceScale: 3 }))).toBe('ColdAnswer');
  });

  it('the last price follows the scale, so that what is measured from it stays right', () => {
    const rig = tradingRig({}, { priceDeviation: 1_000 });
    rig.order(ALICE, { ...buy, side: 'Sell', price: 10_000 });
    rig.order(BOB, { ...buy, price: 10_000 });
    rig.configureMarket(BTC_USDT, { priceScale: 4 });
    expect(describe(rig.place(ALICE, { ...buy, price: 1_100_001 }))).toBe('TR0215');
    expect(rig.cancel(ALICE, rig.order(ALICE, { ...buy, price: 1_100_000 }))).toBeDefined();
    rig.configureMarket(BTC_USDT, { priceScale: 2 });
    expect(rig.state.market(BTC_USDT).lastPrice).toBe(10_000);
    expect(rig.replay().market(BTC_USDT).lastPrice).toBe(10_000);
  });

  it('a new limit holds for new orders, and for what an amend asks for', () => {
    const rig = tradingRig();
    const orderId = rig.order(ALICE, { ...buy, amount: 100 });
    rig.configureMarket(BTC_USDT, { maxAmount: 50 });
    expect(rig.openOrders(BTC_USDT)).toHaveLength(1);
    expect(describe(rig.amend(ALICE, orderId, { price: 101 }))).toBe('TR0210');
    expect(describe(rig.amend(ALICE, orderId, { amount: 50 }))).toBe('OrderState');
  });
});

group('depth', () => {
  it('shows the best levels of both sides, aggregated', () => {
    const rig = tradingRig();
    for (const price of [98, 99, 99, 100]) rig.order(ALICE, { ...buy, price });
    for (const price of [101, 103]) rig.order(BOB, { ...buy, side: 'Sell', price });
    const depth = rig.expect('DepthAnswer', { kind: 'depth', market: BTC_USDT, levels: 2 });
    const levels = new Float64Array(depth.levels.slice().buffer);
    expect([depth.bids, depth.asks]).toEqual([2, 2]);
    expect([...levels]).toEqual([100, 10, 99, 20, 101, 10, 103, 10]);
  });
});
