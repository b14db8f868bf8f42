import { beforeAll, describe, expect, it } from 'vitest';
import type { RefusalName } from '../../../core/messages/refusals.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { amend, cancel, cancelAll, type OrderFields, orderOf } from '../../support/trading.ts';
import { useServer } from '../../support/use-server.ts';
import {
  CFD_ORDERS,
  EURO,
  expectRefused,
  marginOf,
  PERP_ORDERS,
  place,
  placed,
} from './support.ts';

const server = useServer();
const PREVIEW = '/frontoffice/api/cfd/v4/order-data';
const STOPS = '/frontoffice/api/cfd/v4/stop-orders';
let alice: ApiClient;
let bob: ApiClient;

/** A bid at 1 and an ask at 1.2, both of bob, for 1 lot. */
beforeAll(async () => {
  [alice, bob] = [await server().trader('alice'), await server().trader('bob')];
  await placed(bob, { side: 'Buy', requestedPrice: '1', requestedLotAmount: '1' });
  await placed(bob, { side: 'Sell', requestedPrice: '1.2', requestedLotAmount: '1' });
});

describe('an order on margin', () => {
  it('is answered by its id and status, and read in base assets', async () => {
    const triggers = { stopLoss: { price: '0.9', isTrailing: true }, takeProfit: { price: 1.3 } };
    const answer = await place(alice, { comment: 'note', leverage: 20, ...triggers });
    expect(answer.status).toBe(200);
    const { orderId } = answer.body.order;
    expect(answer.body).toEqual({ order: { orderId, status: 'Pending' } });
    expect(await orderOf(alice, orderId)).toMatchObject({
      marketId: 'cfd.eur_usdt',
      marketType: 'Cfd',
      status: 'Pending',
      reason: 'Trader',
      requestedAmount: '10000',
      remainingAmount: '10000',
      requestedPrice: '1.1',
      executionPrice: '0',
      commissionAssetId: 'usdt',
      commissionAmount: '0',
      leverage: 20,
      comment: 'note',
    });
    // 0.1 lots of 100,000 at 1.1, a twentieth of it.
    expect((await marginOf(alice)).usedMarginInRAT).toBe('550');
    const cancelled = await cancel(alice, orderId);
    expect(cancelled.body.order).toMatchObject({
      status: 'Cancelled',
      requestedAmount: '10000',
      remainingAmount: '10000',
      commission: '0',
    });
    expect((await marginOf(alice)).usedMarginInRAT).toBe('0');
  });

  it('takes a market with and without its type, and no leverage for the most there is', async () => {
    for (const marketId of ['eur_usdt', 'cfd.eur_usdt']) {
      const orderId = await placed(alice, { marketId, leverage: undefined });
      expect(await orderOf(alice, orderId)).toMatchObject({ leverage: 100 });
      await cancel(alice, orderId);
    }
    const fields = { marketId: 'btc_usdt', requestedPrice: 20_000, leverage: null };
    const answer = await place(alice, fields, PERP_ORDERS);
    expect(await orderOf(alice, answer.body.order.orderId)).toMatchObject({
      marketId: 'perp.btc_usdt',
      marketType: 'Perp',
      requestedAmount: '0.1',
      leverage: 100,
    });
    expect(await cancelAll(alice, 'perp.btc_usdt')).toBe(1);
  });

  it('under the same clientOrderId is placed once', async () => {
    const fields = { clientOrderId: 'once', requestedPrice: '1.05' };
    const [first, second] = [await place(alice, fields), await place(alice, fields)];
    expect(second.text).toBe(first.text);
    await cancel(alice, first.body.order.orderId);
  });

  it('is amended in lots', async () => {
    const orderId = await placed(alice);
    const amended = await amend(alice, orderId, { requestedLotAmount: '0.3' });
    expect(amended.body.order).toMatchObject({ requestedAmount: '30000' });
    const refused = (name: RefusalName, field: string, changes: OrderFields) =>
      expectRefused(name, field, alice, () => amend(alice, orderId, changes));
    await refused('FieldNotTaken', 'order.requestedAmount', { requestedAmount: '30000' });
    await refused('LotOffStep', 'order.requestedLotAmount', { requestedLotAmount: '0.301' });
    await refused('AmountNotPositive', 'order.requestedLotAmount', { requestedLotAmount: 0 });
    await refused('PriceOffStep', 'order.requestedPrice', { requestedPrice: '1.000001' });
    await cancel(alice, orderId);
  });
});

const market = { orderType: 'Market', timeInForce: 'Ioc', requestedPrice: null };

/** What is wrong, which field is named, and what was sent. */
const BAD_ORDERS: readonly (readonly [RefusalName, string, OrderFields])[] = [
  ['OutOfRange', 'order.leverage', { leverage: 0 }],
  ['OutOfRange', 'order.leverage', { leverage: -5 }],
  ['OutOfRange', 'order.leverage', { leverage: 10_001 }],
  ['WrongType', 'order.leverage', { leverage: 1.5 }],
  ['WrongType', 'order.leverage', { leverage: '10' }],
  ['LeverageTooHigh', 'order.leverage', { leverage: 101 }],
  ['FieldMissing', 'order.requestedLotAmount', { requestedLotAmount: undefined }],
  ['LotOffStep', 'order.requestedLotAmount', { requestedLotAmount: '0.001' }],
  ['AmountNotPositive', 'order.requestedLotAmount', { requestedLotAmount: '0' }],
  ['AmountNotPositive', 'order.requestedLotAmount', { requestedLotAmount: '-1' }],
  ['BadFormat', 'order.requestedLotAmount', { requestedLotAmount: 'much' }],
  ['AmountTooLarge', 'order.requestedLotAmount', { requestedLotAmount: '1001' }],
  ['AmountTooLarge', 'order.requestedLotAmount', { requestedLotAmount: '1e40' }],
  ['UnknownField', 'order.requestedAmount', { requestedAmount: '1' }],
  ['PriceRequired', 'order.requestedPrice', { requestedPrice: null }],
  ['PriceForbidden', 'order.requestedPrice', { ...market, requestedPrice: '1.1' }],
  ['PriceOffStep', 'order.requestedPrice', { requestedPrice: '1.000001' }],
  ['PriceNotPositive', 'order.requestedPrice', { requestedPrice: '-1.1' }],
  ['EmptyOrderType', '', { orderType: null }],
  ['NotOneOf', 'order.side', { side: 'Long' }],
  ['TimeInForceMismatch', 'order.timeInForce', { ...market, timeInForce: 'Gtc' }],
  ['CancellationDateRequired', 'order.cancellationDate', { timeInForce: 'Gtd' }],
  [
    'CancellationDatePast',
    'order.cancellationDate',
    { timeInForce: 'Gtd', cancellationDate: '2020-01-01T00:00:00.000Z' },
  ],
  ['PostOnlyWouldTake', '1.2', { requestedPrice: '1.2', postOnly: true }],
  ['TriggerWrongSide', 'order.stopLoss.price', { stopLoss: { price: '1.1' } }],
  ['TriggerWrongSide', 'order.takeProfit.price', { takeProfit: { price: '1.05' } }],
  ['TriggerWrongSide', 'order.stopLoss.price', { side: 'Sell', stopLoss: { price: '1.05' } }],
  ['PriceOffStep', 'order.stopLoss.price', { stopLoss: { price: '1.000001' } }],
  ['PriceNotPositive', 'order.takeProfit.price', { takeProfit: { price: 0 } }],
  ['FieldMissing', 'order.stopLoss.price', { stopLoss: { isTrailing: true } }],
  ['WrongType', 'order.stopLoss', { stopLoss: '1.05' }],
  ['TooLong', 'order.comment', { comment: 'x'.repeat(101) }],
  ['MarketUnknown', 'doge_usdt', { marketId: 'doge_usdt' }],
  ['MarketTypeMismatch', 'perp.btc_usdt', { marketId: 'perp.btc_usdt' }],
  ['MarketTypeMismatch', 'spot.btc_usdt', { marketId: 'spot.btc_usdt' }],
  ['BadFormat', 'order.marketId', { marketId: 'EUR/USDT' }],
  ['InsufficientMargin', 'usdt', { requestedLotAmount: '100', leverage: 1 }],
];

describe('a bad order on margin', () => {
  it.each(BAD_ORDERS)('is refused: %s %s %o', async (name, field, fields) => {
    await expectRefused(name, field, alice, () => place(alice, fields));
  });

  it.each(BAD_ORDERS.slice(0, 12))('is refused as a stop order: %s %s %o', async (...bad) => {
    const [name, field, fields] = bad;
    // What depends on prices and margin is judged once it is activated.
    if (name === 'LeverageTooHigh') return;
    const order = { ...EURO, activationPrice: '1.3', ...fields };
    await expectRefused(name, field, alice, () => alice.post(STOPS, { order }));
  });

  it('is refused where the account may not trade, and without one', async () => {
    const noAccount = server().anonymous().with({ token: alice.token });
    const body = { order: EURO };
    expect(await noAccount.post(CFD_ORDERS, body)).toMatchObject({ status: 400, code: 'TR0102' });
    const foreign = alice.with({ accountId: bob.accountId });
    expect(await foreign.post(CFD_ORDERS, body)).toMatchObject({ status: 403, code: 'TR0103' });
    expect(await server().anonymous().post(CFD_ORDERS, body)).toMatchObject({ status: 401 });
  });
});

describe('a preview', () => {
  const preview = (fields: OrderFields) => {
    const { timeInForce, ...order } = EURO;
    return alice.post<{ order: object }>(PREVIEW, { order: { ...order, ...fields } });
  };

  it('says what an order takes and costs, and what its triggers come to', async () => {
    const triggers = {
      stopLoss: { triggerType: 'Points', triggerSize: '1000', isTrailing: true },
      takeProfit: { triggerType: 'Rate', triggerSize: 0.1 },
    };
    const answer = await preview(triggers);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      order: {
        requiredMarginInRAT: '1100',
        quoteAmount: '11000',
        commissionAmountInRAT: '11',
        marginLevel: expect.stringMatching(/^\d+(\.\d{1,2})?$/),
        takeProfit: { price: '1.21', rate: '0.1', points: 11_000, pnl: '1100' },
        stopLoss: { price: '1.09', rate: '0.00909091', points: 1_000, pnl: '-100' },
      },
    });
  });

  it('of a Market order is priced at the best of the book', async () => {
    const trigger = { triggerType: 'Price', triggerSize: '1.3' };
    const answer = await preview({
      orderType: 'Market',
      requestedPrice: null,
      takeProfit: trigger,
    });
    expect(answer.body.order).toMatchObject({
      quoteAmount: '12000',
      takeProfit: { price: '1.3', points: 10_000, pnl: '1000' },
      stopLoss: null,
    });
  });

  it('places nothing', async () => {
    const before = await marginOf(alice);
    await preview({});
    expect(await marginOf(alice)).toEqual(before);
  });

  it.each([
    ['OutOfRange', 'order.leverage', { leverage: 0 }],
    ['LotOffStep', 'order.requestedLotAmount', { requestedLotAmount: '0.001' }],
    ['MarketTypeMismatch', 'spot.btc_usdt', { marketId: 'spot.btc_usdt' }],
    [
      'TriggerWrongSide',
      'order.takeProfit.triggerSize',
      { takeProfit: { triggerType: 'Price', triggerSize: '1' } },
    ],
    [
      'NotOneOf',
      'order.stopLoss.triggerType',
      { stopLoss: { triggerType: 'Percent', triggerSize: '1' } },
    ],
    [
      'TriggerBelowZero',
      'order.stopLoss.triggerSize',
      { stopLoss: { triggerType: 'Rate', triggerSize: '2' } },
    ],
  ] as const)('is refused: %s %s', async (name, field, fields) => {
    await expectRefused(name, field, alice, () => preview(fields));
  });
});
