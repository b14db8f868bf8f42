import { expect, describe as group, it } from 'vitest';
import { hashState, takeSnapshot } from '../../core/clearing/index.ts';
import type { ReversalAnswer, RevertedTrade } from '../../core/messages/reversals.ts';
import { randomSource, seed } from '../support/seed.ts';
import {
  marginRig,
  NET,
  NET_TOO,
  PERP,
  SPOT_BTC,
  trade as tradeOnMargin,
} from './margin/margin-rig.ts';
import type { EventOf } from './records.ts';
import {
  ALICE,
  BOB,
  BTC_USDT,
  CAROL,
  describe,
  ETH_BTC,
  ETH_USDT,
  type Rig,
  tradingRig,
} from './rig.ts';

const HOUSE = 0;
const ACCOUNTS = [HOUSE, ALICE, BOB, CAROL];
const ASSETS = ['usdt', 'btc', 'eth'];

const balances = (rig: Rig) =>
  ACCOUNTS.map((account) => ASSETS.map((asset) => rig.balance(account, asset)));

/** What a trade booked, from its own event. */
function reverted(rig: Rig, trade: EventOf<'OrdersTraded'>): RevertedTrade {
  const takerBuys = trade.takerSide === 0;
  const { executionId: tradeId, market, takerAccount, makerAccount } = trade;
  return {
    tradeId,
    market,
    buyer: takerBuys ? takerAccount : makerAccount,
    seller: takerBuys ? makerAccount : takerAccount,
    base: rig.state.market(market).baseUnits(trade.quantity),
    buyerDebit: trade.buyerDebit,
    sellerCredit: trade.sellerCredit,
    buyerFee: takerBuys ? trade.takerFee : trade.makerFee,
    sellerFee: takerBuys ? trade.makerFee : trade.takerFee,
  };
}

const command = (trades: readonly RevertedTrade[]) =>
  ({ kind: 'cold', command: { type: 'RevertTrades', trades, by: 'admin' } }) as const;

const revert = (rig: Rig, trades: readonly RevertedTrade[]): number =>
  rig.cold<ReversalAnswer>(command(trades).command).count;

/** Trades of all sizes in all markets, every order ended afterwards. */
function trade(rig: Rig, random: () => number, orders: number): RevertedTrade[] {
  const between = (low: number, high: number) => low + Math.floor(random() * (high - low + 1));
  rig.take('OrdersTraded');
  for (let count = 0; count < orders; count++) {
    rig.place([ALICE, BOB, CAROL][between(0, 2)] as number, {
      market: [BTC_USDT, ETH_USDT, ETH_BTC][between(0, 2)] as number,
      side: random() < 0.5 ? 'Buy' : 'Sell',
      price: between(9990, 10_010),
      amount: between(1, 50),
    });
  }
  const trades = rig.take('OrdersTraded').map((event) => reverted(rig, event));
  for (const account of [ALICE, BOB, CAROL]) rig.run({ kind: 'cancelAll', account });
  return trades;
}

function shuffled<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, key: random() }))
    .sort((left, right) => left.key - right.key)
    .map(({ value }) => value);
}

group('undoing trades', () => {
  it('brings every balance back, in whatever order and however many at once', () => {
    process.stdout.write(`SEED=${seed}\n`);
    const random = randomSource(seed);
    const rig = tradingRig({}, { feeRate: 123_457, feeMinimum: 3n });
    const before = balances(rig);
    const trades = trade(rig, random, 300);
    expect(trades.length).toBeGreaterThan(50);
    expect(balances(rig)).not.toEqual(before);
    const rest = shuffled(trades, random);
    while (rest.length > 0) {
      const some = rest.splice(0, 1 + Math.floor(random() * 7));
      expect(revert(rig, some)).toBe(some.length);
      rig.check();
    }
    expect(balances(rig)).toEqual(before);
    expect(revert(rig, trades)).toBe(0);
    expect(balances(rig)).toEqual(before);
  });

  it('is one event, replayed and restored like any other', () => {
    const rig = tradingRig();
    const trades = trade(rig, randomSource(7), 40);
    rig.take('Cold');
    revert(rig, trades);
    const events = rig.take('Cold').map(({ event }) => event.type);
    expect(events).toEqual(['TradesReverted']);
    expect(hashState(takeSnapshot(rig.replay()))).toBe(rig.hash());
    const restarted = rig.restarted();
    expect(revert(restarted, trades)).toBe(0);
    restarted.check();
  });
});

group('a trade is not undone', () => {
  /** Alice buys 5 btc for 500 usdt from Bob. */
  function bought(rig: Rig): RevertedTrade[] {
    rig.take('OrdersTraded');
    rig.order(BOB, { market: BTC_USDT, side: 'Sell', price: 10_000, amount: 5000 });
    rig.order(ALICE, { market: BTC_USDT, side: 'Buy', price: 10_000, amount: 5000 });
    return rig.take('OrdersTraded').map((event) => reverted(rig, event));
  }

  it('where what it brought is held by an order, a withdrawal or an amend on its way', () => {
    const rig = tradingRig();
    const trades = bought(rig);
    const held = rig.order(ALICE, {
      market: BTC_USDT,
      side: 'Sell',
      price: 90_000,
      amount: 10_001,
    });
    const hash = rig.hash();
    expect(describe(rig.run(command(trades)))).toBe('TR0607');
    expect(rig.hash()).toBe(hash);
    rig.amend(ALICE, held, { amount: 9000 });
    const amend = rig.send({ kind: 'amend', account: ALICE, orderId: held, amount: 10_001 });
    const refused = rig.send(command(trades));
    rig.finish();
    expect(describe(rig.answers.get(refused))).toBe('TR0607');
    expect(describe(rig.answers.get(amend))).toBe('OrderState');
    rig.cancel(ALICE, held);
    rig.cold({
      type: 'Withdraw',
      deduplicationId: 'w',
      accountId: '100001',
      assetId: 'btc',
      amount: '10.00000001',
    });
    expect(describe(rig.run(command(trades)))).toBe('TR0607');
    rig.check();
  });

  it('where another of the request cannot be: all or none', () => {
    const rig = tradingRig();
    const [first] = bought(rig);
    const [second] = bought(rig);
    if (first === undefined || second === undefined) throw new Error('two trades');
    rig.order(ALICE, { market: BTC_USDT, side: 'Sell', price: 90_000, amount: 14_000 });
    const hash = rig.hash();
    expect(describe(rig.run(command([first, second])))).toBe('TR0607');
    expect(rig.hash()).toBe(hash);
    expect(revert(rig, [first])).toBe(1);
    expect(describe(rig.run(command([first, second])))).toBe('TR0607');
    rig.check();
  });

  it('needs no more than what is missing in all: what one takes another may bring', () => {
    const rig = tradingRig();
    const [bought1] = bought(rig);
    rig.order(BOB, { market: BTC_USDT, side: 'Buy', price: 10_000, amount: 5000 });
    rig.order(ALICE, { market: BTC_USDT, side: 'Sell', price: 10_000, amount: 5000 });
    const [sold] = rig.take('OrdersTraded').map((event) => reverted(rig, event));
    if (bought1 === undefined || sold === undefined) throw new Error('two trades');
    rig.order(ALICE, { market: BTC_USDT, side: 'Sell', price: 90_000, amount: 10_000 });
    expect(describe(rig.run(command([bought1])))).toBe('TR0607');
    expect(revert(rig, [bought1, sold])).toBe(2);
    rig.check();
  });

  it('where positions need what it brought as collateral', () => {
    const rig = marginRig();
    rig.deposit(NET, 'btc', '1');
    rig.order(NET, { market: SPOT_BTC, side: 'Sell', price: 100_000, amount: 1000 });
    rig.order(NET_TOO, { market: SPOT_BTC, side: 'Buy', price: 100_000, amount: 1000 });
    const trades = rig.take('OrdersTraded').map((event) => reverted(rig, event));
    // 10.5 bitcoin at 1,000 without leverage: of 11,000 usdt 500 are free, 1,000 would go back.
    const long = { account: NET, market: PERP, side: 'Buy', price: 100_000, leverage: 1 } as const;
    tradeOnMargin(rig, { ...long, amount: 10_500 });
    const hash = rig.hash();
    expect(describe(rig.run(command(trades)))).toBe('TR0416');
    expect(rig.hash()).toBe(hash);
    rig.deposit(NET, 'usdt', '500');
    expect(revert(rig, trades)).toBe(1);
    rig.check();
  });
});
