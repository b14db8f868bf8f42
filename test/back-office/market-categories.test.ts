import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { useServer } from '../support/use-server.ts';
import { BACK_OFFICE, outcome, put } from './back-office.ts';

const BACK = `${BACK_OFFICE}/v2/markets-categories`;
const FRONT = '/frontoffice/api/v4/markets-categories';
const GUEST = '/frontoffice/api/v4/guest/markets-categories';

const server = useServer();
let admin: ApiClient;
let support: ApiClient;
let alice: ApiClient;

beforeAll(async () => {
  admin = await server().user('admin');
  support = await server().user('support');
  alice = await server().trader('alice');
});

interface Category {
  readonly id: string;
  readonly name: string;
  readonly categories: readonly Category[];
}
interface Tree {
  readonly categories: readonly Category[];
}

const CRYPTO = {
  id: 'crypto',
  name: 'Crypto',
  markets: ['spot.btc_usdt'],
  categories: [
    { name: 'Crosses', markets: ['spot.eth_btc'], categories: [] },
    { id: 'empty', name: 'Empty', markets: [], categories: [] },
  ],
};
const listed = async (path: string) =>
  (await alice.get<{ marketId: string }[]>(path)).body.map(({ marketId }) => marketId);

describe('market categories', () => {
  it('are replaced as a whole, keep their ids, and stay through a restart', async () => {
    const first = await put<Tree>(admin, BACK, { categories: [CRYPTO] });
    expect(first.status).toBe(200);
    const crosses = first.body.categories[0]?.categories[0]?.id;
    expect(crosses).toMatch(/^[0-9a-f-]{36}$/);
    await server().kill('SIGKILL');
    await server().restart();
    const { body: full } = await support.get<Tree>(BACK);
    expect(full).toEqual(first.body);
    expect(full.categories[0]).toMatchObject({
      id: 'crypto',
      markets: [{ id: 'spot.btc_usdt', displayName: 'BTC/USDT', fullName: 'Bitcoin / Tether' }],
    });
    const below = { id: crosses, name: 'Crosses', categories: [] };
    const empty = { id: 'empty', name: 'Empty', categories: [] };
    const named = { id: 'crypto', name: 'Crypto' };
    expect((await alice.get(FRONT)).body).toEqual({
      categories: [{ ...named, categories: [below, empty] }],
    });
    expect((await server().anonymous().get(GUEST)).body).toEqual({
      categories: [{ ...named, categories: [below] }],
    });
  });

  it('filter the lists of markets, with what is below them', async () => {
    const both = ['spot.btc_usdt', 'spot.eth_btc'];
    for (const version of ['v6', 'v4']) {
      const path = `/frontoffice/api/${version}/markets`;
      expect(await listed(`${path}?categoryId=crypto`)).toEqual(both);
      expect(await listed(`${path}?categoryId=empty`)).toEqual([]);
      expect(await listed(`${path}?categoryId=unknown`)).toEqual([]);
    }
    expect(await listed('/frontoffice/api/v5/guest/markets?categoryId=crypto')).toEqual(both);
  });

  it.each<[string, unknown, string]>([
    ['an id twice', [CRYPTO, { id: 'empty', name: 'Again' }], '400 TR0605'],
    ['a market twice', [{ name: 'x', markets: ['spot.btc_usdt', 'spot.btc_usdt'] }], '400 TR0605'],
    ['a market that is none', [{ name: 'x', markets: ['spot.no_such'] }], '400 TR0300'],
    ['no name', [{ id: 'x' }], '400 TR0008'],
    ['another field', [{ name: 'x', colour: 'red' }], '400 TR0010'],
    ['no list', null, '400 TR0009'],
  ])('are left as they are by a tree with %s', async (_, categories, expected) => {
    const before = await support.get(BACK);
    expect(outcome(await put(admin, BACK, { categories }))).toBe(expected);
    expect((await support.get(BACK)).text).toBe(before.text);
  });

  it('are answered as they were sent, also where another tree comes at the same moment', async () => {
    const trees = ['left', 'right'].map((id) => ({ categories: [{ id, name: id }] }));
    const answers = await Promise.all(trees.map((tree) => put<Tree>(admin, BACK, tree)));
    const full = { categories: [], markets: [] };
    expect(answers.map(({ body }) => body)).toEqual(
      trees.map(({ categories: [category] }) => ({ categories: [{ ...category, ...full }] })),
    );
  });

  it('are for whoever manages them', async () => {
    expect(outcome(await put(support, BACK, { categories: [] }))).toBe('403 TR0101');
    expect(outcome(await put(alice, BACK, { categories: [] }))).toBe('403 TR0101');
    expect(outcome(await alice.get(BACK))).toBe('403 TR0101');
    expect((await put(admin, BACK, { categories: [] })).body).toEqual({ categories: [] });
    expect((await alice.get(FRONT)).body).toEqual({ categories: [] });
  });
});
