import { describe, expect, it } from 'vitest';
import { Expiries } from '../../core/clearing/expiries.ts';
import { Dice } from '../simulation/dice.ts';
import { seed } from '../support/seed.ts';

/** What a heap of so many should never need more entries than. */
const ENTRIES_MAX = 100_000;

function entriesIn(expiries: Expiries): number {
  return (Reflect.get(expiries, 'heap') as unknown[]).length;
}

describe(`the expiries of orders, SEED=${seed}`, () => {
  it('come in the order of their times, as a sorted list would give them, snapshots or not', () => {
    const dice = new Dice(seed);
    const open = new Map<number, number>();
    let expiries = new Expiries((orderId) => open.has(orderId));
    const taken = new Set<number>();
    for (let id = 1, now = 0; id <= 60_000; id++) {
      const time = now + dice.below(5_000);
      open.set(id, time);
      expiries.add(time, id);
      if (dice.oneIn(3)) open.delete(dice.between(Math.max(1, id - 3_000), id));
      if (!dice.oneIn(40)) continue;
      now += dice.below(150);
      for (let due = expiries.takeDue(now); due !== 0; due = expiries.takeDue(now)) {
        const time = open.get(due);
        expect(time).toBeLessThanOrEqual(now);
        taken.add(due);
        // Now and then the book takes its time.
        if (!dice.oneIn(10)) open.delete(due);
      }
      const overdue = [...open].filter(([orderId, time]) => time <= now && !taken.has(orderId));
      expect(overdue).toEqual([]);
      if (!dice.oneIn(30)) continue;
      const saved = expiries.save();
      const expected = [...open].sort(([a, x], [b, y]) => x - y || a - b);
      expect([...saved.orderIds]).toEqual(expected.map(([orderId]) => orderId));
      expect([...saved.times]).toEqual(expected.map(([, time]) => time));
      if (dice.oneIn(2)) continue;
      expiries = new Expiries((orderId) => open.has(orderId));
      expiries.load(saved);
      taken.clear();
    }
  });

  it('of orders that are long gone take no room, though their time is far away', () => {
    const open = new Set<number>();
    const expiries = new Expiries((orderId) => open.has(orderId));
    for (let id = 1; id <= 1_000_000; id++) {
      open.add(id);
      expiries.add(1e15 + id, id);
      open.delete(id - 100);
    }
    expect(entriesIn(expiries)).toBeLessThan(ENTRIES_MAX);
    expect(expiries.save().orderIds).toHaveLength(100);
  });
});
