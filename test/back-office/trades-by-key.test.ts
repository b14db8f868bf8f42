import { beforeAll, expect, it } from 'vitest';
import { SignedClient } from '../signed/support/signed-client.ts';
import type { ApiClient } from '../support/api-client.ts';
import { orderOf, placed } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';
import { BACK_OFFICE, put } from './back-office.ts';

const marketId = 'spot.eth_btc';
const server = useServer();
let support: ApiClient;
let admin: ApiClient;
let alice: ApiClient;
let bob: ApiClient;
let program: ApiClient;

beforeAll(async () => {
  support = await server().user('support');
  admin = await server().user('admin');
  alice = await server().trader('alice');
  bob = await server().trader('bob');
  const key = { name: 'Program', scopes: ['trade'] };
  const { body } = await alice.post<{ key: string }>('/identity/api-keys', key);
  program = alice.with({ token: body.key });
});

interface Trade {
  readonly email: string;
  readonly baseAmount: string;
  readonly IsApiKey: boolean;
}

/** Alice's trades, by their amounts. */
async function byAmount(): Promise<Readonly<Record<string, boolean>>> {
  const [from, to] = [-300_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString());
  const window = new URLSearchParams({ from: from ?? '', to: to ?? '', market: marketId });
  const path = `/back-api/api/v2/account_trades/?${window}`;
  const { body } = await support.get<readonly Trade[]>(path);
  const own = body.filter(({ email }) => email === 'alice@matchbox.test');
  for (const trade of body.filter((other) => !own.includes(other))) {
    expect(trade.IsApiKey).toBe(false);
  }
  return Object.fromEntries(own.map(({ baseAmount, IsApiKey }) => [baseAmount, IsApiKey]));
}

it('account trades tell which orders programs sent with a key, whatever became of them', async () => {
  const at = { marketId, requestedPrice: '0.05' };
  await placed(bob, { ...at, side: 'Sell', requestedAmount: '5' });
  await placed(alice, { ...at, requestedAmount: '0.1' });
  await placed(program, { ...at, requestedAmount: '0.2' });
  const signed = new SignedClient(server().anonymous(), 'demo-key-alice', 'demo-secret-alice');
  const order = { instrument: 'eth_btc', type: 'buy', amount: 0.3, price: 0.05, isLimit: true };
  expect((await signed.place(order)).status).toBe(200);
  const stop = {
    ...{ marketId, side: 'Buy', orderType: 'Limit', timeInForce: 'Gtc', requestedPrice: '0.05' },
    activationPrice: '0.05',
  };
  for (const [client, requestedAmount] of [
    [alice, '0.4'],
    [program, '0.5'],
  ] as const) {
    const path = '/frontoffice/api/v3/stop-orders';
    const answer = await client.post(path, { order: { ...stop, requestedAmount } });
    expect(answer.status, answer.text).toBe(200);
  }
  const resting = await placed(program, { marketId, requestedPrice: '0.04', requestedAmount: '1' });
  await placed(bob, { marketId, side: 'Sell', requestedPrice: '0.04', requestedAmount: '0.6' });
  await put(admin, `${BACK_OFFICE}/market/eth_btc`, { status: 'Halted' });
  expect(await orderOf(alice, resting)).toMatchObject({ status: 'Cancelled', source: 'System' });
  const expected = { 0.1: false, 0.2: true, 0.3: true, 0.4: false, 0.5: true, 0.6: true };
  await expect.poll(byAmount).toEqual(expected);

  await server().kill('SIGKILL');
  await server().restart();
  expect(await byAmount()).toEqual(expected);
});
