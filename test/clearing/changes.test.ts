import { expect, describe as group, it } from 'vitest';
import type { AdminCommand } from '../../core/messages/cold-commands.ts';
import type { ConfigurationAnswer } from '../../core/messages/queries.ts';
import { ALICE, BTC_USDT, describe, type Rig, tradingRig } from './rig.ts';
import { accountIdOf, asset, spotMarket } from './venue.ts';

const buy = { market: BTC_USDT, side: 'Buy', price: 100, amount: 10 } as const;
const sell = { ...buy, side: 'Sell', price: 200 } as const;

const run = (rig: Rig, command: AdminCommand) => describe(rig.run({ kind: 'cold', command }));
const btcUsdt = { marketId: 'spot.btc_usdt', priceScale: 2, amountScale: 3 } as const;

group('a change of configuration', () => {
  it('of a market changes what it names and nothing else, also after a replay', () => {
    const rig = tradingRig();
    rig.cold({ type: 'ChangeMarket', ...btcUsdt, changes: { hidden: true } });
    rig.cold({ type: 'ChangeMarket', ...btcUsdt, changes: { minAmount: 7 } });
    const { markets } = rig.cold<ConfigurationAnswer>({ type: 'Configuration' });
    const expected = spotMarket('btc', 'usdt', { ...rig.state.market(BTC_USDT).configuration });
    expect(markets[0]).toEqual({ ...expected, hidden: true, minAmount: 7 });
    expect(rig.replay().market(BTC_USDT).configuration).toEqual(markets[0]);
  });

  it('of a market is refused where its figures were meant for other scales', () => {
    const rig = tradingRig();
    const changes = { minAmount: 7 };
    expect(run(rig, { type: 'ChangeMarket', ...btcUsdt, amountScale: 4, changes })).toBe('TR0223');
    expect(run(rig, { type: 'ChangeMarket', ...btcUsdt, marketId: 'spot.x_y', changes })).toBe(
      'TR0300',
    );
  });

  it('of an asset changes what it names and nothing else', () => {
    const rig = tradingRig();
    rig.cold({ type: 'ChangeAsset', assetId: 'btc', changes: { canDeposit: false } });
    rig.cold({ type: 'ChangeAsset', assetId: 'btc', changes: { name: 'Bitcoin' } });
    const { assets } = rig.cold<ConfigurationAnswer>({ type: 'Configuration' });
    expect(assets[1]).toEqual(asset('btc', 8, { canDeposit: false, name: 'Bitcoin' }));
    expect(run(rig, { type: 'ChangeAsset', assetId: 'doge', changes: {} })).toBe('TR0500');
    expect(run(rig, { type: 'ChangeAsset', assetId: 'btc', changes: { scale: 2 } })).toBe('TR0608');
  });

  it('makes nothing new where there is one already', () => {
    const rig = tradingRig();
    const before = rig.hash();
    const again = { type: 'ConfigureAsset', configuration: asset('btc', 8), isNew: true } as const;
    expect(run(rig, again)).toBe('TR0602');
    const configuration = spotMarket('btc', 'usdt');
    expect(run(rig, { type: 'ConfigureMarket', configuration, isNew: true })).toBe('TR0602');
    expect(rig.hash()).toBe(before);
  });
});

group('a market of one side', () => {
  it.each([
    ['Buy', buy, sell],
    ['Sell', sell, buy],
  ] as const)('%s takes and amends no others, and leaves what rests', (side, taken, refused) => {
    const rig = tradingRig();
    const resting = rig.order(ALICE, refused);
    rig.configureMarket(BTC_USDT, { side });
    expect(describe(rig.place(ALICE, refused))).toBe('TR0304');
    expect(describe(rig.run({ kind: 'preview', account: ALICE, ...refused }))).toBe('TR0304');
    expect(describe(rig.amend(ALICE, resting, { amount: 5 }))).toBe('TR0304');
    expect(rig.openOrders(BTC_USDT)).toHaveLength(1);
    rig.order(ALICE, taken);
    rig.configureMarket(BTC_USDT, { side: 'BuySell' });
    rig.order(ALICE, refused);
    rig.check();
  });
});

group('a lowest price', () => {
  it('is the least that a Limit order may ask for', () => {
    const rig = tradingRig({}, { minPrice: 100 });
    expect(describe(rig.place(ALICE, { ...buy, price: 99 }))).toBe('TR0224');
    const orderId = rig.order(ALICE, buy);
    expect(describe(rig.amend(ALICE, orderId, { price: 99 }))).toBe('TR0224');
    const changes = { minPrice: -1 };
    expect(run(rig, { type: 'ChangeMarket', ...btcUsdt, changes })).toBe('TR0600');
  });
});

group('an asset whose transfers are closed', () => {
  const transfer = (type: 'Deposit' | 'Withdraw', deduplicationId: string): AdminCommand => ({
    type,
    deduplicationId,
    accountId: accountIdOf(ALICE),
    assetId: 'usdt',
    amount: '1',
  });

  it('refuses new ones and repeats the answers to old ones', () => {
    const rig = tradingRig();
    rig.cold(transfer('Deposit', 'in-1'));
    const { transfer: out } = rig.cold<{ transfer: { transferId: number } }>(
      transfer('Withdraw', 'out-1'),
    );
    const changes = { canDeposit: false, canWithdraw: false };
    rig.cold({ type: 'ChangeAsset', assetId: 'usdt', changes });
    expect(run(rig, transfer('Deposit', 'in-2'))).toBe('TR0507');
    expect(run(rig, transfer('Withdraw', 'out-2'))).toBe('TR0508');
    expect(run(rig, transfer('Deposit', 'in-1'))).toBe('ColdAnswer');
    const accountId = accountIdOf(ALICE);
    rig.cold({ type: 'ConfirmWithdrawal', accountId, transferId: String(out.transferId) });
    rig.check();
  });
});
