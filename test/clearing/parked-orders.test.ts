import { describe, expect, it } from 'vitest';
import { type ParkedOrder, ParkedOrders } from '../../core/market/parked-orders.ts';
import { Buy, Sell } from '../../core/order-book/index.ts';
import { randomSource, seed } from '../support/seed.ts';

const order = (slot: number, side: number, limit: number): ParkedOrder => ({
  slot,
  orderId: slot + 1,
  side,
  limit,
  owner: 1,
  selfTradePrevention: 0,
  remaining: 1,
});

describe('orders that wait', () => {
  it('are not asked where nothing is for them, and only until nothing is left', () => {
    const parked = new ParkedOrders();
    for (let slot = 0; slot < 1000; slot++) parked.add(order(slot, Buy, 100));
    for (let slot = 1000; slot < 2000; slot++) parked.add(order(slot, Sell, 0));
    let asked = 0;
    let left = 2;
    const take = (): boolean => {
      asked++;
      left--;
      return false;
    };
    parked.retry(Buy, () => 101, take);
    parked.retry(Buy, () => 0, take);
    parked.retry(Sell, () => 0, take);
    expect(asked).toBe(0);
    parked.retry(Buy, () => (left > 0 ? 100 : 0), take);
    expect(asked).toBe(2);
    expect([parked.remove(0), parked.remove(1), parked.remove(2)]).toEqual([0, 0, 1]);
  });

  it(`try in the order in which they came, those that reach the price, SEED=${seed}`, () => {
    const random = randomSource(seed);
    const below = (bound: number) => Math.floor(random() * bound);
    const parked = new ParkedOrders();
    let waiting: ParkedOrder[] = [];
    for (let slot = 0; slot < 4000; slot++) {
      const side = below(2) === 0 ? Buy : Sell;
      const added = order(slot, side, side === Buy ? 90 + below(20) : 0);
      parked.add(added);
      waiting.push(added);
      if (below(3) === 0) {
        const gone = waiting[below(waiting.length)] as ParkedOrder;
        expect(parked.remove(gone.slot)).toBe(1);
        waiting = waiting.filter((candidate) => candidate !== gone);
      }
      if (below(4) > 0) continue;
      const [price, retried] = [85 + below(30), below(2) === 0 ? Buy : Sell];
      let rests = 1 + below(4);
      const expected = waiting
        .filter(({ side, limit }) => side === retried && (side === Sell || limit >= price))
        .slice(0, rests);
      const done: ParkedOrder[] = [];
      parked.retry(
        retried,
        () => (rests > 0 ? price : 0),
        (one) => {
          rests--;
          done.push(one);
          return false;
        },
      );
      expect(done.map((one) => one.slot)).toEqual(expected.map((one) => one.slot));
      waiting = waiting.filter((one) => !done.includes(one));
    }
  });
});
