import { describe, expect, it } from 'vitest';
import { asset, spotMarket } from '../clearing/venue.ts';
import { type Deduction, deduct, type Purse } from '../model/margin/charges.ts';
import { over, rational, times } from '../model/margin/rational.ts';
import { fixedRate } from '../model/margin/terms.ts';
import { BTC_USDT, CFD, DEALER, EUR_USDT, HEDGER, MarginRig } from './support.ts';

const [USDT, BTC, EUR] = [0, 1, 2];
const SCALES = [6, 8, 2];

/** What paid the commission of the account's last execution. */
function paid(rig: MarginRig, account: number): { fromRoot: bigint; deductions: Deduction[] } {
  const { events } = rig.rig;
  const last = events.findLast(
    (event) => event.record === 'MarginExecution' && event.account === account,
  );
  if (last?.record !== 'MarginExecution') throw new Error(`account ${account} has not traded`);
  const deductions = events.flatMap((event) => {
    if (event.record !== 'CommissionDeducted' || event.executionId !== last.executionId) return [];
    const { asset: index, amount, amountInRoot } = event;
    return [{ asset: index, amount, amountInRoot }];
  });
  return { fromRoot: last.commissionFromRoot, deductions };
}

/** What should pay, by what the account had before. */
function purses(rig: MarginRig, account: number): Purse[] {
  const { state } = rig.rig;
  return [USDT, BTC, EUR].map((index) => {
    const entry = state.ledger.find(account, index);
    const total = state.ledger.total(entry);
    return {
      asset: index,
      scale: SCALES[index] ?? 0,
      available: total - state.ledger.held(entry),
      total,
      isRoot: index === USDT,
      selected: state.collateral.has(account, index),
      marginRatio: state.assets[index]?.configuration.marginRatio ?? 0,
      rate: state.rates.fixed(index)?.rate,
    };
  });
}

/** BTC at 60000 and EUR at 1.0850; EUR has the higher ratio. A lot costs 0.6 USDT in commission. */
function venue(): MarginRig {
  const rig = new MarginRig();
  rig.quote(BTC_USDT, 5_999_900, 6_000_100);
  rig.quote(EUR_USDT, 10_849, 10_851);
  rig.configure(CFD, { feeRate: 60_000 });
  rig.order(DEALER, { market: CFD, side: 'Sell', amount: 100_000, price: 100_000 });
  return rig;
}

describe('who pays a commission', () => {
  // What there is of USDT, BTC and EUR, which are selected, steps of 1000 USDT notional a lot; what pays.
  const TABLE: readonly (readonly [
    string,
    readonly [string, string, string],
    readonly string[],
    number,
    bigint,
    Deduction[],
  ])[] = [
    ['the root asset', ['100', '1', '500'], ['btc', 'eur'], 1_000, 600_000n, []],
    [
      // 0.60 - 0.25 = 0.35 USDT; / 1.085 = 0.3226 EUR is rounded up
      'then the collateral with the higher ratio, rounded up',
      ['0.25', '1', '500'],
      ['btc', 'eur'],
      1_000,
      250_000n,
      [{ asset: EUR, amount: 33n, amountInRoot: 350_000n }],
    ],
    [
      // 0.10 EUR are 0.1085 USDT; the rest of 0.4915 is 0.00000819166… BTC
      'then the next one',
      ['0', '1', '0.1'],
      ['btc', 'eur'],
      1_000,
      0n,
      [
        { asset: EUR, amount: 10n, amountInRoot: 108_500n },
        { asset: BTC, amount: 820n, amountInRoot: 491_500n },
      ],
    ],
    [
      'only what is selected',
      ['0', '1', '500'],
      ['btc'],
      1_000,
      0n,
      [{ asset: BTC, amount: 1_000n, amountInRoot: 600_000n }],
    ],
  ];
  it.each(TABLE)('%s', (_, [usdt, btc, eur], selected, amount, fromRoot, deductions) => {
    const rig = venue();
    if (usdt !== '0') rig.deposit(HEDGER, 'usdt', usdt);
    rig.deposit(HEDGER, 'btc', btc);
    rig.deposit(HEDGER, 'eur', eur);
    for (const assetId of selected) rig.select(HEDGER, assetId);
    const before = purses(rig, HEDGER);
    rig.order(HEDGER, { market: CFD, side: 'Buy', amount, price: 100_000 });
    expect(paid(rig, HEDGER)).toEqual({ fromRoot, deductions });
    expect(deduct(600_000n, before, 6)).toEqual({ fromRoot, deductions });
  });
});

describe('the rate of an asset to the root asset', () => {
  it('is direct, inverse, over two markets, or there is none', () => {
    const rig = new MarginRig();
    const { state } = rig.rig;
    rig.rig.cold({ type: 'ConfigureAsset', configuration: asset('gbp', 2) });
    rig.rig.cold({ type: 'ConfigureAsset', configuration: asset('jpy', 0) });
    rig.rig.cold({ type: 'ConfigureAsset', configuration: asset('chf', 2) });
    const inverse = spotMarket('usdt', 'jpy', { amountScale: 2 });
    const legs = spotMarket('gbp', 'eur', { priceScale: 4, amountScale: 2 });
    rig.rig.cold({ type: 'ConfigureMarket', configuration: inverse });
    rig.rig.cold({ type: 'ConfigureMarket', configuration: legs });
    rig.deposit(DEALER, 'jpy', '1000000');
    rig.deposit(DEALER, 'gbp', '1000000');
    rig.quote(EUR_USDT, 10_849, 10_852);
    rig.quote(5, 15_710, 15_713);
    rig.quote(6, 11_800, 11_803);
    const rateOf = (assetId: string) =>
      state.rates.fixed(state.assetOf(assetId)?.index ?? -1)?.rate;
    expect(rateOf('usdt')).toBe(10n ** 12n);
    // The middle of 1.0849 and 1.0852
    expect(rateOf('eur')).toBe(1_085_050_000_000n);
    // 1 / 157.115 = 0.006364764663…
    expect(rateOf('jpy')).toBe(6_364_764_663n);
    expect(fixedRate(over(1, rational(157_115n, 1_000n)))).toBe(6_364_764_663n);
    // 1.18015 EUR × 1.08505 = 1.2805217575
    expect(rateOf('gbp')).toBe(1_280_521_757_500n);
    const gbp = times(rational(118_015n, 100_000n), rational(108_505n, 100_000n));
    expect(fixedRate(gbp)).toBe(1_280_521_757_500n);
    expect(rateOf('chf')).toBeUndefined();
  });
});
