import { beforeAll, describe, expect, it } from 'vitest';
import type { OrderRead } from '../../gateway/routes/orders/schemas.ts';
import type { Answer, ApiClient } from '../support/api-client.ts';
import {
  cancel,
  type ExecutionPage,
  LIST,
  orderOf,
  ordersOf,
  place,
  placed,
} from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';

const server = useServer();
let alice: ApiClient;
let bob: ApiClient;
/** Of alice: completed by three fills, cancelled, open, filled in part; of bob: the other sides. */
let takenId = '';
let cancelledId = '';
let openId = '';
let partialId = '';
const makerIds: string[] = [];

beforeAll(async () => {
  alice = await server().trader('alice');
  bob = await server().trader('bob');
  for (const [price, amount] of [
    ['20000', '0.1'],
    ['20001', '0.2'],
    ['20002', '0.3'],
  ]) {
    const sell = { side: 'Sell', requestedPrice: price, requestedAmount: amount };
    makerIds.push(await placed(bob, sell));
  }
  takenId = await placed(alice, {
    requestedPrice: '20002',
    requestedAmount: '0.6',
    comment: 'three',
  });
  cancelledId = await placed(alice);
  await cancel(alice, cancelledId);
  openId = await placed(alice, { requestedPrice: '900' });
  partialId = await placed(alice, { requestedPrice: '15000', requestedAmount: '0.5' });
  await placed(bob, { side: 'Sell', requestedPrice: '15000', requestedAmount: '0.125' });
});

interface ListAnswer {
  readonly data: readonly OrderRead[];
}

const list = (body: object, client = alice): Promise<Answer<ListAnswer>> => client.post(LIST, body);
const idsOf = async (body: object, client = alice): Promise<string[]> => {
  const { status, text, body: page } = await list(body, client);
  expect(status, text).toBe(200);
  return page.data.map(({ orderId }) => orderId);
};

describe('the order list', () => {
  it('has all orders of the account, newest first, in the form that reading by id has', async () => {
    expect(await idsOf({})).toEqual([partialId, openId, cancelledId, takenId]);
    for (const order of (await list({})).body.data) {
      expect(order).toEqual(await orderOf(alice, order.orderId));
    }
  });

  it('takes no body for an empty one, and null for a field that is left out', async () => {
    const all = await idsOf({});
    const none = {
      limit: null,
      createdAtFrom: null,
      createdAtTo: null,
      orderStatus: null,
      lastOrderId: null,
    };
    expect(await idsOf(none)).toEqual(all);
    const bare = await alice.post<ListAnswer>(LIST);
    expect(bare.body.data.map(({ orderId }) => orderId)).toEqual(all);
    expect(await idsOf({ orderStatus: [] })).toEqual(all);
  });

  it('shows an order as it is the moment after its change was acknowledged', async () => {
    for (let round = 0; round < 30; round++) {
      const orderId = await placed(alice);
      expect((await idsOf({ limit: 1 }))[0]).toBe(orderId);
      await cancel(alice, orderId);
      expect(await idsOf({ limit: 1, orderStatus: ['Cancelled'] })).toEqual([orderId]);
    }
  });

  it('is filtered by status', async () => {
    const known = await ordersOf(alice, {});
    for (const status of ['Started', 'Pending', 'Working', 'Completed', 'Cancelled', 'Expired']) {
      const expected = known.filter((order) => order.status === status);
      expect(await idsOf({ orderStatus: [status] })).toEqual(expected.map((one) => one.orderId));
    }
    const both = known.filter(({ status }) => status === 'Pending' || status === 'Completed');
    expect(await idsOf({ orderStatus: ['Completed', 'Pending', 'Pending'] })).toEqual(
      both.map(({ orderId }) => orderId),
    );
  });

  it('is filtered by the time of creation, both ends included', async () => {
    const { createdAt } = await orderOf(alice, takenId);
    expect(await idsOf({ createdAtTo: createdAt })).toEqual([takenId]);
    expect(await idsOf({ createdAtFrom: createdAt, createdAtTo: createdAt })).toEqual([takenId]);
    const after = new Date(Date.parse(createdAt) + 1).toISOString();
    expect(await idsOf({ createdAtFrom: after })).not.toContain(takenId);
    expect(await idsOf({ createdAtFrom: '2099-01-01T00:00:00.000Z' })).toEqual([]);
    expect(await idsOf({ createdAtTo: '2001-01-01T00:00:00.000Z' })).toEqual([]);
    expect(await idsOf({ createdAtFrom: after, createdAtTo: createdAt })).toEqual([]);
  });

  it('goes on behind the last order of a page, whatever comes in meanwhile', async () => {
    const all = await idsOf({ limit: 1000 });
    const paged: string[] = [];
    for (let lastOrderId: string | null = null; ; ) {
      const page: string[] = await idsOf({ limit: 3, lastOrderId });
      paged.push(...page);
      lastOrderId = page.at(-1) ?? null;
      if (page.length < 3) break;
      await placed(alice, { requestedPrice: '800' });
    }
    expect(paged).toEqual(all);
  });

  it('has nothing behind an order that is not the account\u2019s', async () => {
    expect(await idsOf({ lastOrderId: makerIds[0] })).toEqual([]);
    expect(await idsOf({ lastOrderId: '999999999' })).toEqual([]);
  });

  it('shows nobody else\u2019s orders', async () => {
    const others = await idsOf({ limit: 1000 }, bob);
    expect(others).toEqual(expect.arrayContaining(makerIds));
    const own = await idsOf({ limit: 1000 });
    expect(own.filter((orderId) => others.includes(orderId))).toEqual([]);
    expect(await idsOf({}, await server().trader('alice', 'Hedging'))).toEqual([]);
    const foreign = await list({}, alice.with({ accountId: bob.accountId }));
    expect(foreign.code).toBe('TR0103');
  });

  it('refuses what it does not understand, by name', async () => {
    for (const [body, code, field] of [
      [{ limit: 0 }, 'TR0015', 'limit'],
      [{ limit: -1 }, 'TR0015', 'limit'],
      [{ limit: 2147483648 }, 'TR0015', 'limit'],
      [{ limit: 1.5 }, 'TR0009', 'limit'],
      [{ limit: '5' }, 'TR0009', 'limit'],
      [{ orderStatus: ['Open'] }, 'TR0011', 'orderStatus[0]'],
      [{ orderStatus: 'Pending' }, 'TR0009', 'orderStatus'],
      [{ orderStatus: Array.from({ length: 17 }, () => 'Pending') }, 'TR0016', 'orderStatus'],
      [{ orderStatus: [null] }, 'TR0009', 'orderStatus[0]'],
      [{ createdAtFrom: 'yesterday' }, 'TR0012', 'createdAtFrom'],
      [{ createdAtTo: 1 }, 'TR0009', 'createdAtTo'],
      [{ lastOrderId: 'x' }, 'TR0012', 'lastOrderId'],
      [{ lastOrderId: 5 }, 'TR0009', 'lastOrderId'],
      [{ offset: 5 }, 'TR0010', 'offset'],
    ] as const) {
      const answer = await list(body);
      expect({ status: answer.status, code: answer.code }, answer.text).toEqual({
        status: 400,
        code,
      });
      expect(answer.text).toContain(field);
    }
  });

  it('holds no more than a page, however much is asked for', async () => {
    expect((await list({ limit: 2147483647 })).status).toBe(200);
  });
});

describe('executions', () => {
  const of = (version: string, orderId: string, body: object = {}, client = alice) =>
    client.post<ExecutionPage>(
      `/frontoffice/api/${version}/orders/${orderId}/executions/list`,
      body,
    );

  it('of one order come newest first, each with what it was charged', async () => {
    for (const version of ['v4', 'v5']) {
      const { status, body } = await of(version, takenId);
      expect(status).toBe(200);
      expect(body.isExceeded).toBe(false);
      expect(body.executions).toEqual(
        [
          ['20002', '0.3', '6.0006'],
          ['20001', '0.2', '4.0002'],
          ['20000', '0.1', '2'],
        ].map(([executionPrice, baseAmount, amount]) => ({
          positionId: '',
          orderId: takenId,
          executionId: expect.stringMatching(/^[1-9]\d*$/),
          side: 'Buy',
          reason: 'Trader',
          createdAt: expect.stringMatching(/Z$/),
          baseAmount,
          executionPrice,
          commissionAmountInRAT: amount,
          commissions: [{ assetId: 'usdt', amount }],
          comment: 'three',
          realizedPnlInRAT: '0',
          positionSizeIncreased: true,
        })),
      );
      const ids = body.executions.map(({ executionId }) => Number(executionId));
      expect(ids).toEqual([...ids].sort((a, b) => b - a));
    }
  });

  it('have the other side with an id of its own, a different comment and the same figures', async () => {
    const [first] = (await of('v5', makerIds[0] ?? '', {}, bob)).body.executions;
    const taken = (await of('v5', takenId)).body.executions.at(-1);
    expect(first).toMatchObject({ side: 'Sell', comment: null, positionSizeIncreased: false });
    expect(first?.executionId).not.toBe(taken?.executionId);
    expect(first?.baseAmount).toBe(taken?.baseAmount);
    expect(first?.createdAt).toBe(taken?.createdAt);
  });

  it('of an order without any are none', async () => {
    for (const orderId of [openId, cancelledId]) {
      expect((await of('v5', orderId)).body).toEqual({ executions: [], isExceeded: false });
    }
  });

  it('are there the moment after the trade was acknowledged', async () => {
    for (let round = 0; round < 30; round++) {
      const terms = { requestedPrice: '17000', requestedAmount: '0.001' };
      await placed(bob, { ...terms, side: 'Sell' });
      const orderId = await placed(alice, terms);
      expect((await of('v5', orderId)).body.executions).toHaveLength(1);
    }
  });

  it('come in pages', async () => {
    const all = (await of('v5', takenId)).body.executions;
    const first = (await of('v5', takenId, { limit: 2 })).body;
    expect(first).toEqual({ executions: all.slice(0, 2), isExceeded: true });
    const lastExecutionId = first.executions[1]?.executionId;
    const rest = (await of('v5', takenId, { limit: 2, lastExecutionId })).body;
    expect(rest).toEqual({ executions: all.slice(2), isExceeded: false });
    const whole = (await of('v5', takenId, { limit: 3 })).body;
    expect(whole.isExceeded).toBe(false);
  });

  it('of a position are none: Spot has no positions', async () => {
    const { status, body } = await of('v5', takenId, { positionId: '1' });
    expect({ status, body }).toEqual({ status: 200, body: { executions: [], isExceeded: false } });
    expect((await of('v5', takenId, { positionId: null })).body.executions).toHaveLength(3);
  });

  it('of another\u2019s order and of no order read the same', async () => {
    for (const version of ['v4', 'v5']) {
      const foreign = await of(version, makerIds[0] ?? '');
      const none = await of(version, '999999999');
      expect({ status: foreign.status, code: foreign.code }).toEqual({
        status: none.status,
        code: none.code,
      });
      expect(foreign.code).toBe('TR0200');
    }
  });

  it('of several orders, in pairs or by id, are those of the account alone', async () => {
    const pairs = [takenId, partialId, makerIds[0]].map((orderId) => ({ orderId, positionId: '' }));
    const inPairs = await alice.post<ExecutionPage>('/frontoffice/api/v5/orders/executions/list', {
      orderPositionPairs: pairs,
      limit: 10,
    });
    expect(inPairs.status, inPairs.text).toBe(200);
    const orderIds = [takenId, partialId, makerIds[0], takenId];
    const byId = await alice.post<ExecutionPage>('/frontoffice/api/v4/orders/executions/list', {
      orderIds,
      limit: 10,
    });
    expect(byId.body).toEqual(inPairs.body);
    expect(byId.body.executions.map(({ orderId }) => orderId)).toEqual([
      partialId,
      takenId,
      takenId,
      takenId,
    ]);
    const limited = await alice.post<ExecutionPage>('/frontoffice/api/v4/orders/executions/list', {
      orderIds,
      limit: 3,
    });
    expect(limited.body.isExceeded).toBe(true);
    expect(limited.body.executions).toHaveLength(3);
  });

  it('of no orders are none', async () => {
    const answer = await alice.post('/frontoffice/api/v4/orders/executions/list', { orderIds: [] });
    expect(answer.body).toEqual({ executions: [], isExceeded: false });
  });

  it('are refused for what makes no sense, by name', async () => {
    for (const [path, body, field] of [
      ['v4/orders/executions/list', {}, 'orderIds'],
      ['v4/orders/executions/list', { orderIds: ['x'] }, 'orderIds[0]'],
      ['v4/orders/executions/list', { orderIds: [1] }, 'orderIds[0]'],
      ['v4/orders/executions/list', { orderIds: Array(1001).fill('1') }, 'orderIds'],
      ['v5/orders/executions/list', { orderIds: ['1'] }, 'order'],
      ['v5/orders/executions/list', { orderPositionPairs: [{}] }, 'orderPositionPairs[0].orderId'],
      [`v5/orders/${takenId}/executions/list`, { limit: 0 }, 'limit'],
      [`v5/orders/${takenId}/executions/list`, { lastExecutionId: 'x' }, 'lastExecutionId'],
      [`v5/orders/${takenId}/executions/list`, { orderId: takenId }, 'orderId'],
    ] as const) {
      const answer = await alice.post(`/frontoffice/api/${path}`, body);
      expect(answer.status, answer.text).toBe(400);
      expect(answer.text).toContain(field);
    }
  });
});

describe('after a restart', () => {
  it('orders, lists and executions read as before', async () => {
    const before = await ordersOf(alice, {});
    const executions = (await alice.post('/frontoffice/api/v4/orders/executions/list', {
      orderIds: before.map(({ orderId }) => orderId),
      limit: 1000,
    })) as Answer<ExecutionPage>;
    await server().kill('SIGKILL');
    await server().restart();
    expect(await ordersOf(alice, {})).toEqual(before);
    for (const order of before) expect(await orderOf(alice, order.orderId)).toEqual(order);
    const again = await alice.post('/frontoffice/api/v4/orders/executions/list', {
      orderIds: before.map(({ orderId }) => orderId),
      limit: 1000,
    });
    expect(again.text).toBe(executions.text);
    const foreign = await bob.get(`/frontoffice/api/v4/orders/${takenId}`);
    expect(foreign.code).toBe('TR0200');
    expect((await place(alice)).status).toBe(201);
  });
});
