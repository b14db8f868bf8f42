import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashState, restoreState, takeSnapshot } from '../../../core/clearing/index.ts';
import { decodeCold, encodeCold } from '../../../core/messages/codec.ts';
import { seed } from '../../support/seed.ts';
import type { MarginRequest } from '../commands.ts';
import type { Rig } from '../rig.ts';
import {
  HEDGE,
  MAKER,
  marginOf,
  marginRig,
  NET,
  NET_TOO,
  PERP,
  place,
  positionsOf,
} from './margin-rig.ts';

const account = fc.constantFrom(NET, NET_TOO, HEDGE, MAKER);
const order = fc.record({
  kind: fc.constant('order' as const),
  account,
  market: fc.constant(PERP),
  side: fc.constantFrom('Buy' as const, 'Sell' as const),
  price: fc.integer({ min: 5_995, max: 6_005 }).map((price) => price * 1_000),
  amount: fc.integer({ min: 1, max: 400 }),
  leverage: fc.constantFrom(0, 1, 10, 50),
  timeInForce: fc.constantFrom('Gtc' as const, 'Ioc' as const),
});
const close = fc.record({
  kind: fc.constant('close' as const),
  account,
  pick: fc.nat(10),
  amount: fc.integer({ min: 0, max: 200 }),
});
const cancel = fc.record({ kind: fc.constant('cancel' as const), account, back: fc.nat(8) });
const amend = fc.record({
  kind: fc.constant('amend' as const),
  account,
  back: fc.nat(8),
  price: fc.integer({ min: 5_995, max: 6_005 }).map((price) => price * 1_000),
  amount: fc.integer({ min: 1, max: 400 }),
});
const step = fc.oneof(
  { weight: 6, arbitrary: order },
  { weight: 2, arbitrary: close },
  { weight: 1, arbitrary: cancel },
  { weight: 1, arbitrary: amend },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function perform(rig: Rig, each: Step): void {
  const orderId = 'back' in each ? rig.state.nextOrderId - 1 - each.back : 0;
  switch (each.kind) {
    case 'order': {
      const { kind: _, ...request } = each;
      place(rig, request);
      return;
    }
    case 'close': {
      const open = positionsOf(rig, each.account);
      const position = open[each.pick % Math.max(1, open.length)];
      if (position === undefined) return;
      const request: MarginRequest = {
        market: PERP,
        side: position.side === 0 ? 'Sell' : 'Buy',
        amount: each.amount,
        positionId: position.positionId,
      };
      place(rig, { account: each.account, ...request });
      return;
    }
    case 'cancel':
      rig.cancel(each.account, orderId);
      return;
    case 'amend':
      rig.amend(each.account, orderId, { price: each.price, amount: each.amount });
  }
}

describe('random trading on margin', () => {
  it('makes and loses nothing, and every exposure is what it should be', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const rig = marginRig({}, { feeRate: 50_000, feeMinimum: 1_000n });
        for (const each of steps) {
          perform(rig, each);
          rig.check();
        }
      }),
      { seed, numRuns: 40 },
    );
  });

  it('leaves no account with less margin than it uses while the price stands still', () => {
    const still = step.map((each) => ({ ...each, price: 6_000_000 }));
    fc.assert(
      fc.property(fc.array(still, { maxLength: 80 }), (steps) => {
        const rig = marginRig();
        for (const each of steps) {
          perform(rig, each);
          for (const account of [NET, NET_TOO, HEDGE, MAKER]) {
            expect(marginOf(rig, account).freeMargin).toBeGreaterThanOrEqual(0n);
          }
        }
      }),
      { seed, numRuns: 40 },
    );
  });

  it('is replayed to the same state, from the beginning and from any snapshot', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
        const rig = marginRig({}, { feeRate: 50_000 });
        const snapshots: Uint8Array[] = [];
        for (const each of steps) {
          perform(rig, each);
          if (rig.state.sequence % 7 === 0) snapshots.push(encodeCold(rig.snapshot()));
        }
        const hash = rig.hash();
        expect(hashState(takeSnapshot(rig.replay()))).toBe(hash);
        for (const snapshot of snapshots) {
          const restored = restoreState(decodeCold(snapshot));
          expect(hashState(takeSnapshot(rig.replay(restored)))).toBe(hash);
        }
      }),
      { seed, numRuns: 15 },
    );
  });

  it('goes on after a restart as it would have without', () => {
    const rig = marginRig();
    const resting = { account: MAKER, market: PERP, side: 'Sell', amount: 300 } as const;
    place(rig, { ...resting, price: 6_000_000 });
    place(rig, { account: HEDGE, market: PERP, side: 'Buy', price: 6_000_000, amount: 100 });
    place(rig, {
      account: HEDGE,
      market: PERP,
      side: 'Sell',
      price: 6_100_000,
      amount: 60,
      positionId: 1,
    });
    const again = rig.restarted();
    again.check();
    for (const venue of [rig, again]) {
      place(venue, { account: NET, market: PERP, side: 'Buy', price: 6_100_000, amount: 250 });
      venue.check();
      const [position] = positionsOf(venue, HEDGE);
      expect(position).toMatchObject({ quantity: 50, closing: 10 });
    }
  });
});
