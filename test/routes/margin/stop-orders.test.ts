import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, ApiClient } from '../../support/api-client.ts';
import {
  balancesOf,
  cancel,
  cancelAll,
  ORDERS,
  type OrderFields,
  orderOf,
} from '../../support/trading.ts';
import { useServer } from '../../support/use-server.ts';
import { EURO, expectRefused, placed, positionsOf, type ResultBody } from './support.ts';

const server = useServer();
const CFD = '/frontoffice/api/cfd/v4/stop-orders';
const PERP = '/frontoffice/api/perpetual/v4/stop-orders';
const SPOT = '/frontoffice/api/v3/stop-orders';
const ONE = '/frontoffice/api/v4/stop-orders';
const LIST = '/frontoffice/api/v4/stop-order-list';

const MARKET = { orderType: 'Market', timeInForce: 'Ioc', requestedPrice: null } as const;
const BITCOIN = {
  marketId: 'spot.btc_usdt',
  side: 'Buy',
  orderType: 'Limit',
  timeInForce: 'Gtc',
  requestedAmount: '0.1',
  requestedPrice: '1000',
  activationPrice: '1100',
} as const;

interface StopOrder {
  readonly orderId: string;
  readonly status: string;
  readonly activatedOrderId: string | null;
  readonly rejectCode: string | null;
}

let alice: ApiClient;
let bob: ApiClient;

beforeAll(async () => {
  [alice, bob] = [await server().trader('alice'), await server().trader('bob')];
});

function stop(fields: OrderFields = {}, path = CFD): Promise<Answer<ResultBody>> {
  return alice.post(path, { order: { ...EURO, activationPrice: '1.2', ...fields } });
}

async function stopped(fields: OrderFields = {}, path = CFD): Promise<string> {
  const answer = await stop(fields, path);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.order.orderId;
}

async function stopOf(orderId: string): Promise<StopOrder> {
  return (await alice.get<{ order: StopOrder }>(`${ONE}/${orderId}`)).body.order;
}

async function listed(body: object = {}): Promise<readonly string[]> {
  const answer = await alice.post<{ data: StopOrder[] }>(LIST, body);
  return answer.body.data.map(({ orderId }) => orderId);
}

describe('a stop order', () => {
  it('waits, in every type of market, and is read and listed', async () => {
    const triggers = { stopLoss: { price: '1', isTrailing: true }, takeProfit: { price: '1.3' } };
    const answer = await stop({ ...triggers, comment: 'later', clientOrderId: 'one' });
    expect(answer).toMatchObject({ status: 200, body: { order: { status: 'Started' } } });
    const cfd = answer.body.order.orderId;
    expect(await stopOf(cfd)).toEqual({
      marketId: 'cfd.eur_usdt',
      marketType: 'Cfd',
      marketDisplayName: 'EUR/USDT',
      marketFullName: 'Euro / Tether',
      orderId: cfd,
      status: 'WaitingForActivation',
      reason: 'Trader',
      side: 'Buy',
      orderType: 'Limit',
      timeInForce: 'Gtc',
      activationPrice: '1.2',
      requestedPrice: '1.1',
      requestedAmount: '10000',
      requestedLotAmount: '0.1',
      leverage: 10,
      ...triggers,
      expiresAt: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      activatedOrderId: null,
      rejectCode: null,
      comment: 'later',
      clientOrderId: 'one',
    });
    const perp = await stopped(
      { marketId: 'btc_usdt', requestedPrice: '20000', activationPrice: '21000' },
      PERP,
    );
    const spot = (await alice.post<ResultBody>(SPOT, { order: BITCOIN })).body.order.orderId;
    expect(await stopOf(spot)).toMatchObject({
      marketType: 'Spot',
      requestedAmount: '0.1',
      requestedLotAmount: null,
      leverage: 1,
    });
    expect((await balancesOf(alice))['usdt']?.locked).toBe('0');
    expect(await listed()).toEqual([spot, perp, cfd]);
    expect(await listed({ limit: 1, lastOrderId: spot })).toEqual([perp]);
    expect((await alice.get(`/frontoffice/api/v4/orders/${cfd}`)).status).toBe(404);
  });

  it('under the same clientOrderId is placed once', async () => {
    const fields = { clientOrderId: 'twice' };
    const [first, second] = [await stop(fields), await stop(fields)];
    expect(second.text).toBe(first.text);
    await cancel(alice, first.body.order.orderId);
  });

  it('is cancelled by its id like any order, once', async () => {
    const orderId = await stopped();
    expect((await cancel(alice, orderId)).body.order).toMatchObject({
      orderId,
      status: 'Cancelled',
      requestedAmount: '10000',
    });
    expect(await stopOf(orderId)).toMatchObject({ status: 'Cancelled', reason: 'Trader' });
    await expectRefused('OrderClosed', orderId, alice, () => cancel(alice, orderId));
    expect(await listed({ status: ['Cancelled'] })).toContain(orderId);
  });

  it('is cancelled with all orders of its market', async () => {
    expect(await cancelAll(alice)).toBe(3);
    expect(await listed({ status: ['WaitingForActivation'] })).toEqual([]);
  });

  it('of another account is not there', async () => {
    const orderId = await stopped();
    expect(await bob.get(`${ONE}/${orderId}`)).toMatchObject({ status: 404, code: 'TR0200' });
    await expectRefused('OrderUnknown', orderId, alice, () => cancel(bob, orderId));
    await cancel(alice, orderId);
  });

  it('becomes an order once the price is there', async () => {
    const orderId = await stopped({ ...MARKET, comment: 'up' });
    await placed(bob, { side: 'Sell', requestedPrice: '1.25' });
    await expect.poll(async () => (await stopOf(orderId)).status).toBe('Activated');
    const { activatedOrderId } = await stopOf(orderId);
    expect(await orderOf(alice, activatedOrderId ?? '')).toMatchObject({
      source: 'StopOrder',
      status: 'Completed',
      executionPrice: '1.25',
      leverage: 10,
      comment: 'up',
    });
    expect(await positionsOf(alice)).toMatchObject([{ side: 'Buy', comment: 'up' }]);
    await expectRefused('OrderClosed', orderId, alice, () => cancel(alice, orderId));
  });

  it('beyond its price is activated at once', async () => {
    await placed(bob, { side: 'Sell', requestedPrice: '1.25', requestedLotAmount: '0.5' });
    const orderId = await stopped(MARKET);
    await expect.poll(async () => (await stopOf(orderId)).status).toBe('Activated');
  });

  it('is rejected at activation where the margin is not there', async () => {
    const orderId = await stopped({ ...MARKET, requestedLotAmount: '900', leverage: 1 });
    await expect.poll(async () => (await stopOf(orderId)).status).toBe('Rejected');
    expect(await stopOf(orderId)).toMatchObject({ rejectCode: 'TR0410', activatedOrderId: null });
  });

  it('of Spot holds its funds once it is activated', async () => {
    const orderId = (await alice.post<ResultBody>(SPOT, { order: BITCOIN })).body.order.orderId;
    const sale = { ...BITCOIN, side: 'Sell', requestedPrice: '1200', activationPrice: undefined };
    await bob.post(ORDERS, { order: sale });
    await expect.poll(async () => (await stopOf(orderId)).status).toBe('Activated');
    const { activatedOrderId } = await stopOf(orderId);
    expect(await orderOf(alice, activatedOrderId ?? '')).toMatchObject({
      marketType: 'Spot',
      source: 'StopOrder',
      status: 'Pending',
      requestedPrice: '1000',
    });
    expect((await balancesOf(alice))['usdt']?.locked).toBe('100.1');
    await cancelAll(alice);
  });

  it('survives a restart', async () => {
    const orderId = await stopped({ side: 'Sell', activationPrice: '0.5', requestedPrice: '0.4' });
    const before = await stopOf(orderId);
    await server().kill('SIGKILL');
    await server().restart();
    expect(await stopOf(orderId)).toEqual(before);
    expect((await cancel(alice, orderId)).status).toBe(200);
  });

  it.each([
    ['FieldMissing', 'order.activationPrice', { activationPrice: undefined }],
    ['PriceNotPositive', 'order.activationPrice', { activationPrice: '0' }],
    ['PriceOffStep', 'order.activationPrice', { activationPrice: '1.000001' }],
    ['WrongType', 'order.activationPrice', { activationPrice: null }],
    ['BadFormat', 'order.activationPrice', { activationPrice: 'high' }],
    ['MarketTypeMismatch', 'perp.btc_usdt', { marketId: 'perp.btc_usdt' }],
  ] as const)('is refused: %s %s', async (name, field, fields) => {
    await expectRefused(name, field, alice, () => stop(fields));
  });

  it.each([
    ['FieldMissing', 'order.activationPrice', { activationPrice: undefined }],
    ['UnknownField', 'order.leverage', { leverage: 2 }],
    ['UnknownField', 'order.stopLoss', { stopLoss: { price: '1' } }],
    ['AmountOffStep', 'order.requestedAmount', { requestedAmount: '0.0000001' }],
    ['AmountTooSmall', 'order.requestedAmount', { requestedAmount: '0.000001' }],
    ['PriceRequired', 'order.requestedPrice', { requestedPrice: null }],
  ] as const)('of Spot is refused: %s %s', async (name, field, fields) => {
    await expectRefused(name, field, alice, () =>
      alice.post(SPOT, { order: { ...BITCOIN, ...fields } }),
    );
  });
});
