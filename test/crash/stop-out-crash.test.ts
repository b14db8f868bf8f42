import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CFD_ORDERS, CLOSED, positionsOf, type ResultBody } from '../routes/margin/support.ts';
import type { ApiClient } from '../support/api-client.ts';
import { randomSource, seed } from '../support/seed.ts';
import { TestServer } from '../support/server.ts';
import { cancel } from '../support/trading.ts';
import { checkAudit } from './books-checks.ts';

const ACCOUNTS = 120;
const KILLS = 4;
const BACK_OFFICE = '/back-api/backoffice';
const random = randomSource(seed);

interface ClosedPosition {
  readonly positionId: string;
  readonly positionCloseLotAmount: string;
  readonly reason: string;
}

let server: TestServer;
let bob: ApiClient;
let bestBid = '';
const owners: ApiClient[] = [];

beforeAll(async () => {
  process.stdout.write(`SEED=${seed}\n`);
  server = await TestServer.start();
  const admin = await server.user('admin');
  const alice = await server.trader('alice');
  bob = await server.trader('bob', 'Hedging');
  const users = await admin.get<{ data: readonly { id: string; email: string }[] }>(
    `${BACK_OFFICE}/users?Search=alice`,
  );
  const userId = users.body.data[0]?.id;
  bestBid = await order(bob, { requestedPrice: '0.9999' });
  await order(bob, { requestedPrice: '0.98', requestedLotAmount: '150' });
  await order(bob, { side: 'Sell', requestedPrice: '1', requestedLotAmount: String(ACCOUNTS) });
  for (let count = 0; count < ACCOUNTS; count++) {
    const accountType = random() < 0.5 ? 'Netting' : 'Hedging';
    const body = { userId, accountName: `crash ${count}`, accountType };
    const opened = await admin.post<{ accountId: string }>(`${BACK_OFFICE}/v2/accounts`, body);
    const { accountId } = opened.body;
    const deposit = {
      deduplicationId: `crash ${count}`,
      accountId,
      assetId: 'usdt',
      amount: '1300',
    };
    expect((await admin.post(`${BACK_OFFICE}/transfers/deposit`, deposit)).status).toBeLessThan(
      300,
    );
    const owner = alice.with({ accountId });
    owners.push(owner);
    // 1000 of margin and 100 of commission for 100,000 euros, and an order that rests.
    await order(owner, { requestedPrice: '1', requestedLotAmount: '1' });
    await order(owner, { requestedPrice: '0.5' });
  }
});
afterAll(async () => {
  await server.cleanup();
});

async function order(client: ApiClient, fields: object): Promise<string> {
  const euro = { marketId: 'cfd.eur_usdt', side: 'Buy', orderType: 'Limit', timeInForce: 'Gtc' };
  const order = { ...euro, requestedLotAmount: '0.1', leverage: 100, ...fields };
  const answer = await client.post<ResultBody>(CFD_ORDERS, { order });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.order.orderId;
}

async function stillOpen(): Promise<number> {
  const open = await Promise.all(owners.map(async (owner) => (await positionsOf(owner)).length));
  return open.reduce((sum, count) => sum + count, 0);
}

it('killed while it stops accounts out, it takes every one to its end, once', async () => {
  // Two cents lower each has lost 2,000. Whether the venue hears of it before it dies is open.
  const cancelled = cancel(bob, bestBid).catch(() => undefined);
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(kill === 0 ? random() * 20 : 100 + random() * 600);
    await server.kill('SIGKILL');
    await server.spawn({ MARKET_WORKERS: String(kill % 3) });
  }
  await server.ready();
  await cancelled;
  process.stdout.write(`still open after ${KILLS} kills: ${await stillOpen()}\n`);
  await cancel(bob, bestBid);
  await expect.poll(stillOpen, { timeout: 60_000, interval: 200 }).toBe(0);
  for (const owner of owners) {
    const { body } = await owner.post<{ data: readonly ClosedPosition[] }>(CLOSED, {});
    expect(body.data).toMatchObject([{ positionCloseLotAmount: '1', reason: 'StopOut' }]);
    const margin = await owner.get('/frontoffice/api/v4/account-margin');
    expect(margin.body).toMatchObject({ usedMarginInRAT: '0', marginLevel: null });
  }
  expect(await checkAudit(server)).toEqual([]);
  await server.kill('SIGKILL');
  const { code, output } = await server.verify();
  expect(code, output).toBe(0);
}, 300_000);
