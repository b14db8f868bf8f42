import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { unitsOf } from '../support/decimals.ts';
import { cancel, executionsOf, placed } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';

const server = useServer();
const anyone = (): ApiClient => server().anonymous();

interface Trade {
  readonly tradeID: number;
  readonly price: string;
  readonly base_volume: string;
  readonly quote_volume: string;
  readonly trade_timestamp: number;
  readonly type: string;
}

const get = async <T>(path: string): Promise<T> => {
  const { status, text, body } = await anyone().get<T>(`/public/${path}`);
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return body;
};

const PRICE_SCALE = 2;
const AMOUNT_SCALE = 6;
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);

describe('public information', () => {
  it('adds up to the executions of those who traded, also after a restart', async () => {
    const [alice, bob] = [await server().trader('alice'), await server().trader('bob')];
    const prices = ['1000', '1003.5', '998.01', '1007.77', '1001.23'];
    const orderIds: string[] = [];
    for (const [n, requestedPrice] of prices.entries()) {
      const [maker, taker] = n % 2 === 0 ? [alice, bob] : [bob, alice];
      const order = { requestedPrice, requestedAmount: `0.${n + 1}00007` };
      const rests = await placed(maker, { ...order, side: n % 2 === 0 ? 'Sell' : 'Buy' });
      await placed(taker, { ...order, side: n % 2 === 0 ? 'Buy' : 'Sell' });
      if (maker === alice) orderIds.push(rests);
    }
    const asMaker = await executionsOf(alice, orderIds);
    const ask = await placed(alice, { side: 'Sell', requestedPrice: '1010.5' });
    const bid = await placed(bob, { requestedPrice: '990.25' });

    const read = async () => ({
      summary: await get<Record<string, Record<string, unknown>>>('summary'),
      ticker: await get<Record<string, object>>('ticker'),
      trades: await get<Trade[]>('trades/BTC_USDT'),
    });
    const seen = await read();
    const { trades } = seen;
    expect(trades.map(({ price }) => price)).toEqual(prices.toReversed());
    expect(trades.map(({ type }) => type)).toEqual(['buy', 'sell', 'buy', 'sell', 'buy']);
    // The maker's execution follows its trade's id.
    for (const execution of asMaker) {
      const trade = trades.find(({ tradeID }) => tradeID === Number(execution.executionId) - 1);
      expect(trade).toMatchObject({
        price: execution.executionPrice,
        base_volume: execution.baseAmount,
        trade_timestamp: Math.floor(Date.parse(execution.createdAt) / 1000),
      });
    }

    const ticks = trades.map(({ price }) => unitsOf(price, PRICE_SCALE));
    const steps = trades.map(({ base_volume }) => unitsOf(base_volume, AMOUNT_SCALE));
    const quote = ticks.reduce((sum, tick, at) => sum + tick * (steps[at] ?? 0n), 0n);
    const figures = seen.summary['BTC_USDT'] ?? {};
    const units = (name: string, scale: number): bigint => unitsOf(String(figures[name]), scale);
    expect(units('baseVolume', AMOUNT_SCALE)).toBe(steps.reduce((sum, step) => sum + step, 0n));
    expect(units('quoteVolume', PRICE_SCALE + AMOUNT_SCALE)).toBe(quote);
    expect(units('high24hr', PRICE_SCALE)).toBe(ticks.reduce(max));
    expect(units('low24hr', PRICE_SCALE)).toBe(ticks.reduce(min));
    expect(figures).toMatchObject({
      id: 0,
      last: '1001.23',
      percentChange: '0.00123',
      lowestAsk: '1010.5',
      highestBid: '990.25',
      isFrozen: '0',
    });
    expect(seen.ticker['BTC_USDT']).toEqual({
      base_name: 'Bitcoin',
      quote_name: 'Tether',
      last_price: '1001.23',
      base_volume: figures['baseVolume'],
      quote_volume: figures['quoteVolume'],
      isFrozen: '0',
    });
    expect(seen.summary['ETH_BTC']).toMatchObject({ last: '0', baseVolume: '0' });

    await server().kill('SIGKILL');
    await server().restart();
    expect(await read()).toEqual(seen);
    await cancel(alice, ask);
    await cancel(bob, bid);
    expect((await read()).summary['BTC_USDT']).toMatchObject({ lowestAsk: '0', highestBid: '0' });
  });

  it('pages through trades', async () => {
    const whole = await get<Trade[]>('trades/btc_usdt');
    const first = await get<Trade[]>('trades/btc_usdt?limit=2');
    const rest = await get<Trade[]>(`trades/btc_usdt?lastTradeID=${first.at(-1)?.tradeID}`);
    expect([...first, ...rest]).toEqual(whole);
    expect(await get<Trade[]>('trades/eth_btc')).toEqual([]);
  });

  it('needs no token and reads none', async () => {
    const headers = { authorization: 'Bearer garbage' };
    for (const path of ['asset', 'ticker', 'trades/btc_usdt']) {
      const [plain, marked] = [
        await anyone().get(`/public/${path}`),
        await anyone().get(`/public/${path}`, { headers }),
      ];
      expect([marked.status, marked.text]).toEqual([200, plain.text]);
    }
  });
});

describe('the order book that guests read', () => {
  it('is that of traders', async () => {
    const alice = await server().trader('alice');
    const orderId = await placed(alice, { requestedPrice: '950' });
    const path = (area: string, symbol: string) =>
      `/marketdata/api/v4${area}/instruments/${symbol}/depth`;
    const seen = await anyone().get(path('/guest', 'btc_usdt'));
    expect(seen.body).toMatchObject({ bids: [{ price: '950', amount: '0.01', total: '9.5' }] });
    expect(seen.text).toBe((await alice.get(path('', 'btc_usdt'))).text);
    const one = await anyone().get(`${path('/guest', 'spot.btc_usdt')}?levels=1`);
    expect(one.status).toBe(200);
    const unknown = await anyone().get(path('/guest', 'a_b'));
    expect(unknown).toMatchObject({ status: 400, code: 'TR0300' });
    const many = await anyone().get(`${path('/guest', 'btc_usdt')}?levels=1001`);
    expect(many).toMatchObject({ status: 400, code: 'TR0015' });
    await cancel(alice, orderId);
  });
});
