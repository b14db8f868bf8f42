import { afterEach, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { cancelAll, orderOf, place, placed } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';

const server = useServer();
const alice = (): Promise<ApiClient> => server().trader('alice');
const bob = (): Promise<ApiClient> => server().trader('bob');

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

afterEach(async () => {
  await cancelAll(await alice());
  await cancelAll(await bob());
});

describe('the creation form', () => {
  it('shows a limit order as it was admitted, with every field of the form and no other', async () => {
    const answer = await place(await alice(), { requestedAmount: '0.01', requestedPrice: '1000' });
    expect(answer.status).toBe(201);
    expect(answer.headers['content-type']).toBe('application/json');
    const { order } = answer.body;
    expect(order).toEqual({
      marketId: 'spot.btc_usdt',
      marketDisplayName: 'BTC/USDT',
      orderId: expect.stringMatching(/^[1-9]\d*$/),
      orderType: 'Limit',
      side: 'Buy',
      status: 'Pending',
      source: 'Manual',
      timeInForce: 'Gtc',
      commission: '0',
      requestedAmount: '0.01',
      remainingAmount: '0.01',
      requestedPrice: '1000',
      executionPrice: '0',
      createdAt: expect.stringMatching(TIMESTAMP),
      updatedAt: order.createdAt,
      rejectDetails: '',
      cancellationDate: null,
      fillFactor: '0',
    });
    expect(Math.abs(Date.now() - Date.parse(order.createdAt))).toBeLessThan(60_000);
  });

  it('is Working for an order that only takes, whatever becomes of it', async () => {
    await placed(await bob(), { side: 'Sell', requestedPrice: '1000', requestedAmount: '0.001' });
    const market = { orderType: 'Market', requestedPrice: null, requestedAmount: '0.001' };
    for (const fields of [
      { ...market, timeInForce: 'Ioc' },
      { ...market, timeInForce: 'Fok' },
      { requestedPrice: '900', timeInForce: 'Ioc' },
      { requestedPrice: '900', timeInForce: 'Fok' },
    ]) {
      const { status, body } = await place(await alice(), fields);
      expect(status).toBe(201);
      expect(body.order).toMatchObject({
        status: 'Working',
        commission: '0',
        executionPrice: '0',
        fillFactor: '0',
        cancellationDate: null,
        remainingAmount: body.order.requestedAmount,
      });
    }
  });

  it('has no price for a market order', async () => {
    await placed(await bob(), { side: 'Sell', requestedPrice: '1000', requestedAmount: '0.001' });
    const { body } = await place(await alice(), {
      orderType: 'Market',
      timeInForce: 'Ioc',
      requestedPrice: undefined,
      requestedAmount: '0.001',
    });
    expect(body.order.requestedPrice).toBeNull();
  });

  it('takes a market id without its prefix and answers the whole one', async () => {
    const { status, body } = await place(await alice(), { marketId: 'btc_usdt' });
    expect(status).toBe(201);
    expect(body.order.marketId).toBe('spot.btc_usdt');
  });

  it('counts order ids up', async () => {
    const first = Number(await placed(await alice()));
    const second = Number(await placed(await bob()));
    expect(second).toBeGreaterThan(first);
  });
});

describe('decimals', () => {
  it.each([
    ['a number', 0.01, 1000],
    ['plain text', '0.01', '1000'],
    ['padded text', '0.010000', '1000.00'],
    ['a leading zero', '00.01', '01000'],
    ['a plus sign', '+0.01', '+1000'],
    ['an exponent', '1e-2', '1E3'],
    ['an exponent with a fraction', '0.1e-1', '1.0e+3'],
    ['zeros far beyond the scale', '0.0100000000000000000000', '1000.000000000000000000'],
  ])('of %s are read exactly and written plainly', async (_, requestedAmount, requestedPrice) => {
    const { status, body } = await place(await alice(), { requestedAmount, requestedPrice });
    expect(status).toBe(201);
    expect(body.order).toMatchObject({ requestedAmount: '0.01', requestedPrice: '1000' });
  });

  it('as small as JSON numbers with an exponent are taken', async () => {
    const body = '{"order":{"marketId":"spot.btc_usdt","side":"Buy","orderType":"Limit",'.concat(
      '"timeInForce":"Gtc","requestedAmount":9e-05,"requestedPrice":2E4}}',
    );
    const answer = await (await alice()).post('/frontoffice/api/v3/orders', body);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      order: { requestedAmount: '0.00009', requestedPrice: '20000' },
    });
  });
});

describe('time in force', () => {
  it.each(['Gtc', 'Day'])('%s lets a limit order rest', async (timeInForce) => {
    const trader = await alice();
    const orderId = await placed(trader, { timeInForce });
    expect(await orderOf(trader, orderId)).toMatchObject({
      status: 'Pending',
      timeInForce,
      cancellationDate: null,
    });
  });

  it('ignores cancellationDate for every value but Gtd, even one in the past', async () => {
    const past = '2001-01-01T00:00:00.000Z';
    for (const timeInForce of ['Gtc', 'Day', 'Ioc', 'Fok']) {
      const { status } = await place(await alice(), { timeInForce, cancellationDate: past });
      expect(status, timeInForce).toBe(201);
    }
  });

  it('Gtd rests until its date, then expires', async () => {
    const trader = await alice();
    const lasting = await placed(trader, { timeInForce: 'Gtd', cancellationDate: inAnHour() });
    const soon = new Date(Date.now() + 400).toISOString();
    const ending = await placed(trader, { timeInForce: 'Gtd', cancellationDate: soon });
    await expect
      .poll(async () => (await orderOf(trader, ending)).status, { timeout: 10_000 })
      .toBe('Expired');
    const expired = await orderOf(trader, ending);
    expect(expired.remainingAmount).toBe('0.01');
    expect(Date.parse(expired.cancellationDate ?? '')).toBeGreaterThanOrEqual(Date.parse(soon));
    expect((await orderOf(trader, lasting)).status).toBe('Pending');
  });

  it('Ioc and Fok without anything to take end cancelled and hold nothing', async () => {
    const trader = await alice();
    for (const timeInForce of ['Ioc', 'Fok']) {
      const order = await orderOf(trader, await placed(trader, { timeInForce }));
      expect(order).toMatchObject({
        status: 'Cancelled',
        remainingAmount: '0.01',
        fillFactor: '0',
        executionPrice: '0',
        commissionAmount: '0',
        reason: 'Trader',
      });
      expect(order.cancellationDate).toMatch(TIMESTAMP);
    }
  });
});

describe('the read form', () => {
  it('shows every field and no other', async () => {
    const trader = await alice();
    const orderId = await placed(trader, { comment: 'first', clientOrderId: 'read-form' });
    const order = await orderOf(trader, orderId);
    expect(order).toEqual({
      marketId: 'spot.btc_usdt',
      marketType: 'Spot',
      marketDisplayName: 'BTC/USDT',
      marketFullName: 'Bitcoin / Tether',
      orderId,
      timeInForce: 'Gtc',
      status: 'Pending',
      source: 'Manual',
      reason: 'Trader',
      side: 'Buy',
      orderType: 'Limit',
      requestedAmount: '0.01',
      remainingAmount: '0.01',
      requestedPrice: '1000',
      executionPrice: '0',
      createdAt: expect.stringMatching(TIMESTAMP),
      updatedAt: order.createdAt,
      cancellationDate: null,
      commissionAssetId: 'usdt',
      commissionAmount: '0',
      leverage: 1,
      rejectDetails: '',
      fillFactor: '0',
      comment: 'first',
      clientOrderId: 'read-form',
    });
  });

  it('has null where no comment and no clientOrderId were sent', async () => {
    const trader = await alice();
    const order = await orderOf(trader, await placed(trader));
    expect(order).toMatchObject({ comment: null, clientOrderId: null });
  });
});

describe('comments', () => {
  it.each([
    ['100 characters', 'x'.repeat(100)],
    ['100 characters beyond the basic plane', '\u{1f600}'.repeat(100)],
    ['control characters and NUL', 'a\u0000b\u001fc\u007f\u0085'],
    ['quotes, slashes and angle brackets', '"\\/<script>&amp;\u2028'],
    ['right-to-left text and combining marks', '\u202eabc e\u0301\u0301'],
  ])('of %s come back as they were', async (_, comment) => {
    const trader = await alice();
    const order = await orderOf(trader, await placed(trader, { comment }));
    expect(order.comment).toBe(comment);
  });

  it('that are null or empty are none', async () => {
    const trader = await alice();
    for (const comment of [null, '']) {
      expect((await orderOf(trader, await placed(trader, { comment }))).comment).toBeNull();
    }
  });
});
