import { describe, expect, test } from 'vitest';
import { PriceWalk } from '../../gateway/demo/price-walk.ts';
import { SeededRandom } from '../../gateway/demo/seeded-random.ts';

function walked(seed: number, steps: number): PriceWalk {
  const walk = new PriceWalk(new SeededRandom(seed), 'usdt');
  for (let step = 0; step < steps; step += 1) walk.advance();
  return walk;
}

describe('the price walk', () => {
  test('begins at its anchors', () => {
    const walk = walked(1, 0);
    expect(walk.midTicks('btc', 'usdt', 2)).toBe(6_000_000n);
    expect(walk.midTicks('eth', 'usdt', 2)).toBe(300_000n);
    expect(walk.midTicks('eth', 'btc', 6)).toBe(50_000n);
  });

  test('follows from its seed alone', () => {
    const prices = (seed: number) =>
      ['btc', 'eth'].map((asset) => walked(seed, 500).priceOf(asset));
    expect(prices(7)).toEqual(prices(7));
    expect(prices(7)).not.toEqual(prices(8));
  });

  test('moves, and never further from its anchor than 4 %', () => {
    const walk = walked(3, 0);
    const seen = new Set<bigint>();
    for (let step = 0; step < 20_000; step += 1) {
      walk.advance();
      const price = walk.midTicks('btc', 'usdt', 2) ?? 0n;
      seen.add(price);
      expect(price >= 5_760_000n && price <= 6_240_000n).toBe(true);
    }
    expect(seen.size).toBeGreaterThan(1000);
  });

  test('keeps the three markets consistent: the cross rate is the ratio of the other two', () => {
    const walk = walked(11, 1000);
    const btc = walk.priceOf('btc') ?? 0n;
    const eth = walk.priceOf('eth') ?? 0n;
    expect(walk.midTicks('eth', 'btc', 6)).toBe((eth * 1_000_000n) / btc);
  });

  test('has no price for an asset that it does not know', () => {
    const walk = walked(1, 5);
    expect(walk.midTicks('doge', 'usdt', 2)).toBeUndefined();
    expect(walk.midTicks('btc', 'doge', 2)).toBeUndefined();
    expect(walk.amountWorth('doge', 100n, 2)).toBeUndefined();
  });

  test('says how much of an asset an amount of the root asset buys', () => {
    expect(walked(1, 0).amountWorth('btc', 30_000n, 6)).toBe(500_000n);
  });
});
