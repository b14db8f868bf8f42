import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, ApiClient } from '../support/api-client.ts';
import { TestServer } from '../support/server.ts';
import {
  amend,
  cancel,
  cancelAll,
  type OrderFields,
  openOrdersOf,
  orderOf,
  ordersOf,
  place,
  placed,
  RESTING,
  stateOf,
} from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';

/** Few orders are kept in memory, so that repeats are answered from the views too. */
const server = useServer({ LIVE_ORDERS: '16' });
let alice: ApiClient;
let bob: ApiClient;
let count = 0;

beforeAll(async () => {
  alice = await server().trader('alice');
  bob = await server().trader('bob');
});
afterEach(async () => {
  await cancelAll(alice);
  await cancelAll(bob);
});

const newId = (): string => `name-${++count}`;

async function namedOrders(client: ApiClient, clientOrderId: string): Promise<number> {
  const orders = await ordersOf(client, {});
  return orders.filter((order) => order.clientOrderId === clientOrderId).length;
}

async function restart(): Promise<void> {
  await server().kill('SIGKILL');
  await server().restart();
}

/** Enough orders to push any other out of memory. */
async function forget(): Promise<void> {
  for (let order = 0; order < 20; order++) await placed(bob, { requestedPrice: '500' });
}

describe('a repeat of an order with a clientOrderId', () => {
  it('gets the first answer, byte for byte, and places nothing', async () => {
    const fields = { clientOrderId: newId(), comment: 'c' };
    const first = await place(alice, fields);
    expect(first.status).toBe(201);
    const before = await stateOf([alice]);
    for (let time = 0; time < 3; time++) {
      const again = await place(alice, fields);
      expect({ status: again.status, text: again.text }).toEqual({ status: 201, text: first.text });
    }
    expect(await stateOf([alice])).toEqual(before);
  });

  it.each([
    ['was cancelled', async (orderId: string) => cancel(alice, orderId)],
    [
      'was amended twice',
      async (orderId: string) => {
        await amend(alice, orderId, { requestedPrice: '1001', requestedAmount: '0.02' });
        return amend(alice, orderId, { requestedAmount: '0.015' });
      },
    ],
    ['was filled in part', async () => place(bob, { side: 'Sell', requestedAmount: '0.004' })],
    ['was filled', async () => place(bob, { side: 'Sell', requestedAmount: '0.01' })],
  ])('gets it after the order %s, from memory, from disk and after a kill', async (_, change) => {
    const fields = { clientOrderId: newId() };
    const first = await place(alice, fields);
    expect((await change(first.body.order.orderId)).status).toBeLessThan(300);
    const state = await orderOf(alice, first.body.order.orderId);
    const expectRepeat = async () => {
      expect((await place(alice, fields)).text).toBe(first.text);
      expect(await orderOf(alice, first.body.order.orderId)).toEqual(state);
    };
    await expectRepeat();
    await forget();
    await expectRepeat();
    await restart();
    await expectRepeat();
    expect(await namedOrders(alice, fields.clientOrderId)).toBe(1);
  });

  it('gets it for orders that only took, too', async () => {
    await placed(bob, { side: 'Sell', requestedPrice: '1000', requestedAmount: '0.005' });
    const market = { orderType: 'Market', requestedPrice: null };
    const kinds: readonly OrderFields[] = [
      { ...market, timeInForce: 'Ioc' },
      { ...market, timeInForce: 'Fok' },
      { timeInForce: 'Ioc' },
      { timeInForce: 'Fok' },
    ];
    for (const kind of kinds) {
      const fields = { ...kind, clientOrderId: newId() };
      const first = await place(alice, fields);
      expect(first.status).toBe(201);
      expect((await place(alice, fields)).text).toBe(first.text);
    }
  });

  it('sent many times at once makes one order', async () => {
    for (let round = 0; round < 20; round++) {
      const fields = { clientOrderId: newId() };
      const answers = await Promise.all(Array.from({ length: 16 }, () => place(alice, fields)));
      for (const { status, text } of answers) {
        expect(status).toBe(201);
        expect(text).toBe(answers[0]?.text);
      }
      expect(await namedOrders(alice, fields.clientOrderId)).toBe(1);
    }
  });

  it('of another account is another order', async () => {
    const fields = { clientOrderId: newId() };
    const other = await server().trader('alice', 'Hedging');
    const ids = [
      await placed(alice, fields),
      await placed(bob, fields),
      await placed(other, fields),
    ];
    expect(new Set(ids).size).toBe(3);
    await cancelAll(other);
  });

  it('with other terms is still the first order', async () => {
    const clientOrderId = newId();
    const first = await place(alice, { clientOrderId });
    const other = await place(alice, { clientOrderId, requestedPrice: '999', side: 'Sell' });
    expect(other.text).toBe(first.text);
    expect(await namedOrders(alice, clientOrderId)).toBe(1);
  });
});

describe('a clientOrderId that another kind of request used', () => {
  const STOP = '/frontoffice/api/v3/stop-orders';
  const PERP = '/frontoffice/api/perpetual/v4/orders';
  const CFD = '/frontoffice/api/cfd/v4/orders';
  const LOTS = {
    side: 'Buy',
    orderType: 'Limit',
    timeInForce: 'Gtc',
    requestedLotAmount: '0.01',
    requestedPrice: '1',
  };
  const KINDS: Record<string, (clientOrderId: string) => Promise<Answer>> = {
    'a Spot order': (clientOrderId) => place(alice, { clientOrderId }),
    'a stop order': (clientOrderId) =>
      alice.post(STOP, { order: { ...RESTING, clientOrderId, activationPrice: '2000' } }),
    'a Perp order': (clientOrderId) =>
      alice.post(PERP, { order: { ...LOTS, marketId: 'perp.btc_usdt', clientOrderId } }),
    'a Cfd order': (clientOrderId) =>
      alice.post(CFD, { order: { ...LOTS, marketId: 'cfd.eur_usdt', clientOrderId } }),
  };
  const PAIRS = Object.keys(KINDS).flatMap((first) =>
    Object.keys(KINDS)
      .filter((second) => second !== first)
      .map((second) => [first, second] as const),
  );

  it.each(PAIRS)(
    '(%s, then %s) is refused: the first answer is none of its own',
    async (first, second) => {
      const clientOrderId = newId();
      expect((await KINDS[first]?.(clientOrderId))?.status).toBeLessThan(300);
      const refused = await KINDS[second]?.(clientOrderId);
      expect({ status: refused?.status, code: refused?.code }).toEqual({
        status: 409,
        code: 'TR0227',
      });
      expect(refused?.text).toContain(clientOrderId);
    },
  );
});

describe('a refused order with a clientOrderId', () => {
  it('leaves the name free', async () => {
    const clientOrderId = newId();
    const refused = await place(alice, { clientOrderId, requestedAmount: '2000' });
    expect(refused.code).toBe('TR0400');
    const again = await place(alice, { clientOrderId });
    expect(again.status).toBe(201);
    expect(await namedOrders(alice, clientOrderId)).toBe(1);
  });

  it('that was post-only and would have taken is never answered as if it had been placed', async () => {
    const fields = { clientOrderId: newId(), requestedPrice: '1000', postOnly: true };
    const ask = await placed(bob, { side: 'Sell', requestedPrice: '1000' });
    const answers = await Promise.all(Array.from({ length: 8 }, () => place(alice, fields)));
    for (const { status, code } of answers) {
      expect({ status, code }).toEqual({ status: 400, code: 'TR0216' });
    }
    expect((await place(alice, fields)).code).toBe('TR0216');
    await restart();
    expect((await place(alice, fields)).code).toBe('TR0216');
    expect(await openOrdersOf(alice)).toEqual([]);
    await cancel(bob, ask);
    // Nothing is in its way any more.
    const placedNow = await place(alice, fields);
    expect([201, 400]).toContain(placedNow.status);
    if (placedNow.status === 201) {
      const order = await orderOf(alice, placedNow.body.order.orderId);
      expect(order.status).toBe('Pending');
    }
  });
});

describe('the window of names', () => {
  it('keeps the last so many, and every open order beyond them', async () => {
    const small = await TestServer.start({ CLIENT_ORDER_ID_WINDOW: '4', SNAPSHOT_EVENTS: '10' });
    try {
      const trader = await small.trader('alice');
      const open = { clientOrderId: 'open' };
      const ended = { clientOrderId: 'ended' };
      const first = await place(trader, open);
      const gone = await place(trader, ended);
      await cancel(trader, gone.body.order.orderId);
      for (let order = 0; order < 20; order++) {
        const orderId = await placed(trader, { clientOrderId: `filler-${order}` });
        await cancel(trader, orderId);
      }
      expect((await place(trader, open)).text).toBe(first.text);
      const anew = await place(trader, ended);
      expect(anew.status).toBe(201);
      expect(anew.body.order.orderId).not.toBe(gone.body.order.orderId);
      await small.kill('SIGKILL');
      await small.restart();
      expect((await place(trader, open)).text).toBe(first.text);
      expect((await place(trader, ended)).text).toBe(anew.text);
    } finally {
      await small.cleanup();
    }
  });
});
