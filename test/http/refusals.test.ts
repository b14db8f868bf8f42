import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RefusalName, Refusals, refusalCode } from '../../core/messages/refusals.ts';
import type { Answer, ApiClient } from '../support/api-client.ts';
import {
  amend,
  cancel,
  cancelAll,
  ORDERS,
  ORDERS_V4,
  place,
  placed,
  RESTING,
  type RefusalBody,
  read,
} from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';
import { CHANGE_CASES } from './refusals/change-cases.ts';
import { ORDER_CASES } from './refusals/order-cases.ts';
import { HISTORY_CASES, TRANSFER_CASES } from './refusals/other-cases.ts';
import { text } from './refusals/requests.ts';
import { type Case, type Expected, Scene } from './refusals/scene.ts';

const OPEN_ORDERS_MAX = 12;
/** Codes from here to there are refusals of the partner area, which has tests of its own. */
const BAND_OF_PARTNERS = 700;
const BAND_OF_THE_VENUE = 900;
const server = useServer({ OPEN_ORDERS_MAX: String(OPEN_ORDERS_MAX) });

let scene: Scene;
let alice: ApiClient;
let bob: ApiClient;

beforeAll(async () => {
  scene = await Scene.set(server());
  ({ alice, bob } = scene);
});

const refused = (name: RefusalName, send: () => Promise<Answer>, expected?: Expected) =>
  scene.refused(name, send, expected);

describe.each([
  ['an order is refused', ORDER_CASES],
  ['a change is refused', CHANGE_CASES],
  ['history and market data are refused', HISTORY_CASES],
  ['a transfer is refused', TRANSFER_CASES],
] as const)('%s', (_, cases) => {
  it.each(cases.map(([...each]) => each))(
    'as %s: %s',
    async (...[name, , send, expected]: Case) => {
      await refused(name, () => send(scene), expected);
    },
  );
});

describe('one order more is refused', () => {
  it('when the account has as many open orders as it may have', async () => {
    const ids: string[] = [];
    for (;;) {
      const answer = await place(alice);
      if (answer.status !== 201) break;
      ids.push(answer.body.order.orderId);
      expect(ids.length).toBeLessThan(OPEN_ORDERS_MAX);
    }
    await refused('TooManyOpenOrders', () => place(alice), { value: String(OPEN_ORDERS_MAX) });
    for (const orderId of ids) await cancel(alice, orderId);
    const again = await placed(alice);
    await cancel(alice, again);
  });
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
    const value = decodeURIComponent(orderId);
    await refused('OrderUnknown', () => read(alice, orderId), { value });
    await refused('OrderUnknown', () => cancel(alice, orderId), { value });
    await refused('OrderUnknown', () => amend(alice, orderId, { requestedPrice: '1' }), { value });
  });

  it('of another account reads as that of no order', async () => {
    const none = '888888888';
    for (const send of [
      (orderId: string) => read(alice, orderId),
      (orderId: string) => cancel(alice, orderId),
      (orderId: string) => amend(alice, orderId, { requestedPrice: '1' }),
    ]) {
      const foreign = await refused('OrderUnknown', () => send(scene.foreignId));
      const unknown = await refused('OrderUnknown', () => send(none));
      expect(foreign.text.replace(scene.foreignId, none)).toBe(unknown.text);
      expect(Object.keys(foreign.headers)).toEqual(Object.keys(unknown.headers));
    }
  });

  it('of the same user on its other account reads as that of no order', async () => {
    const other = await server().trader('alice', 'Hedging');
    await refused('OrderUnknown', () => read(other, scene.openId));
    await refused('OrderUnknown', () => cancel(other, scene.openId));
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
    await refused(NOBODY, () => nobody.del(`${ORDERS}/${scene.openId}`));
    await refused(NOBODY, () => nobody.del(ORDERS_V4));
  });

  it('with a token whose signature was changed', async () => {
    const { token } = alice;
    const at = token.length - 20;
    const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
    await refused(NOBODY, () => read(alice.with({ token: changed }), scene.openId));
    const [head = '', body = '', signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'x' })).toString('base64url');
    const other = alice.with({ token: `${head}.${forged}.${signature}` });
    await refused(NOBODY, () => read(other, scene.openId));
  });

  it('without the accountId header where it acts for an account', async () => {
    const nameless = alice.with({ accountId: '' });
    await refused('AccountMissing', () => place(nameless));
    await refused('AccountMissing', () => read(nameless, scene.openId));
    await refused('AccountMissing', () => cancel(nameless, scene.openId));
    await refused('AccountMissing', () => nameless.del(ORDERS_V4));
  });

  it('for the account of another, as for one that does not exist', async () => {
    for (const accountId of [bob.accountId, '100000', '1', 'x', '__proto__', '%00']) {
      const client = alice.with({ accountId });
      const answers = [
        await refused('AccountUnknown', () => place(client)),
        await refused('AccountUnknown', () => read(client, scene.foreignId)),
        await refused('AccountUnknown', () => cancel(client, scene.foreignId)),
        await refused('AccountUnknown', () =>
          amend(client, scene.foreignId, { requestedPrice: '1' }),
        ),
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
    await refused('BodyNotTaken', () => alice.send('GET', `${ORDERS_V4}/${scene.openId}`, '{}'));
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

describe('two at once', () => {
  it('amend one order in turn: the other is told that it is under way', async () => {
    const code = refusalCode(Refusals.AmendInProgress);
    for (let attempt = 0; attempt < 500 && !scene.seen.has(code); attempt++) {
      const amounts = ['0.011', '0.012', '0.013', '0.014'];
      const answers = await Promise.all(
        amounts.map((requestedAmount) => amend(alice, scene.openId, { requestedAmount })),
      );
      for (const answer of answers) {
        if (answer.status === 200) continue;
        expect({ status: answer.status, code: answer.code }).toEqual({ status: 409, code });
        expect((answer.body as unknown as RefusalBody).description).toContain(scene.openId);
        scene.seen.add(answer.code);
      }
    }
    expect(scene.seen).toContain(code);
  });
});

describe('the catalogue', () => {
  /** What no request of this file can bring about, and why. */
  const ELSEWHERE: Partial<Record<RefusalName, string>> = {
    TooFewItems: 'no list of a request has a least length',
    AnswerTooLarge: 'every page is bounded below it',
    AccountHalted: 'follows the status of its owner: tested with identity',
    CountryRestricted: 'nobody tells this server where its callers are',
    AccountFrozen: 'follows the status of its owner: tested with identity',
    PrecisionChanged: 'needs a change of scale between a read and its order: in test/clearing',
    MarketNotOpen: 'in statuses.test.ts',
    MarketClosed: 'in test/routes: the demo venue trades Spot around the clock',
    MarketTypeMismatch: 'in test/routes',
    NotCollateral: 'in test/routes',
    RootIsCollateral: 'in test/routes',
    LeverageFixed: 'in test/routes',
    LeverageTooHigh: 'in test/routes',
    MarginCall: 'in test/routes',
    MarginNeeded: 'in test/routes',
    NoRootRate: 'in test/routes',
    InsufficientMargin: 'in test/routes',
    LotOffStep: 'in test/routes',
    TriggerBelowZero: 'in test/routes',
    TriggerWrongSide: 'in test/routes',
    CloseTooMuch: 'in test/routes',
    PositionClosed: 'in test/routes',
    PositionUnknown: 'in test/routes',
    AmendClosing: 'in test/clearing',
    ClosingSide: 'in test/clearing: closes over HTTP have the right side by themselves',
    MarginOrderMarket: 'in test/clearing: paths are for one type of market each',
    PositionTooLarge: 'in test/clearing',
    TrailingNeedsStop: 'in test/clearing',
    TriggerNotTaken: 'in test/clearing: closes over HTTP take no triggers',
    DefaultRule: 'in test/back-office',
    RulePriorityTaken: 'in test/back-office',
    RuleTarget: 'in test/back-office',
    RuleTargetTaken: 'in test/back-office',
    ConfigurationInvalid: 'in test/back-office',
    ConfigurationInUse: 'in test/back-office',
    ScaleFixed: 'in test/back-office',
    AlreadyExists: 'in test/back-office',
    CategoryRepeated: 'in test/back-office',
    DepositsClosed: 'in test/back-office',
    FieldForbidden: 'in test/back-office',
    MarketOneSided: 'in test/back-office',
    PriceTooSmall: 'in test/back-office',
    RoleUnknown: 'in test/back-office',
    UserUnknown: 'in test/back-office',
    ExecutionUnknown: 'in test/back-office',
    ReversalUncovered: 'in test/back-office',
    TimestampRefused: 'in test/signed',
    NonceUsed: 'in test/signed',
    ClientOrderIdInUse: 'in test/signed',
    ClientOrderIdElsewhere: 'in idempotency.test.ts',
    StopOrdersUnsupported: 'in test/signed',
    WithdrawalsClosed: 'in test/back-office',
    Overloaded: 'provoked by the tests of overload',
    NotReady: 'the port is opened when the venue is ready',
    Unexpected: 'would be a defect',
  };

  it('has no code that was neither given here nor is known to be out of reach', async () => {
    const liar = alice.with({ token: 'a.b.c' });
    const head = { 'transfer-encoding': 'chunked' };
    await refused('TransferEncodingRefused', () => alice.get(`${ORDERS_V4}/1`, { headers: head }));
    let answer = await read(liar, scene.openId);
    for (let count = 0; count < 5000 && answer.status === 401; count++) {
      answer = await read(liar, scene.openId);
    }
    await refused('TooManyRequests', async () => answer);
    const names = (Object.keys(Refusals) as RefusalName[]).filter((name) => {
      const { code } = Refusals[name];
      return code < BAND_OF_PARTNERS || code >= BAND_OF_THE_VENUE;
    });
    const unseen = names.filter((name) => !scene.seen.has(refusalCode(Refusals[name])));
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
