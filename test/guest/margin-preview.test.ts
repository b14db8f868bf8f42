import { describe, expect, it } from 'vitest';
import type { Answer, ApiClient } from '../support/api-client.ts';
import { useServer } from '../support/use-server.ts';

const server = useServer();
const guest = (): ApiClient => server().anonymous();
const ORDER = { side: 'Buy', orderType: 'Limit', requestedPrice: '1.1', requestedLotAmount: '0.5' };

const price = (type: 'cfd' | 'perpetual', fields: object, client = guest()): Promise<Answer> =>
  client.post(`/frontoffice/api/${type}/v4/guest/order-data`, { order: { ...ORDER, ...fields } });

describe('an order on margin that a guest prices', () => {
  it('takes the margin of its leverage and the default commission, with triggers', async () => {
    const priced = await price('cfd', {
      marketId: 'cfd.eur_usdt',
      leverage: 20,
      takeProfit: { triggerType: 'Price', triggerSize: '1.2' },
      stopLoss: { triggerType: 'Price', triggerSize: '1.05', isTrailing: false },
    });
    // 0.5 lots are 50,000 eur: 55,000 usdt at 1.1.
    expect(priced).toMatchObject({
      status: 200,
      body: {
        order: {
          lotAmount: '0.5',
          requiredMarginInRAT: '2750',
          quoteAmount: '55000',
          commissionAmountInRAT: '55',
          marginLevel: null,
          takeProfit: { price: '1.2', points: 10_000, pnl: '5000' },
          stopLoss: { price: '1.05', points: 5_000, pnl: '-2500' },
        },
      },
    });
  });

  it('takes the most leverage where it names none, by the tier of what it would open', async () => {
    const perp = { marketId: 'perp.btc_usdt', requestedPrice: '50000' };
    const small = await price('perpetual', { ...perp, requestedLotAmount: '1' });
    expect(small.body).toMatchObject({
      order: {
        lotAmount: '1',
        requiredMarginInRAT: '500',
        quoteAmount: '50000',
        commissionAmountInRAT: '50',
        marginLevel: null,
        takeProfit: null,
        stopLoss: null,
      },
    });
    const large = await price('perpetual', { ...perp, requestedLotAmount: '4' });
    expect(large.body).toMatchObject({ order: { requiredMarginInRAT: '4000' } });
    const tooMuch = await price('perpetual', { ...perp, requestedLotAmount: '4', leverage: 100 });
    expect(tooMuch).toMatchObject({ status: 400, code: 'TR0412' });
  });

  it('is priced as for a trader, but for the margin level', async () => {
    const order = { ...ORDER, marketId: 'cfd.eur_usdt', leverage: 20 };
    const alice = await server().trader('alice');
    const theirs = await alice.post<{ order: Record<string, unknown> }>(
      '/frontoffice/api/cfd/v4/order-data',
      { order },
    );
    expect(theirs.status).toBe(200);
    expect(theirs.body.order['marginLevel']).not.toBeNull();
    const { body } = await price('cfd', order);
    expect(body).toEqual({ order: { ...theirs.body.order, lotAmount: '0.5', marginLevel: null } });
  });

  it('reads neither a token nor an account', async () => {
    const headers = { authorization: 'Bearer garbage', accountid: 'nobody' };
    const order = { ...ORDER, marketId: 'cfd.eur_usdt' };
    const path = '/frontoffice/api/cfd/v4/guest/order-data';
    const marked = await guest().post(path, { order }, { headers });
    expect([marked.status, marked.text]).toEqual([200, (await price('cfd', order)).text]);
  });

  it.each<['cfd' | 'perpetual', object, string]>([
    ['cfd', { marketId: 'cfd.eur_doge' }, 'TR0300'],
    ['cfd', { marketId: 'perp.btc_usdt' }, 'TR0303'],
    ['perpetual', { marketId: 'cfd.eur_usdt' }, 'TR0303'],
    ['cfd', { marketId: 'spot.btc_usdt' }, 'TR0303'],
    ['cfd', { marketId: 'cfd.eur_usdt', requestedLotAmount: '0.001' }, 'TR0242'],
    ['cfd', { marketId: 'cfd.eur_usdt', requestedLotAmount: '1001' }, 'TR0210'],
    ['cfd', { marketId: 'cfd.eur_usdt', requestedPrice: '1.000001' }, 'TR0207'],
    ['cfd', { marketId: 'cfd.eur_usdt', requestedPrice: null }, 'TR0202'],
    ['cfd', { marketId: 'cfd.eur_usdt', orderType: 'Market', requestedPrice: null }, 'TR0222'],
    ['cfd', { marketId: 'cfd.eur_usdt', leverage: 0 }, 'TR0015'],
    ['cfd', { marketId: 'cfd.eur_usdt', leverage: 101 }, 'TR0412'],
    ['cfd', { marketId: 'cfd.eur_usdt', leverage: 1.5 }, 'TR0009'],
  ])('by %s with %j is refused with %s', async (type, fields, code) => {
    expect(await price(type, fields)).toMatchObject({ status: 400, code });
  });
});
