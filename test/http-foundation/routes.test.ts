import { describe, expect, test } from 'vitest';
import { runServer } from './support/running.ts';

const running = runServer({ answerBytesMax: 2_000_000 });

const order = {
  marketId: 'spot.btc_usdt',
  side: 'Buy',
  orderType: 'Limit',
  timeInForce: 'Gtc',
  requestedAmount: 0.001,
  requestedPrice: '50000',
};
const asAlice = { authorization: 'Bearer good', accountid: '7' };
const asJson = { 'content-type': 'application/json' };

function call(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(running.base + path, { redirect: 'manual', ...init });
}

function place(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return call('/frontoffice/api/v3/orders', {
    method: 'POST',
    headers: { ...asAlice, ...asJson, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

async function code(response: Response): Promise<string> {
  const { code: inBody } = (await response.json()) as { code: string };
  expect(response.headers.get('x-error-code')).toBe(inBody);
  return `${response.status} ${inBody}`;
}

describe('a placement', () => {
  test('is answered 201 with what its schema says', async () => {
    const response = await place({ order: { ...order, comment: null } });
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('application/json');
    const answer = (await response.json()) as { order: Record<string, unknown> };
    expect(answer.order).toMatchObject({
      marketId: 'spot.btc_usdt',
      requestedAmount: '0.001',
      cancellationDate: null,
      fillFactor: '0',
    });
    expect(answer.order['createdAt']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('takes the media type with parameters', async () => {
    for (const type of [
      'application/json; x-api-version=4.0',
      'application/json;charset=utf-8',
      'Application/JSON; charset="UTF-8"',
    ]) {
      expect((await place({ order }, { 'content-type': type })).status).toBe(201);
    }
  });

  test('with another media type or charset is refused with 415', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
      'application/jsonp',
    ]) {
      expect(await code(await place({ order }, { 'content-type': type }))).toBe('415 TR0032');
    }
  });

  test('gets TR0020 for an order type that is missing, null or empty', async () => {
    for (const orderType of [undefined, null, '']) {
      expect(await code(await place({ order: { ...order, orderType } }))).toBe('400 TR0020');
    }
  });

  test.each([
    ['malformed JSON', '{"order":', '400 TR0001'],
    ['a duplicate key', '{"order":{"side":"Buy","side":"Sell"}}', '400 TR0003'],
    ['an inexact number', '{"order":{"requestedAmount":0.1234567890123456789}}', '400 TR0006'],
    ['an infinite number', '{"order":{"requestedAmount":1e400}}', '400 TR0006'],
    ['a missing field', '{"order":{}}', '400 TR0008'],
    ['a wrong type', '{"order":[]}', '400 TR0009'],
    ['an unknown field', JSON.stringify({ order: { ...order, levrage: 5 } }), '400 TR0010'],
    ['an empty body', '', '400 TR0008'],
  ])('with %s is refused', async (_, body, expected) => {
    expect(await code(await place(body))).toBe(expected);
  });

  test('without a token, with a bad one, or without its operation is refused', async () => {
    expect(await code(await place({ order }, { authorization: '' }))).toBe('401 TR0100');
    const bad = await place({ order }, { authorization: 'Bearer bad' });
    expect(bad.headers.get('www-authenticate')).toBe('Bearer');
    expect(await code(bad)).toBe('401 TR0100');
    const forbidden = await call('/things/5', { method: 'DELETE', headers: asAlice });
    expect(await code(forbidden)).toBe('403 TR0101');
  });

  test('without an account, or with a foreign one, is refused', async () => {
    expect(await code(await place({ order }, { accountid: '' }))).toBe('400 TR0102');
    expect(await code(await place({ order }, { accountid: '9' }))).toBe('403 TR0103');
  });

  test('is judged by its caller before its body is looked at', async () => {
    expect(await code(await place('{"order":', { authorization: 'Bearer bad' }))).toBe(
      '401 TR0100',
    );
  });
});

describe('a request', () => {
  test('whose token and account take a tick is answered like any other', async () => {
    const headers = { authorization: 'Bearer late', accountid: '8' };
    const response = await call('/things/a%2Fb?limit=5&roles=x&roles=y&from=2026-01-01T00:00:00Z', {
      headers: { ...headers, 'X-Api-Version': '4.0' },
    });
    expect(await response.json()).toEqual({
      thingId: 'a/b',
      account: 8,
      user: 'alice',
      query: { limit: 5, offset: 0, roles: ['x', 'y'], from: Date.UTC(2026, 0, 1) },
      headers: { 'x-api-version': '4.0' },
    });
    expect((await place({ order }, headers)).status).toBe(201);
  });

  test('with a broken escape in its path is refused', async () => {
    const response = await call('/things/%zz', { headers: asAlice });
    expect(await code(response)).toBe('400 TR0018');
  });

  test('with an undeclared query parameter is refused, also where none is declared', async () => {
    expect(await code(await call('/things/5?limt=5', { headers: asAlice }))).toBe('400 TR0010');
    expect(await code(await call('/text?x=1'))).toBe('400 TR0010');
  });

  test('to an unknown path gets 404, with another method 405 and what is allowed', async () => {
    expect(await code(await call('/nothing'))).toBe('404 TR0030');
    expect(await code(await call('/things/'))).toBe('404 TR0030');
    const response = await call('/things/5', { method: 'PATCH' });
    expect(response.headers.get('allow')).toBe('GET, HEAD, DELETE, OPTIONS');
    expect(await code(response)).toBe('405 TR0031');
  });

  test('for OPTIONS gets 204 and what is allowed', async () => {
    const response = await call('/slow', { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });

  test('for HEAD gets the headers of its GET, and the connection stays', async () => {
    for (let round = 0; round < 3; round++) {
      const head = await call('/text', { method: 'HEAD' });
      expect(head.status).toBe(200);
      expect(head.headers.get('content-length')).toBe('11');
      expect(await head.text()).toBe('');
    }
    expect((await call('/nothing', { method: 'HEAD' })).status).toBe(404);
    expect((await call('/slow/', { method: 'HEAD' })).status).toBe(404);
  });

  test('that declares no body takes none or {}', async () => {
    const send = (body?: string) =>
      call('/bodiless', { method: 'POST', headers: asJson, body: body ?? null });
    expect((await send()).status).toBe(200);
    expect((await send('{}')).status).toBe(200);
    expect((await send('{"a":null}')).status).toBe(200);
    expect(await code(await send('{"a":1}'))).toBe('400 TR0010');
    expect(await code(await send('[]'))).toBe('400 TR0009');
  });

  test('may be a form', async () => {
    const send = (body: string, type = 'application/x-www-form-urlencoded') =>
      call('/identity/connect/token', { method: 'POST', headers: { 'content-type': type }, body });
    const response = await send('grant_type=password&username=a%40b+c&unknown=1');
    expect(await response.json()).toEqual({ grant: 'password', user: 'a@b c' });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect((await send('grant_type=implicit')).status).toBe(400);
    expect((await send('grant_type=password&grant_type=password')).status).toBe(400);
    expect((await send('grant_type=%zz')).status).toBe(400);
    expect((await send('{}', 'application/json')).status).toBe(415);
  });

  test('of the signed interface is judged by its key and its text as sent', async () => {
    const body = '{ "ts": "x", "nonce": 1 }';
    const send = (sign: string) =>
      call('/signed', { method: 'POST', headers: { ...asJson, key: 'alice', sign }, body });
    expect(await (await send(`signed ${body}`)).json()).toEqual({ user: 'alice' });
    const refused = await send('signed {"ts":"x","nonce":1}');
    expect(refused.status).toBe(401);
    expect(await refused.json()).toEqual({
      errors: [{ code: 'TR0100', message: 'A valid access token is required.' }],
    });
    const headers = { key: 'alice', sign: 'signed ?ts=1&nonce=2' };
    expect((await call('/signed?ts=1&nonce=2', { headers })).status).toBe(200);
    expect((await call('/signed?ts=1&nonce=3', { headers })).status).toBe(401);
  });
});

describe('an answer', () => {
  test('may have another status, headers, or no body', async () => {
    expect(await (await call('/status/ok')).json()).toEqual({ ok: true });
    const made = await call('/status/created');
    expect([made.status, made.headers.get('location')]).toEqual([201, '/there']);
    const nothing = await call('/status/empty');
    expect([nothing.status, await nothing.text()]).toEqual([202, '']);
    expect(nothing.headers.get('content-type')).toBeNull();
    const away = await call('/status/redirect');
    expect([away.status, away.headers.get('location')]).toEqual([302, '/elsewhere']);
    const plain = await call('/text');
    expect(plain.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await plain.text()).toBe('one "line"\n');
  });

  test('names no server software', async () => {
    const { headers } = await call('/text');
    expect([...headers.keys()].sort()).toEqual(['content-length', 'content-type', 'date']);
  });

  test('of a megabyte arrives whole, a larger one is refused', async () => {
    const whole = (await (await call('/large/1500000')).json()) as { text: string };
    expect(whole.text).toHaveLength(1_500_000);
    const rendered = await call('/rendered/900000');
    expect(await rendered.json()).toEqual({ text: 'é'.repeat(900_000) });
    const refused = await call('/large/2000000');
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ code: 'TR0041' });
  });

  test.each(['throw', 'reject', 'misfit'])(
    'of a handler with a defect (%s) is a bare 500, and the defect is reported',
    async (kind) => {
      const before = running.errors.length;
      const response = await call(`/fault/${kind}`);
      expect(response.status).toBe(500);
      expect(await response.json()).toEqual({
        message: 'The venue failed to answer this request.',
        errors: {},
      });
      expect(running.errors.length).toBe(before + 1);
    },
  );

  test.each(['refuse', 'throw-refusal', 'reject-refusal'])(
    'of a handler that refuses (%s) is the refusal',
    async (kind) => {
      const response = await call(`/fault/${kind}`);
      expect(response.status).toBe(400);
      expect(response.headers.get('x-error-code')).toBe('TR0209');
    },
  );

  test('is observed once, with its route and status', async () => {
    const { observations } = running;
    const from = observations.length;
    await call('/text');
    await call('/nothing');
    await place('{');
    expect(observations.slice(from).map(({ route, status }) => [route, status])).toEqual([
      [9, 200],
      [-1, 404],
      [0, 400],
    ]);
    expect(observations.every(({ milliseconds }) => milliseconds >= 0)).toBe(true);
  });
});

describe('the bounds of a target', () => {
  test('a query that is too long is refused with 414', async () => {
    const response = await call(`/text?x=${'y'.repeat(9000)}`);
    expect(response.status).toBe(414);
  });
});
