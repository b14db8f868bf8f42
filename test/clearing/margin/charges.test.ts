import { describe, expect, it } from 'vitest';
import type { Rig } from '../rig.ts';
import { accountIdOf, asset } from '../venue.ts';
import {
  BTC,
  CROSS,
  EUR,
  executionsOf,
  MAKER,
  marginOf,
  marginRig,
  NET,
  NET_TOO,
  PERP,
  place,
  SPOT_BTC,
  SPOT_EUR,
  trade,
} from './margin-rig.ts';

const buy = { account: NET, market: PERP, side: 'Buy', price: 6_000_000 } as const;
const sell = { account: NET, market: PERP, side: 'Sell', price: 6_000_000 } as const;

/** Trades one step of Spot at a price, so that there is a rate: 60000.00 USDT for BTC, 1.1 for EUR. */
function setRates(rig: Rig): void {
  rig.deposit(MAKER, 'btc', '1');
  rig.deposit(MAKER, 'eur', '100');
  for (const [market, price, amount] of [
    [SPOT_BTC, 6_000_000, 1],
    [SPOT_EUR, 11_000, 100],
  ] as const) {
    rig.order(MAKER, { market, side: 'Sell', price, amount });
    rig.order(NET_TOO, { market, side: 'Buy', price, amount });
  }
}

function select(rig: Rig, assetId: string, selected = true): void {
  rig.cold({ type: 'SelectCollateral', accountId: accountIdOf(NET), assetId, selected });
}

/** Takes USDT away until this is left. */
function leave(rig: Rig, amount: string): void {
  const [total = ''] = rig.balance(NET, 'usdt').split('/');
  const units = BigInt(Math.round((Number(total) - Number(amount)) * 1e6));
  const accountId = accountIdOf(NET);
  const { transfer } = rig.cold<{ transfer: { transferId: number } }>({
    type: 'Withdraw',
    deduplicationId: `leave ${amount}`,
    accountId,
    assetId: 'usdt',
    amount: String(Number(units) / 1e6),
  });
  rig.cold({ type: 'ConfirmWithdrawal', accountId, transferId: String(transfer.transferId) });
}

describe('the commission of a fill', () => {
  it('is a share of notional, rounded up, and at least the minimum of its order', () => {
    const rig = marginRig({}, { feeRate: 100_000, feeMinimum: 10_000_000n });
    place(rig, { ...buy, amount: 300 });
    for (const amount of [100, 100, 100]) place(rig, { ...sell, account: NET_TOO, amount });
    // 6 each: 10 at once, nothing until 12 has come, and so on.
    const fills = executionsOf(rig, NET);
    expect(fills.map(({ commission }) => commission)).toEqual([
      10_000_000n,
      2_000_000n,
      6_000_000n,
    ]);
    expect(fills.map(({ commissionAccrued }) => commissionAccrued)).toEqual([
      6_000_000n,
      12_000_000n,
      18_000_000n,
    ]);
    expect(rig.balance(NET, 'usdt')).toBe('9982/0');
    // 18 and three times 10
    expect(rig.balance(0, 'usdt')).toBe('48/0');
    rig.check();
  });

  it('of a market quoted in another asset comes at its rate, which is frozen with the fill', () => {
    const rig = marginRig();
    setRates(rig);
    rig.configureMarket(CROSS, { feeRate: 100_000 });
    trade(rig, { ...buy, market: CROSS, price: 5_000_000, amount: 10 });
    const [opened] = executionsOf(rig, NET);
    // 500 EUR: 0.5 EUR of commission at 1.1
    expect(opened).toMatchObject({ rate: 1_100_000_000_000n, commission: 550_000n });
    trade(rig, { ...sell, market: CROSS, price: 5_100_001, amount: 10 });
    const [closed] = executionsOf(rig, NET);
    // 10.0001 EUR is 10.00 down; 11 USDT.
    expect(closed).toMatchObject({ realized: 1_000n, realizedInRoot: 11_000_000n });
    rig.check();
  });

  it('is paid with the root asset, then collateral by ratio and worth, then below zero', () => {
    const rig = marginRig();
    setRates(rig);
    rig.deposit(NET, 'btc', '0.001');
    rig.deposit(NET, 'eur', '100');
    select(rig, 'btc');
    select(rig, 'eur');
    leave(rig, '1');
    expect(rig.balance(NET, 'usdt')).toBe('1/0');
    rig.configureMarket(PERP, { feeRate: 100_000 });
    // 0.01 × 60000 over 100 is 6; the commission is 0.6, 110 of euros and 60 of bitcoin are there.
    place(rig, { ...sell, account: MAKER, amount: 1_000 });
    expect(place(rig, { ...buy, amount: 10 })).toBe('OrderPlaced');
    expect(rig.balance(NET, 'usdt')).toBe('0.4/0');
    rig.events.length = 0;
    expect(place(rig, { ...buy, amount: 100 })).toBe('OrderPlaced');
    // 6: 0.4 of USDT, 5.6 / 1.1 = 5.0909… euros, which has the higher ratio.
    const [execution] = rig.events.filter((event) => event.record === 'MarginExecution');
    expect(execution).toMatchObject({ commission: 6_000_000n, commissionFromRoot: 400_000n });
    expect(rig.take('CommissionDeducted')).toMatchObject([
      { account: NET, asset: EUR, amount: 510n, amountInRoot: 5_600_000n },
    ]);
    expect(rig.balance(NET, 'usdt')).toBe('0/0');
    expect(rig.balance(NET, 'eur')).toBe('94.9/0');
    // A minimum of 200: 94.90 × 1.1 = 104.39 of euros, 60 of bitcoin, 35.61 below zero.
    rig.configureMarket(PERP, { feeRate: 0, feeMinimum: 200_000_000n });
    const reduce = { ...sell, price: 6_000_000, amount: 100 };
    rig.run({ kind: 'cancelAll', account: MAKER });
    place(rig, { ...buy, account: MAKER, price: 6_000_000, amount: 100 });
    rig.events.length = 0;
    expect(place(rig, reduce)).toBe('OrderPlaced');
    expect(rig.take('CommissionDeducted').filter(({ account }) => account === NET)).toMatchObject([
      { asset: EUR, amount: 9_490n, amountInRoot: 104_390_000n },
      { asset: BTC, amount: 100_000n, amountInRoot: 60_000_000n },
    ]);
    expect(rig.balance(NET, 'usdt')).toBe('-35.61/0');
    rig.check();
  });
});

describe('the margin balance', () => {
  it('counts the selected assets by ratio and rate, with what is held of them', () => {
    const rig = marginRig();
    setRates(rig);
    rig.deposit(NET, 'btc', '0.1');
    const balance = () => marginOf(rig, NET).marginBalance;
    expect(balance()).toBe(10_000_000_000n);
    select(rig, 'btc');
    // 0.1 × 60000 × 0.9
    expect(balance()).toBe(15_400_000_000n);
    rig.order(NET, { market: SPOT_BTC, side: 'Sell', price: 9_000_000, amount: 100 });
    expect(rig.balance(NET, 'btc')).toBe('0.1/0.1');
    expect(balance()).toBe(15_400_000_000n);
    expect(marginOf(rig, NET).collateral).toEqual([0, BTC]);
    rig.cold({ type: 'ConfigureAsset', configuration: asset('btc', 8, { marginRatio: 1 }) });
    // 6000 × 0.0001
    expect(balance()).toBe(10_000_600_000n);
  });

  it('has an asset two markets away by way of the third', () => {
    const rig = marginRig();
    setRates(rig);
    rig.cold({ type: 'ConfigureAsset', configuration: asset('eth', 8, { marginRatio: 10_000 }) });
    const { configuration } = rig.state.market(SPOT_BTC);
    const ethBtc = { ...configuration, marketId: 'spot.eth_btc', baseAssetId: 'eth' };
    rig.cold({
      type: 'ConfigureMarket',
      configuration: { ...ethBtc, quoteAssetId: 'btc', priceScale: 5 },
    });
    rig.deposit(NET, 'eth', '2');
    select(rig, 'eth');
    expect(marginOf(rig, NET).marginBalance).toBe(10_000_000_000n);
    const market = rig.state.markets.length - 1;
    rig.order(NET, { market, side: 'Sell', price: 4_000, amount: 1 });
    rig.order(MAKER, { market, side: 'Buy', price: 4_000, amount: 1 });
    // 1.999 × 0.04 × 60000; the sold 0.001 is bitcoin, which is not selected.
    expect(marginOf(rig, NET).marginBalance).toBe(10_000_000_000n + 4_797_600_000n);
  });
});

describe('what an account with positions may let go of', () => {
  it('is what margin leaves free', () => {
    const rig = marginRig();
    trade(rig, { ...buy, amount: 100, leverage: 1 });
    const accountId = accountIdOf(NET);
    const withdraw = (amount: string) =>
      rig.run({
        kind: 'cold',
        command: { type: 'Withdraw', deduplicationId: amount, accountId, assetId: 'usdt', amount },
      });
    expect(withdraw('4000.000001')).toMatchObject({ code: 416 });
    expect(withdraw('3000')).toMatchObject({ record: 'ColdAnswer' });
    // What awaits confirmation counts as gone, for withdrawals, Spot orders and margin.
    expect(withdraw('1000.000001')).toMatchObject({ code: 416 });
    const spot = { market: SPOT_BTC, side: 'Buy', price: 100, amount: 1_000 } as const;
    expect(rig.place(NET, { ...spot, amount: 1_001_000 })).toMatchObject({ code: 416 });
    expect(rig.place(NET, { ...spot, amount: 1_000_000 })).toMatchObject({ record: 'OrderPlaced' });
    expect(place(rig, { ...buy, price: 5_000_000, amount: 1 })).toBe('TR0410');
    expect(place(rig, { ...sell, price: 7_000_000, amount: 100 })).toBe('OrderPlaced');
    rig.check();
  });

  it('is looked at again when it goes: positions may have lost since', () => {
    const rig = marginRig();
    const accountId = accountIdOf(NET);
    const { transfer } = rig.cold<{ transfer: { transferId: number } }>({
      type: 'Withdraw',
      deduplicationId: 'all but 1000',
      accountId,
      assetId: 'usdt',
      amount: '9000',
    });
    const confirm = () =>
      rig.run({
        kind: 'cold',
        command: {
          type: 'ConfirmWithdrawal',
          accountId,
          transferId: String(transfer.transferId),
        },
      });
    trade(rig, { ...buy, amount: 100, leverage: 10 });
    // At a mark of 55000.01 499.999 are lost: with 600 of margin 8900.001 are free.
    trade(rig, { account: NET_TOO, market: PERP, side: 'Buy', price: 5_500_001, amount: 1 });
    expect(marginOf(rig, NET).freeMargin).toBe(8_900_001_000n);
    expect(confirm()).toMatchObject({ code: 416 });
    rig.deposit(NET, 'usdt', '99.999');
    expect(confirm()).toMatchObject({ record: 'ColdAnswer' });
    expect(rig.balance(NET, 'usdt')).toBe('1099.999/0');
    expect(marginOf(rig, NET)).toMatchObject({ freeMargin: 0n, level: 10_000n });
    expect(confirm()).toMatchObject({ record: 'ColdAnswer' });
    rig.check();
  });

  it('has no such bound without margin', () => {
    const rig = marginRig();
    leave(rig, '0.5');
    expect(rig.balance(NET, 'usdt')).toBe('0.5/0');
  });

  it('is what covers a loss, also once no position is left', () => {
    const rig = marginRig();
    setRates(rig);
    rig.deposit(NET, 'btc', '0.1');
    select(rig, 'btc');
    leave(rig, '1000');
    trade(rig, { ...buy, amount: 100, leverage: 10 });
    trade(rig, { ...sell, amount: 100, price: 4_000_000 });
    // 0.1 × 20000 lost; of 0.1 × 60000 × 0.9 that leaves 4400, which are 0.08148148 bitcoin.
    expect(rig.balance(NET, 'usdt')).toBe('-1000/0');
    expect(marginOf(rig, NET)).toMatchObject({ usedMargin: 0n, freeMargin: 4_400_000_000n });
    const withdraw = (amount: string) =>
      rig.run({
        kind: 'cold',
        command: {
          type: 'Withdraw',
          deduplicationId: amount,
          accountId: accountIdOf(NET),
          assetId: 'btc',
          amount,
        },
      });
    const spot = { market: SPOT_BTC, side: 'Sell', price: 9_000_000 } as const;
    expect(withdraw('0.1')).toMatchObject({ code: 416 });
    expect(rig.place(NET, { ...spot, amount: 100 })).toMatchObject({ code: 416 });
    expect(
      rig.run({
        kind: 'cold',
        command: {
          type: 'SelectCollateral',
          accountId: accountIdOf(NET),
          assetId: 'btc',
          selected: false,
        },
      }),
    ).toMatchObject({ code: 416 });
    expect(withdraw('0.08148149')).toMatchObject({ code: 416 });
    expect(withdraw('0.08148148')).toMatchObject({ record: 'ColdAnswer' });
    expect(withdraw('0.00000001')).toMatchObject({ code: 416 });
    rig.deposit(NET, 'usdt', '1000');
    expect(withdraw('0.01851852')).toMatchObject({ record: 'ColdAnswer' });
    rig.check();
  });

  it('is what covers a loss even where it is no collateral, and the house only what is beyond it', () => {
    const rig = marginRig();
    setRates(rig);
    rig.deposit(NET, 'btc', '0.01');
    leave(rig, '1000');
    trade(rig, { ...buy, amount: 100, leverage: 10 });
    rig.events.length = 0;
    trade(rig, { ...sell, amount: 100, price: 4_500_000 });
    // 0.1 × 15000 lost of 1000; the bitcoin, 0.01 × 60000 = 600, is worth 100 more than what is owed.
    expect(rig.balance(NET, 'usdt')).toBe('-500/0');
    const rare = rig.take('Cold').map(({ event }) => event.type);
    expect(rare).not.toContain('NegativeBalanceCompensated');
    const withdraw = (amount: string) =>
      rig.run({
        kind: 'cold',
        command: {
          type: 'Withdraw',
          deduplicationId: amount,
          accountId: accountIdOf(NET),
          assetId: 'btc',
          amount,
        },
      });
    expect(withdraw('0.01')).toMatchObject({ code: 416 });
    expect(withdraw('0.00166667')).toMatchObject({ code: 416 });
    expect(withdraw('0.00166666')).toMatchObject({ record: 'ColdAnswer' });
    const spot = { market: SPOT_BTC, side: 'Sell', price: 9_000_000 } as const;
    expect(rig.place(NET, { ...spot, amount: 8 })).toMatchObject({ code: 416 });
    rig.deposit(NET, 'usdt', '500');
    expect(rig.place(NET, { ...spot, amount: 8 })).toMatchObject({ record: 'OrderPlaced' });
    rig.check();
  });

  it('is made good by the house beyond what the account owns', () => {
    const rig = marginRig();
    setRates(rig);
    rig.deposit(NET, 'btc', '0.001');
    leave(rig, '1000');
    trade(rig, { ...buy, amount: 100, leverage: 10 });
    trade(rig, { ...sell, amount: 100, price: 4_500_000 });
    // 1500 lost of 1000; 60 of the 500 are there in bitcoin.
    expect(rig.balance(NET, 'usdt')).toBe('-60/0');
    expect(rig.balance(NET, 'btc')).toBe('0.001/0');
    rig.check();
  });
});
