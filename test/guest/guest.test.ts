import { describe, expect, it } from 'vitest';
import type { Answer, ApiClient } from '../support/api-client.ts';
import { cancel, placed, stateOf } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';

const server = useServer({ PLATFORM_TIME_ZONE: 'Asia/Kolkata' });
const alice = (): Promise<ApiClient> => server().trader('alice');
const guest = (): ApiClient => server().anonymous();

const ORDER_DATA = '/frontoffice/api/v3/guest/order-data';
const LIMIT_BUY = {
  marketId: 'btc_usdt',
  side: 'Buy',
  orderType: 'Limit',
  requestedAmount: '0.3',
  requestedPrice: '1000.01',
};
const price = (client: ApiClient, fields: object = {}): Promise<Answer> =>
  client.post(ORDER_DATA, { order: { ...LIMIT_BUY, ...fields } });

/** Every guest endpoint, and the one of traders that answers alike; what differs is left out. */
const TWINS: readonly [path: string, twin: string][] = [
  ['/frontoffice/api/v3/guest/assets', '/frontoffice/api/v3/assets'],
  ['/frontoffice/api/v3/guest/info/time-zones', '/frontoffice/api/v3/info/time-zones'],
  ['/frontoffice/api/v5/guest/markets', '/frontoffice/api/v4/markets'],
];

describe('guests', () => {
  it.each(TWINS)('read %s as traders read %s', async (path, twin) => {
    const [open, signedIn] = [await guest().get(path), await (await alice()).get(twin)];
    expect(open.status).toBe(200);
    expect(open.body).toEqual(signedIn.body);
  });

  it('are told the time of the server and the zone of the platform', async () => {
    const before = Date.now();
    const { body } = await guest().get<{ serverTime: string }>('/frontoffice/api/v3/guest/info');
    expect(body).toMatchObject({ timeZoneId: 'Asia/Kolkata', utcOffset: '+05:30' });
    expect(Date.parse(body.serverTime)).toBeGreaterThanOrEqual(before);
  });

  it('read the trading parameters of a market, and nothing of leverage or commission', async () => {
    const { body } = await guest().get<object>('/frontoffice/api/v5/guest/markets/spot.btc_usdt');
    const detail = await (await alice()).get<Record<string, unknown>>(
      '/frontoffice/api/v6/markets/spot.btc_usdt',
    );
    const { leverageProfile, commissionSettings, isFavorite, ...parameters } = detail.body;
    expect([leverageProfile, commissionSettings, isFavorite]).not.toContain(undefined);
    expect(body).toEqual(parameters);
  });

  it('are not asked who they are: neither a token nor an account is read', async () => {
    const headers = { authorization: 'Bearer garbage', accountid: 'nobody' };
    for (const [path] of TWINS) {
      const plain = await guest().get(path);
      const marked = await guest().get(path, { headers });
      expect([marked.status, marked.text]).toEqual([200, plain.text]);
    }
    const halted = await guest().post(ORDER_DATA, { order: LIMIT_BUY }, { headers });
    expect(halted.body).toEqual((await price(guest())).body);
  });

  it('cannot write, nor reach anything that is behind a token', async () => {
    for (const [path] of TWINS) {
      expect(await guest().post(path, {})).toMatchObject({ status: 405, code: 'TR0031' });
    }
    for (const [, twin] of TWINS) expect((await guest().get(twin)).status).toBe(401);
    expect((await guest().post('/frontoffice/api/v3/guest/orders', {})).status).toBe(404);
  });
});

describe('an order that a guest prices', () => {
  it('costs its price and the default commission, whoever might place it', async () => {
    const client = await alice();
    const before = await stateOf([client]);
    const bought = await price(guest());
    expect(bought.body).toEqual({
      order: {
        baseAmount: '0.3',
        quoteAmount: '300.003',
        commissionAmount: '0.300003',
        total: '300.303003',
      },
    });
    const twin = await client.post('/frontoffice/api/v3/order-data', { order: LIMIT_BUY });
    expect(bought.body).toEqual(twin.body);
    // More than anyone has: a guest has no balance that it could exceed.
    expect((await price(guest(), { requestedAmount: '5000' })).status).toBe(200);
    expect(await stateOf([client])).toEqual(before);
  });

  it('meets the best price of the book where it is a Market order, also after a restart', async () => {
    const client = await alice();
    const market = { orderType: 'Market', requestedPrice: null, requestedAmount: '0.1' };
    expect(await price(guest(), market)).toMatchObject({ status: 400, code: 'TR0222' });
    const orderId = await placed(client, { side: 'Sell', requestedPrice: '1200' });
    const expected = {
      order: { baseAmount: '0.1', quoteAmount: '120', commissionAmount: '0.12', total: '120.12' },
    };
    expect((await price(guest(), market)).body).toEqual(expected);
    await server().kill('SIGKILL');
    await server().restart();
    expect((await price(guest(), market)).body).toEqual(expected);
    await cancel(client, orderId);
  });

  it.each([
    [{ marketId: 'spot.btc_doge' }, 'TR0300'],
    [{ requestedAmount: '0.0000001' }, 'TR0208'],
    [{ requestedAmount: '0.000001' }, 'TR0209'],
    [{ requestedPrice: '1000.001' }, 'TR0207'],
    [{ requestedPrice: null }, 'TR0202'],
    [{ requestedPrice: '0' }, 'TR0212'],
    [{ orderType: null }, 'TR0020'],
    [{ side: 'Both' }, 'TR0011'],
    [{ timeInForce: 'Retry' }, 'TR0204'],
    [{ leverage: 2 }, 'TR0010'],
  ])('with %j is refused with %s', async (fields, code) => {
    expect(await price(guest(), fields)).toMatchObject({ status: 400, code });
  });
});

describe('the candles of guests', () => {
  it('are those of traders, also after a restart', async () => {
    const [seller, buyer] = [await alice(), await server().trader('bob')];
    await placed(seller, { side: 'Sell', requestedPrice: '1000', requestedAmount: '0.2' });
    await placed(buyer, { requestedPrice: '1000', requestedAmount: '0.2' });
    const startDate = new Date(Date.now() - 3_600_000).toISOString();
    const endDate = new Date(Date.now() + 30_000).toISOString();
    const query = `type=1m&startDate=${startDate}&endDate=${endDate}`;
    const read = (client: ApiClient, area: string) =>
      client.get<{ data: object[] }>(
        `/marketdata/api/v4${area}/instruments/btc_usdt/history?${query}`,
      );
    const seen = await read(guest(), '/guest');
    expect(seen.body.data).toMatchObject([
      { instrument: 'spot.btc_usdt', open: '1000', volume: '0.2', quoteVolume: '200' },
    ]);
    expect(seen.text).toBe((await read(buyer, '')).text);
    await server().kill('SIGKILL');
    await server().restart();
    expect((await read(guest(), '/guest')).text).toBe(seen.text);
  });
});

describe('the budget of guests', () => {
  it('is told with every answer, whatever it is, and with none of a user', async () => {
    const answers = [
      await guest().get('/frontoffice/api/v3/guest/assets'),
      await guest().get('/frontoffice/api/v5/guest/markets/spot.btc_doge'),
      await price(guest(), { leverage: 2 }),
      await guest().post(ORDER_DATA, '{'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 400]);
    for (const { headers } of answers) {
      expect(headers['ratelimit-policy']).toBe('"default";q=1000;w=5');
      const [, remaining] = /^"default";r=(\d+);t=\d+$/.exec(headers['ratelimit'] ?? '') ?? [];
      expect(Number(remaining)).toBeGreaterThan(0);
      expect(Number(remaining)).toBeLessThan(1000);
    }
    const signedIn = await (await alice()).get('/frontoffice/api/v3/assets');
    expect(signedIn.headers['ratelimit']).toBeUndefined();
  });

  it('is counted a caller, apart from that of users, and tells when there is more', async () => {
    const client = await alice();
    await server().kill('SIGKILL');
    await server().restart({ GUEST_RATE_PER_SECOND: '1', GUEST_RATE_BURST: '3' });
    const asked = await Promise.all(
      Array.from({ length: 40 }, () => guest().get('/frontoffice/api/v3/guest/assets')),
    );
    const refused = asked.filter(({ status }) => status !== 200);
    // All of them would be taken only if they came over half a minute.
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(38);
    for (const { status, code, headers } of refused) {
      expect([status, code]).toEqual([429, 'TR0040']);
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(headers['ratelimit-policy']).toBe('"default";q=3;w=3');
      expect(headers['ratelimit']).toMatch(/^"default";r=0;t=\d+$/);
    }
    expect((await client.get('/frontoffice/api/v3/assets')).status).toBe(200);
    await server().kill('SIGKILL');
    await server().restart({ GUEST_RATE_PER_SECOND: '', GUEST_RATE_BURST: '' });
  });
});
