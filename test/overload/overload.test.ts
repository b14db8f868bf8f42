import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkAudit, checkBooks } from '../crash/books-checks.ts';
import { checkAcknowledged, checkRepeats } from '../crash/order-checks.ts';
import { RawConnection } from '../http-foundation/support/raw.ts';
import type { ApiClient } from '../support/api-client.ts';
import { Connection, toBytes, type WireRequest } from '../support/connection.ts';
import { inParallel } from '../support/parallel.ts';
import { openDescriptors, residentMebibytes } from '../support/process-stats.ts';
import { RequestLedger } from '../support/request-ledger.ts';
import { seed } from '../support/seed.ts';
import {
  amend,
  BALANCES,
  balancesOf,
  cancel,
  cancelAll,
  LIST,
  ORDERS,
  openOrdersOf,
  ordersOf,
  place,
  placed,
  RESTING,
} from '../support/trading.ts';
import { TradingLoad } from '../support/trading-load.ts';
import { useServer } from '../support/use-server.ts';

const CONNECTIONS = 600;
const LOAD_MS = 4000;
/** Generous: what a bounded server may need more at its busiest, and keep afterwards. */
const GROWTH_MEBIBYTES_MAX = 300;
/** Requests under way at once: far fewer than there are clients. */
const PENDING_MAX = 64;

const server = useServer({
  PENDING_MAX: String(PENDING_MAX),
  LIVE_ORDERS: '16384',
  LOG_LEVEL: 'error',
});
let alice: ApiClient;
let bob: ApiClient;

beforeAll(async () => {
  process.stdout.write(`SEED=${seed}\n`);
  alice = await server().trader('alice');
  bob = await server().trader('bob');
});

/** A well-behaved client is served: it may be asked to come again, but not for ever. */
async function expectServed(): Promise<void> {
  await expect
    .poll(
      async () => {
        const { status, body } = await place(alice, { requestedPrice: '1' });
        return status === 201 ? (await cancel(alice, body.order.orderId)).status : status;
      },
      { timeout: 30_000 },
    )
    .toBe(200);
}

/** The most memory that the server had while `work` ran, beyond what it had before. */
async function growthDuring(work: () => Promise<unknown>): Promise<number> {
  const { pid } = server();
  const before = residentMebibytes(pid);
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, residentMebibytes(pid));
  }, 50);
  await work();
  clearInterval(sampling);
  return Math.max(most, residentMebibytes(pid)) - before;
}

describe('with far more clients than it can carry', () => {
  const ledger = new RequestLedger();

  it('it turns away what is too much, keeps its memory, and goes on', async () => {
    const load = new TradingLoad({
      port: server().port,
      traders: [alice, bob],
      connections: CONNECTIONS,
      seed,
      name: 'overload',
      ledger,
    });
    const growth = await growthDuring(async () => {
      load.start();
      await sleep(LOAD_MS);
      await load.stop();
    });
    process.stdout.write(
      `${ledger.acknowledged} acknowledged, ${ledger.turnedAway} turned away, ${Math.round(growth)} MiB more\n`,
    );
    expect(ledger.unexpected).toEqual([]);
    expect(ledger.turnedAway).toBeGreaterThan(0);
    expect(ledger.acknowledged).toBeGreaterThan(0);
    expect(growth).toBeLessThan(GROWTH_MEBIBYTES_MAX);
    await expectServed();
  });

  it('what it acknowledged is true, and what it turned away was not done', async () => {
    expect(ledger.with('unknown')).toEqual([]);
    expect(await checkAcknowledged(ledger.placed)).toEqual([]);
    const orders = [...(await ordersOf(alice, {})), ...(await ordersOf(bob, {}))];
    const known = new Set(orders.map(({ clientOrderId }) => clientOrderId));
    const done = ledger.with('turned-away').filter((record) => known.has(record.clientOrderId));
    expect(done.map(({ clientOrderId }) => clientOrderId)).toEqual([]);
    expect(known.size).toBeGreaterThanOrEqual(ledger.placed.length);
    expect(await checkRepeats(ledger.placed.slice(0, 500))).toEqual([]);
    for (const trader of [alice, bob]) {
      for (const { orderId } of await openOrdersOf(trader)) {
        // Nothing holds an order fast: it can still be amended, and it can be cancelled.
        expect((await amend(trader, orderId, { requestedAmount: '0.00001' })).status).toBeLessThan(
          500,
        );
      }
      await cancelAll(trader);
      for (const balance of Object.values(await balancesOf(trader))) {
        expect(balance.locked).toBe('0');
      }
    }
    expect(await checkAudit(server())).toEqual([]);
    expect(await checkBooks([alice, bob])).toEqual([]);
  });
});

describe('with everybody asking for what is dear', () => {
  /** Sends the request from many connections at once; answers how often each status came. */
  const storm = async (request: WireRequest, connections: number, rounds: number) => {
    const statuses = new Map<number, number>();
    await inParallel(Array.from({ length: connections }), connections, async () => {
      const connection = await Connection.open(server().port);
      for (let round = 0; round < rounds; round++) {
        const { status, headers } = await connection.exchange(request);
        const mayRetry = Number(headers['retry-after']) >= 1;
        if (status === 503 || status === 429) expect(mayRetry).toBe(true);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      connection.destroy();
    });
    return statuses;
  };

  it('pages of history are bounded work: all are answered, or asked to come again', async () => {
    const request = bob.request('POST', LIST, { limit: 1000 });
    let statuses = new Map<number, number>();
    const growth = await growthDuring(async () => {
      statuses = await storm(request, 300, 5);
    });
    process.stdout.write(`history: ${JSON.stringify([...statuses])}\n`);
    for (const status of statuses.keys()) expect([200, 503]).toContain(status);
    expect(statuses.get(200)).toBeGreaterThan(0);
    expect(growth).toBeLessThan(2 * GROWTH_MEBIBYTES_MAX);
    await expectServed();
  });

  it('passwords are checked a few at a time, and orders do not wait for them', async () => {
    const form = new URLSearchParams({
      grant_type: 'password',
      username: 'alice@matchbox.test',
      password: 'wrong',
      scope: 'openid FrontOffice',
    });
    const request = {
      method: 'POST',
      path: '/identity/connect/token',
      headers: {
        authorization: `Basic ${Buffer.from('tests:tests-secret').toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: form.toString(),
    };
    const signingIn = storm(request, 60, 3);
    await expectServed();
    const statuses = await signingIn;
    process.stdout.write(`passwords: ${JSON.stringify([...statuses])}\n`);
    for (const status of statuses.keys()) expect([400, 401, 429, 503]).toContain(status);
    await expectServed();
  });
});

describe('clients that do not behave', () => {
  it('and never read cost little, and nobody else anything', async () => {
    for (let count = 0; count < 200; count++) await placed(bob, { requestedPrice: '900' });
    const request = toBytes(bob.request('POST', LIST, { limit: 500 }));
    const idlers: RawConnection[] = [];
    const growth = await growthDuring(async () => {
      await inParallel(Array.from({ length: 200 }), 20, async () => {
        const connection = await RawConnection.open(server().port);
        idlers.push(connection);
        connection.pause();
        await connection.send(request);
      });
      await expectServed();
    });
    expect(growth).toBeLessThan(GROWTH_MEBIBYTES_MAX);
    for (const idler of idlers) idler.destroy();
    await cancelAll(bob);
  });

  it('and send a byte now and then are let go, while others are served', async () => {
    const head = toBytes(alice.request('GET', BALANCES)).subarray(0, -2);
    const body = toBytes(alice.request('POST', ORDERS, { order: RESTING })).subarray(0, -20);
    const slow: RawConnection[] = [];
    await inParallel(Array.from({ length: 200 }), 20, async (_, index) => {
      const connection = await RawConnection.open(server().port);
      slow.push(connection);
      await connection.send(index % 2 === 0 ? head : body);
    });
    let open = slow.length;
    for (let round = 0; round < 60 && open > 0; round++) {
      await expectServed();
      const ended = await Promise.all(slow.map((connection) => connection.closed(1)));
      open = ended.filter((isClosed) => !isClosed).length;
      await Promise.all(slow.map((connection, index) => ended[index] || connection.send('x')));
      await sleep(500);
    }
    expect(open).toBe(0);
  });

  it('and come and go leave no descriptor behind', async () => {
    await expectServed();
    const before = openDescriptors(server().pid);
    await inParallel(Array.from({ length: 3000 }), 64, async (_, index) => {
      const connection = await RawConnection.open(server().port);
      if (index % 3 === 0) await connection.send(toBytes(alice.request('GET', BALANCES)));
      if (index % 3 === 1) await connection.send('POST / HTTP/1.1\r\nhost: a\r\n');
      connection.destroy();
    });
    await expect
      .poll(() => openDescriptors(server().pid), { timeout: 30_000 })
      .toBeLessThan(before + 20);
    await expectServed();
  });

  it('leave nothing under way', async () => {
    const underWay = async () => {
      const { text } = await server().anonymous().get('/metrics');
      const figures = [...text.matchAll(/^matchbox_(?:pending_requests|http_in_flight) (\d+)$/gm)];
      return figures.map(([, count]) => Number(count));
    };
    // One of them is the request that asks.
    await expect.poll(underWay, { timeout: 30_000 }).toEqual([0, 1]);
  });

  it('and cancel and place in turn from many connections all get their answers', async () => {
    await inParallel(Array.from({ length: 200 }), 40, async () => {
      const orderId = await placed(alice);
      expect((await cancel(alice, orderId)).status).toBe(200);
    });
  });
});
