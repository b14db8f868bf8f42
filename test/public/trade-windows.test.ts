import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OrderStatus, Side } from '../../core/messages/enums.ts';
import type { TradeView, TradeWindowView } from '../../persistence/views/queries/forms.ts';
import { ViewsReader } from '../../persistence/views/queries/reader.ts';
import { TRADES_BY_PRICE } from '../../persistence/views/queries/trade-windows.ts';
import { TRADES } from '../../persistence/views/queries/trades.ts';
import { viewsPath } from '../../persistence/views/schema.ts';
import { temporaryDirectory } from '../persistence/support/directory.ts';
import { Random, seedOf } from '../persistence/support/random.ts';
import { EventStream } from '../views/support/event-stream.ts';
import { MemorySource } from '../views/support/memory-source.ts';
import { decimal, NaiveViews } from '../views/support/naive.ts';
import { ask, projectAll, withReader } from '../views/support/projecting.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MARKETS = 3;

/** The same figures from all trades since `from`, one by one; a price has 8 places, a product 16. */
function naiveWindow(naive: NaiveViews, market: number, from: number) {
  const trades = naive.trades.filter((trade) => trade.market === market && trade.time >= from);
  if (trades.length === 0) return null;
  const prices = trades.map(({ price }) => price);
  const sorted = prices.toSorted((a, b) => Number(a - b));
  const of = (units: bigint, scale: number): string => decimal(units, 10n ** BigInt(scale), scale);
  const sum = (numbers: bigint[]): bigint => numbers.reduce((total, each) => total + each, 0n);
  return {
    open: of(prices[0] ?? 0n, 8),
    last: of(prices.at(-1) ?? 0n, 8),
    high: of(sorted.at(-1) ?? 0n, 8),
    low: of(sorted[0] ?? 0n, 8),
    baseVolume: of(sum(trades.map(({ amount }) => amount)), 8),
    quoteVolume: of(sum(trades.map(({ amount, price }) => amount * price)), 16),
  };
}

function windows(reader: ViewsReader, from: number): (TradeWindowView | null)[] {
  const markets = Array.from({ length: MARKETS }, (_, market) => market);
  return ask(reader, { kind: 'tradeWindows', markets, from });
}

describe('what was traded since a moment', () => {
  const seed = seedOf('trade windows');

  test.each(Array.from({ length: 6 }, (_, run) => seed + run))(
    'is what its trades add up to, wherever it begins (seed %i)',
    (runSeed) => {
      const random = new Random(runSeed);
      const source = new MemorySource();
      const stream = new EventStream(random);
      stream.openVenue();
      for (let step = 0; step < 400; step++) stream.step();
      source.take(stream.writer);
      const naive = new NaiveViews();
      for (const event of stream.events) naive.apply(event);
      const dataDir = temporaryDirectory();
      projectAll(dataDir, source);
      const times = naive.trades.map(({ time }) => time);
      // The random clock now and then steps back, and then first and last are a matter of definition.
      const steady = (from: number, market: number): boolean => {
        const own = naive.trades.filter((trade) => trade.market === market && trade.time >= from);
        return own.every(({ time }, at) => time >= (own[at - 1]?.time ?? 0));
      };
      let compared = 0;
      withReader(dataDir, (reader) => {
        for (let probe = 0; probe < 60; probe++) {
          const time = random.pick(times);
          const starts = [time, time + 1, Math.floor(time / MINUTE) * MINUTE];
          const from = random.pick([...starts, Math.floor(time / HOUR) * HOUR]);
          for (const [market, found] of windows(reader, from).entries()) {
            const expected = naiveWindow(naive, market, from);
            if (expected === null || found === null || steady(from, market)) {
              expect(found).toEqual(expected);
            } else {
              const { open, last, ...rest } = expected;
              expect([open, last]).not.toContain('');
              expect(found).toMatchObject(rest);
            }
            if (expected !== null) compared++;
          }
        }
      });
      expect(compared).toBeGreaterThan(0);
    },
  );
});

describe('trades at the edge of a window', () => {
  const dataDir = temporaryDirectory();
  const start = Date.UTC(2026, 2, 1, 10, 20, 30, 400);
  let reader: ViewsReader;

  beforeAll(() => {
    const source = new MemorySource();
    const stream = new EventStream(new Random(1), start);
    stream.openVenue();
    const order = { market: 0, type: 1, timeInForce: 0, price: 100, quantity: 1_000_000 };
    const buyer = stream.accept({ ...order, account: 1, side: Side.Buy });
    const seller = stream.accept({ ...order, account: 2, side: Side.Sell });
    // At the start, a millisecond on, in the same minute, the same hour, and a day later to the millisecond.
    const ages = [0, 1, 1, 20_000, 30 * MINUTE, 5 * HOUR, DAY - 1, DAY];
    for (const [n, age] of ages.entries()) {
      stream.time = start + age;
      const [taker, maker] = n % 2 === 0 ? [buyer, seller] : [seller, buyer];
      stream.trade(taker, maker, 1000 + n, 10 + n);
    }
    stream.close(buyer, OrderStatus.Cancelled);
    source.take(stream.writer);
    projectAll(dataDir, source);
    reader = new ViewsReader(dataDir);
  });
  afterAll(() => reader.close());

  const list = (from: number, limit: number | null = null, lastTradeId: number | null = null) =>
    ask<TradeView[]>(reader, { kind: 'trades', market: 0, from, limit, lastTradeId });

  test('count up to the millisecond', () => {
    const volumes = [start, start + 1, start + 2, start + DAY, start + DAY + 1].map(
      (from) => windows(reader, from)[0]?.baseVolume ?? null,
    );
    expect(volumes).toEqual(['0.000108', '0.000098', '0.000075', '0.000017', null]);
    expect(windows(reader, start + 1)[0]).toMatchObject({ open: '10.01', last: '10.07' });
  });

  test('are listed newest first, each once, whatever the page', () => {
    const whole = list(start + 1);
    expect(whole.map(({ tradeID }) => tradeID)).toEqual([15, 13, 11, 9, 7, 5, 3]);
    expect(whole.at(-1)).toEqual({
      tradeID: 3,
      price: '10.01',
      base_volume: '0.000011',
      quote_volume: '0.00011011',
      trade_timestamp: Math.floor(start / 1000),
      type: 'sell',
    });
    expect(list(start)).toHaveLength(8);
    for (const limit of [1, 2, 3, 6]) {
      const paged: TradeView[] = [];
      for (let last: number | null = null; ; last = paged.at(-1)?.tradeID ?? null) {
        const page = list(start + 1, limit, last);
        if (page.length === 0) break;
        paged.push(...page);
      }
      expect(paged).toEqual(whole);
    }
    expect(list(start, null, 999)).toEqual([]);
  });

  test.each(Object.entries({ ...TRADES, ...TRADES_BY_PRICE }))(
    'are found through the index of times alone: %s',
    (_, query) => {
      const database = new Database(viewsPath(dataDir), { readonly: true });
      const parameters = query.split('?').length - 1;
      const plan = database
        .prepare(`EXPLAIN QUERY PLAN ${query}`)
        .all(...Array(parameters).fill(1)) as { detail: string }[];
      database.close();
      expect(plan[0]?.detail).toMatch(/SEARCH trades USING INDEX trades_by_time \(market=\? AND/);
      expect(plan[1]?.detail).toMatch(/SEARCH orders USING INTEGER PRIMARY KEY/);
      expect(plan.map(({ detail }) => detail).join()).not.toContain('ORDER BY');
    },
  );
});
