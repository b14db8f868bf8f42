import { describe, expect, test } from 'vitest';
import { parseDecimal, toUnits } from '../../core/fixed-point/index.ts';
import { TradingSessions } from '../../core/market/index.ts';
import { DEMO_MARKETS } from '../../gateway/demo/markets.ts';
import { DEMO_ACCOUNTS, DEMO_ASSETS, demoDeduplicationId } from '../../gateway/demo/venue.ts';

const FAR_ABOVE_TODAY: Readonly<Record<string, number>> = {
  btc_usdt: 10_000_000,
  eth_usdt: 1_000_000,
  eth_btc: 100,
};
const marketOf = (marketId: string) => {
  const market = DEMO_MARKETS.find((each) => each.marketId === marketId);
  if (market === undefined) throw new Error(marketId);
  return market;
};

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
    const prefix = market.type.toLowerCase();
    expect(market.marketId).toBe(`${prefix}.${market.baseAssetId}_${market.quoteAssetId}`);
    expect(market.priceScale).toBeGreaterThanOrEqual(2);
    expect(market.priceScale).toBeLessThanOrEqual(8);
    const base = DEMO_ASSETS.find(({ assetId }) => assetId === market.baseAssetId);
    expect(market.amountScale).toBeLessThanOrEqual(base?.scale ?? -1);
    expect([market.feeRate, market.slippageRate]).toEqual([null, 11_000]);
    expect(market.priceDeviation).toBe(market.marketId === 'spot.eth_usdt' ? 1000 : 0);
  });

  test.each(DEMO_MARKETS)('$marketId has room for prices far above those of today', (market) => {
    const { maxAmount, priceScale, baseAssetId, quoteAssetId } = market;
    const ticks = (2n ** 63n - 1n) / BigInt(maxAmount ?? 0);
    const high =
      BigInt(FAR_ABOVE_TODAY[`${baseAssetId}_${quoteAssetId}`] ?? 100_000) *
      10n ** BigInt(priceScale);
    expect(ticks > high).toBe(true);
  });

  test('has the markets on margin that its documentation lists', () => {
    const onMargin = DEMO_MARKETS.filter(({ type }) => type !== 'Spot');
    const listed = onMargin.map(({ marketId, subtype, priceScale, amountScale, margin }) => [
      marketId,
      subtype,
      priceScale,
      margin?.lotSize,
      (margin?.lotStep ?? 0) / 10 ** amountScale,
      margin?.leverage.leverageType,
    ]);
    expect(listed).toEqual([
      ['cfd.eur_usdt', 'Fx', 5, 100_000, 0.01, 'Fixed'],
      ['cfd.xau_usdt', 'Metals', 2, 100, 0.01, 'Fixed'],
      ['perp.btc_usdt', null, 2, 1, 0.001, 'Dynamic'],
      ['perp.eth_usdt', null, 2, 1, 0.01, 'Fixed'],
    ]);
    for (const { type, margin } of onMargin) {
      expect([margin?.swaps !== null, margin?.funding !== null]).toEqual([
        type === 'Cfd',
        type === 'Perp',
      ]);
    }
  });

  test('trades euros around the clock, and gold in New York hours with the weekend off', () => {
    expect(marketOf('cfd.eur_usdt').calendar).toBeNull();
    const sessions = new TradingSessions(marketOf('cfd.xau_usdt').calendar);
    const isOpen = (time: string) => sessions.isOpen(Date.parse(time));
    expect(isOpen('2026-07-01T20:59:59Z')).toBe(true);
    expect(isOpen('2026-07-01T21:00:00Z')).toBe(false);
    expect(isOpen('2026-07-01T22:00:00Z')).toBe(true);
    expect(isOpen('2026-07-04T12:00:00Z')).toBe(false);
    expect(isOpen('2026-07-05T23:00:00Z')).toBe(false);
    expect(sessions.nextOpening(Date.parse('2026-07-03T21:00:00Z'))).toBe(
      Date.parse('2026-07-06T04:00:00Z'),
    );
    expect(sessions.nights(Date.parse('2026-07-04T00:00:00Z'), 'UTC')).toBe(3);
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
