import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../../support/api-client.ts';
import { balancesOf } from '../../support/trading.ts';
import { useServer } from '../../support/use-server.ts';
import { VenueClock } from '../../support/venue-clock.ts';
import { CFD_ORDERS, marginOf, PERP_ORDERS, place, positionsOf } from './support.ts';

/** An hour before the gold market closes for the weekend, and three before the platform's midnight. */
const FRIDAY = '2026-11-20T21:00:00Z';
const clock = new VenueClock(FRIDAY);
const server = useServer({ ...clock.environment, ACCESS_TOKEN_SECONDS: '86400' });
const PAYMENTS = '/frontoffice/api/v4/positions/payments/list';
const FUNDING = '/marketdata/api/v4/instruments/perp.btc_usdt/funding';

const BITCOIN = { marketId: 'perp.btc_usdt', requestedPrice: '50000', leverage: 10 };
const EURO = { marketId: 'cfd.eur_usdt', requestedPrice: '1.1', leverage: 10 };
const GOLD = { marketId: 'cfd.xau_usdt', requestedPrice: '2400', leverage: 10 };

interface Payment {
  readonly type: string;
  readonly marketId: string;
  readonly positionId: string;
  readonly createdAt: string;
  readonly amountInRAT: string;
}

let alice: ApiClient;
let bob: ApiClient;
let free: Readonly<Record<string, string>> = {};

async function signIn(): Promise<void> {
  server().forgetTokens();
  alice = await server().trader('alice');
  bob = await server().trader('bob', 'Hedging');
}

/** `Swap cfd.eur_usdt -7` of each payment, sorted. */
async function paymentsOf(client: ApiClient): Promise<readonly string[]> {
  const { body } = await client.post<{ data: readonly Payment[] }>(PAYMENTS, {});
  return body.data
    .map(({ type, marketId, amountInRAT }) => `${type} ${marketId} ${amountInRAT}`)
    .sort();
}

async function trade(path: string, fields: object, lots: string): Promise<void> {
  for (const [client, side] of [
    [bob, 'Sell'],
    [alice, 'Buy'],
  ] as const) {
    const answer = await place(client, { ...fields, side, requestedLotAmount: lots }, path);
    expect(answer.status, answer.text).toBe(200);
  }
}

async function usdtOf(client: ApiClient): Promise<string> {
  return (await balancesOf(client))['usdt']?.total ?? '';
}

beforeAll(async () => {
  await signIn();
  const admin = await server().user('admin');
  const index = '/back-api/backoffice/v2/markets/perp.btc_usdt/index-price';
  expect((await admin.post(index, { price: '50000' })).status).toBe(204);
  await trade(PERP_ORDERS, BITCOIN, '3');
  await trade(CFD_ORDERS, EURO, '10');
  await trade(CFD_ORDERS, GOLD, '1');
  for (const [side, requestedPrice] of [
    ['Buy', '49990'],
    ['Sell', '50010'],
  ]) {
    await place(bob, { ...BITCOIN, side, requestedPrice }, PERP_ORDERS);
  }
  free = { alice: await usdtOf(alice), bob: await usdtOf(bob) };
});
afterAll(() => clock.cleanup());

describe('at the end of a Friday', () => {
  it('funding and swaps are paid by positions, and listed as payments', async () => {
    const prices = '/marketdata/api/v4/instruments/perp.btc_usdt/prices';
    const price = async () => (await alice.get(prices)).body;
    // A book around the index has no premium: what is left is the interest of 0.01 %.
    await expect
      .poll(price, { timeout: 20_000 })
      .toMatchObject({ mark: '50000', index: '50000', fundingRate: '0.0001' });
    expect(await price()).toMatchObject({ nextFundingAt: '2026-11-21T00:00:00.000Z' });
    clock.put('2026-11-21T00:00:01Z');
    await expect.poll(() => paymentsOf(alice), { timeout: 20_000 }).toHaveLength(3);
    // 3 × 50,000 × 0.0001; 1,000,000 × 0.00001 × 0.7; 100 × 2,400 × 0.0002 × three nights.
    expect(await paymentsOf(alice)).toEqual([
      'Funding perp.btc_usdt -15',
      'Swap cfd.eur_usdt -7',
      'Swap cfd.xau_usdt -144',
    ]);
    expect(await paymentsOf(bob)).toEqual([
      'Funding perp.btc_usdt 15',
      'Swap cfd.eur_usdt 3',
      'Swap cfd.xau_usdt -72',
    ]);
  });

  it('payments name their position, and are what balances and equity changed by', async () => {
    const { body } = await alice.post<{ data: readonly Payment[] }>(PAYMENTS, {});
    const positions = await positionsOf(alice);
    for (const { marketId, positionId, createdAt } of body.data) {
      expect(positions.find((each) => each.positionId === positionId)?.marketId).toBe(marketId);
      expect(createdAt).toMatch(/^2026-11-21T00:00:0/);
    }
    const changed = (before: string | undefined, by: number) => String(Number(before) + by);
    expect(await usdtOf(alice)).toBe(changed(free['alice'], -166));
    expect(await usdtOf(bob)).toBe(changed(free['bob'], -54));
    expect((await marginOf(alice)).marginBalanceInRAT).toBe(await usdtOf(alice));
  });

  it('the settlement is in the funding history of its market, for guests too', async () => {
    const record = { appliedAt: '2026-11-21T00:00:00.000Z', interval: 8, rate: '0.0001' };
    const guests = '/marketdata/api/v4/guest/instruments/perp.btc_usdt/funding';
    const expected = { fundingData: [record], hasMore: false };
    expect((await alice.get(FUNDING)).body).toEqual(expected);
    expect((await server().anonymous().get(guests)).body).toEqual(expected);
    const none = { fundingData: [], hasMore: false };
    expect((await alice.get(`${FUNDING}?appliedAtTo=2026-11-20`)).body).toEqual(none);
    expect((await alice.get(`${FUNDING}?offset=1`)).body).toEqual(none);
    expect((await alice.get(`${FUNDING}?appliedAtFrom=2026-11-21`)).body).toEqual(expected);
  });

  it('the gold market is closed: it says when it opens, cancels only, and closes nothing', async () => {
    const description = expect.stringContaining('2026-11-23T05:00:00.000Z');
    const refused = { status: 400, body: { code: 'TR0302', description } };
    expect(await place(alice, { ...GOLD, requestedLotAmount: '1' })).toMatchObject(refused);
    const gold = (await positionsOf(alice)).find((each) => each.marketId === GOLD.marketId);
    const path = `/frontoffice/api/v4/positions/${gold?.positionId}/close`;
    expect(await alice.post(path, {})).toMatchObject(refused);
  });
});

describe('while the venue was down', () => {
  it('nights were carried and are charged, and funding nobody saw the premium of is not', async () => {
    await server().kill('SIGKILL');
    clock.put('2026-11-22T00:30:00Z');
    await server().restart();
    await signIn();
    await expect.poll(() => paymentsOf(alice), { timeout: 20_000 }).toHaveLength(5);
    // The euro's night to Sunday; the weekend of gold was charged on Friday.
    expect(await paymentsOf(alice)).toEqual([
      'Funding perp.btc_usdt -15',
      'Funding perp.btc_usdt 0',
      'Swap cfd.eur_usdt -7',
      'Swap cfd.eur_usdt -7',
      'Swap cfd.xau_usdt -144',
    ]);
    const { body } = await alice.get(`${FUNDING}?limit=1`);
    expect(body).toEqual({
      fundingData: [{ appliedAt: '2026-11-22T00:00:00.000Z', interval: 8, rate: '0' }],
      hasMore: true,
    });
  });

  it('nothing is paid twice, and the books are right', async () => {
    const everything = async () => [await paymentsOf(alice), await paymentsOf(bob)];
    const before = await everything();
    await server().kill('SIGKILL');
    await server().restart();
    expect(await everything()).toEqual(before);
    await server().kill('SIGTERM');
    const { code, output } = await server().verify();
    expect(code, output).toBe(0);
  });
});
