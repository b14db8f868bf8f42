import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { startVenue } from './http/child-servers.ts';
import { rawRequest } from './http/load.ts';
import { orderBody } from './http/order-flow.ts';
import { socketClient } from './http/socket-client.ts';
import { median } from './http/statistics.ts';
import { Trader } from './http/trader.ts';
import { hasWrk, wrk } from './http/wrk.ts';
import { type BareServer, startBareServer } from './reads/bare-child.ts';

/**
 * Reads over HTTP beside a bare server that answers the same bytes: what is served from memory as a
 * share of its rate, lists out of a million orders by their median.
 */
interface Read {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  /** A share of the bare server's rate, or a median in µs at one connection; null: reported only. */
  readonly aim: { readonly ratio: number } | { readonly micros: number } | null;
}

interface Result {
  readonly name: string;
  readonly bytes: number;
  readonly bareRate: number;
  readonly rate: number;
  readonly ratio: number;
  readonly bareMicros: number;
  readonly micros: number;
  readonly p99Micros: number;
  readonly errors: number;
  readonly verdict: string;
}

const CONNECTIONS = 64;
const PROJECTION_MS_MAX = 300_000;
const ORDER_LIST = '/frontoffice/api/v4/order-list';
const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    'warm-up': { type: 'string', default: '3' },
    server: { type: 'string', default: 'dist/gateway/main.js' },
  },
});
const [orders, rounds, seconds, warmUp] = [
  values.orders,
  values.rounds,
  values.seconds,
  values['warm-up'],
].map(Number) as [number, number, number, number];
/** How long the venue was filled, by its own clock: 60 ms an order. */
const span = orders * 60;
const client = hasWrk() ? wrk : socketClient;

function readsOf(latest: string, early: string): Read[] {
  const market = '/frontoffice/api/v6/markets';
  const order = '/frontoffice/api/v4/orders';
  const candles = '/marketdata/api/v4/instruments/spot.btc_usdt/history?type=1m&count=500';
  const [share, quick] = [{ ratio: 0.5 }, { micros: 2000 }];
  return [
    { name: 'markets', method: 'GET', path: market, aim: share },
    { name: 'market detail', method: 'GET', path: `${market}/spot.btc_usdt`, aim: share },
    { name: 'order, a new one', method: 'GET', path: `${order}/${latest}`, aim: share },
    { name: 'order, an old one', method: 'GET', path: `${order}/${early}`, aim: null },
    { name: 'balances', method: 'GET', path: '/frontoffice/api/v4/balances', aim: share },
    {
      name: '50 newest orders',
      method: 'POST',
      path: ORDER_LIST,
      body: '{"limit":50}',
      aim: quick,
    },
    {
      name: '50 orders, deep down',
      method: 'POST',
      path: ORDER_LIST,
      body: `{"limit":50,"lastOrderId":"${early}"}`,
      aim: quick,
    },
    { name: '500 candles', method: 'GET', path: candles, aim: quick },
  ];
}

interface Order {
  readonly orderId: string;
  readonly createdAt: string;
}

/** Of the orders of an account that are no later than `to`. */
async function newestOrder(trader: Trader, accountId: string, to?: number): Promise<Order> {
  const createdAtTo = to === undefined ? null : new Date(to).toISOString();
  const body = JSON.stringify({ limit: 1, createdAtTo });
  const answer = await trader.ask('POST', ORDER_LIST, accountId, body);
  const [order] = (JSON.parse(answer.body) as { data: Order[] }).data;
  if (order === undefined) throw new Error('there is no such order');
  return order;
}

/** The views take up what they have not seen before they answer. */
async function onceProjected<T>(ask: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + PROJECTION_MS_MAX;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(500);
    }
  }
}

/** Makes the demo venue, adds the orders behind its back, and starts it again. */
async function filledVenue(dataDir: string) {
  const empty = await startVenue(values.server, dataDir);
  const [alice, bob] = await traders(empty.port);
  await empty.stop();
  const fill = fileURLToPath(new URL('./reads/fill.js', import.meta.url));
  const [buyer = '', seller = ''] = [alice.accountIds[0], bob.accountIds[0]];
  const began = performance.now();
  await promisify(execFile)(process.execPath, [fill, dataDir, buyer, seller, String(orders)]);
  console.log(`${orders} orders in ${Math.round((performance.now() - began) / 1000)} s`);
  return await startVenue(values.server, dataDir);
}

async function traders(port: number): Promise<[Trader, Trader]> {
  return [
    await Trader.signIn(port, 'alice@matchbox.test'),
    await Trader.signIn(port, 'bob@matchbox.test'),
  ];
}

async function measure(read: Read, port: number, bare: BareServer, alice: Trader): Promise<Result> {
  const accountId = alice.accountIds[0] ?? '';
  const { name, method, path, body, aim } = read;
  const answer = await alice.ask(method, path, accountId, body);
  await bare.answer(answer);
  const request = { method, path, token: alice.token, accountId };
  const requests = [rawRequest(body === undefined ? request : { ...request, body })];
  const load = (to: number, connections: number, time: number) =>
    client.run({ port: to, connections, seconds: time, requests });
  const errors: number[] = [];
  const both = async (connections: number) => {
    const runs: { bare: Loaded; ours: Loaded }[] = [];
    for (let round = 0; round < rounds; round++) {
      const yardstick = await load(bare.port, connections, seconds);
      const ours = await load(port, connections, seconds);
      errors.push(yardstick.errors, ours.errors);
      runs.push({ bare: yardstick, ours });
    }
    return (pick: (loaded: Loaded) => number, who: 'bare' | 'ours') =>
      median(runs.map((run) => pick(run[who])));
  };
  await load(bare.port, CONNECTIONS, warmUp);
  await load(port, CONNECTIONS, warmUp);
  const many = await both(CONNECTIONS);
  const one = await both(1);
  const rateOf = ({ requests: count, seconds: time }: Loaded): number => count / time;
  const [bareRate, rate] = [many(rateOf, 'bare'), many(rateOf, 'ours')];
  const micros = one(({ latencyMicros }) => latencyMicros.p50, 'ours');
  return {
    name,
    bytes: answer.body.length,
    bareRate,
    rate,
    ratio: rate / bareRate,
    bareMicros: one(({ latencyMicros }) => latencyMicros.p50, 'bare'),
    micros,
    p99Micros: one(({ latencyMicros }) => latencyMicros.p99, 'ours'),
    errors: errors.reduce((sum, count) => sum + count, 0),
    verdict: verdictOf(aim, rate / bareRate, micros),
  };
}

type Loaded = Awaited<ReturnType<typeof client.run>>;

function verdictOf(aim: Read['aim'], ratio: number, micros: number): string {
  if (aim === null) return '';
  if ('ratio' in aim) return `>= ${aim.ratio} ${ratio >= aim.ratio ? 'reached' : 'missed'}`;
  return `< ${aim.micros} us ${micros < aim.micros ? 'reached' : 'missed'}`;
}

function print(results: readonly Result[]): void {
  const whole = (value: number): string => String(Math.round(value));
  const columns = ['read', 'bytes', 'bare/s', 'ours/s', 'ratio', 'bare p50', 'p50', 'p99', 'aim'];
  const rows = results.map((result) => [
    result.name,
    whole(result.bytes),
    whole(result.bareRate),
    whole(result.rate),
    result.ratio.toFixed(2),
    whole(result.bareMicros),
    whole(result.micros),
    whole(result.p99Micros),
    result.verdict,
  ]);
  const table = [columns, ...rows];
  const widths = columns.map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0)));
  for (const row of table) {
    console.log(row.map((cell, at) => cell.padStart(widths[at] ?? 0)).join('  '));
  }
  console.log(`\nrates at ${CONNECTIONS} connections; medians and p99 in µs at one`);
  const machine = { cpu: cpus()[0]?.model ?? '', cores: cpus().length, node: process.version };
  console.log(JSON.stringify({ bench: 'reads', machine, client: client.name, orders, results }));
}

const directory = mkdtempSync(join(tmpdir(), 'matchbox-reads-'));
const dataDir = join(directory, 'data');
const bare = await startBareServer();
let stop = async (): Promise<void> => undefined;
try {
  const venue = await filledVenue(dataDir);
  stop = () => venue.stop();
  const [alice] = await traders(venue.port);
  const accountId = alice.accountIds[0] ?? '';
  const latest = await onceProjected(() => newestOrder(alice, accountId));
  const early = await newestOrder(alice, accountId, Date.parse(latest.createdAt) - span * 0.9);
  const results: Result[] = [];
  // Only orders of this life of the process are in its memory.
  const placed = await alice.place(accountId, orderBody('Buy', 100, 10));
  for (const read of readsOf(placed.orderId, early.orderId)) {
    results.push(await measure(read, venue.port, bare, alice));
  }
  print(results);
  process.exitCode = results.some(({ errors }) => errors > 0) ? 1 : 0;
} finally {
  await stop();
  bare.stop();
  rmSync(directory, { recursive: true, force: true });
}
