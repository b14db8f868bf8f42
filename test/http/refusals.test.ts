import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RefusalName, Refusals, refusalCode } from '../../core/messages/refusals.ts';
import type { Answer, ApiClient } from '../support/api-client.ts';
import {
  amend,
  cancel,
  cancelAll,
  LIST,
  ORDERS,
  ORDERS_V4,
  type OrderFields,
  place,
  placed,
  RESTING,
  type RefusalBody,
  read,
  stateOf,
} from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';

const OPEN_ORDERS_MAX = 12;
const server = useServer({ OPEN_ORDERS_MAX: String(OPEN_ORDERS_MAX) });

let alice: ApiClient;
let bob: ApiClient;
let admin: ApiClient;
/** Confirmed. */
let withdrawalId = '';

/** Of alice: open, filled in part, ended. Of bob: open. */
let openId = '';
let partialId = '';
let endedId = '';
let foreignId = '';
let waitingId = '';
let postOnlyId = '';

beforeAll(async () => {
  alice = await server().trader('alice');
  bob = await server().trader('bob');
  admin = await server().user('admin');

  openId = await placed(alice);
  endedId = await placed(alice);
  await cancel(alice, endedId);
  partialId = await placed(alice, { requestedPrice: '1001', requestedAmount: '0.02' });
  await placed(bob, { side: 'Sell', requestedPrice: '1001', requestedAmount: '0.01' });
  foreignId = await placed(bob, { side: 'Sell', requestedPrice: '30000' });
  postOnlyId = await placed(alice, { requestedPrice: '1000', postOnly: true });
  waitingId = await placed(bob, {
    side: 'Sell',
    marketId: 'spot.eth_btc',
    orderType: 'Market',
    timeInForce: 'Retry',
    requestedPrice: null,
    requestedAmount: '1',
  });
  const transfers = '/back-api/backoffice/transfers';
  const eur = { accountId: alice.accountId, assetId: 'eur', amount: '1' };
  await admin.post(`${transfers}/deposit`, { ...eur, deduplicationId: 'first' });
  const asked = { ...eur, deduplicationId: 'asked' };
  const withdrawal = await admin.post<{ transferId: string }>(`${transfers}/withdrawal`, asked);
  withdrawalId = withdrawal.body.transferId;
  await admin.post(`${transfers}/withdrawal-confirm`, {
    accountId: alice.accountId,
    transferId: withdrawalId,
  });
  // Gives spot.eth_usdt a last price of 2000 and an empty book.
  const trade = { marketId: 'spot.eth_usdt', requestedPrice: '2000', requestedAmount: '0.01' };
  await placed(bob, { ...trade, side: 'Sell' });
  await placed(alice, { ...trade, side: 'Buy' });
});

/** Every code that any test of this file has been given. */
const seen = new Set<string>();

interface Expected {
  readonly field?: string;
  readonly value?: string;
}

/** Sends what must be refused, and sees to it that it is, in full, and that nothing changed. */
async function refused(
  name: RefusalName,
  send: () => Promise<Answer>,
  { field = '', value = '' }: Expected = {},
): Promise<Answer> {
  const clients = [alice, bob];
  const before = await stateOf(clients);
  const answer = await send();
  const refusal = Refusals[name];
  const { code, description } = answer.body as RefusalBody;
  expect({ status: answer.status, code, description }).toEqual({
    status: refusal.status,
    code: refusalCode(refusal),
    description: expect.stringContaining(field),
  });
  expect(description).toContain(value);
  expect(description).not.toMatch(/\{(field|value|limit)\}|undefined|\[object/);
  expect(answer.code).toBe(code);
  expect(answer.headers['content-type']).toBe('application/json');
  if (refusal.status === 429 || refusal.status === 503) {
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  }
  seen.add(code);
  expect(await stateOf(clients)).toEqual(before);
  return answer;
}

const order = (fields: OrderFields) => () => place(alice, fields);
const raw = (text: string | Uint8Array) => () => alice.post(ORDERS, text);
const MARKET = { orderType: 'Market', timeInForce: 'Ioc', requestedPrice: null };
const text = (fields: OrderFields) => JSON.stringify({ order: { ...RESTING, ...fields } });

type Case = readonly [RefusalName, string, () => Promise<Answer>, Expected?];

describe('an order is refused', () => {
  const cases: readonly Case[] = [
    ['MalformedJson', 'that is cut off', raw('{"order":{')],
    ['MalformedJson', 'with NaN for an amount', raw('{"order":{"requestedAmount":NaN}}')],
    ['NotUtf8', 'that is not UTF-8', raw(Buffer.from('{"order":"\xff"}', 'latin1'))],
    [
      'DuplicateKey',
      'that names its price twice',
      raw(text({}).replace('{"marketId"', '{"requestedPrice":"1","marketId"')),
      { field: 'order.requestedPrice' },
    ],
    ['TooDeep', 'that nests too deep', raw(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`)],
    [
      'TooManyKeys',
      'with too many keys',
      raw(`{${Array.from({ length: 4097 }, (_, index) => `"${index}":0`).join(',')}}`),
    ],
    [
      'NumberNotExact',
      'whose amount no double holds',
      raw(text({}).replace('"0.01"', '0.010000000000000000001')),
      { field: 'order.requestedAmount' },
    ],
    [
      'NumberNotExact',
      'whose price is 1e400',
      raw(text({}).replace('"1000"', '1e400')),
      { field: 'order.requestedPrice', value: '1e400' },
    ],
    [
      'LoneSurrogate',
      'whose comment holds half a surrogate pair',
      raw(text({ comment: '?' }).replace('"?"', '"\\ud83d"')),
      { field: 'order.comment' },
    ],
    ['FieldMissing', 'without its envelope', raw('{}'), { field: 'order' }],
    ...['marketId', 'side', 'timeInForce', 'requestedAmount'].map(
      (field): Case => [
        'FieldMissing',
        `without ${field}`,
        order({ [field]: undefined }),
        { field: `order.${field}` },
      ],
    ),
    ['EmptyOrderType', 'without orderType', order({ orderType: undefined })],
    ['EmptyOrderType', 'with orderType null', order({ orderType: null })],
    ['EmptyOrderType', 'with orderType empty', order({ orderType: '' })],
    ['NotOneOf', 'with an unknown orderType', order({ orderType: 'Stop' }), { value: 'Limit' }],
    ['NotOneOf', 'with a side in lower case', order({ side: 'buy' }), { field: 'order.side' }],
    ['NotOneOf', 'with an unknown timeInForce', order({ timeInForce: 'Gtx' })],
    ['NotOneOf', 'with an unknown prevention', order({ selfTradePrevention: 'YES' })],
    ['WrongType', 'with a side that is null', order({ side: null }), { field: 'order.side' }],
    ['WrongType', 'with a number for a market', order({ marketId: 7 })],
    ['WrongType', 'with a text for postOnly', order({ postOnly: 'true' })],
    ['WrongType', 'with an amount that is null', order({ requestedAmount: null })],
    ['WrongType', 'with an object for a price', order({ requestedPrice: { value: '1' } })],
    ['WrongType', 'that is a list', raw('[]')],
    [
      'UnknownField',
      'with a field of another order',
      order({ leverage: 2 }),
      { value: 'leverage' },
    ],
    ['UnknownField', 'with a field beside it', raw('{"order":{},"orders":[]}')],
    ['BadFormat', 'with a market id that has no form', order({ marketId: 'BTC/USDT' })],
    ['BadFormat', 'with a market of another type', order({ marketId: 'perp.btc_usdt' })],
    [
      'BadFormat',
      'with 16 letters in its base asset',
      order({ marketId: 'abcdefghijklmnop_usdt' }),
    ],
    [
      'BadFormat',
      'with a date of February 30',
      order({ cancellationDate: '2100-02-30T00:00:00Z' }),
    ],
    ['BadFormat', 'with a local time', order({ cancellationDate: '2100-01-01T00:00:00+01:00' })],
    ['TooLong', 'with a comment of 101 characters', order({ comment: 'x'.repeat(101) })],
    ['TooLong', 'with a clientOrderId of 65', order({ clientOrderId: 'x'.repeat(65) })],
    ['TooShort', 'with an empty clientOrderId', order({ clientOrderId: '' })],

    ['PriceRequired', 'without a price for Limit', order({ requestedPrice: undefined })],
    ['PriceRequired', 'with price null for Limit', order({ requestedPrice: null })],
    [
      'PriceForbidden',
      'with a price for Market',
      order({ ...MARKET, requestedPrice: '1000' }),
      { field: 'requestedPrice' },
    ],
    ...['Gtc', 'Gtd', 'Day'].map(
      (timeInForce): Case => [
        'TimeInForceMismatch',
        `with ${timeInForce} for Market`,
        order({ ...MARKET, timeInForce }),
        { value: timeInForce },
      ],
    ),
    ['TimeInForceMismatch', 'with Retry for Limit', order({ timeInForce: 'Retry' })],
    ['CancellationDateRequired', 'with Gtd and no date', order({ timeInForce: 'Gtd' })],
    [
      'CancellationDateRequired',
      'with Gtd and date null',
      order({ timeInForce: 'Gtd', cancellationDate: null }),
    ],
    [
      'CancellationDatePast',
      'with Gtd and a date gone by',
      order({ timeInForce: 'Gtd', cancellationDate: '2001-01-01T00:00:00.000Z' }),
      { field: 'cancellationDate', value: '2001-01-01' },
    ],
    [
      'PriceOffStep',
      'off the price step',
      order({ requestedPrice: '1000.001' }),
      { value: '0.01' },
    ],
    ['PriceOffStep', 'far below the price step', order({ requestedPrice: '1e-300' })],
    [
      'AmountOffStep',
      'off the amount step',
      order({ requestedAmount: '0.0100001' }),
      { field: 'order.requestedAmount', value: '0.000001' },
    ],
    [
      'AmountTooSmall',
      'below minAmount',
      order({ requestedAmount: '0.000009' }),
      { value: '0.00001' },
    ],
    ['AmountTooLarge', 'above every amount', order({ requestedAmount: '1e300' })],
    ['AmountTooLarge', 'of forty digits', order({ requestedAmount: '1'.repeat(40) })],
    ['PriceTooLarge', 'above every price', order({ requestedPrice: '1e300' })],
    ['PriceTooLarge', 'with a price of forty digits', order({ requestedPrice: '9'.repeat(40) })],
    ...['0', 0, '-0', '0.000', '0e5', '-1', -1, '-0.001'].flatMap((value): Case[] => [
      ['PriceNotPositive', `with the price ${value}`, order({ requestedPrice: value })],
      ['AmountNotPositive', `with the amount ${value}`, order({ requestedAmount: value })],
    ]),
    ...['NaN', 'Infinity', '0x10', ' 1', '1 ', '1_0', '1,0', '١', '1.', '.5', 'e1', '1e', '1e1e1']
      .concat(['1e1000', '1e999', '1e-999', '--1', '+-1', '1\u0000', '１', '−1', ''])
      .flatMap((value): Case[] => [
        ['BadFormat', `with the price ${JSON.stringify(value)}`, order({ requestedPrice: value })],
        [
          'BadFormat',
          `with the amount ${JSON.stringify(value)}`,
          order({ requestedAmount: value }),
        ],
      ]),
    ['TooLong', 'with an amount of 65 digits', order({ requestedAmount: '1'.repeat(65) })],
    [
      'PriceOutsideCollar',
      'above the collar',
      order({ marketId: 'spot.eth_usdt', requestedPrice: '2200.01' }),
      { field: 'requestedPrice', value: '0.1' },
    ],
    [
      'PriceOutsideCollar',
      'below the collar',
      order({ marketId: 'spot.eth_usdt', requestedPrice: '1799.99' }),
    ],
    [
      'PostOnlyWouldTake',
      'that is post-only and would take',
      order({ requestedPrice: '30000', postOnly: true }),
    ],
    [
      'PostOnlyMismatch',
      'that is post-only and Ioc',
      order({ timeInForce: 'Ioc', postOnly: true }),
    ],
    [
      'PostOnlyMismatch',
      'that is post-only and Fok',
      order({ timeInForce: 'Fok', postOnly: true }),
    ],
    ['PostOnlyMismatch', 'that is post-only and Market', order({ ...MARKET, postOnly: true })],
    [
      'NoReferencePrice',
      'that retries to buy where nothing ever had a price',
      order({ ...MARKET, marketId: 'spot.eth_btc', timeInForce: 'Retry', requestedAmount: '1' }),
    ],
    ['MarketUnknown', 'for a market that is not there', order({ marketId: 'spot.btc_eur' })],
    ['MarketUnknown', 'for a market by its short name', order({ marketId: 'btc_eur' })],
    [
      'InsufficientFunds',
      'that costs more than there is',
      order({ requestedPrice: '900000', requestedAmount: '9' }),
      { field: 'usdt' },
    ],
    [
      'InsufficientFunds',
      'that sells more than there is',
      order({ side: 'Sell', requestedPrice: '40000', requestedAmount: '11' }),
      { field: 'btc' },
    ],
    [
      'InsufficientFunds',
      'to sell at market',
      order({ ...MARKET, side: 'Sell', requestedAmount: '11' }),
    ],
    ['InsufficientFunds', 'to buy at market', order({ ...MARKET, requestedAmount: '100' })],
  ];
  it.each(cases.map(([...each]) => each))(
    'as %s: %s',
    async (...[name, , send, expected]: Case) => {
      await refused(name, send, expected);
    },
  );

  it('when the account has as many open orders as it may have', async () => {
    const ids: string[] = [];
    for (;;) {
      const answer = await place(alice);
      if (answer.status !== 201) break;
      ids.push(answer.body.order.orderId);
      expect(ids.length).toBeLessThan(OPEN_ORDERS_MAX);
    }
    await refused('TooManyOpenOrders', order({}), { value: String(OPEN_ORDERS_MAX) });
    for (const orderId of ids) await cancel(alice, orderId);
    const again = await placed(alice);
    await cancel(alice, again);
  });
});

describe('a change is refused', () => {
  const change = (orderId: () => string, fields: OrderFields) => () =>
    amend(alice, orderId(), fields);
  const open = () => openId;
  const cases: readonly Case[] = [
    ['NothingToAmend', 'that changes nothing', change(open, {})],
    [
      'NothingToAmend',
      'that changes nothing, in words',
      change(open, { requestedPrice: null, requestedAmount: null }),
    ],
    ['PriceOffStep', 'to a price off the step', change(open, { requestedPrice: '0.001' })],
    ['PriceNotPositive', 'to the price 0', change(open, { requestedPrice: '0' })],
    ['AmountNotPositive', 'to the amount 0', change(open, { requestedAmount: '0' })],
    ['AmountOffStep', 'to an amount off the step', change(open, { requestedAmount: '1e-9' })],
    ['AmountTooSmall', 'to less than minAmount', change(open, { requestedAmount: '0.000001' })],
    ['AmountTooLarge', 'to more than there can be', change(open, { requestedAmount: '1e30' })],
    ['PriceTooLarge', 'to a price beyond all prices', change(open, { requestedPrice: '1e30' })],
    ['AmendBelowFilled', 'to what is filled', change(() => partialId, { requestedAmount: '0.01' })],
    ['AmendBelowFilled', 'to less', change(() => partialId, { requestedAmount: '0.005' })],
    ['InsufficientFunds', 'to more than there is', change(open, { requestedAmount: '1e4' })],
    ['PostOnlyWouldTake', 'to take', change(() => postOnlyId, { requestedPrice: '30000' })],
    ['OrderUnknown', 'of no order', change(() => '999999999', { requestedPrice: '1' })],
    ['UnknownField', 'of the side', change(open, { side: 'Sell' })],
    ['BadFormat', 'to a price that is none', change(open, { requestedPrice: 'one' })],
    ['OrderClosed', 'of an ended order', change(() => endedId, { requestedPrice: '999' })],
    ['OrderClosed', 'that cancels an ended order', () => cancel(alice, endedId)],
    [
      'AmendMarketOrder',
      'of a market order',
      () => amend(bob, waitingId, { requestedPrice: '0.05' }),
    ],
    [
      'MarketUnknown',
      'that cancels all of no market',
      () => alice.del(`${ORDERS_V4}?marketId=spot.btc_eur`),
      { field: 'spot.btc_eur' },
    ],
    ['UnknownField', 'by an unknown query', () => alice.del(`${ORDERS_V4}?market=spot.btc_usdt`)],
    [
      'DuplicateKey',
      'by a query that says it twice',
      () => alice.del(`${ORDERS_V4}?marketId=spot.btc_usdt&marketId=spot.btc_usdt`),
    ],
    ['BadEscape', 'by a query with a broken escape', () => alice.del(`${ORDERS_V4}?marketId=%zz`)],
  ];
  it.each(cases.map(([...each]) => each))(
    'as %s: %s',
    async (...[name, , send, expected]: Case) => {
      await refused(name, send, expected);
    },
  );
});

describe('an order id', () => {
  const ODD_IDS = [
    '0',
    '-1',
    '1.5',
    '01',
    '1e3',
    'abc',
    '%31%00',
    '9007199254740993',
    '%20',
    'null',
  ];

  it.each(ODD_IDS)('that is %s reads as that of no order', async (orderId) => {
    await refused('OrderUnknown', () => read(alice, orderId));
    await refused('OrderUnknown', () => cancel(alice, orderId));
    await refused('OrderUnknown', () => amend(alice, orderId, { requestedPrice: '1' }));
  });

  it('of another account reads as that of no order', async () => {
    const none = '888888888';
    for (const send of [
      (orderId: string) => read(alice, orderId),
      (orderId: string) => cancel(alice, orderId),
      (orderId: string) => amend(alice, orderId, { requestedPrice: '1' }),
    ]) {
      const foreign = await refused('OrderUnknown', () => send(foreignId));
      const unknown = await refused('OrderUnknown', () => send(none));
      expect(foreign.text.replace(foreignId, none)).toBe(unknown.text);
      expect(Object.keys(foreign.headers)).toEqual(Object.keys(unknown.headers));
    }
  });

  it('of the same user on its other account reads as that of no order', async () => {
    const other = await server().trader('alice', 'Hedging');
    await refused('OrderUnknown', () => read(other, openId));
    await refused('OrderUnknown', () => cancel(other, openId));
  });

  it('that is longer than any is refused', async () => {
    await refused('TooLong', () => read(alice, '1'.repeat(129)), { field: 'orderId' });
  });

  it('with a broken escape is refused', async () => {
    await refused('BadEscape', () => read(alice, '%zz'));
    await refused('BadEscape', () => read(alice, '%ff'));
  });
});

describe('a request is refused', () => {
  const NOBODY = 'Unauthorised';
  const tokens: readonly (readonly [string, string])[] = [
    ['no scheme', 'abc'],
    ['another scheme', 'Basic dGVzdHM6dGVzdHMtc2VjcmV0'],
    ['no token', 'Bearer '],
    ['a token that is no JWT', 'Bearer abc'],
    ['an unsigned token', `Bearer ${unsigned()}`],
    ['spaces before the token', 'Bearer  a.b.c'],
    ['a token of 10,000 characters', `Bearer ${'a'.repeat(10_000)}`],
  ];

  it.each(tokens)('with %s', async (_, authorization) => {
    const headers = { authorization };
    const answer = await refused(NOBODY, () =>
      server().anonymous().get(ORDERS_V4.concat('/1'), { headers }),
    );
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
  });

  it('without a token, whatever it asks for', async () => {
    const nobody = server().anonymous();
    await refused(NOBODY, () => nobody.post(ORDERS, { order: RESTING }));
    await refused(NOBODY, () => nobody.post(ORDERS, '{'));
    await refused(NOBODY, () => nobody.del(`${ORDERS}/${openId}`));
    await refused(NOBODY, () => nobody.del(ORDERS_V4));
  });

  it('with a token whose signature was changed', async () => {
    const { token } = alice;
    const at = token.length - 20;
    const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
    await refused(NOBODY, () => read(alice.with({ token: changed }), openId));
    const [head = '', body = '', signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'x' })).toString('base64url');
    const other = alice.with({ token: `${head}.${forged}.${signature}` });
    await refused(NOBODY, () => read(other, openId));
  });

  it('without the accountId header where it acts for an account', async () => {
    const nameless = alice.with({ accountId: '' });
    await refused('AccountMissing', () => place(nameless));
    await refused('AccountMissing', () => read(nameless, openId));
    await refused('AccountMissing', () => cancel(nameless, openId));
    await refused('AccountMissing', () => nameless.del(ORDERS_V4));
  });

  it('for the account of another, as for one that does not exist', async () => {
    for (const accountId of [bob.accountId, '100000', '1', 'x', '__proto__', '%00']) {
      const client = alice.with({ accountId });
      const answers = [
        await refused('AccountUnknown', () => place(client)),
        await refused('AccountUnknown', () => read(client, foreignId)),
        await refused('AccountUnknown', () => cancel(client, foreignId)),
        await refused('AccountUnknown', () => amend(client, foreignId, { requestedPrice: '1' })),
        await refused('AccountUnknown', () => client.del(ORDERS_V4)),
      ];
      for (const { text } of answers) expect(text).toContain(`No account ${accountId} `);
    }
  });

  it('by a path that is not there', async () => {
    for (const path of [
      '/',
      '/frontoffice',
      `${ORDERS}/`,
      `${ORDERS}/1/2`,
      '/frontoffice/api/v9/x',
    ]) {
      await refused('UnknownRoute', () => alice.get(path));
    }
    await refused('UnknownRoute', () => alice.get('//frontoffice/api/v3/orders'));
    await refused('UnknownRoute', () => alice.get('/frontoffice/api/v3/../v3/orders'));
    await refused('UnknownRoute', () => alice.get('/FRONTOFFICE/api/v3/orders'));
  });

  it('by a method that its path does not take, which says what it takes', async () => {
    const answer = await refused('MethodNotAllowed', () => alice.get(ORDERS));
    expect(answer.headers['allow']?.split(', ').sort()).toEqual(['OPTIONS', 'POST']);
    await refused('MethodNotAllowed', () => alice.send('PUT', `${ORDERS_V4}/1`));
    await refused('MethodNotAllowed', () => alice.patch(`${ORDERS}/1`, {}));
  });

  it('with a body where none is taken', async () => {
    await refused('BodyNotTaken', () => alice.send('GET', `${ORDERS_V4}/${openId}`, '{}'));
  });

  it('with a body that is too large, or of another media type', async () => {
    await refused('BodyTooLarge', () => alice.post(ORDERS, ' '.repeat(65_537)));
    const headers = { 'content-type': 'text/plain' };
    await refused('UnsupportedMediaType', () => alice.post(ORDERS, text({}), { headers }));
  });

  it('with headers or a target beyond all measure', async () => {
    const headers = { 'x-large': 'x'.repeat(17_000) };
    await refused('HeadersTooLarge', () => alice.get(`${ORDERS_V4}/1`, { headers }));
    await refused('TargetTooLong', () => alice.get(`${ORDERS_V4}/1?${'x'.repeat(9000)}`));
  });

  it('with a header that may come once and comes twice', async () => {
    const headers = { AccountId: bob.accountId };
    await refused('RepeatedHeader', () => alice.get(`${ORDERS_V4}/1`, { headers }), {
      field: 'accountid',
    });
  });
});

describe('history and market data are refused', () => {
  const list = (body: object) => () => alice.post(LIST, body);
  const history = (query: string) => () =>
    alice.get(`/marketdata/api/v4/instruments/spot.btc_usdt/history?${query}`);
  const executions = (body: object) => () =>
    alice.post('/frontoffice/api/v4/orders/executions/list', body);
  const window = 'startDate=2026-01-02T00:00:00Z&endDate=2026-01-01T00:00:00Z';
  const cases: readonly Case[] = [
    ['OutOfRange', 'for a page of 0', list({ limit: 0 }), { field: 'limit', value: 'at least 1' }],
    ['OutOfRange', 'for too many candles', history('count=45001'), { field: 'count' }],
    [
      'TooManyItems',
      'for more orders than a request may name',
      executions({ orderIds: Array.from({ length: 1001 }, () => '1') }),
      { field: 'orderIds', value: '1000' },
    ],
    ['WindowReversed', 'for a window that ends before it begins', history(window)],
    ['NotOneOf', 'for a period that is none', history('type=2m'), { field: 'type', value: '1m' }],
    ['WrongType', 'for a count that is no number', history('count=x'), { field: 'count' }],
  ];
  it.each(cases.map(([...each]) => each))(
    'as %s: %s',
    async (...[name, , send, expected]: Case) => {
      await refused(name, send, expected);
    },
  );
});

describe('a transfer is refused', () => {
  const transfer = (kind: string, fields: object) => () =>
    admin.post(`/back-api/backoffice/transfers/${kind}`, {
      deduplicationId: 'first',
      accountId: alice.accountId,
      assetId: 'eur',
      amount: '1',
      ...fields,
    });
  const decide = (decision: string, transferId: string) => () =>
    admin.post(`/back-api/backoffice/transfers/withdrawal-${decision}`, {
      accountId: alice.accountId,
      transferId,
    });
  const fresh = { deduplicationId: 'second' };
  const cases: readonly Case[] = [
    ['AssetUnknown', 'in no asset', transfer('deposit', { ...fresh, assetId: 'x' })],
    ['TransferAccount', 'for no account', transfer('deposit', { ...fresh, accountId: 'x' })],
    ['TransferAmount', 'of nothing', transfer('deposit', { ...fresh, amount: '0' })],
    ['BalanceOverflow', 'beyond all', transfer('deposit', { ...fresh, amount: '1e20' })],
    ['DeduplicationConflict', 'under a used name', transfer('deposit', { amount: '2' })],
    ['InsufficientFunds', 'of too much', transfer('withdrawal', { ...fresh, amount: '100' })],
    ['TransferUnknown', 'that is none', decide('confirm', '999')],
    ['TransferFinal', 'that is decided', () => decide('cancel', withdrawalId)()],
    ['Forbidden', 'to a trader', () => alice.post('/back-api/backoffice/transfers/deposit', {})],
  ];
  it.each(cases.map(([...each]) => each))(
    'as %s: %s',
    async (...[name, , send, expected]: Case) => {
      await refused(name, send, expected);
    },
  );
});

describe('two at once', () => {
  it('amend one order in turn: the other is told that it is under way', async () => {
    const code = refusalCode(Refusals.AmendInProgress);
    for (let attempt = 0; attempt < 500 && !seen.has(code); attempt++) {
      const amounts = ['0.011', '0.012', '0.013', '0.014'];
      const answers = await Promise.all(
        amounts.map((requestedAmount) => amend(alice, openId, { requestedAmount })),
      );
      for (const answer of answers) {
        if (answer.status === 200) continue;
        expect({ status: answer.status, code: answer.code }).toEqual({ status: 409, code });
        expect((answer.body as unknown as RefusalBody).description).toContain(openId);
        seen.add(answer.code);
      }
    }
    expect(seen).toContain(code);
  });
});

describe('the catalogue', () => {
  /** What no request of this file can bring about, and why. */
  const ELSEWHERE: Partial<Record<RefusalName, string>> = {
    TooFewItems: 'no list of a request has a least length',
    AnswerTooLarge: 'every page is bounded below it',
    AccountHalted: 'no route changes the status of accounts',
    AccountFrozen: 'no route changes the status of accounts',
    PrecisionChanged: 'no route configures markets',
    MarketNotOpen: 'no route configures markets',
    MarketClosed: 'the demo venue trades Spot around the clock',
    MarketTypeMismatch: 'the demo venue has only Spot markets',
    ConfigurationInvalid: 'no route configures markets',
    ConfigurationInUse: 'no route configures markets',
    Overloaded: 'provoked by the tests of overload',
    NotReady: 'the port is opened when the venue is ready',
    Unexpected: 'would be a defect',
  };

  it('has no code that was neither given here nor is known to be out of reach', async () => {
    const liar = alice.with({ token: 'a.b.c' });
    const head = { 'transfer-encoding': 'chunked' };
    await refused('TransferEncodingRefused', () => alice.get(`${ORDERS_V4}/1`, { headers: head }));
    let answer = await read(liar, openId);
    for (let count = 0; count < 5000 && answer.status === 401; count++) {
      answer = await read(liar, openId);
    }
    await refused('TooManyRequests', async () => answer);
    const names = Object.keys(Refusals) as RefusalName[];
    const unseen = names.filter((name) => !seen.has(refusalCode(Refusals[name])));
    expect(unseen.sort()).toEqual(Object.keys(ELSEWHERE).sort());
  });
});

/** A JWT of algorithm `none`. */
function unsigned(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', typ: 'at+jwt' })}.${part({ sub: 'x', exp: 4e9 })}.`;
}

afterAll(async () => {
  await cancelAll(alice);
  await cancelAll(bob);
});
