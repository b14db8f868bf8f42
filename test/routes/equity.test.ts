import { expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { useServer } from '../support/use-server.ts';

const server = useServer();

async function place(client: ApiClient, side: string, price: string, lots = '0.1'): Promise<void> {
  const order = {
    marketId: 'cfd.eur_usdt',
    side,
    orderType: 'Limit',
    timeInForce: 'Gtc',
    requestedPrice: price,
    requestedLotAmount: lots,
    leverage: 10,
  };
  const { status, text } = await client.post('/frontoffice/api/cfd/v4/orders', { order });
  expect([status, text]).toEqual([200, expect.any(String)]);
}

async function totalOf(client: ApiClient): Promise<string> {
  const path = '/frontoffice/api/v3/accounts';
  const { body } = await client.get<{ accountId: string; totalBalanceInRAT: string }[]>(path);
  const own = body.find(({ accountId }) => accountId === client.accountId);
  return own?.totalBalanceInRAT ?? '';
}

it('the total of an account counts what its positions would bring in', async () => {
  const [alice, bob] = [await server().trader('alice'), await server().trader('bob')];
  expect([await totalOf(alice), await totalOf(bob)]).toEqual(['1000000', '1000000']);
  await place(bob, 'Sell', '1.1');
  await place(alice, 'Buy', '1.1');
  // 10,000 eur at 1.1 are 11,000 usdt: 11 usdt of commission on both sides.
  expect([await totalOf(alice), await totalOf(bob)]).toEqual(['999989', '999989']);
  // The bid values the long, the ask the short.
  await place(bob, 'Buy', '1.2', '0.01');
  await place(alice, 'Sell', '1.25', '0.01');
  expect([await totalOf(alice), await totalOf(bob)]).toEqual(['1000989', '998489']);
  await server().kill('SIGKILL');
  await server().restart();
  expect([await totalOf(alice), await totalOf(bob)]).toEqual(['1000989', '998489']);
});
