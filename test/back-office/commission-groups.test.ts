import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { orderOf, placed } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';
import { BACK_OFFICE, outcome, put } from './back-office.ts';

const PROFILES = `${BACK_OFFICE}/v2/commission-profiles`;
const GROUPS = `${BACK_OFFICE}/v2/dynamic-commission-groups`;
const MARKETS = '/frontoffice/api/v6/markets';

const server = useServer();
let admin: ApiClient;
let support: ApiClient;
let alice: ApiClient;
let bob: ApiClient;

beforeAll(async () => {
  admin = await server().user('admin');
  support = await server().user('support');
  alice = await server().trader('alice');
  bob = await server().trader('bob');
});

const TIERS = [
  { size: '0.002', makerSize: '0.001', minTradingVolumeInRAT: '0' },
  { size: '0.0015', makerSize: '0', minTradingVolumeInRAT: '1000.5' },
];
/** What traders see of them: makers and takers are not told apart. */
const SHOWN = TIERS.map(({ size, minTradingVolumeInRAT }) => ({ size, minTradingVolumeInRAT }));
const GROUP = {
  name: 'Volume',
  type: 'Percent',
  assetId: null,
  minCommissionInRAT: null,
  tiers: TIERS,
};

const assign = (marketId: string, dynamicCommissionGroupId: string | null) =>
  put(admin, `${BACK_OFFICE}/v2/markets/${marketId}/dynamic-commission-group`, {
    dynamicCommissionGroupId,
  });
const groups = async () => (await support.get<object[]>(GROUPS)).body;
const listed = async (groupId: string) => {
  const path = `${MARKETS}?dynamicCommissionGroupId=${groupId}`;
  return (await alice.get<{ marketId: string }[]>(path)).body.map(({ marketId }) => marketId);
};

/** What Alice as the maker and Bob as the taker pay for 0.01 btc at 30000: 300 usdt. */
async function paid(): Promise<string[]> {
  const maker = await placed(alice, { side: 'Sell', requestedPrice: '30000' });
  const taker = await placed(bob, { side: 'Buy', requestedPrice: '30000' });
  return [
    (await orderOf(alice, maker)).commissionAmount,
    (await orderOf(bob, taker)).commissionAmount,
  ];
}

describe('dynamic commission groups', () => {
  it('charge in their markets, filter the lists of them, and stay through a restart', async () => {
    const made = await admin.post(GROUPS, GROUP);
    expect([made.status, made.text]).toEqual([201, '{"id":"1"}']);
    expect([await listed('1'), await paid()]).toEqual([[], ['0.3', '0.3']]);
    const assigned = await assign('spot.btc_usdt', '1');
    expect([assigned.status, assigned.text]).toEqual([200, '']);
    await server().kill('SIGKILL');
    await server().restart();
    expect([await listed('1'), await listed('2')]).toEqual([['spot.btc_usdt'], []]);
    expect(await paid()).toEqual(['0.3', '0.6']);
    expect(await groups()).toEqual([
      { dynamicCommissionGroupId: '1', ...GROUP, marketIds: ['spot.btc_usdt'] },
    ]);
    const detail = await alice.get<object>(`${MARKETS}/spot.btc_usdt`);
    expect(detail.body).toMatchObject({
      commissionSettings: {
        type: 'Dynamic',
        charge: {
          type: 'Percent',
          assetId: null,
          size: null,
          tiers: SHOWN,
          minCommissionInRAT: null,
        },
        dynamicCommissionGroupId: '1',
      },
    });
    expect((await support.get(`${BACK_OFFICE}/tiers`)).body).toEqual({
      rootAsset: 'usdt',
      groups: [
        {
          tiers: [
            {
              id: 1001,
              description: 'Volume 1',
              volume: '0',
              makerFee: '0.001',
              takerFee: '0.002',
              tierGroupId: 1,
            },
            {
              id: 1002,
              description: 'Volume 2',
              volume: '1000.5',
              makerFee: '0',
              takerFee: '0.0015',
              tierGroupId: 1,
            },
          ],
          market: [{ marketId: 'spot.btc_usdt', tierGroupId: 1 }],
        },
      ],
    });
  });

  it('change for orders from then on', async () => {
    const changed = { ...GROUP, minCommissionInRAT: '2', tiers: TIERS.slice(0, 1) };
    const answer = await put(admin, `${GROUPS}/1`, changed);
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(await paid()).toEqual(['2', '2']);
    expect((await assign('spot.btc_usdt', null)).status).toBe(200);
    expect(await paid()).toEqual(['0.3', '0.3']);
    expect(await listed('1')).toEqual([]);
  });

  it('charge markets on margin by the lot', async () => {
    const byLot = { ...GROUP, name: 'Lots', type: 'FixPerLot', assetId: 'eur' };
    const { body } = await admin.post<{ id: string }>(GROUPS, byLot);
    expect((await assign('cfd.eur_usdt', body.id)).status).toBe(200);
    const detail = await alice.get<object>(`${MARKETS}/cfd.eur_usdt`);
    expect(detail.body).toMatchObject({
      commissionSettings: { type: 'Dynamic', charge: { type: 'FixPerLot', tiers: SHOWN } },
    });
    // Lots are none of what the older back office knows.
    const { groups: older } = (await support.get<{ groups: object[] }>(`${BACK_OFFICE}/tiers`))
      .body;
    expect(older).toHaveLength(1);
  });

  const lots = { ...GROUP, name: 'More lots', type: 'FixPerLot' };
  const tiers = (...volumes: string[]) => ({
    ...GROUP,
    name: 'Tiers',
    tiers: volumes.map((minTradingVolumeInRAT) => ({ size: '0.1', minTradingVolumeInRAT })),
  });
  it.each<[string, 'POST' | 'PUT', string, unknown, string]>([
    ['a name is taken', 'POST', '', GROUP, '409 TR0602'],
    ['the first tier is not for all', 'POST', '', tiers('1'), '400 TR0600'],
    ['tiers do not rise', 'POST', '', tiers('0', '5', '5'), '400 TR0600'],
    ['there are no tiers', 'POST', '', tiers(), '400 TR0017'],
    ['a volume is negative', 'POST', '', tiers('0', '-5'), '400 TR0600'],
    ['a volume is too fine', 'POST', '', tiers('0', '0.0000001'), '400 TR0600'],
    ['the asset is unknown', 'POST', '', { ...lots, assetId: 'doge' }, '400 TR0500'],
    ['a fraction is of an asset', 'POST', '', { ...tiers('0'), assetId: 'btc' }, '400 TR0708'],
    ['the type is none', 'POST', '', { ...GROUP, type: 'Points' }, '400 TR0011'],
    ['there is no such group', 'PUT', '/9', tiers('0'), '404 TR0700'],
  ])('are refused where %s', async (_, method, path, body, expected) => {
    const before = await groups();
    expect(outcome(await admin.send(method, `${GROUPS}${path}`, body))).toBe(expected);
    expect(await groups()).toEqual(before);
  });

  it('take only markets that they can charge', async () => {
    expect(outcome(await assign('spot.btc_usdt', '2'))).toBe('400 TR0600');
    expect(outcome(await assign('spot.btc_usdt', '9'))).toBe('400 TR0701');
    expect(outcome(await assign('spot.x_y', '1'))).toBe('400 TR0300');
    expect(outcome(await support.post(GROUPS, tiers('0')))).toBe('403 TR0101');
    expect(outcome(await alice.get(`${BACK_OFFICE}/tiers`))).toBe('403 TR0101');
  });
});

describe('commission profiles', () => {
  const profileOf = (accountId: string, commissionProfileId: string) =>
    put(admin, `${BACK_OFFICE}/v2/accounts/${accountId}/commission-profile`, {
      commissionProfileId,
    });

  it('have rules of their own, for the accounts that they are given to', async () => {
    const made = await admin.post(PROFILES, { name: 'Friends' });
    expect(made.status).toBe(201);
    const friends = { commissionProfileId: '2', name: 'Friends', isDefault: false };
    expect(made.body).toEqual(friends);
    expect((await support.get(PROFILES)).body).toEqual([
      { commissionProfileId: '1', name: 'Default', isDefault: true },
      friends,
    ]);
    const commissionProfileRule = {
      marketId: 'spot.btc_usdt',
      feeSettings: {
        spot: { type: 'Percent', size: 0 },
        cfd: { type: 'FixPerLot', size: '7.5', assetId: 'usdt' },
      },
    };
    const rule = await admin.post(`${PROFILES}/2/rules`, { commissionProfileRule });
    expect(rule.status).toBe(201);
    const assigned = await profileOf(bob.accountId, '2');
    expect([assigned.status, assigned.text]).toEqual([200, '']);
    await server().kill('SIGKILL');
    await server().restart();
    expect(await paid()).toEqual(['0.3', '0']);
    const detail = await bob.get<object>(`${MARKETS}/spot.btc_usdt`);
    expect(detail.body).toMatchObject({ commissionSettings: { charge: { size: '0' } } });
    await profileOf(bob.accountId, '1');
    expect(await paid()).toEqual(['0.3', '0.3']);
  });

  it('are refused where there is no such account, profile or name', async () => {
    expect(outcome(await profileOf('1', '2'))).toBe('404 TR0700');
    expect(outcome(await profileOf(bob.accountId, '9'))).toBe('400 TR0701');
    expect(outcome(await admin.post(PROFILES, { name: 'Default' }))).toBe('409 TR0602');
    expect(outcome(await admin.post(PROFILES, { name: '' }))).toBe('400 TR0014');
    expect(outcome(await support.post(PROFILES, { name: 'Foes' }))).toBe('403 TR0101');
  });

  it('are removed once no account has them; their ids are not given again', async () => {
    const add = async (name: string) =>
      (await admin.post<{ commissionProfileId: string }>(PROFILES, { name })).body
        .commissionProfileId;
    const remove = async (id: string) => outcome(await admin.del(`${PROFILES}/${id}`));
    const first = await add('Passing');
    await profileOf(alice.accountId, first);
    expect(await remove(first)).toBe('409 TR0703');
    await profileOf(alice.accountId, '1');
    expect(outcome(await support.del(`${PROFILES}/${first}`))).toBe('403 TR0101');
    expect(await remove(first)).toBe('200');
    expect(await remove(first)).toBe('404 TR0700');
    expect(await remove('x')).toBe('404 TR0700');
    expect(await remove('1')).toBe('409 TR0709');
    expect(outcome(await profileOf(alice.accountId, first))).toBe('400 TR0701');
    expect(outcome(await support.get(`${PROFILES}/${first}/rules`))).toBe('404 TR0700');
    const left = (await support.get(PROFILES)).body;
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      await server().kill(signal);
      await server().restart();
      expect((await support.get(PROFILES)).body).toEqual(left);
    }
    expect(Number(await add('Passing'))).toBe(Number(first) + 1);
  });
});

describe('a group', () => {
  it('is removed once no market is in it; its id is not given again', async () => {
    const add = async () => {
      const { id } = (await admin.post<{ id: string }>(GROUPS, { ...GROUP, name: 'Brief' })).body;
      return id;
    };
    const remove = async (id: string) => outcome(await admin.del(`${GROUPS}/${id}`));
    const first = await add();
    await assign('spot.eth_btc', first);
    const open = await placed(alice, { marketId: 'spot.eth_btc', requestedPrice: '0.01' });
    expect(await remove(first)).toBe('409 TR0703');
    await assign('spot.eth_btc', null);
    expect(outcome(await support.del(`${GROUPS}/${first}`))).toBe('403 TR0101');
    expect(await remove(first)).toBe('200');
    expect(await remove(first)).toBe('404 TR0700');
    expect(outcome(await assign('spot.eth_btc', first))).toBe('400 TR0701');
    expect(outcome(await put(admin, `${GROUPS}/${first}`, GROUP))).toBe('404 TR0700');
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      await server().kill(signal);
      await server().restart();
      expect((await groups()).map((group) => Object.values(group)[0])).not.toContain(first);
    }
    const order = { marketId: 'spot.eth_btc', requestedPrice: '0.01', side: 'Sell' } as const;
    await placed(bob, order);
    expect(await orderOf(alice, open)).toMatchObject({
      status: 'Completed',
      commissionAmount: '0.0000001',
    });
    expect(Number(await add())).toBe(Number(first) + 1);
  });
});
