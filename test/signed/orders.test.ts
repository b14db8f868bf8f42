import { randomUUID } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { place, read } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';
import { RESTING_ORDER, SignedClient, type SignedRefusal } from './support/signed-client.ts';

const server = useServer();
let alice: ApiClient;
let bob: ApiClient;
let signed: SignedClient;

const ofAlice = (prefix = '') =>
  new SignedClient(server().anonymous(), 'demo-key-alice', 'demo-secret-alice', prefix);

beforeAll(async () => {
  alice = await server().trader('alice');
  bob = await server().trader('bob');
  signed = ofAlice();
});

describe.each(['', '/trading'])('under the prefix "%s"', (prefix) => {
  it('an order is placed on the main account, found in both interfaces and cancelled', async () => {
    const client = ofAlice(prefix);
    const clientOrderId = randomUUID();
    const placed = await client.place({ ...RESTING_ORDER, clientOrderId });
    expect(placed.status, placed.text).toBe(200);
    const { order } = placed.body;
    expect(order).toMatchObject({
      clientOrderId,
      instrument: 'btc_usdt',
      type: 'buy',
      side: 0,
      orderType: 0,
      isLimit: true,
      isPending: true,
      status: 'Working',
      timeInForce: 'GTC',
      amount: 0.01,
      remaining: 0.01,
      unitsFilled: 0,
      requestedPrice: 100,
      executionPrice: 0,
      total: 0,
      commission: 0,
      stopPrice: 0,
      rejectDetails: '',
    });
    const same = await read(alice, order.orderId);
    expect(same.body.order).toMatchObject({ marketId: 'spot.btc_usdt', requestedAmount: '0.01' });

    const working = await client.orders({ status: 'Working', market: 'btc_usdt', side: 'buy' });
    expect(working.body.map(({ orderId }) => orderId)).toContain(order.orderId);
    const cancelled = await client.cancel(order.orderId);
    expect(cancelled.status, cancelled.text).toBe(200);
    expect(cancelled.body.order).toMatchObject({
      orderId: order.orderId,
      status: 'Cancelled',
      isPending: false,
    });
    const again = await client.cancel(order.orderId);
    expect([again.status, again.code]).toEqual([409, 'TR0201']);
  });

  it('a trade shows in the histories with its commission', async () => {
    const client = ofAlice(prefix);
    const ask = await place(bob, {
      side: 'Sell',
      requestedAmount: '0.5',
      requestedPrice: '20000.01',
    });
    expect(ask.status, ask.text).toBe(201);
    const limit = { ...RESTING_ORDER, amount: '0.5', price: '20000.01' };
    const bought = await client.place(limit);
    expect(bought.body.order).toMatchObject({
      status: 'Completed',
      isPending: false,
      unitsFilled: 0.5,
      remaining: 0,
      executionPrice: 20000.01,
      averageFillPrice: 20000.01,
      total: 10000.005,
      commission: 10.000005,
    });
    const { orderId } = bought.body.order;
    const trades = await client.trades({ orderId });
    expect(trades.body).toHaveLength(1);
    expect(trades.body[0]).toMatchObject({
      orderId,
      instrument: 'btc_usdt',
      type: 'buy',
      side: 0,
      amount: 0.5,
      executionPrice: 20000.01,
      commission: 10.000005,
      isReverted: false,
    });
    const all = await client.trades({ market: 'btc_usdt', side: 'buy' });
    expect(all.body).toContainEqual(trades.body[0]);
    const sold = await client.trades({ side: 'sell' });
    expect(sold.body.map((trade) => trade.orderId)).not.toContain(orderId);
    const completed = await client.orders({ status: 'Completed' });
    expect(completed.body.map((order) => order.orderId)).toContain(orderId);
  });
});

describe('what an order may be', () => {
  it('market orders take what there is; the rest is cancelled', async () => {
    await place(bob, { side: 'Sell', requestedAmount: '0.2', requestedPrice: '21000' });
    const { body } = await signed.place({
      instrument: 'btc_usdt',
      type: 'buy',
      amount: 0.3,
      price: 0,
      isLimit: false,
    });
    expect(body.order).toMatchObject({
      isLimit: false,
      status: 'Cancelled',
      timeInForce: 'IOC',
      unitsFilled: 0.2,
      remaining: 0.1,
      requestedPrice: 0,
      executionPrice: 21000,
    });
  });

  it('a fill-or-kill order that cannot be filled ends without a trade', async () => {
    const { body } = await signed.place({ ...RESTING_ORDER, isFok: true });
    expect(body.order).toMatchObject({ status: 'Cancelled', timeInForce: 'FOK', unitsFilled: 0 });
  });

  it('amounts keep digits that no double has', async () => {
    const order = { ...RESTING_ORDER, instrument: 'eth_btc', amount: '0.12345', price: '0.000123' };
    const answer = await signed.place(order);
    expect(answer.text).toContain('"amount":0.12345');
    expect(answer.text).toContain('"requestedPrice":0.000123');
    await signed.cancel(answer.body.order.orderId);
  });

  const refusals: readonly (readonly [string, object, number, string])[] = [
    ['a stop order', { isStop: true, activationPrice: 90 }, 400, 'TR0226'],
    ['a limit order without a price', { price: undefined }, 400, 'TR0202'],
    ['a limit order at 0', { price: 0 }, 400, 'TR0212'],
    ['an amount of 0', { amount: 0 }, 400, 'TR0213'],
    ['an amount off its step', { amount: '0.0000001' }, 400, 'TR0208'],
    ['more than there is', { type: 'sell', amount: 1000, price: 90_000 }, 400, 'TR0400'],
    ['an unknown instrument', { instrument: 'btc_xxx' }, 400, 'TR0300'],
    ['an instrument in capitals', { instrument: 'BTC_USDT' }, 400, 'TR0012'],
    ['a side that is none', { type: 'Buy' }, 400, 'TR0011'],
    ['a client id that is no UUID', { clientOrderId: 'mine' }, 400, 'TR0012'],
    [
      'a client id of zeros',
      { clientOrderId: '00000000-0000-0000-0000-000000000000' },
      400,
      'TR0012',
    ],
    ['a field that there is not', { leverage: 2 }, 400, 'TR0010'],
  ];
  it.each(refusals)('%s is refused', async (_, change, status, code) => {
    const before = (await signed.orders()).body.length;
    const answer = await signed.place({ ...RESTING_ORDER, ...change });
    expect([answer.status, answer.code]).toEqual([status, code]);
    const { errors } = answer.body as unknown as SignedRefusal;
    expect(errors).toHaveLength(1);
    expect(errors[0]?.code).toBe(code);
    expect(errors[0]?.message).not.toMatch(/requestedAmount|requestedPrice|marketId/);
    expect((await signed.orders()).body).toHaveLength(before);
  });
});

describe('a client order id', () => {
  it('names one open order at a time, and another one once that has ended', async () => {
    const clientOrderId = randomUUID();
    const first = await signed.place({ ...RESTING_ORDER, clientOrderId });
    const second = await signed.place({
      ...RESTING_ORDER,
      clientOrderId: clientOrderId.toUpperCase(),
    });
    expect([second.status, second.code]).toEqual([409, 'TR0225']);
    const ended = await signed.cancel(clientOrderId);
    expect(ended.body.order.orderId).toBe(first.body.order.orderId);
    const third = await signed.place({ ...RESTING_ORDER, clientOrderId });
    expect(third.status, third.text).toBe(200);
    expect(third.body.order.orderId).not.toBe(first.body.order.orderId);
    const last = await signed.cancel(clientOrderId.toUpperCase());
    expect(last.body.order.orderId).toBe(third.body.order.orderId);
    const none = await signed.cancel(clientOrderId);
    expect([none.status, none.code]).toEqual([404, 'TR0200']);
  });

  it("does not reach another's order", async () => {
    const clientOrderId = randomUUID();
    const { body } = await signed.place({ ...RESTING_ORDER, clientOrderId });
    const ofBob = new SignedClient(server().anonymous(), 'demo-key-bob', 'demo-secret-bob');
    for (const id of [clientOrderId, body.order.orderId]) {
      const answer = await ofBob.cancel(id);
      expect([answer.status, answer.code]).toEqual([404, 'TR0200']);
    }
    expect((await signed.cancel(clientOrderId)).status).toBe(200);
  });
});

describe('a history', () => {
  it('is cut to its window, page by page, newest first', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      const { body } = await signed.place({ ...RESTING_ORDER, instrument: 'eth_usdt', price: 2 });
      ids.unshift(body.order.orderId);
    }
    const market = 'eth_usdt';
    const all = await signed.orders({ market });
    expect(all.body.map(({ orderId }) => orderId)).toEqual(ids);
    const first = await signed.orders({ market, limit: '2' });
    const rest = await signed.orders({ market, limit: '2', lastOrderId: ids[1] ?? '' });
    expect([...first.body, ...rest.body].map(({ orderId }) => orderId)).toEqual(ids);
    const { createdAt = '' } = all.body[1] ?? {};
    const moment = createdAt.slice(0, -1);
    const window = await signed.orders({ market, startDate: moment, endDate: moment });
    expect(window.body.map(({ orderId }) => orderId)).toContain(ids[1]);
    const past = await signed.orders({ market, endDate: '2020-01-01T00:00:00.0' });
    expect(past.body).toEqual([]);
    for (const id of ids) await signed.cancel(id);
    expect((await signed.orders({ market, status: 'Working' })).body).toEqual([]);
    expect((await signed.orders({ market, status: 'Cancelled' })).body).toHaveLength(3);
  });

  it.each([
    [{ market: 'btc_xxx' }, 'TR0300'],
    [{ startDate: 'yesterday' }, 'TR0012'],
    [{ startDate: '2026-01-02T00:00:00', endDate: '2026-01-01T00:00:00' }, 'TR0019'],
    [{ side: 'long' }, 'TR0011'],
    [{ surprise: '1' }, 'TR0010'],
  ] as const)('refuses %j', async (filter, code) => {
    const orders = await signed.orders(filter);
    const trades = await signed.trades(filter);
    expect([orders.status, orders.code]).toEqual([400, code]);
    expect([trades.status, trades.code]).toEqual([400, code]);
  });
});

it('answers what the API document says, under both prefixes', async () => {
  interface Operation {
    readonly security: readonly object[];
    readonly responses: {
      readonly 200: {
        readonly content: { readonly 'application/json': { readonly schema: object } };
      };
    };
  }
  const document = await server()
    .anonymous()
    .get<{ paths: Record<string, Record<string, Operation>> }>('/openapi.json');
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const placed = await signed.place({ ...RESTING_ORDER, clientOrderId: randomUUID() });
  const cancelled = await signed.cancel(placed.body.order.orderId);
  const answers = [
    ['post', '/frontoffice/api/order', placed.body],
    ['delete', '/frontoffice/api/orders/{id}', cancelled.body],
    ['get', '/frontoffice/api/order_history', (await signed.orders()).body],
    ['get', '/frontoffice/api/trade_history', (await signed.trades()).body],
  ] as const;
  for (const prefix of ['', '/trading']) {
    for (const [method, path, body] of answers) {
      const operation = document.body.paths[`${prefix}${path}`]?.[method];
      expect(operation?.security).toEqual([{ key: [], sign: [] }]);
      const { schema = {} } = operation?.responses[200].content['application/json'] ?? {};
      expect(ajv.validate(schema, body), `${path} ${JSON.stringify(ajv.errors)}`).toBe(true);
    }
  }
});
