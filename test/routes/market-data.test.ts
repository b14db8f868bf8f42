import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { amend, cancel, orderOf, place, placed } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';

/** So few orders in memory that most are read from the views. */
const server = useServer({ LIVE_ORDERS: '2' });
const alice = (): Promise<ApiClient> => server().trader('alice');
const bob = (): Promise<ApiClient> => server().trader('bob');

const depth = (client: ApiClient, symbol: string, levels = '') =>
  client.get(`/marketdata/api/v4/instruments/${symbol}/depth${levels}`);
const history = <T>(client: ApiClient, query: string) =>
  client.get<T>(`/marketdata/api/v4/instruments/btc_usdt/history${query}`);

describe('an order book', () => {
  it('is aggregated by price, best first, to as many levels as asked for', async () => {
    const client = await alice();
    const ids = [
      await placed(client, { requestedPrice: '900', requestedAmount: '0.5' }),
      await placed(client, { requestedPrice: '900', requestedAmount: '0.25' }),
      await placed(client, { requestedPrice: '899.99' }),
      await placed(client, { side: 'Sell', requestedPrice: '1100.01' }),
    ];
    const best = await depth(client, 'spot.btc_usdt', '?levels=1');
    expect(best.body).toEqual({
      marketId: 'spot.btc_usdt',
      bids: [{ price: '900', amount: '0.75', total: '675' }],
      asks: [{ price: '1100.01', amount: '0.01', total: '11.0001' }],
    });
    const many = await Promise.all(Array.from({ length: 20 }, () => depth(client, 'btc_usdt')));
    expect(new Set(many.map(({ text }) => text)).size).toBe(1);
    expect(many[0]?.body).toMatchObject({ bids: [{ price: '900' }, { price: '899.99' }] });
    for (const orderId of ids) await cancel(client, orderId);
    expect((await depth(client, 'btc_usdt')).body).toMatchObject({ bids: [], asks: [] });
  });

  it.each([
    ['spot.btc_doge', '', 'TR0300'],
    ['btc_usdt', '?levels=0', 'TR0015'],
    ['btc_usdt', '?levels=1001', 'TR0015'],
    ['btc_usdt', '?levels=x', 'TR0009'],
    ['btc_usdt', '?depth=1', 'TR0010'],
  ])('of %s%s is refused with %s', async (symbol, query, code) => {
    expect(await depth(await alice(), symbol, query)).toMatchObject({ status: 400, code });
  });
});

describe('history', () => {
  it('of a fill shows orders, executions and candles, to each what is theirs', async () => {
    const [buyer, seller] = [await alice(), await bob()];
    const from = new Date(Date.now() - 60_000).toISOString();
    const sold = await placed(seller, {
      side: 'Sell',
      requestedPrice: '1000',
      requestedAmount: '0.3',
      comment: 'note',
    });
    const bought = await placed(buyer, { requestedPrice: '1001', requestedAmount: '0.2' });
    const seen = await orderOf(seller, sold);
    const page = await seller.post('/frontoffice/api/v4/order-list', {
      orderStatus: ['Pending'],
      limit: 1,
      lastOrderId: null,
      createdAtFrom: from,
      createdAtTo: null,
    });
    expect(page.body).toEqual({ data: [seen] });
    expect(seen).toMatchObject({
      remainingAmount: '0.1',
      commissionAmount: '0.2',
      comment: 'note',
    });

    const expected = {
      positionId: '',
      orderId: sold,
      executionId: expect.stringMatching(/^\d+$/),
      side: 'Sell',
      reason: 'Trader',
      createdAt: seen.updatedAt,
      baseAmount: '0.2',
      executionPrice: '1000',
      commissionAmountInRAT: '0.2',
      commissions: [{ assetId: 'usdt', amount: '0.2' }],
      comment: 'note',
      realizedPnlInRAT: '0',
      positionSizeIncreased: false,
    };
    const pageOfOne = { executions: [expected], isExceeded: false };
    const ORDERS = '/frontoffice/api';
    const single = { positionId: null, limit: null, lastExecutionId: null };
    const asked: [string, object][] = [
      [`v5/orders/${sold}/executions/list`, single],
      [`v4/orders/${sold}/executions/list`, {}],
      ['v5/orders/executions/list', { orderPositionPairs: [{ orderId: sold, positionId: '' }] }],
      ['v4/orders/executions/list', { orderIds: [sold, bought], limit: 5 }],
    ];
    for (const [path, body] of asked) {
      expect((await seller.post(`${ORDERS}/${path}`, body)).body).toEqual(pageOfOne);
    }
    const none = { executions: [], isExceeded: false };
    const position = await seller.post(`${ORDERS}/v5/orders/${sold}/executions/list`, {
      positionId: '9',
    });
    expect(position.body).toEqual(none);
    const foreign = await buyer.post(`${ORDERS}/v5/orders/${sold}/executions/list`, {});
    expect(foreign).toMatchObject({ status: 404, code: 'TR0200' });

    const candles = await history<{ data: object[] }>(buyer, '?type=1d&count=1');
    expect(candles.body.data).toEqual([
      {
        instrument: 'spot.btc_usdt',
        start: expect.stringMatching(/T00:00:00\.000Z$/),
        end: expect.stringMatching(/T00:00:00\.000Z$/),
        low: '1000',
        high: '1000',
        open: '1000',
        close: '1000',
        volume: '0.2',
        quoteVolume: '200',
      },
    ]);
    await cancel(seller, sold);
  });

  it.each([
    ['?type=1y', 'TR0011'],
    ['?count=0', 'TR0015'],
    ['?startDate=yesterday', 'TR0012'],
    ['?startDate=2026-01-02T00:00:00Z&endDate=2026-01-01T00:00:00Z', 'TR0019'],
  ])('of candles with %s is refused with %s', async (query, code) => {
    expect(await history(await alice(), query)).toMatchObject({ status: 400, code });
  });

  it('pages through orders without losing one', async () => {
    const client = await server().trader('alice', 'Hedging');
    const ids: string[] = [];
    for (let n = 0; n < 7; n++) ids.push(await placed(client));
    const found: string[] = [];
    for (let lastOrderId: string | null = null; ; ) {
      const { body }: { body: { data: { orderId: string }[] } } = await client.post(
        '/frontoffice/api/v4/order-list',
        { limit: 3, lastOrderId },
      );
      if (body.data.length === 0) break;
      found.push(...body.data.map(({ orderId }) => orderId));
      lastOrderId = found.at(-1) ?? null;
    }
    expect(found).toEqual(ids.toReversed());
    for (const orderId of ids) await cancel(client, orderId);
  });

  it('of old orders is read like that of young ones, and a repeat gets its first answer', async () => {
    const client = await alice();
    const first = await place(client, { clientOrderId: 'old-one' });
    const { orderId } = first.body.order;
    expect((await amend(client, orderId, { requestedPrice: '1001' })).status).toBe(200);
    const young = await orderOf(client, orderId);
    for (let n = 0; n < 3; n++) await cancel(client, await placed(client));
    expect(await orderOf(client, orderId)).toEqual(young);
    const repeat = await place(client, { clientOrderId: 'old-one' });
    expect([repeat.status, repeat.text]).toEqual([first.status, first.text]);
    expect((await cancel(client, orderId)).body.order.status).toBe('Cancelled');
    expect(await cancel(client, orderId)).toMatchObject({ status: 409, code: 'TR0201' });
  });
});
