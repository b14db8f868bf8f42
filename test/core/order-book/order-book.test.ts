import { beforeEach, describe, expect, it } from 'vitest';
import {
  ANY_BUY_LIMIT,
  ANY_SELL_LIMIT,
  Buy,
  OrderBook,
  SelfTrade,
  Sell,
} from '../../../core/order-book/index.ts';

const { None, ExpireTaker, ExpireMaker, ExpireBoth } = SelfTrade;

describe('an order book', () => {
  let events: string[];
  let book: OrderBook;

  beforeEach(() => {
    events = [];
    book = new OrderBook({
      fill: (slot, price, quantity, left) => {
        events.push(`${quantity} of ${slot} at ${price}, ${left} left`);
      },
      selfTradeCancelled: (slot) => {
        events.push(`${slot} off`);
      },
    });
  });

  it('serves the better price first, then who came first, at the maker’s price', () => {
    book.rest(0, Sell, 102, 5, 1);
    book.rest(1, Sell, 101, 5, 1);
    book.rest(2, Sell, 101, 5, 1);
    expect(book.take(Buy, 102, 12, 2, None)).toBe(0);
    expect(events).toEqual([
      '5 of 1 at 101, 0 left',
      '5 of 2 at 101, 0 left',
      '2 of 0 at 102, 3 left',
    ]);
    expect(book.bestAsk).toBe(102);
  });

  it('takes no price beyond the limit and rests what is left', () => {
    book.rest(0, Buy, 100, 5, 1);
    book.rest(1, Buy, 99, 5, 1);
    expect(book.place(2, Sell, 100, 8, 2, None)).toBe(3);
    expect([book.bestBid, book.bestAsk, book.remaining(2)]).toEqual([99, 100, 3]);
  });

  it('takes any price without a limit, and nothing from an empty side', () => {
    expect(book.take(Buy, ANY_BUY_LIMIT, 5, 1, None)).toBe(5);
    expect(book.take(Sell, ANY_SELL_LIMIT, 5, 1, None)).toBe(5);
    book.rest(0, Sell, ANY_BUY_LIMIT, 1, 1);
    book.rest(1, Buy, 1, 1, 1);
    expect(book.take(Buy, ANY_BUY_LIMIT, 5, 1, None)).toBe(4);
    expect(book.take(Sell, ANY_SELL_LIMIT, 5, 1, None)).toBe(4);
    expect([book.restingCount, book.bestBid, book.bestAsk]).toEqual([0, 0, 0]);
  });

  it('keeps the place of an order that is reduced, and not of one that is replaced', () => {
    book.rest(0, Buy, 100, 5, 1);
    book.rest(1, Buy, 100, 5, 1);
    book.reduce(0, 2);
    book.take(Sell, 100, 1, 2, None);
    expect(events).toEqual(['1 of 0 at 100, 1 left']);
    expect(book.replace(0, 100, 1, None)).toBe(1);
    book.take(Sell, 100, 1, 2, None);
    expect(events.at(-1)).toBe('1 of 1 at 100, 4 left');
  });

  it('lets a replaced order match at its new price', () => {
    book.rest(0, Sell, 101, 5, 1);
    book.rest(1, Buy, 100, 2, 2);
    expect(book.replace(1, 101, 7, None)).toBe(2);
    expect([book.bestBid, book.bestAsk]).toEqual([101, 0]);
  });

  it.each([
    [None, ['5 of 0 at 100, 0 left', '3 of 1 at 100, 2 left'], false, 0],
    [ExpireTaker, [], true, 8],
    [ExpireMaker, ['0 off', '5 of 1 at 100, 0 left'], false, 3],
    [ExpireBoth, ['0 off'], true, 8],
  ])('prevents self-trades by mode %i', (mode, expected, stopped, left) => {
    book.rest(0, Sell, 100, 5, 7);
    book.rest(1, Sell, 100, 5, 8);
    const fillable = book.fillable(Buy, 100, 8, 7, mode);
    expect(book.take(Buy, 100, 8, 7, mode)).toBe(left);
    expect(events).toEqual(expected);
    expect(book.stoppedBySelfTrade).toBe(stopped);
    expect(fillable).toBe(8 - left);
  });

  it('does not rest an order that a self-trade stopped, and forgets the stop with the next one', () => {
    book.rest(0, Sell, 100, 5, 7);
    expect(book.place(1, Buy, 101, 3, 7, ExpireTaker)).toBe(3);
    expect([book.isResting(1), book.stoppedBySelfTrade]).toEqual([false, true]);
    expect(book.place(1, Buy, 99, 3, 7, ExpireTaker)).toBe(3);
    expect([book.isResting(1), book.stoppedBySelfTrade]).toEqual([true, false]);
  });

  it('knows no owner 0 that trades with itself', () => {
    book.rest(0, Sell, 100, 5, 0);
    expect(book.take(Buy, 100, 5, 0, ExpireBoth)).toBe(0);
  });

  it('tells owners apart up to 2^32 - 1', () => {
    book.rest(0, Sell, 100, 5, 2 ** 32 - 1);
    expect(book.fillable(Buy, 100, 5, 2 ** 32 - 1, ExpireTaker)).toBe(0);
    expect(book.take(Buy, 100, 1, 2 ** 31 - 1, ExpireTaker)).toBe(0);
    const owners: number[] = [];
    book.forEachResting((_slot, _side, _price, _quantity, owner) => owners.push(owner));
    expect(owners).toEqual([2 ** 32 - 1]);
  });

  it('refuses what would break it', () => {
    book.rest(0, Sell, 100, 5, 1);
    expect(() => book.rest(1, Buy, 100, 5, 1)).toThrow('cross');
    expect(() => book.rest(0, Sell, 101, 5, 1)).toThrow('slot 0');
    expect(() => book.rest(1, Sell, 0, 5, 1)).toThrow('slot 1');
    expect(() => book.rest(1, Sell, 101, 0, 1)).toThrow('slot 1');
    expect(() => book.rest(-1, Sell, 101, 1, 1)).toThrow('slot -1');
    expect(() => book.rest(2 ** 31, Sell, 101, 1, 1)).toThrow('out of range');
    expect(() => book.reduce(0, 6)).toThrow('slot 0');
    expect(() => book.reduce(0, 0)).toThrow('slot 0');
    expect(() => book.reduce(3, 1)).toThrow('slot 3');
    expect(() => book.replace(3, 100, 1, None)).toThrow('slot 3');
    expect(book.cancel(3)).toBe(0);
    expect(book.cancel(1_000_000)).toBe(0);
    expect([book.restingCount, book.levelCount]).toEqual([1, 1]);
    book.validate();
  });

  it('shows as many levels as asked for and as fit, with sums that stop at 2^53 - 1', () => {
    const into = {
      count: 0,
      prices: new Float64Array(2),
      quantities: new Float64Array(2),
      orders: new Int32Array(2),
    };
    for (const [slot, price] of [98, 99, 100, 100].entries()) {
      book.rest(slot, Buy, price, Number.MAX_SAFE_INTEGER - slot, 1);
    }
    book.depth(Buy, 9, into);
    expect([into.count, ...into.prices]).toEqual([2, 100, 99]);
    expect([...into.quantities]).toEqual([Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1]);
    expect([...into.orders]).toEqual([2, 1]);
    book.depth(Buy, 1, into);
    expect(into.count).toBe(1);
    book.depth(Sell, 9, into);
    expect(into.count).toBe(0);
  });

  it('notices a broken link when it is validated', () => {
    const broken = Object.assign(book, { restingCount: 1 });
    expect(() => broken.validate()).toThrow('invariant');
  });
});
