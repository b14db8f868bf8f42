import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ascending, descending, PriceHeap } from '../../../core/clearing/margin/triggers-heap.ts';
import { seed } from '../../support/seed.ts';

fc.configureGlobal({ seed });

const operations = fc.array(
  fc.record({ id: fc.integer({ min: 1, max: 12 }), price: fc.integer({ min: 0, max: 20 }) }),
  { maxLength: 200 },
);

it.each([
  ['lowest', ascending],
  ['highest', descending],
] as const)(
  'the %s price is always on top, the oldest id first, whatever was set, moved and removed',
  (_, order) => {
    fc.assert(
      fc.property(operations, (steps) => {
        const prices = new Map<number, number>();
        const heap = new PriceHeap(order, (id, price) => prices.get(id) === price);
        for (const { id, price } of steps) {
          if (price === 0) prices.delete(id);
          else prices.set(id, price);
          if (price !== 0) heap.add(id, price);
          const expected = [...prices].sort(([a, p], [b, q]) =>
            p === q ? a - b : order(p, q) ? -1 : 1,
          )[0];
          expect(heap.top()).toBe(expected?.[0] ?? 0);
          if (expected !== undefined) expect(heap.topPrice).toBe(expected[1]);
        }
      }),
    );
  },
);

it('entries that do not wait any more do not pile up', () => {
  let current = 0;
  const heap = new PriceHeap(ascending, (_, price) => price === current);
  for (current = 1; current <= 100_000; current++) heap.add(1, current);
  expect(heap.size).toBeLessThan(2_000);
});
