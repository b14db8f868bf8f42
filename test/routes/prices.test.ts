import { describe, expect, it } from 'vitest';
import { useServer } from '../support/use-server.ts';

const server = useServer();
const path = (area: string, symbol: string) =>
  `/marketdata/api/v4${area}/instruments/${symbol}/prices`;

interface Prices {
  readonly bid: string | null;
  readonly nextFundingAt: string | null;
}

describe('the prices of a market on margin', () => {
  it('are none in an empty venue but the time of the next funding', async () => {
    const alice = await server().trader('alice');
    const perp = await alice.get<Prices>(path('', 'perp.btc_usdt'));
    const none = { bid: null, ask: null, last: null, mark: null, index: null, fundingRate: null };
    expect(perp).toMatchObject({ status: 200, body: { marketId: 'perp.btc_usdt', ...none } });
    const eightHours = 8 * 3_600_000;
    const next = Date.parse(perp.body.nextFundingAt ?? '');
    expect(next % eightHours).toBe(0);
    expect(next - Date.now()).toBeGreaterThan(-5000);
    expect(next - Date.now()).toBeLessThanOrEqual(eightHours);
    const cfd = await server().anonymous().get(path('/guest', 'cfd.eur_usdt'));
    expect(cfd).toMatchObject({
      status: 200,
      body: { marketId: 'cfd.eur_usdt', ...none, nextFundingAt: null },
    });
  });

  it('follow the book, and an index that is fed', async () => {
    const [alice, admin] = [await server().trader('alice'), await server().user('admin')];
    const order = { marketId: 'perp.btc_usdt', orderType: 'Limit', timeInForce: 'Gtc' };
    for (const [side, requestedPrice] of [
      ['Buy', '60000'],
      ['Sell', '60010'],
    ]) {
      const placed = await alice.post('/frontoffice/api/perpetual/v4/orders', {
        order: { ...order, side, requestedPrice, requestedLotAmount: '0.01' },
      });
      expect(placed.status).toBe(200);
    }
    const index = '/back-api/backoffice/v2/markets/perp.btc_usdt/index-price';
    expect((await admin.post(index, { price: '60004.5' })).status).toBe(204);
    const expected = { bid: '60000', ask: '60010', last: null, index: '60004.5' };
    const read = await alice.get<Record<string, unknown>>(path('', 'perp.btc_usdt'));
    expect(read.body).toMatchObject(expected);
    expect(read.body['mark']).not.toBeNull();
    expect(read.body['fundingRate']).not.toBeNull();
    const seen = await server().anonymous().get(path('/guest', 'perp.btc_usdt'));
    expect(seen.body).toMatchObject(expected);
    await server().kill('SIGKILL');
    await server().restart();
    expect((await alice.get(path('', 'perp.btc_usdt'))).body).toMatchObject(expected);
    await admin.post(index, { price: '0' });
    const after = await alice.get<Record<string, unknown>>(path('', 'perp.btc_usdt'));
    expect(after.body['index']).not.toBe('60004.5');
  });

  it.each([
    ['spot.btc_usdt', { price: '1' }, 'TR0303'],
    ['perp.a_b', { price: '1' }, 'TR0300'],
    ['perp.btc_usdt', { price: '1.001' }, 'TR0207'],
    ['perp.btc_usdt', { price: '-1' }, 'TR0207'],
    ['perp.btc_usdt', { price: '1e30' }, 'TR0211'],
    ['perp.btc_usdt', { price: 'x' }, 'TR0012'],
    ['perp.btc_usdt', {}, 'TR0008'],
  ])('have no index of %s from %j: %s', async (marketId, body, code) => {
    const admin = await server().user('admin');
    const index = `/back-api/backoffice/v2/markets/${marketId}/index-price`;
    expect(await admin.post(index, body)).toMatchObject({ status: 400, code });
  });

  it('are refused for Spot and unknown markets, and fed by administrators alone', async () => {
    const [alice, support] = [await server().trader('alice'), await server().user('support')];
    const guest = server().anonymous();
    for (const [symbol, code] of [
      ['spot.btc_usdt', 'TR0303'],
      ['perp.a_b', 'TR0300'],
    ] as const) {
      expect(await alice.get(path('', symbol))).toMatchObject({ status: 400, code });
      expect(await guest.get(path('/guest', symbol))).toMatchObject({ status: 400, code });
    }
    expect((await guest.get(path('', 'perp.btc_usdt'))).status).toBe(401);
    const index = '/back-api/backoffice/v2/markets/perp.btc_usdt/index-price';
    for (const client of [alice, support]) {
      expect((await client.post(index, { price: '1' })).status).toBe(403);
    }
  });
});
