import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  planChanges,
  quoteLadder,
  type RestingQuote,
  type Slot,
} from '../../gateway/demo/quote-ladder.ts';
import { propertyOptions } from './support.ts';

function crosses(resting: ReadonlyMap<Slot, RestingQuote>): boolean {
  const prices = (side: string) =>
    [...resting].filter(([slot]) => slot.startsWith(side)).map(([, { price }]) => price);
  return prices('Buy').some((bid) => prices('Sell').some((ask) => bid >= ask));
}

describe('a quote ladder', () => {
  const mids = fc.bigInt({ min: 1n, max: 10n ** 13n });

  test('stands around the middle, each level worse than the one before', () => {
    fc.assert(
      fc.property(mids, (mid) => {
        const ladder = quoteLadder(mid);
        for (const side of ['Buy', 'Sell'] as const) {
          let last = mid;
          for (const { price } of ladder.filter((quote) => quote.side === side)) {
            expect(side === 'Buy' ? price < last : price > last).toBe(true);
            last = price;
          }
        }
      }),
      propertyOptions,
    );
  });

  test('has no price below one tick', () => {
    const ladder = quoteLadder(3n);
    expect(ladder.map(({ slot, price }) => [slot, price])).toEqual([
      ['Buy0', 2n],
      ['Sell0', 4n],
      ['Buy1', 1n],
      ['Sell1', 5n],
      ['Sell2', 6n],
      ['Sell3', 7n],
      ['Sell4', 8n],
    ]);
  });

  test('puts the best quotes 4 hundredths of a percent from the middle', () => {
    const best = quoteLadder(6_000_000n).filter(({ slot }) => slot.endsWith('0'));
    expect(best.map(({ price }) => price)).toEqual([5_997_600n, 6_002_400n]);
  });
});

describe('a plan of changes', () => {
  test('places everything in an empty book and nothing in one that is right', () => {
    const ladder = quoteLadder(300_000n);
    const placed = planChanges(ladder, new Map());
    expect(placed.map(({ type }) => type)).toEqual(ladder.map(() => 'place'));
    const resting = new Map(
      ladder.map(({ slot, price }) => [slot, { orderId: slot, price }] as const),
    );
    expect(planChanges(ladder, resting)).toEqual([]);
  });

  test('leaves quotes alone that are near enough', () => {
    const resting = new Map(
      quoteLadder(1_000_000n).map(({ slot, price }) => [slot, { orderId: slot, price }] as const),
    );
    expect(planChanges(quoteLadder(1_000_200n), resting)).toEqual([]);
    expect(planChanges(quoteLadder(1_001_000n), resting)).toHaveLength(resting.size);
  });

  test('never shows a book that crosses itself, whichever way and however far the middle moves', () => {
    const moves = fc.array(fc.integer({ min: -100_000, max: 100_000 }), { maxLength: 20 });
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 10n }), moves, (start, steps) => {
        const resting = new Map<Slot, RestingQuote>();
        let mid = start;
        for (const ppm of [0, ...steps]) {
          mid += (mid * BigInt(ppm)) / 1_000_000n;
          const ladder = quoteLadder(mid);
          for (const { quote } of planChanges(ladder, resting)) {
            resting.set(quote.slot, { orderId: quote.slot, price: quote.price });
            // A level that fell below one tick and is not quoted any more may stay where it was.
            if (ladder.length === 10) expect(crosses(resting)).toBe(false);
          }
        }
      }),
      propertyOptions,
    );
  });
});
