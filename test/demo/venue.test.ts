import { describe, expect, test } from 'vitest';
import { parseDecimal, toUnits } from '../../core/fixed-point/index.ts';
import {
  DEMO_ACCOUNTS,
  DEMO_ASSETS,
  DEMO_MARKETS,
  demoDeduplicationId,
} from '../../gateway/demo/venue.ts';

describe('the demo venue', () => {
  test('has the assets that its documentation lists', () => {
    expect(DEMO_ASSETS.map(({ assetId, scale, isRoot }) => [assetId, scale, isRoot])).toEqual([
      ['btc', 8, false],
      ['eth', 8, false],
      ['usdt', 6, true],
      ['eur', 2, false],
      ['xau', 4, false],
    ]);
  });

  test.each(DEMO_MARKETS)('$marketId trades assets that exist, within the limits', (market) => {
    const assets = DEMO_ASSETS.map(({ assetId }) => assetId);
    expect(assets).toContain(market.baseAssetId);
    expect(assets).toContain(market.quoteAssetId);
    expect(market.marketId).toBe(`spot.${market.baseAssetId}_${market.quoteAssetId}`);
    expect(market.priceScale).toBeGreaterThanOrEqual(2);
    expect(market.priceScale).toBeLessThanOrEqual(8);
    const base = DEMO_ASSETS.find(({ assetId }) => assetId === market.baseAssetId);
    expect(market.amountScale).toBeLessThanOrEqual(base?.scale ?? -1);
    expect([market.feeRate, market.slippageRate]).toEqual([100_000, 11_000]);
    expect(market.priceDeviation).toBe(market.marketId === 'spot.eth_usdt' ? 1000 : 0);
  });

  test('gives each trader a netting and a hedging account with the same balances', () => {
    for (const email of ['alice@matchbox.test', 'bob@matchbox.test']) {
      const accounts = DEMO_ACCOUNTS.filter(({ ownerEmail }) => ownerEmail === email);
      expect(accounts.map(({ accountName, accountType }) => [accountName, accountType])).toEqual([
        ['Main', 'Netting'],
        ['Hedging', 'Hedging'],
      ]);
      for (const { deposits } of accounts) {
        expect(
          Object.fromEntries(deposits.map(({ assetId, amount }) => [assetId, amount])),
        ).toEqual({
          btc: '10',
          eth: '100',
          usdt: '1000000',
        });
      }
    }
  });

  test('deposits whole units of assets that exist, each under a name of its own', () => {
    const names = new Set<string>();
    let deposits = 0;
    for (const account of DEMO_ACCOUNTS) {
      for (const deposit of account.deposits) {
        const asset = DEMO_ASSETS.find(({ assetId }) => assetId === deposit.assetId);
        const decimal = parseDecimal(deposit.amount);
        expect(decimal && asset && toUnits(decimal, asset.scale)).toBeTypeOf('bigint');
        names.add(demoDeduplicationId(account, deposit));
        deposits += 1;
      }
    }
    expect(names.size).toBe(deposits);
  });
});
