import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { cancel, cancelAll, placed } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';

const server = useServer();
let alice: ApiClient;
let bob: ApiClient;

const MARKET = 'spot.eth_btc';
const instruments = '/marketdata/api/v4/instruments';

interface Candle {
  readonly instrument: string;
  readonly start: string;
  readonly end: string;
  readonly low: string;
  readonly high: string;
  readonly open: string;
  readonly close: string;
  readonly volume: string;
  readonly quoteVolume: string;
}

async function trade(price: string, amount: string): Promise<void> {
  const terms = { marketId: MARKET, requestedPrice: price, requestedAmount: amount };
  await placed(bob, { ...terms, side: 'Sell' });
  await placed(alice, { ...terms, side: 'Buy' });
}

beforeAll(async () => {
  alice = await server().trader('alice');
  bob = await server().trader('bob');
  // All of the trades below shall fall into one minute.
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 5000) await sleep(left);
  for (const [price, amount] of [
    ['0.05', '1'],
    ['0.052', '0.5'],
    ['0.0485', '0.25'],
    ['0.051', '0.1'],
  ] as const) {
    await trade(price, amount);
  }
}, 90_000);

describe('candles', () => {
  const candles = async (query = '', marketId = MARKET) => {
    const path = `${instruments}/${marketId}/history${query}`;
    const { status, text, body } = await alice.get<{ data: readonly Candle[] }>(path);
    expect(status, text).toBe(200);
    return body.data;
  };

  it('are made of the real trades, at once', async () => {
    const [candle, ...others] = await candles('?type=1m');
    expect(others).toEqual([]);
    expect(candle).toEqual({
      instrument: MARKET,
      start: expect.stringMatching(/:00\.000Z$/),
      end: expect.stringMatching(/:00\.000Z$/),
      open: '0.05',
      high: '0.052',
      low: '0.0485',
      close: '0.051',
      volume: '1.85',
      quoteVolume: '0.093225',
    });
    expect(Date.parse(candle?.end ?? '') - Date.parse(candle?.start ?? '')).toBe(60_000);
  });

  it('of longer periods begin where their periods begin', async () => {
    for (const [type, ending] of [
      ['5m', /:[0-5][05]:00\.000Z$/],
      ['15m', /:(00|15|30|45):00\.000Z$/],
      ['30m', /:(00|30):00\.000Z$/],
      ['1h', /T\d\d:00:00\.000Z$/],
      ['4h', /T(00|04|08|12|16|20):00:00\.000Z$/],
      ['12h', /T(00|12):00:00\.000Z$/],
      ['1d', /T00:00:00\.000Z$/],
      ['1w', /T00:00:00\.000Z$/],
      ['1M', /-01T00:00:00\.000Z$/],
    ] as const) {
      const [candle] = await candles(`?type=${type}`);
      expect(candle?.start, type).toMatch(ending);
      expect(candle?.end, type).toMatch(ending);
      expect(candle, type).toMatchObject({ open: '0.05', close: '0.051', volume: '1.85' });
    }
    const [week] = await candles('?type=1w');
    expect(new Date(week?.start ?? '').getUTCDay()).toBe(1);
  });

  it('are found by their window and their count', async () => {
    const [candle] = await candles();
    const start = candle?.start ?? '';
    expect(await candles(`?startDate=${start}`)).toHaveLength(1);
    expect(await candles(`?startDate=${start}&endDate=${start}`)).toHaveLength(1);
    expect(await candles('?endDate=2020-01-01T00:00:00.000Z')).toEqual([]);
    expect(await candles('?startDate=2099-01-01T00:00:00.000Z')).toEqual([]);
    expect(await candles('?count=1')).toHaveLength(1);
  });

  it('of a market that has not traded are none', async () => {
    expect(await candles('', 'spot.eth_usdt')).toEqual([]);
  });

  it('are found by the short name of a Spot market too', async () => {
    expect(await candles('', 'eth_btc')).toEqual(await candles());
  });

  it('are refused for what makes no sense', async () => {
    for (const query of [
      '?type=2m',
      '?type=',
      '?type=1m&type=1h',
      '?count=0',
      '?count=-1',
      '?count=1.5',
      '?count=99999999',
      '?count=x',
      '?startDate=yesterday',
      '?startDate=2026-01-01',
      '?endDate=1700000000000',
      '?startDate=2026-01-02T00:00:00Z&endDate=2026-01-01T00:00:00Z',
      '?interval=1m',
    ].filter((text) => text !== '?type=')) {
      const answer = await alice.get(`${instruments}/${MARKET}/history${query}`);
      expect(answer.status, `${query} ${answer.text}`).toBe(400);
      expect(answer.code).toMatch(/^TR\d{4}$/);
    }
    const unknown = await alice.get(`${instruments}/nope/history`);
    expect({ status: unknown.status, code: unknown.code }).toEqual({ status: 400, code: 'TR0300' });
    const nobody = await server().anonymous().get(`${instruments}/${MARKET}/history`);
    expect(nobody.status).toBe(401);
  });

  it('are the same after a kill', async () => {
    const before = await candles('?type=1h');
    await server().kill('SIGKILL');
    await server().restart();
    expect(await candles('?type=1h')).toEqual(before);
  });
});

describe('the depth of a book', () => {
  const depth = async (query = '') => {
    const path = `${instruments}/spot.btc_usdt/depth${query}`;
    const { status, text, body } = await alice.get<Record<string, unknown>>(path);
    expect(status, text).toBe(200);
    return body;
  };

  it('of an empty book is empty', async () => {
    expect(await depth()).toEqual({ marketId: 'spot.btc_usdt', bids: [], asks: [] });
  });

  it('adds up the orders of each price, best prices first, and follows every change at once', async () => {
    const buy = (price: string, amount: string) =>
      placed(alice, { requestedPrice: price, requestedAmount: amount });
    const sell = (price: string, amount: string) =>
      placed(bob, { side: 'Sell', requestedPrice: price, requestedAmount: amount });
    await buy('19999.99', '0.1');
    const second = await buy('20000', '0.2');
    await buy('20000', '0.3');
    await sell('20010', '0.5');
    await sell('20001', '0.25');
    expect(await depth()).toEqual({
      marketId: 'spot.btc_usdt',
      bids: [
        { price: '20000', amount: '0.5', total: '10000' },
        { price: '19999.99', amount: '0.1', total: '1999.999' },
      ],
      asks: [
        { price: '20001', amount: '0.25', total: '5000.25' },
        { price: '20010', amount: '0.5', total: '10005' },
      ],
    });
    await cancel(alice, second);
    await placed(bob, { side: 'Sell', requestedPrice: '20000', requestedAmount: '0.1' });
    expect(await depth('?levels=1')).toEqual({
      marketId: 'spot.btc_usdt',
      bids: [{ price: '20000', amount: '0.2', total: '4000' }],
      asks: [{ price: '20001', amount: '0.25', total: '5000.25' }],
    });
    const before = await depth();
    await server().kill('SIGKILL');
    await server().restart();
    expect(await depth()).toEqual(before);
    await cancelAll(alice);
    await cancelAll(bob);
    expect(await depth()).toMatchObject({ bids: [], asks: [] });
  });

  it('is refused for what makes no sense', async () => {
    for (const query of ['?levels=0', '?levels=-1', '?levels=1001', '?levels=x', '?limit=5']) {
      const answer = await alice.get(`${instruments}/spot.btc_usdt/depth${query}`);
      expect(answer.status, query).toBe(400);
    }
    expect((await alice.get(`${instruments}/spot.nope_x/depth`)).code).toBe('TR0300');
  });
});

describe('the preview of an order', () => {
  const preview = (order: object) =>
    alice.post<{ order: object }>('/frontoffice/api/v3/order-data', { order });
  const terms = { marketId: 'spot.btc_usdt', side: 'Buy', orderType: 'Limit' };

  it('tells what a limit order would cost or bring in, and places nothing', async () => {
    const buy = await preview({ ...terms, requestedAmount: '0.5', requestedPrice: '20000' });
    expect(buy.status, buy.text).toBe(200);
    expect(buy.body.order).toEqual({
      baseAmount: '0.5',
      quoteAmount: '10000',
      commissionAmount: '10',
      total: '10010',
    });
    const sell = await preview({
      ...terms,
      side: 'Sell',
      requestedAmount: '0.5',
      requestedPrice: '20000',
    });
    expect(sell.body.order).toMatchObject({ quoteAmount: '10000', total: '9990' });
    const depth = await alice.get(`${instruments}/spot.btc_usdt/depth`);
    expect(depth.body).toMatchObject({ bids: [], asks: [] });
  });

  it('prices a market order at the best price of the book', async () => {
    await placed(bob, { side: 'Sell', requestedPrice: '21000', requestedAmount: '1' });
    const market = { ...terms, orderType: 'Market', requestedAmount: '0.1' };
    expect((await preview(market)).body.order).toMatchObject({ quoteAmount: '2100' });
    await cancelAll(bob);
  });

  it('refuses what placing would refuse for its form', async () => {
    for (const [fields, code] of [
      [{ requestedAmount: '0' }, 'TR0213'],
      [{ requestedAmount: '1', requestedPrice: null }, 'TR0202'],
      [{ requestedAmount: '1', requestedPrice: '1.001' }, 'TR0207'],
      [{ requestedAmount: '0.000001', requestedPrice: '1' }, 'TR0209'],
      [{ requestedAmount: '1', requestedPrice: '1', orderType: null }, 'TR0020'],
      [{ requestedAmount: '1', requestedPrice: '1', marketId: 'spot.x_y' }, 'TR0300'],
    ] as const) {
      const answer = await preview({ ...terms, ...fields });
      expect({ status: answer.status, code: answer.code }).toEqual({ status: 400, code });
    }
  });
});
