import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  OrderStatus,
  type OrderStatusName,
  OrderType,
  Side,
  TimeInForce,
} from '../../core/messages/enums.ts';
import type { OrderView } from '../../core/messages/order-view.ts';
import { EXECUTIONS } from '../../persistence/views/queries/executions.ts';
import type {
  CandleView,
  ExecutionPage,
  OrderRecord,
} from '../../persistence/views/queries/forms.ts';
import { ORDER_KEYS } from '../../persistence/views/queries/orders.ts';
import { ViewsReader } from '../../persistence/views/queries/reader.ts';
import {
  type CandlesRequest,
  type ExecutionsRequest,
  ORDERS_PER_REQUEST,
  type OrderListRequest,
} from '../../persistence/views/queries/requests.ts';
import { viewsPath } from '../../persistence/views/schema.ts';
import { temporaryDirectory } from '../persistence/support/directory.ts';
import { Random } from '../persistence/support/random.ts';
import { EventStream, type OpenOrder } from './support/event-stream.ts';
import { MemorySource } from './support/memory-source.ts';
import { ask, projectAll } from './support/projecting.ts';

const BTC_USDT = 0;
const ETH_BTC = 2;
const NOON = Date.UTC(2026, 4, 1, 12);
const dataDir = temporaryDirectory();
let reader: ViewsReader;

const limitOrder = (account: number, side: number, quantity = 1_000_000): object => ({
  account,
  market: BTC_USDT,
  side,
  type: OrderType.Limit,
  timeInForce: TimeInForce.Gtc,
  price: 2_500_000,
  quantity,
});

/** Account 0: sixty orders, twenty in each of three milliseconds, two of three of them ended. */
function orders(stream: EventStream): void {
  for (let n = 0; n < 60; n++) {
    stream.time = NOON + Math.floor(n / 20);
    const order = stream.accept(limitOrder(0, Side.Buy));
    if (n % 3 === 1) stream.close(order, OrderStatus.Cancelled);
    if (n % 3 === 2) stream.close(order, OrderStatus.Expired);
  }
}

/** Account 1: one buyer that takes from and is taken by six orders of account 2. */
function trades(stream: EventStream): OpenOrder {
  stream.time = NOON + 60_000;
  const buyer = stream.accept({ ...limitOrder(1, Side.Buy), comment: 'mine' });
  for (let n = 0; n < 6; n++) {
    stream.time += 60_000;
    const seller = stream.accept(limitOrder(2, Side.Sell, 100_000));
    const [taker, maker] = n % 2 === 0 ? [buyer, seller] : [seller, buyer];
    stream.trade(taker, maker, 2_500_000 + n, 100_000, [250_000n, 125_000n]);
  }
  return buyer;
}

/** A trade in a market whose commissions are not in the root asset. */
function tradeInBitcoin(stream: EventStream): void {
  stream.time += 60_000;
  const order = { ...limitOrder(1, Side.Buy), market: ETH_BTC };
  const buyer = stream.accept(order);
  const seller = stream.accept({ ...order, account: 2, side: Side.Sell });
  stream.trade(buyer, seller, 5_000_000, 1_000_000, [1_000n, 0n]);
}

let buyer: OpenOrder;

beforeAll(() => {
  const source = new MemorySource();
  const stream = new EventStream(new Random(1));
  stream.openVenue();
  orders(stream);
  buyer = trades(stream);
  tradeInBitcoin(stream);
  source.take(stream.writer);
  projectAll(dataDir, source);
  reader = new ViewsReader(dataDir);
});

afterAll(() => reader.close());

function list(request: Partial<OrderListRequest>): OrderView[] {
  const all = { createdAtFrom: null, createdAtTo: null, statuses: null, lastOrderId: null };
  return ask(reader, { kind: 'orders', account: 0, limit: 1_000, ...all, ...request });
}

/** Orders, whatever positions they changed. */
function anywhere(...orderIds: readonly number[]): ExecutionsRequest['orders'] {
  return orderIds.map((orderId) => ({ orderId, positionId: null }));
}

function executions(request: Partial<ExecutionsRequest>): ExecutionPage {
  const first = { limit: null, lastExecutionId: null, orders: anywhere(buyer.orderId) };
  return ask(reader, { kind: 'executions', account: 1, ...first, ...request });
}

function candles(request: Partial<CandlesRequest>): CandleView[] {
  const all = { from: null, to: null, count: null };
  return ask(reader, {
    kind: 'candles',
    market: BTC_USDT,
    timeframe: '1m',
    ...all,
    ...request,
  });
}

describe('the list of orders', () => {
  test('pages over orders of the same millisecond without gap or repetition', () => {
    const whole = list({}).map(({ orderId }) => orderId);
    expect(whole).toEqual(Array.from({ length: 60 }, (_, n) => String(60 - n)));
    for (const limit of [1, 7, 20, 59]) {
      const paged: string[] = [];
      for (let last: number | null = null; ; last = Number(paged.at(-1))) {
        const page = list({ limit, lastOrderId: last });
        if (page.length === 0) break;
        expect(page.length).toBeLessThanOrEqual(limit);
        paged.push(...page.map(({ orderId }) => orderId));
      }
      expect(paged).toEqual(whole);
    }
  });

  test('takes both ends of the period in', () => {
    const ids = (from: number | null, to: number | null): number[] =>
      list({ createdAtFrom: from, createdAtTo: to }).map(({ orderId }) => Number(orderId));
    expect(ids(NOON + 1, NOON + 1)).toEqual(Array.from({ length: 20 }, (_, n) => 40 - n));
    expect(ids(NOON + 2, null)[0]).toBe(60);
    expect(ids(NOON + 2, null)).toHaveLength(20);
    expect(ids(null, NOON)).toHaveLength(20);
    expect(ids(NOON + 3, null)).toEqual([]);
    expect(ids(NOON + 2, NOON + 1)).toEqual([]);
  });

  test('keeps to the period also where the cursor lies outside of it', () => {
    const inside = list({ createdAtTo: NOON, lastOrderId: 50, limit: 3 });
    expect(inside.map(({ orderId }) => orderId)).toEqual(['20', '19', '18']);
    expect(list({ createdAtFrom: NOON + 1, lastOrderId: 5 })).toEqual([]);
  });

  test('has only the statuses asked for, merged by time', () => {
    const asked: OrderStatusName[] = ['Pending', 'Expired', 'Pending'];
    const found = list({ statuses: asked, limit: 5 });
    expect(found.map(({ orderId }) => orderId)).toEqual(['60', '58', '57', '55', '54']);
    expect(new Set(found.map(({ status }) => status))).toEqual(new Set(['Pending', 'Expired']));
    expect(list({ statuses: ['Completed'] })).toEqual([]);
    expect(list({ statuses: [] })).toHaveLength(60);
  });

  test('is empty after a cursor that the account does not have', () => {
    expect(list({ lastOrderId: buyer.orderId })).toEqual([]);
    expect(list({ lastOrderId: 999_999 })).toEqual([]);
  });

  test('brings a hundred where no limit is given, and at least one', () => {
    expect(list({ limit: null })).toHaveLength(60);
    expect(list({ limit: 0 })).toHaveLength(1);
    expect(list({ limit: 2 ** 31 - 1 })).toHaveLength(60);
  });
});

describe('what a page costs', () => {
  const cases = { ...ORDER_KEYS, ...EXECUTIONS };

  test.each(Object.keys(cases) as (keyof typeof cases)[])(
    'depends on its size alone: %s are read from an index, in order',
    (kind) => {
      const database = new Database(viewsPath(dataDir), { readonly: true });
      const explain = database.prepare(`EXPLAIN QUERY PLAN ${cases[kind]}`);
      const parameters = cases[kind].split('?').length - 1;
      const plan = explain.all(...Array(parameters).fill(1)) as { detail: string }[];
      database.close();
      // A single step: no sorting, and the cursor bounds the scan.
      expect(plan).toHaveLength(1);
      expect(plan[0]?.detail).toMatch(
        /INDEX (orders_\w+ \(account=\? AND status=\? AND \(?created|trades_\w+ \(\w+_order=\? AND rowid<)/,
      );
    },
  );
});

describe('an order by its id', () => {
  test('is not there for another account', () => {
    const [own, foreign, unknown] = reader.answer([
      { kind: 'order', account: 0, orderId: 1 },
      { kind: 'order', account: 1, orderId: 1 },
      { kind: 'order', account: 0, orderId: 999_999 },
    ]);
    expect(own).toContain('"orderId":"1"');
    expect([foreign, unknown]).toEqual([null, null]);
  });
});

describe('an order as it is stored', () => {
  test('has its numbers in units, with the scales they count in', () => {
    const account = 1;
    const { orderId } = buyer;
    expect(ask<OrderRecord>(reader, { kind: 'orderRecord', account, orderId })).toEqual({
      orderId,
      account,
      market: BTC_USDT,
      side: Side.Buy,
      type: OrderType.Limit,
      timeInForce: TimeInForce.Gtc,
      source: 0,
      status: OrderStatus.Pending,
      reason: 0,
      price: 2_500_000,
      quantity: 1_000_000,
      admittedPrice: 2_500_000,
      admittedQuantity: 1_000_000,
      remaining: 400_000,
      tradedNotional: String(100_000 * (6 * 2_500_000 + 15)),
      commission: '1125000',
      createdAt: NOON + 60_000,
      updatedAt: NOON + 420_000,
      cancelledAt: 0,
      leverage: 1,
      scales: { price: 2, amount: 6, quote: 6, commission: 6, lotSize: 1 },
      clientOrderId: '',
      comment: 'mine',
    });
    expect(ask(reader, { kind: 'orderRecord', account: 0, orderId })).toBeNull();
    expect(ask(reader, { kind: 'orderRecord', account: 0, orderId: 2 })).toMatchObject({
      status: OrderStatus.Cancelled,
      cancelledAt: NOON,
    });
  });
});

describe('executions', () => {
  test('of an order that took and was taken come newest first, each with its own id and fee', () => {
    const { executions: found, isExceeded } = executions({});
    expect(isExceeded).toBe(false);
    expect(found.map(({ executionId }) => Number(executionId))).toEqual([12, 9, 8, 5, 4, 1]);
    expect(found.map(({ commissionAmountInRAT }) => commissionAmountInRAT)).toEqual([
      '0.125',
      '0.25',
      '0.125',
      '0.25',
      '0.125',
      '0.25',
    ]);
    expect(found[0]).toMatchObject({
      positionId: '',
      side: 'Buy',
      baseAmount: '0.1',
      executionPrice: '25000.05',
      comment: 'mine',
      reason: 'Trader',
    });
  });

  test('page by the last one, and say whether there are more', () => {
    const seen: string[] = [];
    for (let last: number | null = null; ; last = Number(seen.at(-1))) {
      const page = executions({ limit: 4, lastExecutionId: last });
      seen.push(...page.executions.map(({ executionId }) => executionId));
      expect(page.isExceeded).toBe(seen.length < 6);
      if (!page.isExceeded) break;
    }
    expect(seen).toEqual(['12', '9', '8', '5', '4', '1']);
    expect(executions({ limit: 6 }).isExceeded).toBe(false);
    expect(executions({ limit: 5 }).isExceeded).toBe(true);
    expect(executions({ lastExecutionId: 1 })).toEqual({ executions: [], isExceeded: false });
  });

  test('of several orders are merged, without those of other accounts', () => {
    const sellers = Array.from({ length: 6 }, (_, n) => buyer.orderId + 1 + n);
    const merged = executions({
      account: 2,
      orders: anywhere(...sellers, buyer.orderId, sellers[0] ?? 0),
    });
    expect(merged.executions.map(({ executionId }) => Number(executionId))).toEqual([
      11, 10, 7, 6, 3, 2,
    ]);
    expect(merged.executions.every(({ side }) => side === 'Sell')).toBe(true);
    expect(executions({ account: 0 }).executions).toEqual([]);
    expect(executions({ orders: [] }).executions).toEqual([]);
    const inPosition = [{ orderId: buyer.orderId, positionId: 7 }];
    expect(executions({ orders: inPosition }).executions).toEqual([]);
  });

  test('convert a commission to the root asset at the last price before their minute', () => {
    const order = buyer.orderId + 7;
    const [execution] = executions({ orders: anywhere(order) }).executions;
    expect(execution?.commissions).toEqual([{ assetId: 'btc', amount: '0.00001' }]);
    // 0.00001 at 25000.05, rounded half up to the six places of the root asset.
    expect(execution?.commissionAmountInRAT).toBe('0.250001');
  });

  test('of too many orders at once are refused', () => {
    const orders = anywhere(...Array.from({ length: ORDERS_PER_REQUEST + 1 }, (_, n) => n));
    expect(() => executions({ orders })).toThrow(RangeError);
  });
});

describe('candles', () => {
  test('come oldest first, the newest of the window, none for a minute without a trade', () => {
    const whole = candles({});
    expect(whole.map(({ start }) => Date.parse(start) - NOON)).toEqual(
      [2, 3, 4, 5, 6, 7].map((minute) => minute * 60_000),
    );
    expect(candles({ count: 2 })).toEqual(whole.slice(-2));
    const from = NOON + 3 * 60_000;
    const to = NOON + 5 * 60_000;
    expect(candles({ from, to })).toEqual(whole.slice(1, 4));
    expect(candles({ from, to, count: 1 })).toEqual(whole.slice(3, 4));
    expect(candles({ from: to + 600_000 })).toEqual([]);
    expect(candles({ market: 77 })).toEqual([]);
  });

  test('carry open, high, low, close, volume and exact quote volume', () => {
    expect(candles({ timeframe: '1d' })).toEqual([
      {
        instrument: 'spot.btc_usdt',
        start: '2026-05-01T00:00:00.000Z',
        end: '2026-05-02T00:00:00.000Z',
        open: '25000',
        high: '25000.05',
        low: '25000',
        close: '25000.05',
        volume: '0.6',
        quoteVolume: '15000.015',
      },
    ]);
  });
});
