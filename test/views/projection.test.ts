import { describe, expect, test } from 'vitest';
import { ORDER_STATUSES } from '../../core/messages/enums.ts';
import type { OrderView } from '../../core/messages/order-view.ts';
import { Projection } from '../../persistence/views/projection.ts';
import type {
  CandleView,
  ExecutionPage,
  OrderRecord,
  TransferView,
} from '../../persistence/views/queries/forms.ts';
import type { ViewsReader } from '../../persistence/views/queries/reader.ts';
import { openViewsForWriting } from '../../persistence/views/store.ts';
import { TIMEFRAMES } from '../../persistence/views/timeframes.ts';
import { temporaryDirectory } from '../persistence/support/directory.ts';
import { Random, seedOf } from '../persistence/support/random.ts';
import { EventStream } from './support/event-stream.ts';
import { MemorySource } from './support/memory-source.ts';
import { NaiveViews } from './support/naive.ts';
import { ask, withReader } from './support/projecting.ts';

const MINUTE = 60_000;
const ACCOUNT_IDS = ['account-0', 'account-1', 'account-2'];
const PERIODS: Readonly<Record<string, number>> = {
  '1m': 1,
  '5m': 5,
  '15m': 15,
  '30m': 30,
  '1h': 60,
  '4h': 240,
  '12h': 720,
  '1d': 1_440,
};

/** The start of a period, found by calendar arithmetic alone. */
function startOf(timeframe: string, time: number): number {
  const date = new Date(time);
  const day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  if (timeframe === '1M') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  if (timeframe === '1w') return day - ((date.getUTCDay() + 6) % 7) * 1_440 * MINUTE;
  const length = (PERIODS[timeframe] ?? 0) * MINUTE;
  return day + Math.floor((time - day) / length) * length;
}

/** A history in batches of random size, and what the views must say of it. */
function makeHistory(random: Random, steps: number): { source: MemorySource; naive: NaiveViews } {
  const source = new MemorySource();
  const stream = new EventStream(random);
  stream.openVenue();
  for (let step = 0; step < steps; step++) {
    stream.step();
    if (random.chance(0.2)) source.take(stream.writer);
  }
  source.take(stream.writer);
  const naive = new NaiveViews();
  for (const event of stream.events) naive.apply(event);
  return { source, naive };
}

/** Projects with commits, lost work and restarts at random places. */
function projectWithInterruptions(dataDir: string, source: MemorySource, random: Random): void {
  let { database } = openViewsForWriting(dataDir, source);
  let projection = new Projection(database);
  while (projection.sequence < source.lastSequence()) {
    for (const batch of source.batches(projection.sequence + 1)) {
      projection.fold(batch);
      if (random.chance(0.3)) break;
    }
    if (!random.chance(0.2)) projection.commit(source.endOfBatchAt(projection.sequence).hash);
    else {
      // What was folded and not committed is lost, as in a crash.
      database.close();
      const reopened = openViewsForWriting(dataDir, source);
      expect(reopened.rebuilt).toBeNull();
      database = reopened.database;
      projection = new Projection(database);
    }
  }
  projection.commit(source.endOfBatchAt(projection.sequence).hash);
  database.close();
}

function expectOrders(reader: ViewsReader, naive: NaiveViews, account: number): void {
  const ids = naive.orderIdsOf(account);
  const all = { createdAtFrom: null, createdAtTo: null, limit: 1_000, lastOrderId: null };
  const list = { kind: 'orders', account, ...all } as const;
  expect(ask<OrderView[]>(reader, { ...list, statuses: null })).toEqual(
    ids.map((id) => naive.orderView(id)),
  );
  for (const status of ORDER_STATUSES) {
    const expected = ids
      .map((id) => naive.orderView(id))
      .filter((view) => view['status'] === status);
    expect(ask<OrderView[]>(reader, { ...list, statuses: [status] })).toEqual(expected);
  }
  for (const orderId of ids) {
    expect(ask<OrderView>(reader, { kind: 'order', account, orderId })).toEqual(
      naive.orderView(orderId),
    );
    expect(ask<OrderRecord>(reader, { kind: 'orderRecord', account, orderId })).toMatchObject(
      naive.admitted(orderId),
    );
    const page = ask<ExecutionPage>(reader, {
      kind: 'executions',
      account,
      orders: [{ orderId, positionId: null }],
      limit: 1_000,
      lastExecutionId: null,
    });
    const expected = naive.executionViews(orderId);
    expect(page.executions).toMatchObject(expected);
    expect(page.executions).toHaveLength(expected.length);
  }
}

function expectCandles(reader: ViewsReader, naive: NaiveViews, market: number): void {
  for (const timeframe of TIMEFRAMES) {
    const found = ask<CandleView[]>(reader, {
      kind: 'candles',
      market,
      timeframe,
      from: null,
      to: null,
      count: 45_000,
    });
    const expected = naive.candles(market, (time) => startOf(timeframe, time));
    expect(found).toMatchObject(expected);
    expect(found).toHaveLength(expected.length);
  }
}

function expectSame(dataDir: string, naive: NaiveViews): void {
  withReader(dataDir, (reader) => {
    for (const index of [0, 1, 2]) {
      expectOrders(reader, naive, index);
      expectCandles(reader, naive, index);
      const transfers = { kind: 'transfers', account: index, limit: 1_000 } as const;
      expect(ask<TransferView[]>(reader, { ...transfers, lastTransferId: null })).toEqual(
        naive.transferViews(index),
      );
    }
    const callbacks = { kind: 'callbacks', after: 0, limit: 1_000 } as const;
    expect(ask<unknown[]>(reader, callbacks)).toEqual(naive.callbackViews(ACCOUNT_IDS));
  });
}

describe('the projection of a random history', () => {
  const seed = seedOf('views projection');

  test.each(Array.from({ length: 12 }, (_, n) => seed + n))(
    'answers as a naive computation does, wherever it was interrupted (seed %i)',
    (each) => {
      const random = new Random(each);
      const { source, naive } = makeHistory(random, 300);
      const dataDir = temporaryDirectory();
      projectWithInterruptions(dataDir, source, random);
      expectSame(dataDir, naive);
    },
  );

  test('has cases of every kind in it', () => {
    const { naive } = makeHistory(new Random(7), 3_000);
    const orders = [...naive.orders.values()];
    const statuses = new Set(orders.map(({ status }) => status));
    const notional = (executions: readonly { price: number; quantity: number }[]): number =>
      executions.reduce((sum, { price, quantity }) => sum + price * quantity, 0);

    expect([...statuses].sort()).toEqual([
      'Cancelled',
      'Completed',
      'Expired',
      'Pending',
      'Rejected',
      'Working',
    ]);
    expect(new Set(orders.map(({ market }) => market.priceScale)).size).toBeGreaterThan(4);
    expect(orders.filter(({ executions }) => executions.length > 1).length).toBeGreaterThan(50);
    expect(
      orders.filter(({ executions }) => notional(executions) > 2 ** 53).length,
    ).toBeGreaterThan(5);
    expect(naive.transfers.size).toBeGreaterThan(20);
  });
});
