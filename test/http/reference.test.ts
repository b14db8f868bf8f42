import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { placed } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';

const server = useServer();
let alice: ApiClient;
let bob: ApiClient;

beforeAll(async () => {
  alice = await server().trader('alice');
  bob = await server().trader('bob');
});

const FRONT = '/frontoffice/api';
const DECIMAL = /^-?\d+(\.\d*[1-9])?$/;

async function ok<T>(client: ApiClient, path: string): Promise<T> {
  const { status, text, body } = await client.get<T>(path);
  expect(status, text).toBe(200);
  return body;
}

describe('accounts', () => {
  it('are the caller\u2019s own, oldest first, with what they own in the root asset', async () => {
    const accounts = await ok<Record<string, unknown>[]>(alice, `${FRONT}/v3/accounts`);
    expect(accounts).toEqual([
      {
        accountId: alice.accountId,
        publicAccountId: expect.any(Number),
        accountName: 'Main',
        accountType: 'Netting',
        accountStatus: 'Active',
        totalBalanceInRAT: expect.stringMatching(DECIMAL),
        isCopyTradingAccount: false,
      },
      expect.objectContaining({ accountName: 'Hedging', accountType: 'Hedging' }),
    ]);
    const others = await ok<{ accountId: string }[]>(bob, `${FRONT}/v3/accounts`);
    const ids = new Set([...accounts, ...others].map(({ accountId }) => accountId));
    expect(ids.size).toBe(4);
  });

  it('need no accountId header, and read none', async () => {
    const nameless = alice.with({ accountId: '' });
    const foreign = alice.with({ accountId: bob.accountId });
    const own = await ok(alice, `${FRONT}/v3/accounts`);
    expect(await ok(nameless, `${FRONT}/v3/accounts`)).toEqual(own);
    expect(await ok(foreign, `${FRONT}/v3/accounts`)).toEqual(own);
  });
});

describe('balances', () => {
  const START = {
    btc: { total: '10', available: '10', locked: '0' },
    eth: { total: '100', available: '100', locked: '0' },
    usdt: { total: '1000000', available: '1000000', locked: '0' },
    eur: { total: '0', available: '0', locked: '0' },
    xau: { total: '0', available: '0', locked: '0' },
  };

  it('are what the demo accounts were given', async () => {
    for (const [name, account] of [
      ['alice', 'Main'],
      ['alice', 'Hedging'],
      ['bob', 'Main'],
      ['bob', 'Hedging'],
    ] as const) {
      const client = await server().trader(name, account);
      const balances = await ok<{ assetId: string }[]>(client, `${FRONT}/v4/balances`);
      const expected = Object.entries(START).map(([assetId, amounts]) => ({ assetId, ...amounts }));
      expect(balances).toEqual(expected);
    }
  });

  it('show what an order holds as locked, to the unit', async () => {
    const client = await server().trader('bob', 'Hedging');
    await placed(client, { requestedPrice: '1000.01', requestedAmount: '0.000123' });
    await placed(client, { side: 'Sell', requestedPrice: '90000', requestedAmount: '1.5' });
    const balances = await ok<{ assetId: string }[]>(client, `${FRONT}/v4/balances`);
    // 0.000123 × 1000.01 is 0.12300123: 0.123002 held, and 0.000124 for the commission.
    expect(balances.find(({ assetId }) => assetId === 'usdt')).toEqual({
      assetId: 'usdt',
      total: '1000000',
      available: '999999.876874',
      locked: '0.123126',
    });
    expect(balances.find(({ assetId }) => assetId === 'btc')).toMatchObject({
      available: '8.5',
      locked: '1.5',
    });
  });

  it('as margin assets have names, ratios and whether they count', async () => {
    const path = `${FRONT}/v4/account-margin-settings/assets`;
    const { assets } = await ok<{ assets: Record<string, unknown>[] }>(alice, path);
    expect(assets.map((asset) => Object.keys(asset).sort())).toEqual(
      assets.map(() => ['assetId', 'assetName', 'available', 'isSelected', 'marginRatio', 'total']),
    );
    expect(assets.find(({ assetId }) => assetId === 'usdt')).toEqual({
      assetId: 'usdt',
      assetName: 'Tether',
      available: '1000000',
      total: '1000000',
      marginRatio: '1',
      isSelected: true,
    });
    for (const { marginRatio } of assets) {
      expect(Number(marginRatio)).toBeGreaterThanOrEqual(0);
      expect(Number(marginRatio)).toBeLessThanOrEqual(1);
    }
    const nameless = alice.with({ accountId: '' });
    expect(await ok(nameless, path)).toEqual({ assets });
  });
});

describe('assets', () => {
  it('are listed, one of them the root', async () => {
    const assets = await ok<Record<string, unknown>[]>(alice, `${FRONT}/v3/assets`);
    expect(assets.map(({ assetId }) => assetId)).toEqual(
      expect.arrayContaining(['btc', 'eth', 'usdt', 'eur', 'xau']),
    );
    for (const asset of assets) {
      expect(asset).toEqual({
        assetId: expect.stringMatching(/^[a-z0-9]+$/),
        assetName: expect.stringMatching(/./),
        isRootAsset: asset['assetId'] === 'usdt',
      });
    }
  });
});

describe('markets', () => {
  it('are listed by display name', async () => {
    const markets = await ok<{ marketId: string; displayName: string }[]>(
      alice,
      `${FRONT}/v6/markets`,
    );
    expect(markets.map(({ marketId }) => marketId)).toEqual(
      expect.arrayContaining(['spot.btc_usdt', 'spot.eth_usdt', 'spot.eth_btc']),
    );
    expect(markets.find(({ marketId }) => marketId === 'spot.btc_usdt')).toEqual({
      marketId: 'spot.btc_usdt',
      displayName: 'BTC/USDT',
      fullName: 'Bitcoin / Tether',
      type: 'Spot',
      subtype: null,
      isFavorite: false,
    });
    const names = markets.map(({ displayName }) => displayName);
    expect(names).toEqual([...names].sort());
    const older = await ok<object[]>(alice, `${FRONT}/v4/markets`);
    expect(older).toHaveLength(markets.length);
    expect(Object.keys(older[0] ?? {})).toEqual([
      'marketId',
      'displayName',
      'fullName',
      'type',
      'subtype',
    ]);
  });

  it('have the trading parameters of the demo venue', async () => {
    const detail = await ok(alice, `${FRONT}/v6/markets/spot.btc_usdt`);
    expect(detail).toEqual({
      marketId: 'spot.btc_usdt',
      displayName: 'BTC/USDT',
      fullName: 'Bitcoin / Tether',
      baseAssetId: 'btc',
      quoteAssetId: 'usdt',
      minAmount: '0.00001',
      maxBaseAmount: '5000',
      priceDeviation: '0',
      priceScale: 2,
      amountScale: 6,
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
          { dayOfWeek: 'Monday', timeIntervals: [expect.objectContaining({ start: '00:00:00' })] },
        ]),
        sessionOverrides: [],
      },
      fundingStartTime: null,
      fundingIntervalInHours: null,
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
      isFavorite: false,
    });
    const collared = await ok(alice, `${FRONT}/v6/markets/spot.eth_usdt`);
    expect(collared).toMatchObject({ priceDeviation: '0.1', slippageRate: '1.1' });
  });

  it('have their v4 form with leverage in place of profiles', async () => {
    const detail = await ok<Record<string, unknown>>(alice, `${FRONT}/v4/markets/spot.btc_usdt`);
    expect(detail).toMatchObject({ maxLeverage: 1, isConstLeverage: true, priceScale: 2 });
    expect(detail).not.toHaveProperty('leverageProfile');
    expect(detail).not.toHaveProperty('commissionSettings');
  });

  it('that do not exist are refused by name', async () => {
    for (const version of ['v4', 'v6']) {
      for (const marketId of ['spot.nope_usdt', 'x', '__proto__', 'constructor']) {
        const answer = await alice.get(`${FRONT}/${version}/markets/${marketId}`);
        expect({ status: answer.status, code: answer.code }).toEqual({
          status: 400,
          code: 'TR0300',
        });
        expect(answer.text).toContain(marketId);
      }
    }
  });

  it('can be favorites of one user and not of another, added and deleted twice like once', async () => {
    const marketId = 'spot.eth_btc';
    const favorites = async (client: ApiClient) =>
      (await ok<{ marketId: string }[]>(client, `${FRONT}/v6/markets?isFavorite=true`)).map(
        (market) => market.marketId,
      );
    for (let time = 0; time < 2; time++) {
      const added = await alice.post(`${FRONT}/v6/markets/favorites/add`, { marketId });
      expect({ status: added.status, body: added.body }).toEqual({ status: 200, body: {} });
    }
    expect(await favorites(alice)).toEqual([marketId]);
    expect(await favorites(bob)).toEqual([]);
    expect(await ok(alice, `${FRONT}/v6/markets/${marketId}`)).toMatchObject({ isFavorite: true });
    for (let time = 0; time < 2; time++) {
      const deleted = await alice.post(`${FRONT}/v6/markets/favorites/delete`, { marketId });
      expect(deleted.status).toBe(200);
    }
    expect(await favorites(alice)).toEqual([]);
    const unknown = await alice.post(`${FRONT}/v6/markets/favorites/add`, { marketId: 'spot.a_b' });
    expect(unknown.code).toBe('TR0300');
  });

  it('are filtered by a query that is checked', async () => {
    expect(await ok(alice, `${FRONT}/v6/markets?categoryId=none`)).toEqual([]);
    const all = await ok<object[]>(alice, `${FRONT}/v6/markets`);
    expect(await ok(alice, `${FRONT}/v6/markets?isFavorite=false`)).toEqual(all);
    for (const query of ['isFavorite=maybe', 'isFavorite=1', 'favorite=true', 'categoryId=%zz']) {
      expect((await alice.get(`${FRONT}/v6/markets?${query}`)).status, query).toBe(400);
    }
  });
});

describe('server information', () => {
  it('tells the time, the zone and the root asset', async () => {
    const info = await ok<{ serverTime: string }>(alice, `${FRONT}/v3/info`);
    expect(info).toMatchObject({ timeZoneId: 'UTC', utcOffset: '+00:00', rootAssetId: 'usdt' });
    expect(Math.abs(Date.parse(info.serverTime) - Date.now())).toBeLessThan(60_000);
  });

  it('lists time zones with their offsets of now', async () => {
    const zones = await ok<{ id: string; utcOffset: string }[]>(
      alice,
      `${FRONT}/v3/info/time-zones`,
    );
    expect(zones.length).toBeGreaterThan(300);
    const tokyo = zones.find(({ id }) => id === 'Asia/Tokyo');
    expect(tokyo?.utcOffset).toBe('+09:00');
    const newYork = zones.find(({ id }) => id === 'America/New_York');
    expect(['-05:00', '-04:00']).toContain(newYork?.utcOffset);
  });
});

describe('operations', () => {
  it('tell without a token that the venue is ready', async () => {
    const { status, body } = await server().anonymous().get('/health');
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'ok', durableSequence: expect.any(Number) });
  });

  it('give figures in the form of Prometheus, and nobody\u2019s business', async () => {
    const { status, headers, text } = await server().anonymous().get('/metrics');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    for (const line of text.split('\n')) {
      expect(line).toMatch(/^$|^# (HELP|TYPE) |^[a-zA-Z_:][\w:]*(\{.*\})? \S+$/);
    }
    for (const name of [
      'matchbox_http_requests_total',
      'matchbox_http_request_duration_seconds_bucket',
      'matchbox_pending_requests',
      'matchbox_journal_commit_events_sum',
      'matchbox_journal_sequence',
      'matchbox_ledger_imbalance{asset="usdt"} 0',
      'matchbox_held_mismatches 0',
      'matchbox_margin_mismatches 0',
    ]) {
      expect(text).toContain(name);
    }
    expect(text).not.toContain(alice.accountId);
    expect(text).not.toMatch(/matchbox\.test/);
  });
});
