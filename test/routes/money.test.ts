import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { cancel, place, placed } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';

const server = useServer();
const alice = (): Promise<ApiClient> => server().trader('alice');
const bob = (): Promise<ApiClient> => server().trader('bob', 'Hedging');

interface TransferBody {
  readonly transferId: string;
  readonly status: string;
}

async function transfer(name: string, body: object) {
  const admin = await server().user('admin');
  const headers = { 'x-api-version': '1.0' };
  const path = `/back-api/backoffice/transfers/${name}`;
  return admin.post<TransferBody>(path, body, { headers });
}

async function balanceOf(client: ApiClient, assetId: string) {
  const { body } = await client.get<{ assetId: string }[]>('/frontoffice/api/v4/balances');
  return body.find((balance) => balance.assetId === assetId);
}

const balance = (assetId: string, total: string, available: string, locked: string) => ({
  assetId,
  total,
  available,
  locked,
});

describe('transfers', () => {
  it('book a deposit at once, and once for a deduplicationId', async () => {
    const { accountId } = await bob();
    const deposit = {
      deduplicationId: randomUUID(),
      accountId,
      assetId: 'eur',
      amount: '12.5',
      callbackUrl: 'https://example.test/told',
    };
    const first = await transfer('deposit', deposit);
    expect(first).toMatchObject({
      status: 201,
      body: {
        transferId: expect.stringMatching(/^\d+$/),
        deduplicationId: deposit.deduplicationId,
        assetId: 'eur',
        type: 'Deposit',
        status: 'Completed',
        amount: '12.5',
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
    await server().kill('SIGKILL');
    await server().restart();
    const repeat = await transfer('deposit', { ...deposit, amount: 12.5, callbackUrl: null });
    expect([repeat.status, repeat.text]).toEqual([201, first.text]);
    const other = await transfer('deposit', { ...deposit, amount: '12.6' });
    expect(other).toMatchObject({ status: 409, code: 'TR0503' });
    expect(await balanceOf(await bob(), 'eur')).toEqual(balance('eur', '12.5', '12.5', '0'));
  });

  it('hold a withdrawal until it is confirmed or cancelled', async () => {
    const client = await alice();
    const { accountId } = client;
    const withdraw = () =>
      transfer('withdrawal', {
        deduplicationId: randomUUID(),
        accountId,
        assetId: 'eth',
        amount: '10',
      });
    const first = await withdraw();
    expect(first.body).toMatchObject({ type: 'Withdrawal', status: 'AwaitingConfirmation' });
    const second = await withdraw();
    expect(await balanceOf(client, 'eth')).toEqual(balance('eth', '100', '80', '20'));
    const decided = { accountId, transferId: first.body.transferId, callbackUrl: null };
    for (let times = 0; times < 2; times++) {
      const confirmed = await transfer('withdrawal-confirm', decided);
      expect([confirmed.status, confirmed.text]).toEqual([200, '']);
    }
    const late = await transfer('withdrawal-cancel', decided);
    expect(late).toMatchObject({ status: 409, code: 'TR0502' });
    const cancelled = await transfer('withdrawal-cancel', {
      accountId,
      transferId: second.body.transferId,
    });
    expect([cancelled.status, cancelled.text]).toEqual([200, '']);
    expect(await balanceOf(client, 'eth')).toEqual(balance('eth', '90', '90', '0'));
  });

  it.each([
    ['withdrawal', { assetId: 'eth', amount: '1000' }, 400, 'TR0400'],
    ['deposit', { assetId: 'doge' }, 400, 'TR0500'],
    ['deposit', { accountId: '7' }, 400, 'TR0506'],
    ['deposit', { amount: '0' }, 400, 'TR0504'],
    ['deposit', { amount: '0.001' }, 400, 'TR0504'],
    ['deposit', { callbackUrl: 'nowhere' }, 400, 'TR0012'],
    ['deposit', { deduplicationId: '' }, 400, 'TR0014'],
  ])('refuse a %s of %j', async (name, change, status, code) => {
    const { accountId } = await alice();
    const body = { deduplicationId: randomUUID(), accountId, assetId: 'eur', amount: '1' };
    expect(await transfer(name, { ...body, ...change })).toMatchObject({ status, code });
  });

  it('are for those who manage them', async () => {
    const client = await alice();
    for (const name of ['deposit', 'withdrawal', 'withdrawal-confirm', 'withdrawal-cancel']) {
      const answer = await client.post(`/back-api/backoffice/transfers/${name}`, {});
      expect(answer).toMatchObject({ status: 403, code: 'TR0101' });
    }
    const unknown = await transfer('withdrawal-confirm', {
      accountId: client.accountId,
      transferId: 'x',
    });
    expect(unknown).toMatchObject({ status: 404, code: 'TR0501' });
  });
});

describe('accounts', () => {
  it("are the caller's own, valued in the root asset", async () => {
    const client = await bob();
    const { body } = await client.get<{ accountName: string }[]>('/frontoffice/api/v3/accounts');
    expect(body.map(({ accountName }) => accountName)).toEqual(['Main', 'Hedging']);
    expect(body[0]).toEqual({
      accountId: expect.stringMatching(/^\d+$/),
      publicAccountId: expect.any(Number),
      accountName: 'Main',
      accountType: 'Netting',
      accountStatus: 'Active',
      // Nothing has a price yet but the root asset itself.
      totalBalanceInRAT: '1000000',
      isCopyTradingAccount: false,
    });
    const bid = await placed(client, { requestedPrice: '1000', requestedAmount: '1' });
    const ask = await placed(client, {
      side: 'Sell',
      requestedPrice: '3000',
      requestedAmount: '1',
    });
    const valued = await client.get<object[]>('/frontoffice/api/v3/accounts');
    expect(valued.body[0]).toMatchObject({ totalBalanceInRAT: '1020000' });
    for (const orderId of [bid, ask]) await cancel(client, orderId);
  });

  it('show their assets as collateral, those of the oldest account where none is named', async () => {
    const client = await server().trader('bob', 'Main');
    const path = '/frontoffice/api/v4/account-margin-settings/assets';
    const named = await client.get<{ assets: object[] }>(path);
    expect(named.body.assets[0]).toEqual({
      assetId: 'btc',
      assetName: 'Bitcoin',
      available: '10',
      total: '10',
      marginRatio: '0.95',
      isSelected: false,
    });
    const user = await server().user('bob');
    expect((await user.get(path)).body).toEqual(named.body);
    const foreign = await user.get(path, { accountId: (await alice()).accountId });
    expect(foreign).toMatchObject({ status: 403, code: 'TR0103' });
    const admin = await server().user('admin');
    expect(await admin.get(path)).toMatchObject({ status: 400, code: 'TR0102' });
  });
});

describe('an order that is only priced', () => {
  const PREVIEW = '/frontoffice/api/v3/order-data';
  const order = {
    marketId: 'btc_usdt',
    orderType: 'Limit',
    requestedAmount: '0.123456',
    requestedPrice: '60000.01',
  };

  it('costs amount times price and the commission, rounded against the trader', async () => {
    const client = await alice();
    const buy = await client.post(PREVIEW, { order: { ...order, side: 'Buy' } });
    expect(buy).toMatchObject({ status: 200 });
    expect(buy.body).toEqual({
      order: {
        baseAmount: '0.123456',
        quoteAmount: '7407.361235',
        commissionAmount: '7.407362',
        total: '7414.768597',
      },
    });
    const sell = await client.post(PREVIEW, { order: { ...order, side: 'Sell' } });
    expect(sell.body).toMatchObject({
      order: { quoteAmount: '7407.361234', total: '7399.953872' },
    });
    expect(await balanceOf(client, 'usdt')).toMatchObject({ locked: '0' });
  });

  it('needs a price in the book where it is a Market order', async () => {
    const client = await alice();
    const asked = { ...order, orderType: 'Market', side: 'Buy', requestedPrice: null };
    const without = await client.post(PREVIEW, { order: asked });
    expect(without).toMatchObject({ status: 400, code: 'TR0222' });
    const { body } = await place(await bob(), {
      side: 'Sell',
      requestedPrice: '50000',
      requestedAmount: '1',
    });
    const priced = await client.post(PREVIEW, { order: asked });
    expect(priced.body).toMatchObject({ order: { quoteAmount: '6172.8' } });
    await cancel(await bob(), body.order.orderId);
  });
});
