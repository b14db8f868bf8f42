import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { useServer } from '../support/use-server.ts';

const server = useServer({ PLATFORM_TIME_ZONE: 'Asia/Kolkata' });
const alice = (): Promise<ApiClient> => server().trader('alice');

const FAVORITES = '/frontoffice/api/v6/markets/favorites';

async function favoritesOf(client: ApiClient): Promise<string[]> {
  const path = '/frontoffice/api/v6/markets?isFavorite=true';
  const { body } = await client.get<{ marketId: string }[]>(path);
  return body.map(({ marketId }) => marketId);
}

describe('reference data', () => {
  it('lists assets, of which one is the root asset', async () => {
    const { status, body } = await (await alice()).get('/frontoffice/api/v3/assets');
    expect(status).toBe(200);
    expect(body).toEqual([
      { assetId: 'btc', assetName: 'Bitcoin', isRootAsset: false },
      { assetId: 'eth', assetName: 'Ether', isRootAsset: false },
      { assetId: 'usdt', assetName: 'Tether', isRootAsset: true },
      { assetId: 'eur', assetName: 'Euro', isRootAsset: false },
      { assetId: 'xau', assetName: 'Gold, troy ounce', isRootAsset: false },
    ]);
  });

  it('lists markets by display name, in two versions', async () => {
    const client = await alice();
    const v6 = await client.get<{ displayName: string }[]>('/frontoffice/api/v6/markets');
    const v4 = await client.get<{ displayName: string }[]>('/frontoffice/api/v4/markets');
    const names = v6.body.map(({ displayName }) => displayName);
    expect(names).toEqual([...names].sort());
    expect(v6.body[0]).toEqual({
      marketId: 'spot.btc_usdt',
      displayName: 'BTC/USDT',
      fullName: 'Bitcoin / Tether',
      type: 'Spot',
      subtype: null,
      isFavorite: false,
    });
    expect(Object.keys(v4.body[0] ?? {})).toEqual([
      'marketId',
      'displayName',
      'fullName',
      'type',
      'subtype',
    ]);
    const grouped = ['categoryId=x', 'dynamicCommissionGroupId=x'];
    for (const query of grouped) {
      expect((await client.get(`/frontoffice/api/v6/markets?${query}`)).body).toEqual([]);
    }
    const odd = await client.get('/frontoffice/api/v6/markets?isFavorite=1');
    expect(odd).toMatchObject({ status: 400, code: 'TR0009' });
  });

  it('has every trading parameter of a Spot market', async () => {
    const client = await alice();
    const { body } = await client.get('/frontoffice/api/v6/markets/spot.eth_usdt');
    const shared = {
      marketId: 'spot.eth_usdt',
      displayName: 'ETH/USDT',
      fullName: 'Ether / Tether',
      baseAssetId: 'eth',
      quoteAssetId: 'usdt',
      minAmount: '0.0001',
      maxBaseAmount: '50000',
      priceDeviation: '0.1',
      priceScale: 2,
      amountScale: 5,
      type: 'Spot',
      subtype: null,
      swapSettings: null,
      lotSize: null,
      minLotAmount: null,
      maxLotAmount: null,
      tickSize: null,
      lotStep: null,
      slippageRate: '1.1',
      calendar: {
        timeZoneId: 'UTC',
        tradingSessions: expect.arrayContaining([
          { dayOfWeek: 'Sunday', timeIntervals: [{ start: '00:00:00', end: '00:00:00' }] },
        ]),
        sessionOverrides: [],
      },
      fundingStartTime: null,
      fundingIntervalInHours: null,
      isFavorite: false,
    };
    expect(body).toEqual({
      ...shared,
      leverageProfile: null,
      commissionSettings: {
        type: 'Fixed',
        charge: {
          type: 'Percent',
          assetId: null,
          size: '0.001',
          tiers: null,
          minCommissionInRAT: null,
        },
        dynamicCommissionGroupId: null,
      },
    });
    const v4 = await client.get('/frontoffice/api/v4/markets/spot.eth_usdt');
    expect(v4.body).toEqual({
      ...shared,
      minQuoteAmount: null,
      maxLeverage: 1,
      isConstLeverage: true,
    });
    for (const version of ['v4', 'v6']) {
      const unknown = await client.get(`/frontoffice/api/${version}/markets/spot.btc_doge`);
      expect(unknown).toMatchObject({ status: 400, code: 'TR0300' });
    }
  });

  it('keeps favorites for each user, through a restart', async () => {
    const marketId = 'spot.eth_btc';
    const [client, other] = [await alice(), await server().trader('bob')];
    for (let times = 0; times < 2; times++) {
      const added = await client.post(`${FAVORITES}/add`, { marketId });
      expect(added).toMatchObject({ status: 200, body: {} });
    }
    expect(await favoritesOf(client)).toEqual([marketId]);
    expect(await favoritesOf(other)).toEqual([]);
    const detail = await client.get(`/frontoffice/api/v6/markets/${marketId}`);
    expect(detail.body).toMatchObject({ isFavorite: true });
    await server().kill('SIGKILL');
    await server().restart();
    expect(await favoritesOf(client)).toEqual([marketId]);
    for (let times = 0; times < 2; times++) {
      const deleted = await client.post(`${FAVORITES}/delete`, { marketId });
      expect(deleted).toMatchObject({ status: 200, body: {} });
    }
    expect(await favoritesOf(client)).toEqual([]);
    for (const action of ['add', 'delete']) {
      const unknown = await client.post(`${FAVORITES}/${action}`, { marketId: 'spot.a_b' });
      expect(unknown).toMatchObject({ status: 400, code: 'TR0300' });
    }
  });

  it("tells the server's time and the time zones", async () => {
    const client = await alice();
    const before = Date.now();
    const { body } = await client.get<{ serverTime: string }>('/frontoffice/api/v3/info');
    expect(body).toMatchObject({
      timeZoneId: 'Asia/Kolkata',
      utcOffset: '+05:30',
      rootAssetId: 'usdt',
    });
    expect(Date.parse(body.serverTime)).toBeGreaterThanOrEqual(before);
    const zones = await client.get<{ id: string }[]>('/frontoffice/api/v3/info/time-zones');
    expect(zones.body).toContainEqual({
      id: 'Asia/Kolkata',
      displayName: '(UTC+05:30) Asia/Kolkata',
      utcOffset: '+05:30',
    });
    expect(zones.body).toContainEqual({
      id: 'UTC',
      displayName: '(UTC+00:00) UTC',
      utcOffset: '+00:00',
    });
  });
});
