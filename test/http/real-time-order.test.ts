import { beforeAll, expect, it } from 'vitest';
import { checkAudit } from '../crash/books-checks.ts';
import type { ApiClient } from '../support/api-client.ts';
import { unitsOf } from '../support/decimals.ts';
import { randomSource, seed } from '../support/seed.ts';
import { cancel, openOrdersOf, place, read } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';

/**
 * Everybody sees one order of things: what somebody was told before they asked again, nobody takes
 * back. Few orders are kept in memory, so that answers come from there and from the views in turn.
 */
const server = useServer({ LIVE_ORDERS: '64' });

const CLIENTS = 12;
const STEPS = 120;

/** When something was asked and answered, by a clock that all clients share. */
interface Interval {
  readonly start: number;
  readonly end: number;
}

/** What an answer said of an order. */
interface Sight extends Interval {
  readonly isOpen: boolean;
  /** Steps; undefined where an answer only said that the order has ended. */
  readonly remaining: number | undefined;
}

interface Known extends Interval {
  readonly orderId: string;
  readonly account: string;
  readonly sights: Sight[];
}

interface Listing extends Interval {
  readonly account: string;
  readonly listed: ReadonlySet<string>;
}

const orders: Known[] = [];
const listings: Listing[] = [];
const cancelled: string[] = [];

async function timed<T>(ask: () => Promise<T>): Promise<Interval & { readonly answer: T }> {
  const start = performance.now();
  const answer = await ask();
  return { start, end: performance.now(), answer };
}

class Caller {
  private readonly client: ApiClient;
  private readonly random: () => number;

  constructor(client: ApiClient, random: () => number) {
    this.client = client;
    this.random = random;
  }

  async step(): Promise<void> {
    const kind = this.random();
    const order = this.pick();
    if (kind < 0.45 || order === undefined) return this.place();
    if (kind < 0.65) return this.cancel(order);
    if (kind < 0.9) return this.read(order);
    return this.list();
  }

  private pick(): Known | undefined {
    const own = orders.filter(({ account }) => account === this.client.accountId);
    const latest = own.slice(-(1 + Math.floor(this.random() * 100)));
    return latest[Math.floor(this.random() * latest.length)];
  }

  private async place(): Promise<void> {
    const side = this.random() < 0.5 ? 'Buy' : 'Sell';
    const requestedPrice = `2000${Math.floor(this.random() * 9)}`;
    const requestedAmount = `0.00${1 + Math.floor(this.random() * 5)}`;
    const fields = { side, requestedPrice, requestedAmount };
    const { start, end, answer } = await timed(() => place(this.client, fields));
    expect(answer.status).toBe(201);
    const { orderId } = answer.body.order;
    orders.push({ orderId, account: this.client.accountId, start, end, sights: [] });
  }

  private async cancel(order: Known): Promise<void> {
    const { start, end, answer } = await timed(() => cancel(this.client, order.orderId));
    if (answer.status === 200) {
      cancelled.push(order.orderId);
      order.sights.push({ start, end, isOpen: false, remaining: stepsLeft(answer.body.order) });
    } else {
      expect(answer.code).toBe('TR0201');
      order.sights.push({ start, end, isOpen: false, remaining: undefined });
    }
  }

  private async read(order: Known): Promise<void> {
    const { start, end, answer } = await timed(() => read(this.client, order.orderId));
    expect(answer.status).toBe(200);
    const { status } = answer.body.order;
    const remaining = stepsLeft(answer.body.order);
    order.sights.push({ start, end, isOpen: status === 'Pending', remaining });
  }

  private async list(): Promise<void> {
    const { start, end, answer } = await timed(() => openOrdersOf(this.client));
    const listed = new Set(answer.map(({ orderId }) => orderId));
    listings.push({ start, end, account: this.client.accountId, listed });
    for (const row of answer) {
      const order = orders.find(({ orderId }) => orderId === row.orderId);
      order?.sights.push({ start, end, isOpen: true, remaining: stepsLeft(row) });
    }
  }
}

function stepsLeft({ remainingAmount }: { readonly remainingAmount: string }): number {
  return Number(unitsOf(remainingAmount, 6));
}

/** Pairs of which the first was over before the second began. */
function inTurn<T extends Interval>(all: readonly T[]): [T, T][] {
  return all.flatMap((first) =>
    all.filter((second) => first.end < second.start).map((second): [T, T] => [first, second]),
  );
}

beforeAll(async () => {
  const clients = [await server().trader('alice'), await server().trader('bob')];
  const callers = Array.from({ length: CLIENTS }, (_, index) => {
    return new Caller(clients[index % 2] as ApiClient, randomSource(seed + index));
  });
  await Promise.all(
    callers.map(async (caller) => {
      for (let step = 0; step < STEPS; step++) await caller.step();
    }),
  );
});

it(`order ids grow in the order of the answers, SEED=${seed}`, () => {
  const wrong = inTurn(orders).filter(
    ([first, second]) => Number(first.orderId) >= Number(second.orderId),
  );
  expect(wrong).toEqual([]);
  expect(orders.length).toBeGreaterThan(200);
});

it('what was filled stays filled, and what has ended has ended for good', () => {
  const pairs = orders.flatMap(({ orderId, sights }) =>
    inTurn(sights).map(([before, after]) => ({ orderId, before, after })),
  );
  const wrong = pairs.filter(({ before, after }) => !mayFollow(before, after));
  expect(wrong).toEqual([]);
  expect(pairs.length).toBeGreaterThan(200);
});

function mayFollow(before: Sight, after: Sight): boolean {
  if (!before.isOpen && after.isOpen) return false;
  if (before.remaining === undefined || after.remaining === undefined) return true;
  if (before.isOpen) return after.remaining <= before.remaining;
  return after.remaining === before.remaining;
}

it('a list has every order that was there before it and still is behind it', () => {
  const missing = listings.flatMap(({ start, end, account, listed }) =>
    orders.filter((order) => {
      if (order.account !== account || order.end >= start || listed.has(order.orderId))
        return false;
      return order.sights.some((sight) => sight.isOpen && sight.start > end);
    }),
  );
  expect(missing).toEqual([]);
  expect(listings.length).toBeGreaterThan(20);
});

it('an order is cancelled once, and the books add up', async () => {
  expect(new Set(cancelled).size).toBe(cancelled.length);
  expect(cancelled.length).toBeGreaterThan(20);
  expect(await checkAudit(server())).toEqual([]);
});
