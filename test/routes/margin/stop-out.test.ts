import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../../support/api-client.ts';
import { balancesOf, orderOf } from '../../support/trading.ts';
import { useServer } from '../../support/use-server.ts';
import { CLOSED, close, expectRefused, placed, positionOf, positionsOf, trade } from './support.ts';

const server = useServer();
const PAYMENTS = '/frontoffice/api/v4/positions/payments/list';
/** 500 lots: 50 million euros, of which 1,000,000 usdt carry a fiftieth. */
const LARGE = { requestedLotAmount: '500', leverage: 100 };

interface Payment {
  readonly paymentId: string;
  readonly type: string;
}

let alice: ApiClient;
let positionId = '';
let restingId = '';
let stopId = '';

beforeAll(async () => {
  alice = await server().trader('alice');
  const bob = await server().trader('bob');
  const other = await server().trader('bob', 'Hedging');
  await trade(alice, bob, LARGE);
  ({ positionId } = await positionOf(alice));
  restingId = await placed(alice, { requestedPrice: '0.5', requestedLotAmount: '1' });
  const stop = { marketId: 'eur_usdt', side: 'Buy', orderType: 'Market', timeInForce: 'Ioc' };
  const order = { ...stop, requestedLotAmount: '1', activationPrice: '5', leverage: 100 };
  const path = '/frontoffice/api/cfd/v4/stop-orders';
  const answer = await alice.post<{ order: { orderId: string } }>(path, { order });
  stopId = answer.body.order.orderId;
  // Two cents lower the loss is 1,000,000: more than commissions have left.
  await placed(other, { ...LARGE, side: 'Buy', requestedPrice: '1.08' });
});

describe('a stop-out', () => {
  it('cancels what is open and closes the position, by orders of the system', async () => {
    await expect.poll(() => positionsOf(alice), { timeout: 20_000 }).toEqual([]);
    expect(await orderOf(alice, restingId)).toMatchObject({
      status: 'Cancelled',
      source: 'System',
      reason: 'StopOut',
    });
    const stop = await alice.get(`/frontoffice/api/v4/stop-orders/${stopId}`);
    expect(stop.body).toMatchObject({ order: { status: 'Cancelled', reason: 'StopOut' } });
    const { body } = await alice.post<{ data: { orderId: string }[] }>(CLOSED, {});
    expect(body.data).toMatchObject([
      {
        positionId,
        reason: 'StopOut',
        positionCloseLotAmount: '500',
        realizedPnlInRAT: '-1000000',
      },
    ]);
    expect(await orderOf(alice, body.data[0]?.orderId ?? '')).toMatchObject({
      status: 'Completed',
      source: 'System',
      reason: 'StopOut',
      executionPrice: '1.08',
    });
    await expectRefused('PositionClosed', positionId, alice, () => close(alice, positionId));
  });

  it('leaves nobody below zero: what the house covered is listed as a payment', async () => {
    await expect.poll(async () => (await balancesOf(alice))['usdt']?.total).toBe('0');
    const answer = await alice.post<{ data: Payment[] }>(PAYMENTS, { limit: 10 });
    expect(answer.body.data).toEqual([
      {
        paymentId: expect.stringMatching(/^\d+$/),
        type: 'Compensation',
        createdAt: expect.stringMatching(/Z$/),
        marketId: null,
        positionId: null,
        // 1,000,000 less 55,000 and 54,000 of commissions, less the loss.
        amountInRAT: '109000',
      },
    ]);
    const lastPaymentId = answer.body.data[0]?.paymentId;
    expect((await alice.post(PAYMENTS, { lastPaymentId })).body).toEqual({ data: [] });
    const bob = await server().trader('bob');
    expect((await bob.post(PAYMENTS, {})).body).toEqual({ data: [] });
  });

  it.each([
    [{ limit: 0 }, 'TR0015'],
    [{ lastPaymentId: 'x' }, 'TR0012'],
    [{ offset: 1 }, 'TR0010'],
  ])('payments with %o are refused', async (body, code) => {
    expect(await alice.post(PAYMENTS, body)).toMatchObject({ status: 400, code });
  });

  it('is the same after a restart', async () => {
    const everything = async () => ({
      balances: await balancesOf(alice),
      payments: (await alice.post(PAYMENTS, {})).body,
      closed: (await alice.post(CLOSED, {})).body,
    });
    const before = await everything();
    await server().kill('SIGKILL');
    await server().restart();
    expect(await everything()).toEqual(before);
    const { code, output } = await server()
      .kill('SIGTERM')
      .then(() => server().verify());
    expect(code, output).toBe(0);
  });
});
