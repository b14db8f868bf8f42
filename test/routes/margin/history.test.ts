import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../../support/api-client.ts';
import type { Execution, ExecutionPage } from '../../support/trading.ts';
import { useServer } from '../../support/use-server.ts';
import {
  CLOSED,
  close,
  marginOf,
  POSITIONS,
  placed,
  positionOf,
  positionsOf,
  trade,
} from './support.ts';

/** So few orders in memory that most are read from the views. */
const server = useServer({ LIVE_ORDERS: '2' });
let alice: ApiClient;
let bob: ApiClient;
/** Alice's: opened a position, flipped it, closed a part of the new one. */
let opening = '';
let flip = '';
let reduction = '';
let longId = '';
let shortId = '';

beforeAll(async () => {
  [alice, bob] = [await server().trader('alice'), await server().trader('bob')];
  [opening] = await trade(alice, bob, { comment: 'mine' }, { comment: '' });
  longId = (await positionOf(alice)).positionId;
  const more = { requestedPrice: '1.2', requestedLotAmount: '0.3' };
  [, flip] = await trade(bob, alice, more, { comment: 'turned' });
  shortId = (await positionOf(alice)).positionId;
  [reduction] = await trade(alice, bob, { requestedPrice: '1.1', requestedLotAmount: '0.05' });
});

async function executions(path: string, body: object, client = alice): Promise<ExecutionPage> {
  const answer = await client.post<ExecutionPage>(path, body);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
}

const ofOrder = (orderId: string, body: object = {}, version = 'v5') =>
  executions(`/frontoffice/api/${version}/orders/${orderId}/executions/list`, body);

const brief = (page: ExecutionPage) =>
  page.executions.map(({ positionId, orderId, baseAmount, positionSizeIncreased }) => {
    return [positionId, orderId, baseAmount, positionSizeIncreased];
  });

describe('executions of orders on margin', () => {
  it('show a flip as what it closed and what it opened', async () => {
    const page = await ofOrder(flip);
    const [opened, closed] = page.executions;
    const both = { orderId: flip, side: 'Sell', reason: 'Trader', executionPrice: '1.2' };
    expect(opened).toMatchObject({
      ...both,
      positionId: shortId,
      baseAmount: '20000',
      positionSizeIncreased: true,
      realizedPnlInRAT: '0',
      commissionAmountInRAT: '24',
      commissions: [{ assetId: 'usdt', amount: '24' }],
      comment: 'turned',
    });
    expect(closed).toMatchObject({
      ...both,
      positionId: longId,
      executionId: opened?.executionId,
      baseAmount: '10000',
      positionSizeIncreased: false,
      realizedPnlInRAT: '1000',
      commissionAmountInRAT: '12',
      comment: 'mine',
    });
    expect(page.executions).toHaveLength(2);
    expect(await ofOrder(flip, {}, 'v4')).toEqual(page);
    expect(await ofOrder(flip, { positionId: longId })).toMatchObject({ executions: [closed] });
    expect(await ofOrder(flip, { positionId: '77' })).toMatchObject({ executions: [] });
  });

  it('come by order and position, and by orders', async () => {
    const pairs = [
      { orderId: flip, positionId: shortId },
      { orderId: opening, positionId: longId },
      { orderId: opening, positionId: shortId },
    ];
    const path = '/frontoffice/api/v5/orders/executions/list';
    const found = await executions(path, { orderPositionPairs: pairs, limit: 10 });
    expect(brief(found)).toEqual([
      [shortId, flip, '20000', true],
      [longId, opening, '10000', true],
    ]);
    const orderIds = [opening, flip, reduction];
    const v4 = '/frontoffice/api/v4/orders/executions/list';
    const all = await executions(v4, { orderIds });
    expect(brief(all)).toEqual([
      [shortId, reduction, '5000', false],
      [shortId, flip, '20000', true],
      [longId, flip, '10000', false],
      [longId, opening, '10000', true],
    ]);
    expect(await executions(v4, { orderIds }, bob)).toEqual({ executions: [], isExceeded: false });
    // A flip stays together, so that the next page goes on behind it.
    const first = await executions(v4, { orderIds, limit: 2 });
    expect(brief(first)).toEqual(brief(all).slice(0, 3));
    expect(first.isExceeded).toBe(true);
  });
});

describe('executions of positions', () => {
  const one = `${POSITIONS}/${'{id}'}/executions/list`;

  it('are those of every order that touched them', async () => {
    const long = await executions(one.replace('{id}', longId), { limit: null, offset: null });
    expect(brief(long)).toEqual([
      [longId, flip, '10000', false],
      [longId, opening, '10000', true],
    ]);
    expect(long.executions.map(({ comment }: Execution) => comment)).toEqual(['mine', 'mine']);
    const second = await executions(one.replace('{id}', longId), { limit: 1, offset: 1 });
    expect(brief(second)).toEqual(brief(long).slice(1));
    const several = `${POSITIONS}/executions/list`;
    const both = await executions(several, { positionIds: [longId, shortId], limit: 10 });
    expect(both.executions).toHaveLength(4);
    expect(await executions(several, { positionIds: [longId] }, bob)).toMatchObject({
      executions: [],
    });
  });

  it.each([
    ['{id}', { offset: -1 }, 400, 'TR0015'],
    ['{id}', { limit: 0 }, 400, 'TR0015'],
    ['{id}', { lastExecutionId: '1' }, 400, 'TR0010'],
    ['999999', {}, 404, 'TR0240'],
    ['x', {}, 404, 'TR0240'],
  ])('of %s with %o are refused', async (id, body, status, code) => {
    const path = one.replace('{id}', id.replace('{id}', longId));
    expect(await alice.post(path, body)).toMatchObject({ status, code });
  });

  it('of too many positions, or of what is no id, are refused', async () => {
    const path = `${POSITIONS}/executions/list`;
    const many = Array.from({ length: 1001 }, () => '1');
    expect(await alice.post(path, { positionIds: many })).toMatchObject({ code: 'TR0016' });
    expect(await alice.post(path, { positionIds: ['x'] })).toMatchObject({ code: 'TR0012' });
    expect(await alice.post(path, {})).toMatchObject({ code: 'TR0008' });
  });
});

interface Closed {
  readonly orderId: string;
  readonly closedAt: string;
  readonly openedAt: string;
}

async function closedOf(body: object, client = alice) {
  const answer = await client.post<{ data: Closed[]; isExceeded: boolean }>(CLOSED, body);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
}

describe('closed positions', () => {
  it('are one row an order that closed something', async () => {
    const { data, isExceeded } = await closedOf({});
    expect(isExceeded).toBe(false);
    expect(data).toEqual([
      {
        marketId: 'cfd.eur_usdt',
        marketFullName: 'Euro / Tether',
        marketDisplayName: 'EUR/USDT',
        marketType: 'Cfd',
        orderId: reduction,
        orderType: 'Limit',
        timeInForce: 'Gtc',
        side: 'Buy',
        positionCloseLotAmount: '0.05',
        reason: 'Trader',
        realizedPnlInRAT: '500',
        closedAt: expect.stringMatching(/Z$/),
        positionId: shortId,
        openPrice: '1.2',
        closePrice: '1.1',
        positionPriceInRAT: '5500',
        rateToRAT: '1',
        openedAt: expect.stringMatching(/Z$/),
        comment: 'turned',
      },
      expect.objectContaining({ orderId: flip, positionId: longId, comment: 'mine' }),
    ]);
  });

  it('are filtered and come in pages', async () => {
    const [newer, older] = (await closedOf({})).data;
    expect(await closedOf({ limit: 1 })).toMatchObject({ data: [newer], isExceeded: true });
    expect(await closedOf({ limit: 1, lastOrderId: reduction })).toEqual({
      data: [older],
      isExceeded: false,
    });
    const closedAtFrom = newer?.closedAt;
    expect((await closedOf({ closedAtFrom })).data).toEqual([newer]);
    expect((await closedOf({ closedAtTo: older?.closedAt })).data).toEqual([older]);
    expect((await closedOf({ createdAtTo: older?.openedAt })).data).toEqual([older]);
    expect((await closedOf({ createdAtFrom: newer?.openedAt })).data).toEqual([newer]);
    expect((await closedOf({ marketId: 'cfd.eur_usdt', marketType: 'Cfd' })).data).toHaveLength(2);
    expect((await closedOf({ marketType: 'Perp' })).data).toEqual([]);
    expect((await closedOf({ marketId: 'perp.btc_usdt' })).data).toEqual([]);
    expect((await closedOf({}, bob)).data.map(({ orderId }) => orderId)).not.toContain(flip);
  });

  it.each([
    [{ marketId: 'cfd.x_y' }, 'TR0300'],
    [{ marketType: 'Spot' }, 'TR0011'],
    [{ closedAtFrom: 'yesterday' }, 'TR0012'],
    [{ limit: 0 }, 'TR0015'],
    [{ lastOrderId: 'x' }, 'TR0012'],
  ])('with %o are refused', async (body, code) => {
    expect(await alice.post(CLOSED, body)).toMatchObject({ status: 400, code });
  });
});

describe('the market', () => {
  it('saw each trade once, in base assets', async () => {
    const path = '/marketdata/api/v4/instruments/cfd.eur_usdt/history?type=1d';
    const { body } = await alice.get<{ data: object[] }>(path);
    expect(body.data).toMatchObject([{ open: '1.1', high: '1.2', low: '1.1', close: '1.1' }]);
  });
});

describe('a restart', () => {
  it('changes nothing of positions, margin and history', async () => {
    const everything = async () => ({
      positions: await Promise.all([alice, bob].map((client) => positionsOf(client))),
      margin: await Promise.all([alice, bob].map((client) => marginOf(client))),
      closed: await Promise.all([alice, bob].map((client) => closedOf({}, client))),
      executions: await ofOrder(flip),
    });
    const before = await everything();
    await server().kill('SIGKILL');
    await server().restart();
    expect(await everything()).toEqual(before);
  });

  it('leaves positions that their owners close', async () => {
    await placed(bob, { side: 'Sell', requestedLotAmount: '0.2' });
    expect((await close(alice, shortId)).status).toBe(200);
    expect(await positionsOf(alice)).toEqual([]);
    expect(await close(alice, shortId)).toMatchObject({ status: 409, code: 'TR0249' });
    expect((await closedOf({ limit: 1 })).data).toMatchObject([
      { positionId: shortId, positionCloseLotAmount: '0.15', comment: 'turned' },
    ]);
  });
});
