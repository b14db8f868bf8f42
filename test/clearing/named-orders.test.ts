import { expect, describe as group, it } from 'vitest';
import { hashState, takeSnapshot } from '../../core/clearing/index.ts';
import { ALICE, BOB, BTC_USDT, describe, type Rig, tradingRig } from './rig.ts';

const resting = { market: BTC_USDT, side: 'Buy', price: 100, amount: 10 } as const;

function named(rig: Rig, account: number, clientOrderId: string) {
  return rig.run({ kind: 'placeNamed', account, ...resting, clientOrderId });
}

function idOf(rig: Rig, account: number, clientOrderId: string): number {
  const command = { kind: 'placeNamed', account, ...resting, clientOrderId } as const;
  return rig.expect('OrderPlaced', command).orderId;
}

group('an order under a name of its own', () => {
  it('is refused while another of the account that has the name is open', () => {
    const rig = tradingRig();
    const first = idOf(rig, ALICE, 'a');
    expect(describe(named(rig, ALICE, 'a'))).toBe('TR0225');
    expect(describe(named(rig, BOB, 'a'))).toBe('OrderPlaced');
    expect(describe(named(rig, ALICE, 'b'))).toBe('OrderPlaced');
    rig.cancel(ALICE, first);
    const second = idOf(rig, ALICE, 'a');
    expect(second).not.toBe(first);
    expect(describe(named(rig, ALICE, 'a'))).toBe('TR0225');
    const cancelled = rig.expect('OrderState', {
      kind: 'cancel',
      account: ALICE,
      clientOrderId: 'a',
    });
    expect(cancelled.orderId).toBe(second);
    rig.check();
  });

  it('needs no name', () => {
    const rig = tradingRig();
    expect(describe(named(rig, ALICE, ''))).toBe('OrderPlaced');
    expect(describe(named(rig, ALICE, ''))).toBe('OrderPlaced');
  });

  it('keeps its name though an older order of that name is forgotten', () => {
    const rig = tradingRig({ clientOrderIdWindow: 3 });
    rig.cancel(ALICE, idOf(rig, ALICE, 'a'));
    const second = idOf(rig, ALICE, 'a');
    for (const name of ['b', 'c', 'd', 'e', 'f']) idOf(rig, ALICE, name);
    expect(describe(named(rig, ALICE, 'a'))).toBe('TR0225');
    const restarted = rig.restarted();
    expect(describe(named(restarted, ALICE, 'a'))).toBe('TR0225');
    expect(hashState(takeSnapshot(rig.replay()))).toBe(rig.hash());
    rig.cancel(ALICE, second);
    expect(describe(named(rig, ALICE, 'a'))).toBe('OrderPlaced');
  });
});
