import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../../support/api-client.ts';
import { balancesOf, cancel, cancelAll, orderOf } from '../../support/trading.ts';
import { useServer } from '../../support/use-server.ts';
import {
  CLOSED,
  close,
  expectRefused,
  marginOf,
  PERP_ORDERS,
  place,
  placed,
  positionOf,
  positionsOf,
  setTriggers,
  trade,
} from './support.ts';

const server = useServer();
/** Netting accounts, and accounts in which each order has a position of its own. */
let alice: ApiClient;
let bob: ApiClient;
let hedger: ApiClient;
let maker: ApiClient;

beforeAll(async () => {
  alice = await server().trader('alice');
  bob = await server().trader('bob');
  hedger = await server().trader('alice', 'Hedging');
  maker = await server().trader('bob', 'Hedging');
});

/** Closes all of an account's positions; a netting account takes the other side. */
async function closeAll(one: ApiClient, other: ApiClient): Promise<void> {
  await cancelAll(one);
  await cancelAll(other);
  for (const { positionId, side, lotAmount, marketId } of await positionsOf(one)) {
    const terms = { marketId, side, requestedLotAmount: lotAmount, requestedPrice: '1.1' };
    await place(other, terms, marketId.startsWith('perp') ? PERP_ORDERS : undefined);
    await close(one, positionId);
  }
}

describe('a netting account', () => {
  it('has one position a market, which grows, shrinks, flips and ends', async () => {
    const [first] = await trade(alice, bob, { comment: 'first', requestedLotAmount: '0.2' });
    const opened = await positionOf(alice);
    expect(opened).toMatchObject({
      marketId: 'cfd.eur_usdt',
      side: 'Buy',
      lotAmount: '0.2',
      baseAmount: '20000',
      openPrice: '1.1',
      leverage: '10',
      openOrderId: first,
      comment: 'first',
      stopLoss: null,
    });
    await trade(alice, bob, { comment: 'more', requestedPrice: '1.2', requestedLotAmount: '0.2' });
    expect(await positionOf(alice)).toMatchObject({
      positionId: opened.positionId,
      lotAmount: '0.4',
      openPrice: '1.15',
      comment: 'first',
    });
    await trade(bob, alice, { requestedPrice: '1.25', requestedLotAmount: '0.1' });
    expect(await positionOf(alice)).toMatchObject({ lotAmount: '0.3', openPrice: '1.15' });
    await trade(bob, alice, { requestedPrice: '1.1', requestedLotAmount: '0.5' });
    const flipped = await positionOf(alice);
    expect(flipped).toMatchObject({ side: 'Sell', lotAmount: '0.2', openPrice: '1.1' });
    expect(Number(flipped.positionId)).toBeGreaterThan(Number(opened.positionId));
    await trade(alice, bob, { requestedLotAmount: '0.2' });
    expect(await positionsOf(alice)).toEqual([]);
    expect((await marginOf(alice)).usedMarginInRAT).toBe('0');
  });
});

describe('a hedging account', () => {
  it('has a position for each opening order, and closes them by their ids', async () => {
    await trade(hedger, bob);
    await trade(bob, hedger);
    const both = await positionsOf(hedger);
    expect(both.map(({ side }) => side)).toEqual(['Sell', 'Buy']);
    await closeAll(hedger, bob);
    expect(await positionsOf(hedger)).toEqual([]);
    expect(await positionsOf(bob)).toEqual([]);
  });

  it('lists its positions by market and type, page by page', async () => {
    for (let n = 0; n < 3; n++) await trade(hedger, bob);
    const ether = { marketId: 'perp.eth_usdt', requestedPrice: '1.1', leverage: 20 };
    await place(bob, { ...ether, side: 'Sell' }, PERP_ORDERS);
    await place(hedger, ether, PERP_ORDERS);
    const all = await positionsOf(hedger);
    expect(all).toHaveLength(4);
    expect(all[0]).toMatchObject({ marketType: 'Perp', baseAmount: '0.1', lotAmount: '0.1' });
    expect(await positionsOf(hedger, { marketType: 'Perp' })).toEqual(all.slice(0, 1));
    expect(await positionsOf(hedger, { marketId: 'cfd.eur_usdt' })).toEqual(all.slice(1));
    expect(await positionsOf(hedger, { marketId: 'cfd.xau_usdt' })).toEqual([]);
    const page = await positionsOf(hedger, { limit: 2 });
    expect(page).toEqual(all.slice(0, 2));
    const lastPositionId = page[1]?.positionId;
    expect(await positionsOf(hedger, { limit: 2, lastPositionId })).toEqual(all.slice(2));
    const path = '/frontoffice/api/v4/positions/list';
    const unknown = await hedger.post(path, { marketId: 'cfd.x_y' });
    expect(unknown).toMatchObject({ status: 400, code: 'TR0300' });
    await closeAll(hedger, bob);
    expect(await positionsOf(hedger)).toEqual([]);
  });
});

describe('closing a position', () => {
  it('takes a part of it or all, and says what it came to', async () => {
    await closeAll(alice, bob);
    await trade(alice, bob, { requestedLotAmount: '0.3', comment: 'part' });
    const { positionId } = await positionOf(alice);
    await placed(bob, { side: 'Buy', requestedPrice: '1.05', requestedLotAmount: '0.3' });
    const before = Number((await balancesOf(alice))['usdt']?.total);
    const part = await close(alice, positionId, { requestedLotAmount: '0.1' });
    expect(part).toMatchObject({ status: 200, body: { order: { status: 'Working' } } });
    expect(await orderOf(alice, part.body.order.orderId)).toMatchObject({
      status: 'Completed',
      source: 'Manual',
      reason: 'Trader',
      side: 'Sell',
      requestedAmount: '10000',
      executionPrice: '1.05',
    });
    expect(await positionOf(alice)).toMatchObject({ positionId, lotAmount: '0.2' });
    // 10,000 × 0.05 lost, and 0.1 % of 10,500 charged.
    expect(Number((await balancesOf(alice))['usdt']?.total)).toBeCloseTo(before - 510.5, 6);
    expect((await close(alice, positionId)).status).toBe(200);
    expect(await positionsOf(alice)).toEqual([]);
    const history = await alice.post<{ data: object[] }>(CLOSED, { limit: 2 });
    expect(history.body.data).toMatchObject([
      { positionId, positionCloseLotAmount: '0.2', realizedPnlInRAT: '-1000', comment: 'part' },
      {
        positionId,
        positionCloseLotAmount: '0.1',
        realizedPnlInRAT: '-500',
        openPrice: '1.1',
        closePrice: '1.05',
        rateToRAT: '1',
        positionPriceInRAT: '10500',
        side: 'Sell',
        orderType: 'Market',
        reason: 'Trader',
      },
    ]);
  });

  it('is refused where it is more than there is, off step, nothing, or not a position', async () => {
    await closeAll(alice, bob);
    await trade(alice, bob);
    const { positionId } = await positionOf(alice);
    const refused = (...[name, lots]: [Parameters<typeof expectRefused>[0], unknown]) =>
      expectRefused(name, 'order.requestedLotAmount', alice, () =>
        close(alice, positionId, { requestedLotAmount: lots }),
      );
    await refused('CloseTooMuch', '0.11');
    await refused('LotOffStep', '0.001');
    await refused('AmountNotPositive', '0');
    await refused('AmountNotPositive', '-1');
    await refused('BadFormat', 'all');
    await expectRefused('UnknownField', 'order.lots', alice, () =>
      close(alice, positionId, { lots: 1 }),
    );
    for (const id of ['0', 'x', '99999999', '1e3', '-1']) {
      await expectRefused('PositionUnknown', id, alice, () => close(alice, id));
    }
  });

  it('of somebody else reads like a position that is not there', async () => {
    const { positionId } = await positionOf(alice);
    const triggers = { stopLoss: { price: '1' } };
    await expectRefused('PositionUnknown', positionId, alice, () => close(bob, positionId));
    await expectRefused('PositionUnknown', positionId, alice, () =>
      setTriggers(bob, positionId, triggers),
    );
    const path = `/frontoffice/api/v4/positions/${positionId}/executions/list`;
    await expectRefused('PositionUnknown', positionId, alice, () => bob.post(path, {}));
    await expectRefused('PositionUnknown', positionId, alice, () => close(hedger, positionId));
  });

  it('twice at the same moment does it once', async () => {
    const { positionId } = await positionOf(alice);
    await placed(bob, { side: 'Buy', requestedLotAmount: '1' });
    const answers = await Promise.all(Array.from({ length: 4 }, () => close(alice, positionId)));
    const taken = answers.filter(({ status }) => status === 200);
    expect(taken).toHaveLength(1);
    for (const { status, code } of answers.filter((each) => each.status !== 200)) {
      expect(['TR0241', 'TR0249']).toContain(code);
      expect(status).toBe(409);
    }
    expect(await positionsOf(alice)).toEqual([]);
    await expectRefused('PositionClosed', positionId, alice, () => close(alice, positionId));
    await expectRefused('PositionClosed', positionId, alice, () =>
      setTriggers(alice, positionId, {}),
    );
  });

  it('under a clientOrderId is answered again once the position is gone', async () => {
    await closeAll(alice, bob);
    await trade(alice, bob);
    const { positionId } = await positionOf(alice);
    await placed(bob, { side: 'Buy' });
    const first = await close(alice, positionId, { clientOrderId: 'close-once' });
    const second = await close(alice, positionId, { clientOrderId: 'close-once' });
    expect(second.text).toBe(first.text);
    expect(first.status).toBe(200);
  });

  it('without anybody to trade with leaves it as it was', async () => {
    await closeAll(alice, bob);
    await trade(alice, bob);
    const position = await positionOf(alice);
    const answer = await close(alice, position.positionId);
    expect(answer.status).toBe(200);
    expect(await orderOf(alice, answer.body.order.orderId)).toMatchObject({
      status: 'Cancelled',
      remainingAmount: '10000',
    });
    expect(await positionOf(alice)).toEqual(position);
  });
});

describe('the triggers of a position', () => {
  it('are set, changed and ended', async () => {
    await closeAll(alice, bob);
    await trade(alice, bob, { stopLoss: null }, { stopLoss: { price: '1.3' } });
    expect(await positionOf(bob)).toMatchObject({ stopLoss: { price: '1.3', isTrailing: false } });
    const { positionId } = await positionOf(alice);
    const both = { stopLoss: { price: '1.05', isTrailing: true }, takeProfit: { price: '1.2' } };
    const set = await setTriggers(alice, positionId, both);
    expect(set.status).toBe(200);
    expect(set.body.position).toMatchObject({ positionId, ...both });
    const one = await setTriggers(alice, positionId, { takeProfit: { price: 1.25 } });
    expect(one.body.position).toMatchObject({ stopLoss: null, takeProfit: { price: '1.25' } });
    const none = await setTriggers(alice, positionId, { stopLoss: null });
    expect(none.body.position).toMatchObject({ stopLoss: null, takeProfit: null });
    expect(await positionOf(alice)).toEqual(none.body.position);
  });

  it.each([
    ['TriggerWrongSide', 'stopLoss.price', { stopLoss: { price: '1.2' } }],
    ['TriggerWrongSide', 'takeProfit.price', { takeProfit: { price: '1' } }],
    ['PriceOffStep', 'stopLoss.price', { stopLoss: { price: '1.000001' } }],
    ['PriceNotPositive', 'takeProfit.price', { takeProfit: { price: '0' } }],
    ['FieldMissing', 'stopLoss.price', { stopLoss: {} }],
    ['UnknownField', 'trailing', { trailing: true }],
  ] as const)('are refused: %s %s', async (name, field, triggers) => {
    const { positionId } = await positionOf(alice);
    await expectRefused(name, field, alice, () => setTriggers(alice, positionId, triggers));
  });

  it('close it by an order of the system once the price is there', async () => {
    const { positionId } = await positionOf(alice);
    await setTriggers(alice, positionId, { stopLoss: { price: '1.05' } });
    await placed(maker, { side: 'Buy', requestedPrice: '1.06' });
    expect(await positionsOf(alice)).toHaveLength(1);
    const bid = await placed(maker, { side: 'Buy', requestedPrice: '1.04' });
    await cancelAll(maker);
    await placed(maker, { side: 'Buy', requestedPrice: '1.04', requestedLotAmount: '0.2' });
    await expect.poll(() => positionsOf(alice)).toEqual([]);
    const { body } = await alice.post<{ data: { orderId: string }[] }>(CLOSED, { limit: 1 });
    expect(body.data).toMatchObject([
      { positionId, reason: 'StopLoss', closePrice: '1.04', realizedPnlInRAT: '-600' },
    ]);
    expect(await orderOf(alice, body.data[0]?.orderId ?? '')).toMatchObject({
      source: 'System',
      reason: 'StopLoss',
      status: 'Completed',
    });
    await cancel(maker, bid);
    await cancelAll(maker);
  });
});
