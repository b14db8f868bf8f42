import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../../support/api-client.ts';
import { cancelAll, type OrderFields, openOrdersOf, orderOf } from '../../support/trading.ts';
import { useServer } from '../../support/use-server.ts';
import {
  close,
  expectRefused,
  marginOf,
  place,
  placed,
  positionOf,
  positionsOf,
  setTriggers,
  trade,
} from './support.ts';

/** Refusals that depend on what the venue's administrators have set. */
const server = useServer();
const MARKETS = '/back-api/backoffice/v2/markets';
const SETTINGS = '/back-api/backoffice/v2/margin-settings';
const WITHDRAWAL = '/back-api/backoffice/transfers/withdrawal';
const DAY = 86_400_000;
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

let admin: ApiClient;
let alice: ApiClient;
let bob: ApiClient;

beforeAll(async () => {
  admin = await server().user('admin');
  alice = await server().trader('alice');
  bob = await server().trader('bob');
});

/** A market in lots of 1, always open, with any leverage up to 10, but for what is named. */
async function makeMarket(base: string, quote: string, terms: object = {}): Promise<string> {
  const answer = await admin.post<{ marketId: string }>(MARKETS, {
    type: 'Cfd',
    baseAssetId: base,
    quoteAssetId: quote,
    priceScale: 2,
    lotSize: 1,
    minLotAmount: '0.1',
    maxLotAmount: 1000,
    leverageProfile: {
      leverageType: 'Fixed',
      leverage: { useOnlyMaxLeverage: false, maxLeverage: 10 },
    },
    ...terms,
  });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.marketId;
}

const order = (marketId: string, fields: OrderFields = {}) =>
  place(alice, { marketId, requestedPrice: '100', requestedLotAmount: '1', ...fields });

async function setStatus(marketId: string, status: string): Promise<void> {
  const path = `/back-api/backoffice/market/${marketId}`;
  const answer = await admin.send('PUT', path, { status });
  if (answer.status !== 200) throw new Error(answer.text);
}

describe('an order on margin is refused', () => {
  it('at any leverage but the only one that its market gives', async () => {
    const leverage = { useOnlyMaxLeverage: true, maxLeverage: 5 };
    const profile = { leverageType: 'Fixed', leverage };
    const marketId = await makeMarket('eth', 'usdt', { leverageProfile: profile });
    for (const chosen of [1, 4]) {
      await expectRefused('LeverageFixed', 'order.leverage', alice, () =>
        order(marketId, { leverage: chosen }),
      );
    }
    for (const chosen of [5, null]) {
      const { body } = await order(marketId, { leverage: chosen });
      expect(await orderOf(alice, body.order.orderId)).toMatchObject({ leverage: 5 });
    }
    await cancelAll(alice);
  });

  it('where nothing leads from its quote asset to the root asset', async () => {
    const marketId = await makeMarket('btc', 'xau');
    await expectRefused('NoRootRate', 'xau', alice, () => order(marketId));
  });

  it('outside the session of its market, with the time of the next opening', async () => {
    const opening = new Date(Date.now() + 3 * DAY);
    const dayOfWeek = DAYS[opening.getUTCDay()];
    const calendar = {
      calendarId: 'rare',
      calendarName: 'One day a week',
      timeZoneId: 'UTC',
      tradingSessions: [{ dayOfWeek, timeIntervals: [{ start: '10:00', end: '11:00' }] }],
      sessionOverrides: [],
    };
    const marketId = await makeMarket('btc', 'usdt', { calendar });
    const opensAt = `${opening.toISOString().slice(0, 10)}T10:00:00.000Z`;
    await expectRefused('MarketClosed', opensAt, alice, () => order(marketId));
  });

  it('while its market takes none; what closes is refused too', async () => {
    await trade(alice, bob);
    const { positionId } = await positionOf(alice);
    for (const status of ['Paused', 'Halted', 'Disabled']) {
      await setStatus('cfd.eur_usdt', status);
      await expectRefused('MarketNotOpen', status, alice, () => place(alice));
      await expectRefused('MarketNotOpen', status, alice, () => close(alice, positionId));
    }
    await setStatus('cfd.eur_usdt', 'Open');
  });

  it('where it would bring the account below the margin call, unless it reduces', async () => {
    // Of about 1,000,000 a margin of 56,100 is an eighteenth: above 100 %, and below 5000 %.
    await admin.send('PUT', SETTINGS, { marginCall: '50' });
    await expectRefused('MarginCall', 'below 50', alice, () =>
      place(alice, { requestedLotAmount: '5', leverage: 10 }),
    );
    const { positionId } = await positionOf(alice);
    expect((await place(alice, { side: 'Sell', requestedPrice: '1.3' })).status).toBe(200);
    await cancelAll(alice);
    expect((await close(alice, positionId)).status).toBe(200);
    await admin.send('PUT', SETTINGS, { marginCall: '1' });
  });

  it('of an account that may not trade; one that is frozen keeps its positions', async () => {
    const path = `/back-api/backoffice/v2/accounts/${alice.accountId}/status`;
    const { positionId } = await positionOf(alice);
    const resting = await placed(alice, { requestedPrice: '1' });
    for (const [status, name] of [
      ['Frozen', 'AccountFrozen'],
      ['Halted', 'AccountHalted'],
    ] as const) {
      expect((await admin.send('PUT', path, { status })).status).toBeLessThan(300);
      await expectRefused(name, alice.accountId, alice, () => place(alice));
      await expectRefused(name, alice.accountId, alice, () => close(alice, positionId));
      await expectRefused(name, alice.accountId, alice, () =>
        setTriggers(alice, positionId, { stopLoss: { price: '0.5' } }),
      );
    }
    // Being halted cancels what was pending.
    expect(await orderOf(alice, resting)).toMatchObject({ status: 'Cancelled' });
    expect(await positionsOf(alice)).toHaveLength(1);
    await admin.send('PUT', path, { status: 'Active' });
  });
});

describe('a withdrawal', () => {
  it('leaves the margin of positions where it is', async () => {
    const used = Number((await marginOf(alice)).usedMarginInRAT);
    const { freeMarginInRAT } = await marginOf(alice);
    expect(used).toBeGreaterThan(0);
    const withdraw = (amount: string, deduplicationId: string) =>
      admin.post(WITHDRAWAL, {
        deduplicationId,
        accountId: alice.accountId,
        assetId: 'usdt',
        amount,
      });
    await expectRefused('MarginNeeded', 'usdt', alice, () =>
      withdraw(String(Number(freeMarginInRAT) + 1), 'too-much'),
    );
    expect((await withdraw('1000', 'some')).status).toBe(201);
  });
});

describe('markets that stop', () => {
  it('cancel resting orders on margin and stop orders, and say why', async () => {
    for (const [status, reason] of [
      ['Halted', 'MarketHalted'],
      ['Disabled', 'MarketDisabled'],
    ] as const) {
      const resting = await placed(alice, { requestedPrice: '1' });
      const path = '/frontoffice/api/cfd/v4/stop-orders';
      const terms = { marketId: 'eur_usdt', side: 'Buy', orderType: 'Market', timeInForce: 'Ioc' };
      const stop = { ...terms, requestedLotAmount: '1', activationPrice: '9' };
      const answer = await alice.post<{ order: { orderId: string } }>(path, { order: stop });
      await setStatus('cfd.eur_usdt', status);
      await expect.poll(() => openOrdersOf(alice)).toEqual([]);
      expect(await orderOf(alice, resting)).toMatchObject({ status: 'Cancelled', reason });
      const one = `/frontoffice/api/v4/stop-orders/${answer.body.order.orderId}`;
      expect((await alice.get(one)).body).toMatchObject({ order: { status: 'Cancelled', reason } });
      await setStatus('cfd.eur_usdt', 'Open');
    }
  });
});
