import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { RequestLedger } from '../support/request-ledger.ts';
import { randomSource, seed } from '../support/seed.ts';
import { TestServer } from '../support/server.ts';
import { cancelAll, orderOf, ordersOf, place, placed, stateOf } from '../support/trading.ts';
import { TradingLoad } from '../support/trading-load.ts';
import { checkAudit, checkBooks } from './books-checks.ts';
import { checkAcknowledged, checkRepeats, checkUnanswered } from './order-checks.ts';

const random = randomSource(seed);
/** Snapshots and their clean-up all the time. */
const EAGER_SNAPSHOTS = { SNAPSHOT_EVENTS: '300', SNAPSHOTS_KEPT: '2', JOURNAL_ARCHIVE: '1' };

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let server: TestServer;
let traders: ApiClient[];

beforeAll(async () => {
  process.stdout.write(`SEED=${seed}\n`);
  server = await TestServer.start(EAGER_SNAPSHOTS);
  traders = [await server.trader('alice'), await server.trader('bob')];
});
afterAll(() => server.cleanup());

async function loadFor(milliseconds: number, name: string, end: NodeJS.Signals) {
  const ledger = new RequestLedger();
  const load = new TradingLoad({
    port: server.port,
    traders,
    connections: 16,
    seed: Math.floor(random() * 2 ** 31),
    name,
    ledger,
  });
  load.start();
  await sleep(milliseconds);
  const exit = await server.kill(end);
  await load.lost();
  return { ledger, exit };
}

async function expectKept(ledger: RequestLedger): Promise<void> {
  expect(ledger.unexpected).toEqual([]);
  expect(await checkAudit(server)).toEqual([]);
  expect(await checkAcknowledged(ledger.placed)).toEqual([]);
  expect(await checkUnanswered(ledger.with('unknown'))).toEqual([]);
  expect(await checkRepeats(ledger.placed.slice(-100))).toEqual([]);
}

/** Everything that the traders can see of themselves. */
async function everything(): Promise<unknown> {
  const histories = traders.map((trader) => ordersOf(trader, {}));
  return [await stateOf(traders), await Promise.all(histories)];
}

it('killed while it writes snapshots, it loses nothing', async () => {
  for (let round = 0; round < 4; round++) {
    const { ledger } = await loadFor(200 + random() * 800, `snapshot-${round}`, 'SIGKILL');
    await server.restart();
    await expectKept(ledger);
  }
});

it('killed again and again while it starts, it comes up in the end with everything', async () => {
  const before = await everything();
  for (let attempt = 0; attempt < 12; attempt++) {
    await server.kill('SIGKILL');
    await server.spawn();
    await sleep(random() * 900);
  }
  await server.kill('SIGKILL');
  await server.restart();
  expect(await everything()).toEqual(before);
  expect(await checkAudit(server)).toEqual([]);
});

it('told to stop under load, it answers what it took, exits with 0 and keeps it', async () => {
  for (let round = 0; round < 2; round++) {
    const { ledger, exit } = await loadFor(400 + random() * 400, `stop-${round}`, 'SIGTERM');
    expect(exit).toEqual({ code: 0, signal: null });
    await server.restart();
    expect(ledger.acknowledged).toBeGreaterThan(0);
    await expectKept(ledger);
  }
});

it('stopped and started in rest, nothing about it has changed, in whatever layout', async () => {
  const before = await everything();
  for (const workers of ['0', '2', '1']) {
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    await server.restart({ MARKET_WORKERS: workers });
    expect(await everything()).toEqual(before);
  }
});

it('orders keep their place in the queue, and expire while it is down', async () => {
  const [alice, bob] = traders as [ApiClient, ApiClient];
  for (const trader of traders) await cancelAll(trader);
  const sell = { side: 'Sell', requestedPrice: '30000', requestedAmount: '0.01' };
  const first = await placed(bob, sell);
  const second = await placed(bob, sell);
  const soon = new Date(Date.now() + 1500).toISOString();
  const gtd = { requestedPrice: '29000', timeInForce: 'Gtd', cancellationDate: soon };
  const expiring = await placed(alice, gtd);
  await server.kill('SIGKILL');
  await sleep(Math.max(0, Date.parse(soon) - Date.now()) + 50);
  await server.restart();
  // Would trade with the expired buy, were it still there.
  const low = await placed(bob, { ...sell, requestedPrice: '29000' });
  await placed(alice, { side: 'Buy', requestedPrice: '30000', requestedAmount: '0.025' });
  const byId = new Map(
    [...(await ordersOf(alice, {})), ...(await ordersOf(bob, {}))].map((order) => [
      order.orderId,
      order,
    ]),
  );
  expect(byId.get(expiring)).toMatchObject({ status: 'Expired', remainingAmount: '0.01' });
  expect(byId.get(low)).toMatchObject({ status: 'Completed' });
  expect(byId.get(first)).toMatchObject({ status: 'Completed' });
  expect(byId.get(second)).toMatchObject({ status: 'Pending', remainingAmount: '0.005' });
});

it('market orders that wait for liquidity go on waiting, and take it when it comes', async () => {
  const [alice, bob] = traders as [ApiClient, ApiClient];
  for (const trader of traders) await cancelAll(trader);
  const market = { orderType: 'Market', timeInForce: 'Retry', requestedPrice: null };
  const waiting = await placed(alice, { ...market, side: 'Sell', requestedAmount: '0.02' });
  await placed(bob, { side: 'Buy', requestedPrice: '20000', requestedAmount: '0.005' });
  await server.kill('SIGKILL');
  await server.restart();
  expect(await orderOf(alice, waiting)).toMatchObject({
    status: 'Working',
    remainingAmount: '0.015',
  });
  await placed(bob, { side: 'Buy', requestedPrice: '19000', requestedAmount: '0.015' });
  expect(await orderOf(alice, waiting)).toMatchObject({
    status: 'Completed',
    executionPrice: '19250',
  });
});

it('tokens, the time of acceptance and the numbers of orders go on after a kill', async () => {
  const [alice] = traders as [ApiClient, ApiClient];
  const before = (await place(alice)).body.order;
  await server.kill('SIGKILL');
  await server.restart();
  const after = (await place(alice)).body.order;
  expect(Number(after.orderId)).toBeGreaterThan(Number(before.orderId));
  expect(after.createdAt >= before.createdAt).toBe(true);
});

it('through all of it the books add up', async () => {
  for (const trader of traders) await cancelAll(trader);
  expect(await checkBooks(traders)).toEqual([]);
  for (const { balances } of (await stateOf(traders)) as { balances: object }[]) {
    for (const balance of Object.values(balances)) expect(balance.locked).toBe('0');
  }
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  const { code, output } = await server.verify();
  expect(code, output).toBe(0);
});
