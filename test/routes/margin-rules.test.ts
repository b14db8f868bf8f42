import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, ApiClient } from '../support/api-client.ts';
import { cancel, placed } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';

/** What the back office configures of markets on margin holds for the next order. */
const server = useServer();
const MARKETS = '/back-api/backoffice/v2/markets';
const COLLATERAL = '/frontoffice/api/v4/account-margin-settings/assets';
let admin: ApiClient;
let alice: ApiClient;
let bob: ApiClient;

beforeAll(async () => {
  admin = await server().user('admin');
  alice = await server().trader('alice');
  bob = await server().trader('bob');
});

const change = (marketId: string, body: object) => admin.patch(`${MARKETS}/${marketId}`, body);
const outcome = ({ status, code }: Answer) => `${status} ${code}`.trim();

async function place(client: ApiClient, fields: object): Promise<Answer> {
  const order = { orderType: 'Limit', timeInForce: 'Gtc', side: 'Buy', ...fields };
  const { marketId } = { marketId: '', ...fields };
  const type = marketId.startsWith('cfd') ? 'cfd' : 'perpetual';
  return await client.post(`/frontoffice/api/${type}/v4/orders`, { order });
}

async function inMarket(client: ApiClient, fields: object): Promise<void> {
  expect(outcome(await place(client, fields))).toBe('200');
}

describe('a market on margin', () => {
  it('takes its one leverage alone where traders must take the most', async () => {
    const leverage = { useOnlyMaxLeverage: true, maxLeverage: 25 };
    const profile = { leverageProfile: { leverageType: 'Fixed', leverage } };
    expect(outcome(await change('perp.eth_usdt', profile))).toBe('200');
    const order = { marketId: 'perp.eth_usdt', requestedPrice: '3000', requestedLotAmount: '1' };
    expect(outcome(await place(alice, { ...order, leverage: 10 }))).toBe('400 TR0413');
    expect(outcome(await place(alice, { ...order, leverage: 26 }))).toBe('400 TR0412');
    for (const fields of [{}, { leverage: 25 }]) await inMarket(alice, { ...order, ...fields });
    const margin = await alice.get<{ usedMarginInRAT: string }>(
      '/frontoffice/api/v4/account-margin',
    );
    expect(margin.body).toMatchObject({ usedMarginInRAT: '240' });
    await alice.del('/frontoffice/api/v4/orders');
  });

  it('takes no order while its quote asset has no rate to the root asset', async () => {
    const made = await admin.post(MARKETS, {
      type: 'Cfd',
      baseAssetId: 'xau',
      quoteAssetId: 'eur',
      priceScale: 2,
      lotSize: 1,
      minLotAmount: '0.01',
      maxLotAmount: 10,
      leverageProfile: { leverageType: 'Fixed', leverage: { maxLeverage: 10 } },
    });
    expect(made.status).toBe(201);
    const order = { marketId: 'cfd.xau_eur', requestedPrice: '3000', requestedLotAmount: '1' };
    expect(outcome(await place(alice, order))).toBe('400 TR0414');
  });

  it('keeps its lots while orders count in them', async () => {
    const order = { marketId: 'perp.btc_usdt', requestedPrice: '50000', requestedLotAmount: '1' };
    await inMarket(alice, order);
    for (const changed of [{ lotSize: 2 }, { lotStep: '0.01', minLotAmount: '0.01' }]) {
      expect(outcome(await change('perp.btc_usdt', changed))).toBe('409 TR0601');
    }
    await alice.del('/frontoffice/api/v4/orders');
    expect(outcome(await change('perp.btc_usdt', { lotSize: 2 }))).toBe('200');
    expect(outcome(await change('perp.btc_usdt', { lotSize: 1 }))).toBe('200');
  });
});

describe('an account', () => {
  it('keeps collateral that its positions need', async () => {
    const book = { marketId: 'spot.btc_usdt', requestedAmount: '0.01' };
    const quotes = [
      await placed(bob, { ...book, side: 'Buy', requestedPrice: '60000' }),
      await placed(bob, { ...book, side: 'Sell', requestedPrice: '60100' }),
    ];
    expect(outcome(await alice.post(`${COLLATERAL}/btc`))).toBe('200');
    // 11 lots are 1,100,000 eur, 1,210,000 usdt at 1.1: more than the usdt that there are.
    const order = { marketId: 'cfd.eur_usdt', requestedPrice: '1.1', leverage: 1 };
    await inMarket(alice, { ...order, requestedLotAmount: '11' });
    expect(outcome(await alice.del(`${COLLATERAL}/btc`))).toBe('400 TR0416');
    const transfer = { accountId: alice.accountId, assetId: 'usdt', amount: '900000' };
    const withdrawal = { ...transfer, deduplicationId: 'margin-needed', callbackUrl: null };
    const path = '/back-api/backoffice/transfers/withdrawal';
    expect(outcome(await admin.post(path, withdrawal))).toBe('400 TR0416');
    await alice.del('/frontoffice/api/v4/orders');
    expect(outcome(await alice.del(`${COLLATERAL}/btc`))).toBe('200');
    for (const orderId of quotes) await cancel(bob, orderId);
  });

  it('may only reduce below the margin call, wherever that is', async () => {
    const order = { marketId: 'cfd.eur_usdt', requestedPrice: '1.1', leverage: 100 };
    await inMarket(bob, { ...order, side: 'Sell', requestedLotAmount: '20' });
    await inMarket(alice, { ...order, requestedLotAmount: '10' });
    const levels = '/back-api/backoffice/v2/margin-settings';
    expect(outcome(await admin.send('PUT', levels, { marginCall: '100' }))).toBe('200');
    // 11,000 usdt of margin of nearly 1,000,000: the level is below 100.
    expect(outcome(await place(alice, { ...order, requestedLotAmount: '10' }))).toBe('409 TR0411');
    await inMarket(alice, {
      ...order,
      side: 'Sell',
      requestedPrice: '1.2',
      requestedLotAmount: '10',
    });
    expect(outcome(await admin.send('PUT', levels, { marginCall: '1' }))).toBe('200');
    await inMarket(alice, { ...order, requestedLotAmount: '10' });
  });
});

describe('a calendar', () => {
  it('closes a market for new orders and not for cancels, and says when it opens', async () => {
    const order = { marketId: 'spot.eth_btc', requestedPrice: '0.05', requestedAmount: '1' };
    const open = await placed(alice, order);
    const date = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    const timeIntervals = [{ start: '09:30', end: '10:00' }];
    const calendar = {
      timeZoneId: 'UTC',
      tradingSessions: [],
      sessionOverrides: [{ date, timeIntervals }],
    };
    expect(outcome(await change('spot.eth_btc', { calendar }))).toBe('200');
    const refused = await alice.post<{ description: string }>('/frontoffice/api/v3/orders', {
      order: { ...order, side: 'Buy', orderType: 'Limit', timeInForce: 'Gtc' },
    });
    expect(outcome(refused)).toBe('400 TR0302');
    expect(refused.body.description).toContain(`${date}T09:30:00.000Z`);
    await cancel(alice, open);
    expect(outcome(await change('spot.eth_btc', { calendar: null }))).toBe('200');
    await cancel(alice, await placed(alice, order));
  });
});
