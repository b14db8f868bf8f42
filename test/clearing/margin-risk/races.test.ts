import { beforeEach, describe, expect, it } from 'vitest';
import { Side } from '../../../core/messages/enums.ts';
import { CFD, DEALER, HEDGER, MarginRig, NETTER } from '../../margin/support.ts';
import type { MarginRequest } from '../commands.ts';
import type { Rig } from '../rig.ts';
import { open, openPositions, quoteDeep, recorded } from './support.ts';

let margin: MarginRig;
let rig: Rig;

beforeEach(() => {
  margin = new MarginRig();
  ({ rig } = margin);
  margin.deposit(HEDGER, 'usdt', '100000');
  quoteDeep(margin, CFD, 10_000, 10_001);
});

const send = (account: number, request: Partial<MarginRequest>): number =>
  rig.send({ kind: 'placeMargin', account, market: CFD, side: 'Sell', amount: 1_000, ...request });

/** The dealer has taken back everything, and bids again; clearing does not know it yet. */
function bid(price: number, amount: number): void {
  rig.run({ kind: 'cancelAll', account: DEALER, market: CFD });
  send(DEALER, { side: 'Buy', price, amount });
}

describe('a stop-loss is reached', () => {
  it('while a close of the client is at the book, and takes a part of it', () => {
    const positionId = open(margin, HEDGER, { stopLoss: 9_900 });
    bid(9_890, 400);
    send(HEDGER, { price: 9_880, positionId });
    rig.finish();
    margin.check();
    // 400 went to the client's order; its rest gave way, and nobody is left to trade with.
    expect(openPositions(rig, HEDGER)).toEqual(['long 600 9900 0']);
    expect(rig.openOrders(CFD)).toEqual([]);
    quoteDeep(margin, CFD, 9_870, 9_880);
    expect(openPositions(rig, HEDGER)).toEqual([]);
  });

  it('while the client closes all of it', () => {
    const positionId = open(margin, HEDGER, { stopLoss: 9_900 });
    bid(9_890, 5_000);
    send(HEDGER, { positionId });
    rig.finish();
    margin.check();
    expect(openPositions(rig, HEDGER)).toEqual([]);
  });

  it('and the market is halted before the book has answered', () => {
    open(margin, HEDGER, { stopLoss: 9_900 });
    bid(9_890, 5_000);
    rig.matchAll();
    rig.settleAll();
    const { configuration } = rig.state.market(CFD);
    rig.send({
      kind: 'cold',
      command: { type: 'SetMarketStatus', marketId: configuration.marketId, status: 'Halted' },
    });
    rig.finish();
    margin.check();
    const left = openPositions(rig, HEDGER);
    // The order was on its way: it may have traded, but nothing trades any more.
    expect(rig.openOrders(CFD)).toEqual([]);
    margin.tick(5_000);
    expect(openPositions(rig, HEDGER)).toEqual(left);
    margin.configure(CFD, { status: 'Open' });
    quoteDeep(margin, CFD, 9_880, 9_890);
    expect(openPositions(rig, HEDGER)).toEqual([]);
  });

  it('and the process ends before the book has answered', () => {
    open(margin, HEDGER, { stopLoss: 9_900 });
    bid(9_890, 5_000);
    rig.matchAll();
    rig.settleAll();
    const restarted = rig.restarted();
    expect(openPositions(restarted, HEDGER)).toEqual([]);
    restarted.check();
  });

  it('by a position that stop-out closes at the same time', () => {
    margin.rig.cold({
      type: 'Withdraw',
      deduplicationId: 'all',
      accountId: String(100_000 + HEDGER),
      assetId: 'usdt',
      amount: '98800',
    });
    margin.rig.cold({
      type: 'ConfirmWithdrawal',
      accountId: String(100_000 + HEDGER),
      transferId: String(rig.state.transfers.length),
    });
    margin.check();
    open(margin, HEDGER, { amount: 100_000, stopLoss: 9_300 });
    rig.now += 200;
    bid(9_000, 500_000);
    rig.finish();
    margin.check();
    margin.tick(1_000);
    expect(openPositions(rig, HEDGER)).toEqual([]);
  });
});

describe('a netting account never comes to the other side of the market by what the venue closes', () => {
  beforeEach(() => {
    margin.deposit(NETTER, 'usdt', '100000');
  });

  it('though an order of its own that reduces is at the book when its stop-loss is reached', () => {
    margin.order(NETTER, { market: CFD, side: 'Buy', amount: 1_000, stopLoss: 9_900 });
    bid(9_890, 5_000);
    rig.matchAll();
    send(NETTER, { amount: 1_000, timeInForce: 'Ioc', type: 'Market' });
    rig.settleAll();
    rig.finish();
    margin.check();
    expect(openPositions(rig, NETTER)).toEqual([]);
  });

  it('though an order of its own rests on the side that closes', () => {
    margin.order(NETTER, { market: CFD, side: 'Buy', amount: 1_000, stopLoss: 9_900 });
    margin.order(NETTER, { market: CFD, side: 'Sell', amount: 1_000, price: 10_500 });
    quoteDeep(margin, CFD, 9_890, 9_900);
    expect(openPositions(rig, NETTER)).toEqual([]);
    expect(rig.openOrders(CFD).filter((text) => text.includes('@10500'))).toEqual([]);
  });

  it('though an order of its own that reduces is at the book when it is stopped out', () => {
    margin.deposit(NETTER, 'usdt', '1');
    rig.cold({
      type: 'Withdraw',
      deduplicationId: 'most',
      accountId: String(100_000 + NETTER),
      assetId: 'usdt',
      amount: '98801',
    });
    rig.cold({
      type: 'ConfirmWithdrawal',
      accountId: String(100_000 + NETTER),
      transferId: String(rig.state.transfers.length),
    });
    margin.check();
    margin.order(NETTER, { market: CFD, side: 'Buy', amount: 100_000 });
    rig.now += 200;
    bid(9_000, 500_000);
    rig.matchAll();
    rig.now += 200;
    send(NETTER, { amount: 100_000, timeInForce: 'Ioc', type: 'Market' });
    rig.settleAll();
    rig.clearing.work();
    rig.finish();
    margin.tick(1_000);
    margin.check();
    const shorts = recorded(rig, 'MarginExecution').filter(
      ({ account, side, openedQuantity }) =>
        account === NETTER && side === Side.Sell && openedQuantity > 0,
    );
    expect(shorts).toEqual([]);
    expect(openPositions(rig, NETTER)).toEqual([]);
  });
});

it('the clock never decides: the same commands lead to the same state', () => {
  const run = (): string => {
    const each = new MarginRig();
    each.deposit(HEDGER, 'usdt', '5000');
    quoteDeep(each, CFD, 10_000, 10_001);
    open(each, HEDGER, { amount: 100_000, stopLoss: 9_900, isTrailing: true });
    open(each, HEDGER, { amount: 100_000 });
    each.order(HEDGER, { market: CFD, side: 'Sell', amount: 10, activationPrice: 9_950 });
    quoteDeep(each, CFD, 10_100, 10_110);
    quoteDeep(each, CFD, 9_940, 9_950);
    quoteDeep(each, CFD, 8_000, 8_010);
    each.tick(3_600_000 * 24);
    return each.rig.hash();
  };
  expect(run()).toBe(run());
});
