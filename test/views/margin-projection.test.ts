import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SIDES, type StopOrderStatusName } from '../../core/messages/enums.ts';
import type { OrderView } from '../../core/messages/order-view.ts';
import { Projection } from '../../persistence/views/projection.ts';
import { CLOSINGS } from '../../persistence/views/queries/closings.ts';
import type {
  CandleView,
  ClosedPositionPage,
  ClosedPositionView,
  ExecutionPage,
  ExecutionView,
  FundingPage,
  PaymentView,
  PositionRecord,
  StopOrderView,
  TradeView,
  TradeWindowView,
} from '../../persistence/views/queries/forms.ts';
import { MARGIN_EXECUTIONS } from '../../persistence/views/queries/margin-executions.ts';
import { ViewsReader } from '../../persistence/views/queries/reader.ts';
import type { ClosingsRequest } from '../../persistence/views/queries/requests.ts';
import { STOP_ORDERS } from '../../persistence/views/queries/stop-orders.ts';
import { viewsPath } from '../../persistence/views/schema.ts';
import { openViewsForWriting } from '../../persistence/views/store.ts';
import { temporaryDirectory } from '../persistence/support/directory.ts';
import { Random, seedOf } from '../persistence/support/random.ts';
import { EventStream } from './support/event-stream.ts';
import { CFD, LOT_SIZES, MarginStream, PERP } from './support/margin-stream.ts';
import { MemorySource } from './support/memory-source.ts';
import { iso, LOTS, NaiveMargin, PRICE, ROOT, text } from './support/naive-margin.ts';
import { ask } from './support/projecting.ts';

const ALL = 1_000;
const seed = seedOf('margin projection');
const random = new Random(seed);

let naive: NaiveMargin;
let reader: ViewsReader;
let dataDir = '';

beforeAll(() => {
  const source = new MemorySource();
  const stream = new EventStream(random);
  const margin = new MarginStream(stream, random);
  stream.openVenue();
  margin.openMarkets();
  for (let step = 0; step < 500; step++) {
    if (random.chance(0.3)) stream.step();
    margin.step();
    if (random.chance(0.3)) source.take(stream.writer);
  }
  source.take(stream.writer);
  naive = new NaiveMargin(margin.events);
  dataDir = temporaryDirectory();
  project(dataDir, source);
  reader = new ViewsReader(dataDir);
});
afterAll(() => reader.close());

/** Commits at random places, and now and then loses what was folded since the last. */
function project(dataDir: string, source: MemorySource): void {
  let { database } = openViewsForWriting(dataDir, source);
  let projection = new Projection(database);
  while (projection.sequence < source.lastSequence()) {
    for (const batch of source.batches(projection.sequence + 1)) {
      projection.fold(batch);
      if (random.chance(0.2)) break;
    }
    if (random.chance(0.8)) projection.commit(source.endOfBatchAt(projection.sequence).hash);
    else {
      database.close();
      ({ database } = openViewsForWriting(dataDir, source));
      projection = new Projection(database);
    }
  }
  projection.commit(source.endOfBatchAt(projection.sequence).hash);
  database.close();
}

function executions(account: number, orderId: number, positionId: number | null = null) {
  const orders = [{ orderId, positionId }];
  const page = { limit: ALL, lastExecutionId: null };
  return ask<ExecutionPage>(reader, { kind: 'executions', account, orders, ...page }).executions;
}

function ofPositions(account: number, positionIds: readonly number[], limit = ALL, offset = 0) {
  const request = { kind: 'positionExecutions', account, positionIds, limit, offset } as const;
  return ask<ExecutionPage>(reader, request);
}

function closings(request: Partial<ClosingsRequest>): ClosedPositionPage {
  const opened = { createdAtFrom: null, createdAtTo: null };
  const closed = { closedAtFrom: null, closedAtTo: null };
  const rest = { market: null, marketType: null, limit: ALL, lastOrderId: null };
  return ask(reader, { kind: 'closings', account: 0, ...opened, ...closed, ...rest, ...request });
}

describe('executions on margin', () => {
  test('show what each did to a position, a flip as two', () => {
    const flips = naive
      .of('executed')
      .filter((each) => each.closedQuantity * each.openedQuantity > 0);
    expect(flips.length).toBeGreaterThan(5);
    for (const { orderId, account } of naive.of('accepted')) {
      const own = naive.of('executed').filter((each) => each.orderId === orderId);
      expect(executions(account, orderId)).toEqual(
        own.toReversed().flatMap((each) => naive.viewsOf(each)),
      );
      expect(executions((account + 1) % 3, orderId)).toEqual([]);
    }
  });

  test('of an order in one position are those that changed it', () => {
    const flip = naive.of('executed').find((each) => each.closedQuantity * each.openedQuantity > 0);
    if (flip === undefined) throw new Error('no flip');
    const { account, orderId, openedPositionId, closedPositionId } = flip;
    for (const position of [openedPositionId, closedPositionId, 99_999]) {
      expect(executions(account, orderId, position)).toEqual(
        executions(account, orderId).filter(({ positionId }) => positionId === String(position)),
      );
    }
  });

  test('of an order that is asked for more than once come once', () => {
    const flip = naive.of('executed').find((each) => each.closedQuantity * each.openedQuantity > 0);
    if (flip === undefined) throw new Error('no flip');
    const { account, orderId, openedPositionId } = flip;
    const orders = [null, openedPositionId, null].map((positionId) => ({ orderId, positionId }));
    const page = { limit: ALL, lastExecutionId: null };
    const found = ask<ExecutionPage>(reader, { kind: 'executions', account, orders, ...page });
    expect(found.executions).toEqual(executions(account, orderId));
  });

  test('page by page come to the same, and the two of a flip stay together', () => {
    const orders = naive
      .of('accepted')
      .filter(({ account }) => account === 1)
      .map(({ orderId }) => ({ orderId, positionId: null }))
      .slice(0, ALL);
    const request = { kind: 'executions', account: 1, orders } as const;
    const whole = ask<ExecutionPage>(reader, { ...request, limit: ALL, lastExecutionId: null });
    for (const limit of [1, 7]) {
      const paged: ExecutionView[] = [];
      for (let isExceeded = true; isExceeded; ) {
        const lastExecutionId = Number(paged.at(-1)?.executionId ?? 0) || null;
        const page = ask<ExecutionPage>(reader, { ...request, limit, lastExecutionId });
        expect(page.executions.length).toBeLessThanOrEqual(limit + 1);
        paged.push(...page.executions);
        isExceeded = page.isExceeded;
      }
      expect(paged).toEqual(whole.executions);
    }
  });

  test('of positions are those of every order that touched them', () => {
    const ids = new Set(naive.of('executed').map(({ openedPositionId }) => openedPositionId));
    ids.delete(0);
    for (const id of ids) {
      const own = naive.of('executed').filter((each) => {
        return each.openedPositionId === id || each.closedPositionId === id;
      });
      const account = own[0]?.account ?? 0;
      const expected = own
        .toReversed()
        .flatMap((each) => naive.viewsOf(each))
        .filter(({ positionId }) => positionId === String(id));
      expect(ofPositions(account, [id]).executions).toEqual(expected);
      expect(ofPositions(account, [id], 2, 1).executions).toEqual(expected.slice(1, 3));
      expect(ofPositions((account + 1) % 3, [id]).executions).toEqual([]);
    }
    const [one, other] = [...ids];
    const merged = ofPositions(1, [one ?? 0, other ?? 0, one ?? 0]).executions;
    const apart = [one, other].flatMap((id) => ofPositions(1, [id ?? 0]).executions);
    expect(merged).toHaveLength(apart.length);
  });
});

describe('positions', () => {
  test('are open until all of them is closed', () => {
    const sizes = new Map<number, { size: number; account: number; closed: number }>();
    for (const event of naive.of('executed')) {
      const { account, time } = event;
      const closing = sizes.get(event.closedPositionId);
      if (closing !== undefined) {
        closing.size -= event.closedQuantity;
        closing.closed = time;
      }
      if (event.openedPositionId === 0) continue;
      const known = sizes.get(event.openedPositionId) ?? { size: 0, account, closed: 0 };
      known.size += event.openedQuantity;
      sizes.set(event.openedPositionId, known);
    }
    expect([...sizes.values()].filter(({ size }) => size === 0).length).toBeGreaterThan(5);
    for (const [positionId, { size, account, closed }] of sizes) {
      const found = ask<PositionRecord>(reader, { kind: 'position', account, positionId });
      expect(found.closedAt).toBe(size === 0 ? closed : null);
      const foreign = { kind: 'position', account: account + 1, positionId } as const;
      expect(ask(reader, foreign)).toBeNull();
    }
  });
});

describe('what orders closed', () => {
  test('is one row an order and position', () => {
    for (const account of [0, 1, 2]) {
      const expected = naive.expectedClosings(account);
      expect(expected.length).toBeGreaterThan(10);
      expect(closings({ account })).toEqual({ data: expected, isExceeded: false });
    }
  });

  test('is filtered by market, type and both times', () => {
    const all = naive.expectedClosings(0);
    expect(closings({ market: PERP }).data).toEqual(
      all.filter(({ marketType }) => marketType === 'Perp'),
    );
    expect(closings({ marketType: 'Cfd' }).data).toEqual(
      all.filter(({ marketType }) => marketType === 'Cfd'),
    );
    const times = all.map(({ closedAt }) => Date.parse(closedAt)).sort((a, b) => a - b);
    const [from = 0, to = 0] = [times[3], times.at(-4)];
    const within = (time: string): boolean => Date.parse(time) >= from && Date.parse(time) <= to;
    expect(closings({ closedAtFrom: from, closedAtTo: to }).data).toEqual(
      all.filter(({ closedAt }) => within(closedAt)),
    );
    expect(closings({ createdAtFrom: from, createdAtTo: to }).data).toEqual(
      all.filter(({ openedAt }) => within(openedAt)),
    );
  });

  test('comes in pages that say whether there is more', () => {
    const all = naive.expectedClosings(0);
    const paged: ClosedPositionView[] = [];
    for (let isExceeded = true; isExceeded; ) {
      const lastOrderId = Number(paged.at(-1)?.orderId ?? 0) || null;
      const page = closings({ limit: 3, lastOrderId });
      paged.push(...page.data);
      isExceeded = page.isExceeded;
    }
    expect(paged).toEqual(all);
    expect(closings({ limit: all.length })).toEqual({ data: all, isExceeded: false });
  });
});

describe('orders on margin', () => {
  test('read in base assets, with their leverage, and commissions in the root asset', () => {
    for (const { orderId, account, market, leverage, quantity } of naive.of('accepted')) {
      const found = ask<OrderView>(reader, { kind: 'order', account, orderId });
      const own = naive.of('executed').filter((each) => each.orderId === orderId);
      const amended = naive.of('amended').findLast((each) => each.orderId === orderId);
      const base = BigInt(amended?.quantity ?? quantity) * BigInt(LOT_SIZES[market] ?? 1);
      expect(found).toMatchObject({
        leverage,
        requestedAmount: text(base, LOTS),
        commissionAssetId: 'usdt',
        commissionAmount: text(
          own.reduce((sum, { commission }) => sum + commission, 0n),
          ROOT,
        ),
        marketType: market === CFD ? 'Cfd' : 'Perp',
      });
    }
  });
});

function maximum(trades: readonly { readonly price: number }[]): number {
  return Math.max(...trades.map(({ price }) => price));
}

describe('what the market sees of a trade on margin', () => {
  test('is one trade in base assets', () => {
    for (const market of [CFD, PERP]) {
      const request = {
        kind: 'trades',
        market,
        from: 0,
        limit: 10_000,
        lastTradeId: null,
      } as const;
      const found = ask<TradeView[]>(reader, request);
      const takers = naive
        .of('executed')
        .filter((each) => each.market === market && each.isMaker === 0);
      const newest = takers.sort((a, b) => b.time - a.time || b.executionId - a.executionId);
      const lotSize = BigInt(LOT_SIZES[market] ?? 1);
      expect(found).toEqual(
        newest.map(({ executionId, time, price, quantity, side }) => ({
          tradeID: executionId,
          price: text(price, PRICE),
          base_volume: text(BigInt(quantity) * lotSize, LOTS),
          quote_volume: text(BigInt(price) * BigInt(quantity) * lotSize, PRICE + LOTS),
          trade_timestamp: Math.floor(time / 1000),
          type: SIDES[side] === 'Buy' ? 'buy' : 'sell',
        })),
      );
      const volume = newest.reduce((sum, { quantity }) => sum + BigInt(quantity) * lotSize, 0n);
      const windows = { kind: 'tradeWindows', markets: [market], from: 0 } as const;
      expect(ask<TradeWindowView[]>(reader, windows)).toMatchObject([
        { baseVolume: text(volume, LOTS), high: text(maximum(newest), PRICE) },
      ]);
      const candles = { kind: 'candles', market, timeframe: '1M', from: null, to: null } as const;
      const months = ask<CandleView[]>(reader, { ...candles, count: ALL });
      const volumes = months.map((month) => BigInt(month.volume.split('.')[0] ?? ''));
      const whole = volumes.reduce((sum, each) => sum + each, 0n);
      const fractions = BigInt(months.length);
      expect(whole <= volume / 1_000n && whole + fractions >= volume / 1_000n).toBe(true);
    }
  });
});

describe('stop orders', () => {
  test('have their own states, newest first', () => {
    const placed = naive
      .of('cold')
      .flatMap(({ event }) => (event.type === 'StopOrderPlaced' ? [event.stopOrder] : []));
    const endOf = (id: number) =>
      naive.of('cold').find(({ event }) => event.type === 'StopOrderEnded' && event.orderId === id);
    expect(placed.length).toBeGreaterThan(10);
    for (const account of [0, 1, 2]) {
      const own = placed.filter((order) => order.account === account).toReversed();
      const page = { limit: ALL, lastOrderId: null };
      const request = { kind: 'stopOrders', account, ...page } as const;
      const found = ask<StopOrderView[]>(reader, { ...request, statuses: null });
      expect(found.map(({ orderId }) => Number(orderId))).toEqual(own.map((each) => each.orderId));
      for (const [at, order] of own.entries()) {
        const end = endOf(order.orderId);
        const ended = end?.event.type === 'StopOrderEnded' ? end.event : undefined;
        const lotSize = BigInt(LOT_SIZES[order.market] ?? 1);
        const isSpot = order.market === 0;
        expect(found[at]).toMatchObject({
          status: ended?.status ?? 'WaitingForActivation',
          updatedAt: iso(end?.time ?? order.createdAt),
          rejectCode: ended?.status === 'Rejected' ? 'TR0400' : null,
          activatedOrderId: ended?.activatedOrderId ? String(ended.activatedOrderId) : null,
          leverage: isSpot ? 1 : order.leverage,
          ...(isSpot
            ? { requestedLotAmount: null }
            : {
                requestedLotAmount: text(order.quantity, LOTS),
                requestedAmount: text(BigInt(order.quantity) * lotSize, LOTS),
                activationPrice: text(order.activationPrice, PRICE),
                stopLoss:
                  order.stopLoss === 0
                    ? null
                    : { price: text(order.stopLoss, PRICE), isTrailing: order.isTrailing === 1 },
              }),
        });
        const one = { kind: 'stopOrder', account, orderId: order.orderId } as const;
        expect(ask<StopOrderView>(reader, one)).toEqual(found[at]);
        expect(ask(reader, { ...one, account: account + 1 })).toBeNull();
      }
      const statuses: StopOrderStatusName[] = ['Activated', 'Rejected'];
      expect(ask<StopOrderView[]>(reader, { ...request, statuses })).toEqual(
        found.filter(({ status }) => status !== 'WaitingForActivation'),
      );
    }
  });
});

describe('payments', () => {
  test('are listed an account each, newest first', () => {
    for (const account of [0, 1, 2]) {
      const request = { kind: 'payments', account, limit: ALL, lastPaymentId: null } as const;
      const found = ask<PaymentView[]>(reader, request);
      const expected = naive.expectedPayments().filter((each) => each.account === account);
      expect(expected.length).toBeGreaterThan(5);
      expect(
        found.map(({ type, createdAt, amountInRAT }) => ({ type, createdAt, amountInRAT })),
      ).toEqual(
        expected.toReversed().map(({ type, amount, time }) => ({
          type,
          createdAt: iso(time),
          amountInRAT: text(amount, ROOT),
        })),
      );
      const lastPaymentId = Number(found[1]?.paymentId ?? 0);
      expect(ask(reader, { ...request, limit: 2, lastPaymentId })).toEqual(found.slice(2, 4));
    }
  });

  test('of funding leave the rates of their market, newest first', () => {
    const applied = naive.of('funded').toReversed();
    expect(applied.length).toBeGreaterThan(3);
    const rates = applied.map(({ dueAt, fundingRate }) => ({
      appliedAt: iso(dueAt),
      interval: 8,
      rate: text(fundingRate, 8),
    }));
    const funding = (limit: number, offset: number, from = 0, to = Number.MAX_SAFE_INTEGER) => {
      const window = { appliedAtFrom: from, appliedAtTo: to };
      const request = { kind: 'funding', market: PERP, limit, offset, ...window } as const;
      return ask<FundingPage>(reader, request);
    };
    const sorted = rates.toSorted((a, b) => (a.appliedAt < b.appliedAt ? 1 : -1));
    expect(funding(ALL, 0)).toEqual({ fundingData: sorted, hasMore: false });
    expect(funding(2, 1)).toEqual({ fundingData: sorted.slice(1, 3), hasMore: sorted.length > 3 });
    const at = Date.parse(sorted[1]?.appliedAt ?? '');
    expect(funding(ALL, 0, at, at).fundingData).toEqual(sorted.slice(1, 2));
  });
});

describe('what a page costs', () => {
  const cases = { ...CLOSINGS, ...MARGIN_EXECUTIONS, ...STOP_ORDERS };

  test.each(Object.keys(cases) as (keyof typeof cases)[])(
    'depends on its size: %s are read from an index, in order',
    (kind) => {
      const database = new Database(viewsPath(dataDir), { readonly: true });
      const explain = database.prepare(`EXPLAIN QUERY PLAN ${cases[kind]}`);
      const parameters = cases[kind].split('?').length - 1;
      const plan = explain.all(...Array(parameters).fill(1)) as { detail: string }[];
      database.close();
      // Every step is a search, and nothing is sorted.
      const steps = plan.map(({ detail }) => detail);
      expect(steps.filter((step) => !step.startsWith('SEARCH'))).toEqual([]);
      expect(steps[0]).toMatch(/\((account|order_id)=\? AND (order_id|status|rowid)/);
    },
  );
});
