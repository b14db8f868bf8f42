import { expect, it } from 'vitest';
import { AccountOrders } from '../../core/clearing/account-orders.ts';
import { randomSource, seed } from '../support/seed.ts';

it(`every account has the slots of its own orders, whatever opens and ends, SEED=${seed}`, () => {
  const random = randomSource(seed);
  const below = (bound: number) => Math.floor(random() * bound);
  const orders = new AccountOrders();
  /** Which account each slot is of. */
  const open = new Map<number, number>();
  const free: number[] = [];
  const ACCOUNTS = [0, 1, 63, 64, 5000];
  for (let step = 0; step < 20_000; step++) {
    if (open.size === 0 || below(100) < 52) {
      const account = ACCOUNTS[below(ACCOUNTS.length)] as number;
      const slot = free.pop() ?? open.size;
      orders.add(account, slot);
      open.set(slot, account);
    } else {
      const [slot, account] = [...open][below(open.size)] as [number, number];
      orders.remove(account, slot);
      open.delete(slot);
      free.push(slot);
    }
    if (step % 50 !== 0) continue;
    for (const account of [...ACCOUNTS, 7, 1_000_000]) {
      const own = [...open].filter(([, owner]) => owner === account).map(([slot]) => slot);
      expect(new Set(orders.slotsOf(account))).toEqual(new Set(own));
      expect(orders.slotsOf(account)).toHaveLength(own.length);
    }
  }
});
