import { beforeAll, describe, expect, it } from 'vitest';
import { BACK_OFFICE, put } from '../back-office/back-office.ts';
import type { ApiClient } from '../support/api-client.ts';
import { useServer } from '../support/use-server.ts';

const server = useServer();
let admin: ApiClient;
let alice: ApiClient;
let bob: ApiClient;
let guest: ApiClient;

const MARKET = 'spot.eth_usdt';
const V6 = '/frontoffice/api/v6/markets';
const V4 = '/frontoffice/api/v4/markets';
const GUEST = '/frontoffice/api/v5/guest/markets';
const PROFILES = `${BACK_OFFICE}/v2/commission-profiles`;

beforeAll(async () => {
  admin = await server().user('admin');
  alice = await server().trader('alice');
  bob = await server().trader('bob');
  guest = server().anonymous();
  // Whatever is kept, is kept from here on.
  for (const client of [alice, bob]) await everything(client);
});

interface Detail {
  readonly isFavorite: boolean;
  readonly priceDeviation: string;
  readonly commissionSettings: {
    readonly type: string;
    readonly charge: { readonly size: string };
  };
}

/** Every form that a market has, to whoever may read it. */
async function everything(client: ApiClient) {
  const details = await Promise.all([
    client.get<Detail>(`${V6}/${MARKET}`),
    client.get<Detail>(`${V4}/${MARKET}`),
    guest.get<Detail>(`${GUEST}/${MARKET}`),
  ]);
  const lists = await Promise.all([
    client.get<{ marketId: string; isFavorite: boolean }[]>(V6),
    client.get<{ marketId: string }[]>(V4),
    guest.get<{ marketId: string }[]>(GUEST),
  ]);
  return {
    details: details.map(({ body }) => body),
    isListed: lists.map(({ body }) => body.some(({ marketId }) => marketId === MARKET)),
    isMarked: lists[0].body.find(({ marketId }) => marketId === MARKET)?.isFavorite,
  };
}

const sizeFor = async (client: ApiClient): Promise<string> => {
  const { body } = await client.get<Detail>(`${V6}/${MARKET}`);
  return body.commissionSettings.charge.size;
};

async function done(change: Promise<{ readonly status: number; readonly text: string }>) {
  const { status, text } = await change;
  expect(status, text).toBeLessThan(300);
}

describe('the very next read of markets', () => {
  it('shows a change of the market in every form', async () => {
    const market = `${BACK_OFFICE}/market/${MARKET}`;
    await done(put(admin, market, { price_deviation: '0.25' }));
    const { details, isListed } = await everything(alice);
    const deviations = details.map(({ priceDeviation }) => priceDeviation);
    expect(deviations).toEqual(['0.25', '0.25', '0.25']);
    expect(isListed).toEqual([true, true, true]);
    await done(put(admin, market, { hidden: true }));
    expect((await everything(alice)).isListed).toEqual([false, false, false]);
    expect(await alice.get(`${V6}/${MARKET}`)).toMatchObject({ status: 400, code: 'TR0300' });
    await done(put(admin, market, { hidden: false }));
    expect((await everything(alice)).isListed).toEqual([true, true, true]);
  });

  it('shows a favorite to whom it belongs and to nobody else', async () => {
    const marks = async (client: ApiClient) => {
      const { details, isMarked } = await everything(client);
      return [isMarked, ...details.slice(0, 2).map(({ isFavorite }) => isFavorite)];
    };
    await done(alice.post(`${V6}/favorites/add`, { marketId: MARKET }));
    expect(await marks(alice)).toEqual([true, true, true]);
    expect(await marks(bob)).toEqual([false, false, false]);
    await done(alice.post(`${V6}/favorites/add`, { marketId: 'spot.btc_usdt' }));
    const { body } = await alice.get<{ marketId: string; isFavorite: boolean }[]>(V6);
    const marked = body.filter(({ isFavorite }) => isFavorite).map(({ marketId }) => marketId);
    expect(marked).toEqual(['spot.btc_usdt', MARKET]);
    await done(alice.post(`${V6}/favorites/delete`, { marketId: MARKET }));
    expect(await marks(alice)).toEqual([false, false, false]);
  });

  it('shows a new market and one in a category', async () => {
    const fields = { id: 'btc_eth', base_asset: 'btc', quote_asset: 'eth', amount_scale: 4 };
    const rest = { price_scale: 3, price_deviation: '0.5', min_amount: '0.001', status: 'Open' };
    await done(admin.post(`${BACK_OFFICE}/market/btc_eth`, { ...fields, ...rest }));
    for (const list of [V6, V4, GUEST]) {
      const { body } = await alice.get<{ marketId: string }[]>(list);
      expect(body.map(({ marketId }) => marketId)).toContain('spot.btc_eth');
    }
    const inCategory = async (list: string) => {
      const { body } = await alice.get<{ marketId: string }[]>(`${list}?categoryId=few`);
      return body.map(({ marketId }) => marketId);
    };
    for (const markets of [[MARKET], ['spot.btc_eth'], []]) {
      const few = { id: 'few', name: 'Few', markets, categories: [] };
      await done(put(admin, `${BACK_OFFICE}/v2/markets-categories`, { categories: [few] }));
      for (const list of [V6, V4, GUEST]) expect(await inCategory(list)).toEqual(markets);
    }
  });

  it('shows a commission rule, and whose profile has it', async () => {
    const rule = (size: string) => ({
      commissionProfileRule: {
        marketId: MARKET,
        feeSettings: { spot: { type: 'Percent', size }, cfd: { type: 'Percent', size } },
      },
    });
    const before = await sizeFor(alice);
    const made = await admin.post<{ id: string }>(`${PROFILES}/1/rules`, rule('0.0042'));
    await done(Promise.resolve(made));
    expect([await sizeFor(alice), await sizeFor(bob)]).toEqual(['0.0042', '0.0042']);
    await done(put(admin, `${PROFILES}/1/rules/${made.body.id}`, rule('0.0043')));
    expect([await sizeFor(alice), await sizeFor(bob)]).toEqual(['0.0043', '0.0043']);

    const { body: friends } = await admin.post<{ commissionProfileId: string }>(PROFILES, {
      name: 'Friends',
    });
    const { commissionProfileId } = friends;
    await done(admin.post(`${PROFILES}/${commissionProfileId}/rules`, rule('0.0001')));
    const give = (profile: string) =>
      put(admin, `${BACK_OFFICE}/v2/accounts/${bob.accountId}/commission-profile`, {
        commissionProfileId: profile,
      });
    await done(give(commissionProfileId));
    expect([await sizeFor(alice), await sizeFor(bob)]).toEqual(['0.0043', '0.0001']);
    await done(give('1'));
    await done(admin.del(`${PROFILES}/1/rules/${made.body.id}`));
    expect([await sizeFor(alice), await sizeFor(bob)]).toEqual([before, before]);
  });

  it('shows the commission group that a market is in', async () => {
    const group = { name: 'Volume', type: 'Percent', assetId: null, minCommissionInRAT: null };
    const tiers = [{ size: '0.002', makerSize: '0.001', minTradingVolumeInRAT: '0' }];
    const { body } = await admin.post<{ id: string }>(
      `${BACK_OFFICE}/v2/dynamic-commission-groups`,
      { ...group, tiers },
    );
    const { id } = body;
    const assign = (dynamicCommissionGroupId: string | null) =>
      put(admin, `${BACK_OFFICE}/v2/markets/${MARKET}/dynamic-commission-group`, {
        dynamicCommissionGroupId,
      });
    const shown = async () => (await alice.get<Detail>(`${V6}/${MARKET}`)).body.commissionSettings;
    await done(assign(id));
    expect(await shown()).toMatchObject({ type: 'Dynamic', dynamicCommissionGroupId: id });
    await done(assign(null));
    expect(await shown()).toMatchObject({ type: 'Fixed', dynamicCommissionGroupId: null });
  });
});
