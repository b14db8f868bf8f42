import { expect, describe as group, it } from 'vitest';
import { ClearingState, hashState, restoreState, takeSnapshot } from '../../core/clearing/index.ts';
import { decodeCold, encodeCold } from '../../core/messages/codec.ts';
import type { OrderRequest } from './commands.ts';
import { ALICE, BOB, BTC_USDT, CAROL, describe, ETH_USDT, Rig, tradingRig } from './rig.ts';
import { START } from './venue.ts';

const buy: OrderRequest = { market: BTC_USDT, side: 'Buy', price: 100, amount: 10 };

/** A sixteenth of each kind of thing that can happen, so that every column and map is in use. */
function busyRig(): { rig: Rig; checkpoints: { sequence: number; bytes: Uint8Array }[] } {
  const rig = tradingRig({ clientOrderIdWindow: 20 }, { feeMinimum: 10n });
  const checkpoints: { sequence: number; bytes: Uint8Array }[] = [];
  for (let n = 0; n < 200; n++) {
    const account = 1 + (n % 4);
    const market = n % 3;
    const price = 95 + ((n * 7) % 11);
    const side = (n * 5) % 7 < 3 ? 'Sell' : 'Buy';
    const orderId = rig.state.nextOrderId - 1 - (n % 5);
    const request = { market, side, price, amount: 1 + (n % 9) } as const;
    const clientOrderId = n % 3 === 0 ? `c${n % 40}` : '';
    if (n % 16 === 1) rig.cancel(account, orderId);
    else if (n % 16 === 3) rig.amend(account, orderId, { price: price + 1 });
    else if (n % 16 === 5) rig.tick(700);
    else if (n % 16 === 7) rig.deposit(account, 'eth', '1');
    else if (n % 16 === 9) {
      rig.place(account, { ...request, timeInForce: 'Gtd', expiresAt: rig.now + 100 * n });
    } else if (n % 16 === 11) rig.place(account, { ...request, price: 0, timeInForce: 'Retry' });
    else if (n % 16 === 13) rig.place(account, { ...request, postOnly: true, clientOrderId });
    else if (n % 16 === 15) {
      const withdrawal = { accountId: String(100_000 + account), assetId: 'eth', amount: '0.5' };
      rig.cold({ type: 'Withdraw', deduplicationId: `w${n}`, ...withdrawal });
    } else rig.place(account, { ...request, clientOrderId });
    checkpoints.push({ sequence: rig.state.sequence, bytes: encodeCold(rig.snapshot()) });
  }
  return { rig, checkpoints };
}

group('recovery', () => {
  it('from the beginning reaches the state that was live', () => {
    const { rig } = busyRig();
    rig.check();
    expect(hashState(takeSnapshot(rig.replay()))).toBe(rig.hash());
  });

  it('from any snapshot, packed and read back, and the tail behind it reaches it too', () => {
    const { rig, checkpoints } = busyRig();
    const hash = rig.hash();
    for (const { sequence, bytes } of checkpoints) {
      const state = restoreState(decodeCold(bytes), 20);
      expect(state.sequence).toBe(sequence);
      const batches = rig.journal.filter((batch) => batch.firstSequence > sequence);
      expect(hashState(takeSnapshot(rig.replay(state)))).toBe(hash);
      expect(batches[0]?.firstSequence ?? sequence + 1).toBe(sequence + 1);
    }
  });

  it('tells two states apart by their hash', () => {
    const { checkpoints } = busyRig();
    const sequences = new Set(checkpoints.map(({ sequence }) => sequence));
    const hashes = new Set(checkpoints.map(({ bytes }) => hashState(decodeCold(bytes))));
    expect(hashes.size).toBe(sequences.size);
    expect(hashes.size).toBeGreaterThan(100);
  });

  it('refuses events that do not follow, and a snapshot of another version', () => {
    const { rig } = busyRig();
    const skipped = rig.journal.splice(3, 1);
    expect(skipped).toHaveLength(1);
    expect(() => rig.replay()).toThrow(/do not follow/);
    expect(() => restoreState({ ...rig.snapshot(), version: 0 })).toThrow(/version/);
  });

  it('begins the books anew with the queues that were', () => {
    const { rig } = busyRig();
    const again = rig.restarted();
    expect(again.take('Cold').map(({ event }) => event.type)).toEqual(['Resumed']);
    for (const market of [0, 1, 2])
      expect(again.openOrders(market)).toEqual(rig.openOrders(market));
    for (const venue of [rig, again]) {
      venue.now += 10;
      venue.order(CAROL, {
        ...buy,
        side: 'Sell',
        price: 90,
        amount: 40,
        selfTradePrevention: 'NONE',
      });
    }
    const withoutTimes = (venue: Rig) =>
      venue.events.flatMap((event) =>
        event.record === 'OrdersTraded'
          ? [`${event.takerOrderId} ${event.makerOrderId} ${event.quantity}@${event.price}`]
          : [],
      );
    expect(withoutTimes(again).length).toBeGreaterThan(0);
    expect(withoutTimes(again)).toEqual(withoutTimes(rig).slice(-withoutTimes(again).length));
    again.check();
  });

  it('finishes what a crash caught on its way to the book, behind everything that rested', () => {
    const rig = tradingRig();
    const maker = rig.order(ALICE, { ...buy, price: 99, postOnly: true });
    rig.send({ kind: 'amend', account: ALICE, orderId: maker, price: 101 });
    rig.send({ kind: 'place', account: BOB, ...buy, side: 'Sell', price: 101, amount: 4 });
    rig.matchAll();
    // The journal has the order of Bob and then the amend; its fill is lost.
    const state = restoreState(rig.snapshot());
    rig.settleAll();
    expect(rig.take('OrdersTraded')).toHaveLength(1);
    expect(state.markets[0]?.orders.openCount).toBe(2);
  });

  it('keeps an amended post-only order where a later order that met it was in flight', () => {
    const rig = tradingRig();
    const maker = rig.order(ALICE, { ...buy, price: 99, postOnly: true });
    const amend = { kind: 'amend', account: ALICE, orderId: maker, price: 101 } as const;
    rig.send(amend);
    rig.matchAll();
    rig.send({ kind: 'place', account: BOB, ...buy, side: 'Sell', price: 101, amount: 4 });
    rig.settleAll();
    const again = rig.restarted();
    expect(again.take('OrdersTraded')).toMatchObject([{ makerOrderId: maker, price: 101 }]);
    expect(again.openOrders(BTC_USDT)).toEqual([`${maker} Buy 6@101`]);
    again.check();
  });
});

group('a clientOrderId', () => {
  it('creates one order; a repeat answers the first, whatever has become of it', () => {
    const rig = tradingRig();
    const first = rig.order(ALICE, { ...buy, clientOrderId: 'a' });
    const repeat = { kind: 'place', account: ALICE, ...buy, clientOrderId: 'a' } as const;
    for (const venue of [rig, rig.restarted()]) {
      expect(venue.run(repeat)).toMatchObject({ orderId: first, replayed: 1 });
      venue.cancel(ALICE, first);
      expect(venue.run(repeat)).toMatchObject({ orderId: first, replayed: 1 });
      venue.cold({ type: 'SetAccountStatus', accountId: '100001', status: 'Halted' });
      expect(venue.run(repeat)).toMatchObject({ orderId: first, replayed: 1 });
    }
  });

  it('is each account’s own', () => {
    const rig = tradingRig();
    const first = rig.order(ALICE, { ...buy, clientOrderId: 'a' });
    expect(rig.order(BOB, { ...buy, clientOrderId: 'a' })).not.toBe(first);
  });

  it('of a refused order is free', () => {
    const rig = tradingRig();
    const request = { ...buy, clientOrderId: 'a' };
    expect(describe(rig.place(ALICE, { ...request, amount: 1e9 }))).toBe('TR0400');
    rig.order(ALICE, request);
  });

  it('is forgotten when enough others have come, unless its order is open', () => {
    const rig = tradingRig({ clientOrderIdWindow: 3 });
    const open = rig.order(ALICE, { ...buy, clientOrderId: 'open' });
    const ended = rig.order(ALICE, { ...buy, clientOrderId: 'ended' });
    rig.cancel(ALICE, ended);
    for (let n = 0; n < 20; n++) {
      const orderId = rig.order(ALICE, { ...buy, market: ETH_USDT, clientOrderId: `c${n}` });
      rig.cancel(ALICE, orderId);
      const repeated = rig.order(ALICE, { ...buy, clientOrderId: `c${Math.max(0, n - 1)}` });
      expect(repeated).toBe(n === 0 ? orderId : orderId - 1);
    }
    expect(rig.order(ALICE, { ...buy, clientOrderId: 'open' })).toBe(open);
    expect(rig.order(ALICE, { ...buy, clientOrderId: 'ended' })).not.toBe(ended);
    rig.check();
  });
});

it('a venue begins with its house and nothing else', () => {
  const rig = new Rig({ now: START });
  expect(rig.events).toMatchObject([
    { event: { type: 'AccountOpened', account: 0 } },
    { event: { type: 'Resumed' } },
  ]);
  expect(hashState(takeSnapshot(rig.replay(new ClearingState())))).toBe(rig.hash());
});
