import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OrderView } from '../persistence/views/index.ts';
import { PROJECTION_POLICY } from '../persistence/views/index.ts';
import { Projection } from '../persistence/views/projection.ts';
import { ViewsReader } from '../persistence/views/queries/reader.ts';
import type { QueryRequest } from '../persistence/views/queries/requests.ts';
import { viewsPath } from '../persistence/views/schema.ts';
import { createViews } from '../persistence/views/store.ts';
import { ViewsWorkload } from './views-workload.ts';

/**
 * What the views cost: events projected a second, and the time of each kind of query in a thread
 * that answers them, with a million orders (or as many as the first argument says) in the views.
 */

const ORDERS = Number(process.argv[2] ?? 1_000_000);
const ACCOUNTS = 2_000;
const RESTING = 50_000;
const ROUNDS = 2_000;

/** Projects in commits of the size that a backlog is taken in; the events are made outside the clock. */
function project(dataDir: string): void {
  const database = createViews(viewsPath(dataDir));
  const projection = new Projection(database);
  const workload = new ViewsWorkload(ACCOUNTS, RESTING);
  const hash = new Uint8Array(32);
  projection.fold(workload.opening());
  projection.commit(hash);
  const first = projection.sequence;
  let milliseconds = 0;
  let longest = 0;
  while (workload.orders < ORDERS) {
    const batches = Array.from({ length: 100 }, () => workload.next());
    const began = performance.now();
    for (const batch of batches) projection.fold(batch);
    projection.commit(hash);
    const took = performance.now() - began;
    milliseconds += took;
    longest = Math.max(longest, took);
  }
  const events = projection.sequence - first;
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  const bytes = statSync(viewsPath(dataDir)).size / workload.orders;
  console.log(`projected        ${workload.orders} orders, ${events} events`);
  console.log(`                 ${Math.round((events / milliseconds) * 1_000)} events/s`);
  console.log(
    `longest commit   ${longest.toFixed(0)} ms (of ${PROJECTION_POLICY.eventsPerCommit})`,
  );
  console.log(`on disk          ${bytes.toFixed(0)} bytes an order`);
}

function measure(name: string, reader: ViewsReader, request: (n: number) => QueryRequest): void {
  const times: number[] = [];
  for (let n = 0; n < ROUNDS; n++) {
    const asked = request(n);
    const began = performance.now();
    reader.answer([asked]);
    times.push((performance.now() - began) * 1_000);
  }
  times.sort((a, b) => a - b);
  const median = times[ROUNDS >> 1] ?? 0;
  const high = times[Math.floor(ROUNDS * 0.99)] ?? 0;
  console.log(`${name.padEnd(32)} ${median.toFixed(1).padStart(8)} ${high.toFixed(1).padStart(8)}`);
}

/** Every order is another's: a list of one account is needed to ask for its orders by id. */
function idsOf(reader: ViewsReader, account: number, limit: number): number[] {
  const all = { statuses: null, createdAtFrom: null, createdAtTo: null, lastOrderId: null };
  const [text] = reader.answer([{ kind: 'orders', account, limit, ...all }]);
  const orders = JSON.parse(text ?? '[]') as OrderView[];
  return orders.map(({ orderId }) => Number(orderId));
}

function query(dataDir: string): void {
  const reader = new ViewsReader(dataDir);
  const list = {
    kind: 'orders',
    statuses: null,
    createdAtFrom: null,
    createdAtTo: null,
    limit: 50,
    lastOrderId: null,
  } as const;
  const ids = Array.from({ length: ACCOUNTS }, (_, account) => idsOf(reader, account, 1_000));
  const idOf = (n: number): number => ids[n % ACCOUNTS]?.[(n * 7) % 300] ?? 0;
  const deepest = (n: number): number => ids[n % ACCOUNTS]?.[300] ?? 0;
  console.log(`\n${'µs a query'.padEnd(32)} ${'median'.padStart(8)} ${'p99'.padStart(8)}`);
  measure('order by id', reader, (n) => {
    return { kind: 'order', account: n % ACCOUNTS, orderId: idOf(n) };
  });
  measure('newest 50 orders', reader, (n) => ({ ...list, account: n % ACCOUNTS }));
  measure('50 orders, 300 orders back', reader, (n) => {
    return { ...list, account: n % ACCOUNTS, lastOrderId: deepest(n) };
  });
  measure('50 open orders', reader, (n) => {
    return { ...list, account: n % ACCOUNTS, statuses: ['Pending', 'Working'] };
  });
  measure('executions of an order', reader, (n) => {
    const orders = [{ orderId: idOf(n), positionId: null }];
    const account = n % ACCOUNTS;
    return { kind: 'executions', account, orders, limit: 100, lastExecutionId: null };
  });
  measure('500 one-minute candles', reader, (n) => {
    const window = { from: null, to: null, count: 500 };
    return { kind: 'candles', market: n % 3, timeframe: '1m', ...window };
  });
  reader.close();
}

const dataDir = mkdtempSync(join(tmpdir(), 'matchbox-bench-'));
try {
  project(dataDir);
  query(dataDir);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
