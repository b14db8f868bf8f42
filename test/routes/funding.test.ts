import { describe, expect, it } from 'vitest';
import { useServer } from '../support/use-server.ts';

const server = useServer();
const path = (area: string, symbol: string, query = '') =>
  `/marketdata/api/v4${area}/instruments/${symbol}/funding${query}`;

describe('the funding history', () => {
  it('is empty before the first settlement, for traders and guests alike', async () => {
    const alice = await server().trader('alice');
    const none = { status: 200, body: { fundingData: [], hasMore: false } };
    const query = '?limit=10&offset=3&appliedAtFrom=2020-01-01&appliedAtTo=2030-01-01T00:00:00Z';
    expect(await alice.get(path('', 'perp.btc_usdt', query))).toMatchObject(none);
    expect(
      await server()
        .anonymous()
        .get(path('/guest', 'perp.btc_usdt', query)),
    ).toMatchObject(none);
  });

  it.each([
    ['spot.btc_usdt', 'TR0303'],
    ['cfd.eur_usdt', 'TR0303'],
    ['perp.a_b', 'TR0300'],
  ])('is refused for %s with %s', async (symbol, code) => {
    const alice = await server().trader('alice');
    const refused = { status: 400, code };
    expect(await alice.get(path('', symbol))).toMatchObject(refused);
    expect(await server().anonymous().get(path('/guest', symbol))).toMatchObject(refused);
  });

  it('of a hidden market is that of a market that does not exist', async () => {
    const [admin, alice] = [await server().user('admin'), await server().trader('alice')];
    const market = '/back-api/backoffice/market/perp.eth_usdt';
    expect((await admin.send('PUT', market, { hidden: true })).status).toBe(200);
    const refused = { status: 400, code: 'TR0300' };
    expect(await alice.get(path('', 'perp.eth_usdt'))).toMatchObject(refused);
    expect(await server().anonymous().get(path('/guest', 'perp.eth_usdt'))).toMatchObject(refused);
  });

  it('is for whoever is signed in, or for guests under their own path', async () => {
    const answer = await server().anonymous().get(path('', 'perp.btc_usdt'));
    expect(answer).toMatchObject({ status: 401, code: 'TR0100' });
  });
});
