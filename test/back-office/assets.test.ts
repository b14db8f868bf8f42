import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import type { RefusalBody } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';
import { BACK_OFFICE, outcome, put } from './back-office.ts';

const ASSETS = `${BACK_OFFICE}/v2/internal-assets`;
const LIST = `${BACK_OFFICE}/v2/assets/list`;
const INFOS = `${BACK_OFFICE}/api/assets-info`;
const legacy = (assetId: string) => `${BACK_OFFICE}/asset/${assetId}`;

const server = useServer();
let admin: ApiClient;
let support: ApiClient;
let alice: ApiClient;

beforeAll(async () => {
  admin = await server().user('admin');
  support = await server().user('support');
  alice = await server().trader('alice');
});

const list = async (query = '') => (await admin.get<{ id: string }[]>(`${LIST}?${query}`)).body;
const idsOf = async (query: string) => (await list(query)).map(({ id }) => id);
const infoOf = async (assetId: string) => {
  const { body } = await support.get<{ data: { id: string }[] }>(INFOS);
  return body.data.find(({ id }) => id === assetId);
};

let deposits = 0;
function transfer(name: 'deposit' | 'withdrawal', assetId: string) {
  const { accountId } = alice;
  const deduplicationId = `assets-${++deposits}`;
  const body = { deduplicationId, accountId, assetId, amount: '1' };
  return admin.post(`${BACK_OFFICE}/transfers/${name}`, body);
}

describe('internal assets', () => {
  it('are made, listed, shown to traders, and stay through a restart', async () => {
    const body = { id: 'doge', name: 'Dogecoin', scale: 6, type: 'Crypto' };
    const made = await admin.post(ASSETS, body);
    const doge = { ...body, source: 'Internal' };
    expect([made.status, made.body]).toEqual([201, doge]);
    await server().kill('SIGKILL');
    await server().restart();
    expect(await list('id=doge')).toEqual([doge]);
    const { body: assets } = await alice.get<{ assetId: string }[]>('/frontoffice/api/v3/assets');
    expect(assets).toContainEqual({ assetId: 'doge', assetName: 'Dogecoin', isRootAsset: false });
    expect(outcome(await transfer('deposit', 'doge'))).toBe('201');
  });

  it('fill in what is left out but the id', async () => {
    const made = await admin.post(ASSETS, { id: 'plain', name: null });
    expect(made.body).toEqual({
      id: 'plain',
      name: 'PLAIN',
      scale: 8,
      type: 'Crypto',
      source: 'Internal',
    });
    expect(outcome(await admin.post(ASSETS, { name: 'Nameless' }))).toBe('400 TR0008');
    expect(outcome(await admin.post(ASSETS, { id: null }))).toBe('400 TR0008');
  });

  it.each<[string, object, string]>([
    ['an id that is there', { id: 'btc' }, '409 TR0602'],
    ['capitals in its id', { id: 'DOGE' }, '400 TR0012'],
    ['an id of 16 characters', { id: 'a234567890123456' }, '400 TR0013'],
    ['a name of 51 characters', { id: 'long', name: 'x'.repeat(51) }, '400 TR0013'],
    ['a scale of 19', { id: 'fine', scale: 19 }, '400 TR0015'],
    ['a type that is none', { id: 'odd', type: 'Stone' }, '400 TR0011'],
    ['a second root', { id: 'root', isRootAsset: true }, '400 TR0600'],
    ['a margin ratio above 1', { id: 'more', marginRatio: '1.5' }, '400 TR0600'],
    ['a margin ratio too fine', { id: 'more', marginRatio: '0.00001' }, '400 TR0600'],
    ['an unknown field', { id: 'more', colour: 'red' }, '400 TR0010'],
  ])('are refused with %s', async (_, body, expected) => {
    const before = await list();
    expect(outcome(await admin.post(ASSETS, body))).toBe(expected);
    expect(await list()).toEqual(before);
  });

  it('change what is sent and nothing else', async () => {
    await admin.post(ASSETS, { id: 'shift', name: 'Shift', scale: 3, type: 'Fiat' });
    const changed = await put(admin, `${ASSETS}/shift`, { name: 'Shifted', scale: null });
    expect([changed.status, changed.text]).toEqual([200, '']);
    const shifted = { id: 'shift', name: 'Shifted', scale: 3, type: 'Fiat', source: 'Internal' };
    expect(await list('id=shift')).toEqual([shifted]);
    expect(outcome(await put(admin, `${ASSETS}/shift`, { scale: 4 }))).toBe('409 TR0608');
    expect(outcome(await put(admin, `${ASSETS}/nothing`, { name: 'x' }))).toBe('400 TR0500');
    expect(outcome(await put(admin, `${ASSETS}/usdt`, { isRootAsset: false }))).toBe('400 TR0600');
    expect(await list('id=shift')).toEqual([shifted]);
  });

  it('survive changes at once: none is lost', async () => {
    await admin.post(ASSETS, { id: 'race', name: 'Race', scale: 2, type: 'Fiat' });
    await Promise.all([
      put(admin, `${ASSETS}/race`, { name: 'Raced' }),
      put(admin, `${ASSETS}/race`, { type: 'Metal' }),
    ]);
    expect(await list('id=race')).toMatchObject([{ name: 'Raced', type: 'Metal' }]);
  });

  it('are for whoever manages assets', async () => {
    for (const client of [support, alice]) {
      expect(outcome(await client.post(ASSETS, { id: 'mine' }))).toBe('403 TR0101');
      expect(outcome(await put(client, `${ASSETS}/btc`, {}))).toBe('403 TR0101');
      expect(outcome(await put(client, legacy('btc'), { asset_name: 'x' }))).toBe('403 TR0101');
    }
    expect(outcome(await alice.get(LIST))).toBe('403 TR0101');
    expect(outcome(await support.get(LIST))).toBe('200');
  });
});

describe('the list of assets', () => {
  it('filters and pages', async () => {
    expect(await idsOf('type=Metal&name=gold')).toEqual(['xau']);
    expect(await idsOf('name=BITC')).toEqual(['btc']);
    expect(await idsOf('id=et')).toEqual([]);
    expect(await idsOf('source=LiquidityProvider')).toEqual([]);
    expect(await idsOf('limit=2&offset=1')).toEqual(['eth', 'usdt']);
    expect(outcome(await admin.get(`${LIST}?limit=0`))).toBe('400 TR0015');
    expect(outcome(await admin.get(`${LIST}?type=Stone`))).toBe('400 TR0011');
  });
});

describe('legacy assets', () => {
  const body = { id: 'ltc', asset_name: 'Litecoin', withdrawal_fee: 0.001, scale: 8 };

  it('are made with their fee, and closed to transfers in clearing', async () => {
    const made = await admin.post(legacy('ltc'), { ...body, can_withdraw: false });
    const ltc = {
      id: 'ltc',
      can_deposit: true,
      can_withdraw: false,
      asset_name: 'Litecoin',
      withdrawal_fee: '0.001',
      scale: 8,
    };
    expect([made.status, made.body]).toEqual([200, ltc]);
    expect(outcome(await transfer('deposit', 'ltc'))).toBe('201');
    expect(outcome(await transfer('withdrawal', 'ltc'))).toBe('400 TR0508');
    const flags = { can_deposit: false, can_withdraw: true };
    const changed = await put(admin, legacy('ltc'), { asset_name: 'Lite', ...flags });
    expect(changed.body).toEqual({ ...ltc, asset_name: 'Lite', ...flags });
    await server().kill('SIGKILL');
    await server().restart();
    expect(await infoOf('ltc')).toEqual(changed.body);
    expect(outcome(await transfer('deposit', 'ltc'))).toBe('400 TR0507');
    expect(outcome(await transfer('withdrawal', 'ltc'))).toBe('201');
  });

  it.each<[string, object, string]>([
    ['no name', { asset_name: null }, '400 TR0009'],
    ['an empty name', { asset_name: '' }, '400 TR0014'],
    ['51 characters', { asset_name: 'x'.repeat(51) }, '400 TR0013'],
    ['a fee below 0', { asset_name: 'x', withdrawal_fee: -1 }, '400 TR0600'],
    ['a fee too fine', { asset_name: 'x', withdrawal_fee: '0.000000001' }, '400 TR0600'],
    ['an address that is none', { asset_name: 'x', image_url: 'here' }, '400 TR0012'],
  ])('keep what they are when changed with %s', async (_, change, expected) => {
    const before = await infoOf('btc');
    expect(outcome(await put(admin, legacy('btc'), change))).toBe(expected);
    expect(await infoOf('btc')).toEqual(before);
  });

  it('take 50 characters, and want the id of the path', async () => {
    const longest = { ...body, id: 'longest', asset_name: 'x'.repeat(50) };
    expect(outcome(await admin.post(legacy('longest'), longest))).toBe('200');
    const other = await admin.post<RefusalBody>(legacy('other'), body);
    expect(outcome(other)).toBe('400 TR0600');
    expect(other.body.description).toContain('id ltc');
    expect(outcome(await admin.post(legacy('btc'), { ...body, id: 'btc' }))).toBe('409 TR0602');
  });
});
