import { describe, expect, it } from 'vitest';
import type { AuditAnswer } from '../../../core/messages/queries.ts';
import type { Rig } from '../rig.ts';
import { asset } from '../venue.ts';
import {
  MAKER,
  marginMarket,
  marginOf,
  marginRig,
  NET,
  NET_TOO,
  PERP,
  place,
  positionsOf,
  SPOT_BTC,
  trade,
} from './margin-rig.ts';

const MARKETS = 6;

/** Markets in which anybody may trade any amount at any price, and books in which nobody does. */
function emptyVenue(): { readonly rig: Rig; readonly markets: readonly number[] } {
  const rig = marginRig();
  const markets: number[] = [];
  for (let count = 0; count < MARKETS; count++) {
    const base = `metal${count}`;
    rig.cold({ type: 'ConfigureAsset', configuration: asset(base, 2) });
    const configuration = marginMarket('Cfd', base, 'usdt', {}, { feeRate: 0, amountScale: 2 });
    rig.cold({ type: 'ConfigureMarket', configuration });
    markets.push(rig.state.markets.length - 1);
  }
  return { rig, markets };
}

function swap(rig: Rig, market: number, buyer: number, seller: number, price: number): void {
  const { maxAmount, maxPosition } = rig.state.market(market).derived;
  for (let left = maxPosition; left > 0; left -= maxAmount) {
    const amount = Math.min(left, maxAmount);
    const order = { market, price, amount };
    expect(place(rig, { ...order, account: seller, side: 'Sell' })).toBe('OrderPlaced');
    expect(place(rig, { ...order, account: buyer, side: 'Buy' })).toBe('OrderPlaced');
  }
}

describe('two accounts that trade with each other at any price', () => {
  it('bring no ledger beyond what it counts, and make nothing', () => {
    const { rig, markets } = emptyVenue();
    for (const loser of [NET_TOO, MAKER]) {
      for (const market of markets) swap(rig, market, NET, loser, 1);
      for (const market of markets) {
        swap(rig, market, loser, NET, rig.state.market(market).derived.maxPrice);
      }
      rig.check();
      expect(positionsOf(rig, NET)).toEqual([]);
    }
    const { assets } = rig.cold<AuditAnswer>({ type: 'Audit' });
    for (const { ledgers, netTransfers } of assets) expect(ledgers).toBe(netTransfers);
    // The house covers losses as far as it can be counted; what it does not cover is still owed.
    expect(marginOf(rig, NET).marginBalance).toBe(2n ** 62n - 1n);
    expect(marginOf(rig, MAKER).marginBalance).toBeLessThan(-(2n ** 61n));
    expect(
      place(rig, { account: MAKER, market: markets[0] ?? 0, side: 'Buy', price: 1, amount: 1 }),
    ).toBe('TR0410');
  });

  it('are told figures that can be written down', () => {
    const { rig, markets } = emptyVenue();
    for (const market of markets) swap(rig, market, NET, NET_TOO, 1);
    rig.deposit(MAKER, 'usdt', '4000000000000');
    for (const market of markets) {
      const price = rig.state.market(market).derived.maxPrice;
      expect(place(rig, { account: MAKER, market, side: 'Buy', price, amount: 1 })).toBe(
        'OrderPlaced',
      );
    }
    expect(marginOf(rig, NET)).toMatchObject({ equity: 2n ** 63n - 1n });
    expect(positionsOf(rig, NET)).toHaveLength(MARKETS);
    rig.check();
  });
});

it('a mark price is one that its market can have, whatever its Spot market says', () => {
  const rig = marginRig({}, { maxPrice: 10_000_000 });
  trade(rig, {
    account: NET,
    market: PERP,
    side: 'Buy',
    price: 6_000_000,
    amount: 100,
    leverage: 10,
  });
  rig.deposit(MAKER, 'usdt', '1000000');
  rig.deposit(MAKER, 'btc', '1');
  rig.order(MAKER, { market: SPOT_BTC, side: 'Buy', price: 90_000_000, amount: 1 });
  rig.order(MAKER, { market: SPOT_BTC, side: 'Sell', price: 90_000_002, amount: 1 });
  rig.now += 1_000;
  rig.run({ kind: 'tick' });
  // The median of the index, of it with the basis, and of the last trade is the index.
  const [position] = positionsOf(rig, NET);
  expect(position?.markPrice).toBe(10_000_000);
  rig.check();
});
