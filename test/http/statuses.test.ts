import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { amend, balancesOf, cancel, orderOf, place, placed } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';

const server = useServer();
let alice: ApiClient;
let bob: ApiClient;
let admin: ApiClient;

beforeAll(async () => {
  alice = await server().trader('alice');
  bob = await server().trader('bob');
  admin = await server().user('admin');
});

async function setStatus(status: string): Promise<void> {
  const path = '/back-api/backoffice/market/spot.btc_usdt';
  const answer = await admin.send('PUT', path, { status });
  expect(answer.status, answer.text).toBe(200);
}

const codeOf = async (answer: Promise<{ status: number; code: string }>) => {
  const { status, code } = await answer;
  return `${status} ${code}`;
};

describe('a market that is paused', () => {
  it('takes no orders and no amends, keeps what rests, and lets it be cancelled', async () => {
    const resting = await placed(alice);
    const leaving = await placed(alice);
    await setStatus('Paused');
    const refused = await place(alice);
    expect({ status: refused.status, code: refused.code }).toEqual({ status: 400, code: 'TR0301' });
    expect(refused.text).toContain('Paused');
    expect(await codeOf(amend(alice, resting, { requestedPrice: '999' }))).toBe('400 TR0301');
    expect((await cancel(alice, leaving)).status).toBe(200);
    expect(await orderOf(alice, resting)).toMatchObject({ status: 'Pending' });
    const other = await placed(alice, { marketId: 'spot.eth_btc', requestedPrice: '0.01' });
    await cancel(alice, other);
    await server().kill('SIGKILL');
    await server().restart();
    expect((await place(alice)).code).toBe('TR0301');
    await setStatus('Open');
    await placed(bob, { side: 'Sell', requestedAmount: '0.01' });
    expect(await orderOf(alice, resting)).toMatchObject({ status: 'Completed' });
  });
});

describe.each([
  ['Halted', 'MarketHalted'],
  ['Disabled', 'MarketDisabled'],
])('a market that is %s', (status, reason) => {
  it('takes everything off its book, gives back what was held, and takes no orders', async () => {
    const before = await balancesOf(alice);
    const ids: string[] = [];
    for (let order = 0; order < 10; order++) ids.push(await placed(alice));
    await setStatus(status);
    for (const orderId of ids) {
      await expect
        .poll(async () => await orderOf(alice, orderId))
        .toMatchObject({ status: 'Cancelled', reason, source: 'System', remainingAmount: '0.01' });
    }
    expect(await balancesOf(alice)).toEqual(before);
    expect((await place(alice)).status).toBe(400);
    await server().kill('SIGKILL');
    await server().restart();
    expect((await place(alice)).status).toBe(400);
    await setStatus('Open');
    const again = await placed(alice);
    expect((await cancel(alice, again)).status).toBe(200);
  });
});

describe('an account that is', () => {
  const setAccount = async (status: string) => {
    const path = `/back-api/backoffice/v2/accounts/${alice.accountId}/status`;
    const answer = await admin.send('PUT', path, { status });
    expect(answer.status, answer.text).toBeLessThan(300);
  };

  it('Halted loses its open orders and trades no more', async () => {
    const before = await balancesOf(alice);
    const ids = [await placed(alice), await placed(alice)];
    await setAccount('Halted');
    for (const orderId of ids) {
      await expect
        .poll(async () => await orderOf(alice, orderId))
        .toMatchObject({ status: 'Cancelled', source: 'System' });
    }
    expect(await balancesOf(alice)).toEqual(before);
    expect(await codeOf(place(alice))).toBe('403 TR0104');
    expect((await place(bob)).status).toBe(201);
    await server().kill('SIGKILL');
    await server().restart();
    expect(await codeOf(place(alice))).toBe('403 TR0104');
    await setAccount('Active');
    expect((await place(alice)).status).toBe(201);
  });

  it('Frozen reads, and does nothing else', async () => {
    const orderId = await placed(alice);
    const before = await balancesOf(alice);
    await setAccount('Frozen');
    expect(await codeOf(place(alice))).toBe('403 TR0105');
    expect(await codeOf(amend(alice, orderId, { requestedPrice: '999' }))).toBe('403 TR0105');
    expect(await codeOf(cancel(alice, orderId))).toBe('403 TR0105');
    expect(await codeOf(alice.del('/frontoffice/api/v4/orders'))).toBe('403 TR0105');
    expect((await orderOf(alice, orderId)).status).toBe('Pending');
    expect(await balancesOf(alice)).toEqual(before);
    await setAccount('Active');
    expect((await cancel(alice, orderId)).status).toBe(200);
  });
});
