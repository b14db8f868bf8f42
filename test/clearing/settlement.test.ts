import { expect, describe as group, it } from 'vitest';
import { formatUnits } from '../../core/fixed-point/index.ts';
import { encodeCold } from '../../core/messages/codec.ts';
import type { OrderRequest } from './commands.ts';
import { ALICE, BOB, BTC_USDT, CAROL, ETH_BTC, type Rig, tradingRig } from './rig.ts';
import { spotMarket } from './venue.ts';

const HOUSE = 0;
const buy = (price: number, amount: number): OrderRequest => ({
  market: BTC_USDT,
  side: 'Buy',
  price,
  amount,
});
const sell = (price: number, amount: number): OrderRequest => ({
  ...buy(price, amount),
  side: 'Sell',
});

/** `total/held` of several accounts in the quote asset. */
function quotes(rig: Rig, ...accounts: number[]): string[] {
  return accounts.map((account) => rig.balance(account, 'usdt'));
}

group('a trade', () => {
  it('settles at the maker’s price, to the last unit', () => {
    const rig = tradingRig();
    rig.order(ALICE, buy(3_000_123, 1_234));
    rig.order(BOB, sell(2_999_999, 1_000));
    // 30001.23 × 1.000 = 30001.23; commission 30.00123 on each side
    expect(rig.take('OrdersTraded')).toMatchObject([
      {
        price: 3_000_123,
        quantity: 1_000,
        takerSide: 1,
        buyerDebit: 30_001_230_000n,
        sellerCredit: 30_001_230_000n,
        takerFee: 30_001_230n,
        makerFee: 30_001_230n,
        takerRemaining: 0,
        makerRemaining: 234,
      },
    ]);
    // The rest: 30001.23 × 0.234 = 7020.28782, and 7.02028782 rounded up, less what was rounded before
    expect(rig.balance(ALICE, 'usdt')).toBe('69968.76877/7027.308108');
    expect(rig.balance(ALICE, 'btc')).toBe('11/0');
    expect(rig.balance(BOB, 'usdt')).toBe('129971.22877/0');
    expect(rig.balance(BOB, 'btc')).toBe('9/0');
    expect(rig.balance(HOUSE, 'usdt')).toBe('60.00246/0');
    rig.check();
  });

  it('gives back what a better price than the buyer’s own has saved', () => {
    const rig = tradingRig({}, { feeRate: 0 });
    rig.order(BOB, sell(10_000, 1_000));
    rig.order(ALICE, buy(11_000, 1_000));
    expect(quotes(rig, ALICE, BOB)).toEqual(['99900/0', '100100/0']);
  });

  it('walks the book level by level and order by order', () => {
    const rig = tradingRig();
    rig.order(BOB, sell(102, 5));
    rig.order(BOB, sell(101, 5));
    rig.order(CAROL, sell(101, 5));
    rig.order(ALICE, buy(102, 12));
    expect(rig.take('OrdersTraded')).toMatchObject([
      { makerAccount: BOB, price: 101, quantity: 5, executionId: 1 },
      { makerAccount: CAROL, price: 101, quantity: 5, executionId: 3 },
      { makerAccount: BOB, price: 102, quantity: 2, executionId: 5 },
    ]);
    expect(rig.state.market(BTC_USDT).lastPrice).toBe(102);
  });

  it('of an account with itself, where that is asked for, costs the commissions only', () => {
    const rig = tradingRig();
    rig.order(ALICE, sell(10_000, 1_000));
    rig.order(ALICE, { ...buy(10_000, 1_000), selfTradePrevention: 'NONE' });
    expect(quotes(rig, ALICE, HOUSE)).toEqual(['99999.8/0', '0.2/0']);
    expect(rig.balance(ALICE, 'btc')).toBe('10/0');
    rig.check();
  });
});

group('commissions', () => {
  it('are the minimum for an order in all, however many fills it takes', () => {
    const rig = tradingRig({}, { feeMinimum: 1_000_000n });
    rig.order(ALICE, buy(10_000, 30));
    for (let n = 0; n < 3; n++) rig.order(BOB, sell(10_000, 10));
    // Alice: 3 × 1.00 and 1 in all. Bob: three orders of 1.00, each of which pays all it earned.
    expect(quotes(rig, ALICE, BOB, HOUSE)).toEqual(['99996/0', '100000/0', '4/0']);
    rig.check();
  });

  it('grow past the minimum where the rate asks for more', () => {
    const rig = tradingRig({}, { feeRate: 1_000_000, feeMinimum: 500_000n });
    rig.order(ALICE, buy(10_000, 1_000));
    const fees = [100, 400, 500].map((amount) => {
      rig.order(BOB, sell(10_000, amount));
      return rig.take('OrdersTraded').map((trade) => formatUnits(trade.makerFee, 6));
    });
    expect(fees).toEqual([['0.5'], ['0'], ['0.5']]);
  });

  it('of a seller wait for the proceeds that can pay them', () => {
    const rig = tradingRig({}, { feeMinimum: 1_500_000n });
    rig.order(BOB, sell(10_000, 30));
    const fees = [10, 10, 10].map((amount) => {
      rig.order(ALICE, buy(10_000, amount));
      return rig.take('OrdersTraded').map((trade) => formatUnits(trade.makerFee, 6));
    });
    expect(fees).toEqual([['1'], ['0.5'], ['0']]);
    expect(rig.balance(BOB, 'usdt')).toBe('100001.5/0');
  });

  it('have their minimum in the root asset, converted at the middle of the market', () => {
    const rig = tradingRig();
    // A minimum of 5 usdt at a btc of 10000.00 … 10000.02 is 5 / 10000.01 btc, rounded up.
    rig.order(CAROL, buy(1_000_000, 1));
    rig.order(CAROL, sell(1_000_002, 1));
    rig.configureMarket(ETH_BTC, { feeMinimum: 5_000_000n });
    rig.order(BOB, { market: ETH_BTC, side: 'Sell', price: 5_000, amount: 100 });
    rig.events.length = 0;
    rig.order(ALICE, { market: ETH_BTC, side: 'Buy', price: 5_000, amount: 100 });
    expect(rig.take('OrdersTraded')).toMatchObject([
      { buyerDebit: 500_000n, takerFee: 50_000n, makerFee: 50_000n },
    ]);
    rig.check();
  });

  it('leave nothing behind when their orders end, however often the minimum changes', () => {
    const rig = tradingRig();
    const sizes: number[] = [];
    for (let n = 0; n < 50; n++) {
      rig.configureMarket(BTC_USDT, { feeMinimum: 1_000n + BigInt(n) });
      rig.cancel(ALICE, rig.order(ALICE, buy(100, 1)));
      sizes.push(encodeCold(rig.snapshot()).length);
    }
    // Sequences and ids take a byte more now and then.
    expect(sizes.at(-1)! - sizes[0]!).toBeLessThan(20);
  });

  it('keep the terms under which the order was admitted', () => {
    const rig = tradingRig({}, { feeRate: 0 });
    rig.order(ALICE, buy(10_000, 1_000));
    rig.configureMarket(BTC_USDT, { feeRate: 1_000_000 });
    rig.order(BOB, sell(10_000, 1_000));
    expect(quotes(rig, ALICE, BOB)).toEqual(['99900/0', '100099/0']);
  });
});

group('rounding', () => {
  /** Quote units are coarse here: a trade of one step at one tick is a ten-thousandth of one. */
  function coarse(): Rig {
    const rig = tradingRig();
    rig.cold({
      type: 'ConfigureAsset',
      configuration: {
        ...rig.state.assetOf('usdt')!.configuration,
        assetId: 'eur',
        scale: 2,
        isRoot: false,
      },
    });
    const configuration = spotMarket('btc', 'eur', {
      priceScale: 3,
      amountScale: 3,
      feeRate: 123_457,
    });
    rig.cold({ type: 'ConfigureMarket', configuration });
    for (const account of [ALICE, BOB, CAROL]) rig.deposit(account, 'eur', '1000');
    rig.events.length = 0;
    return rig;
  }
  const market = 3;

  it('of many small fills costs no more than that of one large one', () => {
    const totals = [[7], [1, 1, 1, 1, 1, 1, 1], [3, 1, 2, 1]].map((amounts) => {
      const rig = coarse();
      rig.order(ALICE, { market, side: 'Buy', price: 333_333, amount: 7 });
      for (const amount of amounts) {
        rig.order(BOB, { market, side: 'Sell', price: 333_333, amount });
        rig.check();
      }
      return rig.balance(ALICE, 'eur');
    });
    // 333.333 × 0.007 = 2.333331 → 2.34; commission 0.00288… → 0.01
    expect(totals).toEqual(['997.65/0', '997.65/0', '997.65/0']);
  });

  it('leaves its residue with the house, which never pays for it', () => {
    const rig = coarse();
    rig.configureMarket(market, { feeRate: 0 });
    for (let n = 1; n <= 60; n++) {
      const price = 100_000 + 7 * n;
      rig.order(n % 2 === 0 ? ALICE : CAROL, { market, side: 'Sell', price, amount: 1 + (n % 5) });
      rig.order(BOB, { market, side: 'Buy', price, amount: 1 + (n % 3) });
      expect(rig.balance(HOUSE, 'eur')).toMatch(/^\d/);
      rig.check();
    }
    expect(rig.balance(HOUSE, 'eur')).not.toBe('0/0');
  });
});
