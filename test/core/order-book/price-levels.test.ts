import { describe, expect, it } from 'vitest';
import { Buy, OrderBook, Sell } from '../../../core/order-book/index.ts';
import { PageDirectory } from '../../../core/order-book/page-directory.ts';
import { PriceLevels } from '../../../core/order-book/price-levels.ts';
import { Dice } from '../../simulation/dice.ts';
import { seed } from '../../support/seed.ts';

const idle = { fill: () => undefined, selfTradeCancelled: () => undefined };

describe('price levels', () => {
  it('take no more memory however far the price wanders', () => {
    const levels = new PriceLevels();
    const before = levels.words.length;
    for (let price = 100; price < 2 ** 52; price = Math.ceil(price * 1.01)) {
      for (const [side, key] of [-price, price + 1].entries()) {
        const level = levels.levelFor(key, side);
        levels.words[level] = 1;
        levels.words[level + 1] = 1;
        levels.open(level, key, side);
      }
      levels.validate();
      for (const [side, key] of [-price, price + 1].entries()) {
        const level = levels.levelFor(key, side);
        levels.words.fill(0, level, level + 2);
        levels.close(level, key, side);
      }
    }
    levels.validate();
    expect(levels.count).toBe(0);
    expect(levels.words.length).toBe(before);
  });

  it('grow with the pages that are in use at once', () => {
    const book = new OrderBook(idle);
    const spread = 3_000;
    for (let i = 0; i < spread; i++) {
      book.rest(2 * i, Buy, 1 + i * 1_000_003, 1, 0);
      book.rest(2 * i + 1, Sell, 2 ** 40 + i * 1_000_003, 1, 0);
    }
    expect(book.levelCount).toBe(2 * spread);
    book.validate();
    for (let slot = 0; slot < 2 * spread; slot++) book.cancel(slot);
    book.validate();
    expect([book.levelCount, book.bestBid, book.bestAsk]).toEqual([0, 0, 0]);
  });
});

describe('the directory of pages', () => {
  it(`is an ordered set for each side, whatever comes and goes (SEED=${seed})`, () => {
    const dice = new Dice(seed);
    const directory = new PageDirectory();
    const sides = [new Map<number, number>(), new Map<number, number>()] as const;
    for (let step = 0; step < 5_000; step++) {
      const side = dice.below(2);
      const pages = side === 0 ? sides[0] : sides[1];
      const key = (side === 0 ? -1 : 1) * (1 + dice.below(300)) * dice.pick([1, 2 ** 32]);
      const page = pages.get(key);
      expect(directory.find(key, side)).toBe(page ?? 0);
      if (page === undefined) pages.set(key, directory.findOrInsert(key, side));
      else if (dice.oneIn(2)) {
        directory.remove(page, side);
        pages.delete(key);
      }
      if (step % 50 === 0) expectSame(directory, side, pages);
    }
  });
});

function expectSame(directory: PageDirectory, side: number, pages: Map<number, number>): void {
  directory.validate();
  const listed: number[] = [];
  for (let page = directory.first(side); page !== 0; page = directory.next(page)) {
    listed.push(directory.keyOf(page));
  }
  expect(listed).toEqual([...pages.keys()].sort((a, b) => a - b));
}
