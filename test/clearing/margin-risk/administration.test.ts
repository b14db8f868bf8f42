import { beforeEach, describe, expect, it } from 'vitest';
import type { AdminCommand } from '../../../core/messages/cold-commands.ts';
import type { MarginSettings } from '../../../core/messages/configuration.ts';
import { CFD, HEDGER, MarginRig, PERP } from '../../margin/support.ts';
import { describe as answerOf } from '../rig.ts';
import { open, openPositions, quoteDeep, told } from './support.ts';

let margin: MarginRig;

beforeEach(() => {
  margin = new MarginRig();
  margin.deposit(HEDGER, 'usdt', '2000');
  margin.quote(0, 5_000_000, 5_000_002);
  quoteDeep(margin, CFD, 10_000, 10_001);
});

const answer = (command: AdminCommand): string =>
  answerOf(margin.rig.run({ kind: 'cold', command }));
const accountId = String(100_000 + HEDGER);

describe('collateral', () => {
  const select = (assetId: string, selected: boolean, of = accountId): string =>
    answer({ type: 'SelectCollateral', accountId: of, assetId, selected });

  it('is what the account selects, once, and the root asset always', () => {
    margin.deposit(HEDGER, 'btc', '1');
    expect(margin.margin(HEDGER).collateral).toEqual([0]);
    expect(select('btc', true)).toBe('ColdAnswer');
    expect(select('btc', true)).toBe('ColdAnswer');
    expect(select('usdt', true)).toBe('ColdAnswer');
    expect(told(margin.rig, 'CollateralSelected')).toHaveLength(1);
    // 0.8 of 50000.01, and 2000.
    expect(margin.margin(HEDGER)).toMatchObject({
      collateral: [0, 1],
      marginBalance: 42_000_008_000n,
    });
    expect(select('btc', false)).toBe('ColdAnswer');
    expect(margin.margin(HEDGER).collateral).toEqual([0]);
  });

  it('is refused where it counts nothing, is the root asset, or is needed', () => {
    expect(select('usdt', false)).toBe('TR0418');
    expect(select('gold', true)).toBe('TR0500');
    expect(select('btc', true, '999')).toBe('TR0103');
    const { configuration } = margin.rig.state.assetOf('eur')!;
    margin.rig.cold({
      type: 'ConfigureAsset',
      configuration: { ...configuration, marginRatio: 0 },
    });
    expect(select('eur', true)).toBe('TR0417');
    margin.deposit(HEDGER, 'btc', '1');
    select('btc', true);
    open(margin, HEDGER, { amount: 300_000 });
    expect(select('btc', false)).toBe('TR0416');
    expect(margin.margin(HEDGER).collateral).toEqual([0, 1]);
    margin.rig.cold({ type: 'SetAccountStatus', accountId, status: 'Frozen' });
    expect(select('eur', false)).toBe('TR0105');
  });
});

describe('the levels of margin', () => {
  const set = (change: Partial<MarginSettings>): string => {
    const settings = { marginCall: 10_000, stopOut: 5_000, negativeBalanceProtection: true };
    return answer({ type: 'SetMarginSettings', settings: { ...settings, ...change } });
  };

  it('are changed for everybody at once', () => {
    open(margin, HEDGER, { amount: 150_000 });
    expect(openPositions(margin.rig, HEDGER)).toHaveLength(1);
    // 2000 less 1.50 of spread on 1500.15 of margin is 133 %.
    expect(set({ marginCall: 14_000, stopOut: 13_000 })).toBe('ColdAnswer');
    margin.tick(100);
    expect(openPositions(margin.rig, HEDGER)).toHaveLength(1);
    expect(set({ marginCall: 14_000, stopOut: 13_400 })).toBe('ColdAnswer');
    margin.tick(100);
    expect(openPositions(margin.rig, HEDGER)).toEqual([]);
  });

  it('are refused where stop-out would come before the margin call, or where they are no levels', () => {
    expect(set({ stopOut: 10_001 })).toBe('TR0600');
    expect(set({ marginCall: -1 })).toBe('TR0600');
    expect(set({ marginCall: 1_000_001 })).toBe('TR0600');
    expect(set({ stopOut: 0.5 })).toBe('TR0600');
    expect(margin.rig.state.marginSettings).toMatchObject({ marginCall: 10_000, stopOut: 5_000 });
  });
});

describe('an index price', () => {
  const set = (price: string, marketId = 'perp.btc_usdt'): string =>
    answer({ type: 'SetIndexPrice', marketId, price });

  it('is one that the market can have', () => {
    expect(set('123.45')).toBe('ColdAnswer');
    expect(margin.rig.state.market(PERP).margin?.indexPrice).toBe(12_345);
    expect(set('123.456')).toBe('TR0207');
    expect(set('-1')).toBe('TR0207');
    expect(set('1e300')).toBe('TR0211');
    expect(set('much')).toBe('TR0207');
    expect(set('1', 'spot.btc_usdt')).toBe('TR0303');
    expect(set('1', 'perp.gold_usdt')).toBe('TR0300');
    expect(margin.rig.state.market(PERP).margin?.indexPrice).toBe(12_345);
  });
});
