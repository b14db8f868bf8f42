import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusalByCode } from '../../core/messages/refusals.ts';
import { type Answer, type ApiClient, parsed } from '../support/api-client.ts';
import { ODD_VALUES, placesIn, withMember, withPart } from '../support/bad-values.ts';
import { ConnectionLost } from '../support/connection.ts';
import { inParallel } from '../support/parallel.ts';
import { randomSource, seed } from '../support/seed.ts';
import {
  cancelAll,
  LIST,
  ORDERS,
  ORDERS_V4,
  placed,
  RESTING,
  type RefusalBody,
  stateOf,
} from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';

const FUZZ_ROUNDS = Number(process.env['FUZZ_ROUNDS'] ?? 1000);
const WIDTH = 8;

const server = useServer();
let alice: ApiClient;
let bob: ApiClient;
let admin: ApiClient;
let restingId = '';
let before: unknown;

beforeAll(async () => {
  process.stdout.write(`SEED=${seed}\n`);
  alice = await server().trader('alice');
  bob = await server().trader('bob');
  admin = await server().user('admin');
  await placed(bob, { requestedPrice: '500' });
  before = await stateOf([alice, bob]);
  restingId = await placed(alice);
});

interface Endpoint {
  readonly name: string;
  readonly method: string;
  path(): string;
  readonly body: unknown;
  client(): ApiClient;
}

const trading = (name: string, path: () => string, body: unknown, method = 'POST'): Endpoint => ({
  name,
  method,
  path,
  body,
  client: () => alice,
});
const backOffice = (name: string, path: string, body: unknown): Endpoint => ({
  name,
  method: 'POST',
  path: () => path,
  body,
  client: () => admin,
});

const TRANSFER = {
  deduplicationId: 'odd',
  accountId: 'nobody',
  amount: '1',
  assetId: 'usdt',
  callbackUrl: 'https://example.test/',
};

/** A valid body of each endpoint that takes one, with every field that it knows. */
const ENDPOINTS: readonly Endpoint[] = [
  trading('placing', () => ORDERS, {
    order: {
      ...RESTING,
      cancellationDate: '2100-01-01T00:00:00.000Z',
      comment: 'c',
      clientOrderId: '',
      postOnly: false,
      selfTradePrevention: 'EXPIRE_TAKER',
    },
  }),
  trading(
    'amending',
    () => `${ORDERS_V4}/${restingId}`,
    { order: { requestedPrice: '500', requestedAmount: '0.01' } },
    'PATCH',
  ),
  trading('pricing', () => '/frontoffice/api/v3/order-data', { order: RESTING }),
  trading('listing orders', () => LIST, {
    limit: 5,
    createdAtFrom: '2020-01-01T00:00:00.000Z',
    createdAtTo: '2100-01-01T00:00:00.000Z',
    orderStatus: ['Pending'],
    lastOrderId: '1',
  }),
  trading(
    'listing executions of an order',
    () => `/frontoffice/api/v5/orders/${restingId}/executions/list`,
    { positionId: null, limit: 5, lastExecutionId: '1' },
  ),
  trading('listing executions of pairs', () => '/frontoffice/api/v5/orders/executions/list', {
    orderPositionPairs: [{ orderId: '1', positionId: '2' }],
    limit: 5,
  }),
  trading('listing executions of orders', () => '/frontoffice/api/v4/orders/executions/list', {
    orderIds: ['1'],
    limit: 5,
  }),
  trading('deleting a favorite', () => '/frontoffice/api/v6/markets/favorites/delete', {
    marketId: 'spot.btc_usdt',
  }),
  // Not a valid account, so that nothing is ever booked.
  backOffice('depositing', '/back-api/backoffice/transfers/deposit', TRANSFER),
  backOffice('withdrawing', '/back-api/backoffice/transfers/withdrawal', TRANSFER),
  backOffice('confirming', '/back-api/backoffice/transfers/withdrawal-confirm', {
    accountId: '1',
    transferId: '1',
    callbackUrl: 'https://example.test/',
  }),
];

/** A refusal as a client may rely on: a code of the catalogue, its status, and a sentence. */
function expectRefusal(answer: Answer): void {
  const code = Number(answer.code.slice(2));
  expect(answer.code, answer.text).toMatch(/^TR\d{4}$/);
  expect(refusalByCode(code).status).toBe(answer.status);
  expect(answer.headers['content-type']).toBe('application/json');
  const body = answer.body as RefusalBody;
  expect(Object.keys(body)).toEqual(['code', 'description']);
  expect(body.code).toBe(answer.code);
  expect(body.description).toMatch(/\.$/);
  expect(body.description.length).toBeLessThan(1000);
}

/** Sends a raw body: refused in the proper form, or taken; never a failure of the server. */
async function sendRaw(endpoint: Endpoint, body: string | Uint8Array): Promise<Answer> {
  const client = endpoint.client();
  const answer = await client.send(endpoint.method, endpoint.path(), body);
  const sent = typeof body === 'string' ? body.slice(0, 300) : Buffer.from(body).toString('hex');
  expect(answer.status, `${sent} got ${answer.text}`).toBeLessThan(500);
  if (answer.status >= 400) expectRefusal(answer);
  return answer;
}

async function expectNothingChanged(): Promise<void> {
  await cancelAll(alice);
  expect(await stateOf([alice, bob])).toEqual(before);
  expect(server().isRunning).toBe(true);
}

describe.each(ENDPOINTS)('$name', (endpoint) => {
  afterAll(expectNothingChanged);

  it('takes or refuses any odd value in any place, and lives', async () => {
    const bodies = placesIn(endpoint.body).flatMap((path) =>
      ODD_VALUES.map((value) => withPart(endpoint.body, path, value)),
    );
    await inParallel(bodies, WIDTH, async (body) => {
      await sendRaw(endpoint, body);
    });
  });

  it('takes or refuses a body that lacks any part of it', async () => {
    for (const path of placesIn(endpoint.body)) {
      await sendRaw(endpoint, withPart(endpoint.body, path, undefined));
    }
  });

  it('refuses a field that it does not know, by its name', async () => {
    for (const path of objectsIn(endpoint.body)) {
      const body = withMember(endpoint.body, path, '"surprise":1');
      const { code, text } = await sendRaw(endpoint, body);
      expect(code, body).toBe('TR0010');
      expect(text).toContain(written([...path, 'surprise']));
    }
  });

  it('refuses names that mean something to JavaScript, like any it does not know', async () => {
    for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
      for (const path of objectsIn(endpoint.body)) {
        for (const value of ['{"polluted":true}', '1', '[]']) {
          const answer = await sendRaw(
            endpoint,
            withMember(endpoint.body, path, `"${name}":${value}`),
          );
          expect(answer.status, name).toBe(400);
        }
      }
    }
  });

  it('refuses every field that comes twice, equal or not', async () => {
    for (const path of placesIn(endpoint.body)) {
      const name = path.at(-1);
      if (typeof name !== 'string' || /^\d+$/.test(name)) continue;
      for (const value of ['"0.02"', 'null']) {
        const body = withMember(endpoint.body, path.slice(0, -1), `"${name}":${value}`);
        const { code, text } = await sendRaw(endpoint, body);
        expect(code, body).toBe('TR0003');
        expect(text).toContain(written(path));
      }
    }
  });

  it('refuses or takes bodies with flipped, cut, doubled and swapped bytes', async () => {
    const random = randomSource(seed);
    const valid = Buffer.from(JSON.stringify(endpoint.body));
    const bodies = Array.from({ length: FUZZ_ROUNDS }, () => mutated(valid, random));
    await inParallel(bodies, WIDTH, async (body) => {
      await sendRaw(endpoint, body);
    });
  });

  it('refuses what is no JSON of one object', async () => {
    for (const [body, code] of NO_OBJECTS) {
      const answer = await sendRaw(endpoint, body);
      expect({ body, code: answer.code }).toEqual({ body, code });
    }
  });

  it('refuses more nesting and more keys than any request needs', async () => {
    const deep = `{"order":${'['.repeat(5000)}${']'.repeat(5000)}}`;
    expect((await sendRaw(endpoint, deep)).code).toBe('TR0004');
    const keys = Array.from({ length: 5000 }, (_, index) => `"k${index}":1`).join(',');
    expect((await sendRaw(endpoint, `{${keys}}`)).code).toBe('TR0005');
  });

  it('refuses a body of a megabyte without reading it, and closes the connection', async () => {
    const body = Buffer.alloc(1_000_000, 0x20);
    await expectTooLarge(endpoint, body);
    await expectTooLarge(endpoint, Buffer.alloc(65_537, 0x20));
  });

  it('refuses other media types and charsets', async () => {
    for (const type of ['text/plain', 'application/xml', 'application/json; charset=utf-16', '']) {
      const headers = { 'content-type': type };
      const client = endpoint.client();
      const answer = await client.send(endpoint.method, endpoint.path(), endpoint.body, {
        headers,
      });
      expect({ type, code: answer.code }).toEqual({ type, code: 'TR0032' });
      expectRefusal(answer);
    }
  });
});

const NO_OBJECTS: readonly (readonly [string | Uint8Array, string])[] = [
  ['{', 'TR0001'],
  ['}', 'TR0001'],
  ['{"a":1}}', 'TR0001'],
  ['{"a":1} {"b":2}', 'TR0001'],
  ['{"a":1,}', 'TR0001'],
  ["{'a':1}", 'TR0001'],
  ['{a:1}', 'TR0001'],
  ['{"a":NaN}', 'TR0001'],
  ['{"a":Infinity}', 'TR0001'],
  ['{"a":01}', 'TR0001'],
  ['{"a":+1}', 'TR0001'],
  ['{"a":.5}', 'TR0001'],
  ['{"a":1.}', 'TR0001'],
  ['{"a":0x10}', 'TR0001'],
  ['{"a":"\t"}', 'TR0001'],
  ['{"a":"\\x41"}', 'TR0001'],
  ['{"a":"\\u12"}', 'TR0001'],
  ['{"a":undefined}', 'TR0001'],
  ['{"a":1}//', 'TR0001'],
  ['/**/{}', 'TR0001'],
  ['\ufeff{}', 'TR0001'],
  ['{"a":"\u0000"}', 'TR0001'],
  [' ', 'TR0001'],
  ['order=1&side=Buy', 'TR0001'],
  ['<order/>', 'TR0001'],
  ['null', 'TR0009'],
  ['true', 'TR0009'],
  ['1', 'TR0009'],
  ['"order"', 'TR0009'],
  ['[]', 'TR0009'],
  ['[{}]', 'TR0009'],
  [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'TR0002'],
  [Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]), 'TR0002'],
  [Buffer.from([0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d]), 'TR0002'],
];

function objectsIn(body: unknown): (readonly (string | number)[])[] {
  return placesIn(body).filter((path) => {
    let part = body;
    for (const key of path) part = (part as Record<string, unknown>)[String(key)];
    return typeof part === 'object' && part !== null && !Array.isArray(part);
  });
}

/** A place as refusals write it: `pairs[0].orderId`. */
function written(path: readonly (string | number)[]): string {
  return path.join('.').replace(/\.(\d+)(?=\.|$)/g, '[$1]');
}

async function expectTooLarge(endpoint: Endpoint, body: Uint8Array): Promise<void> {
  const client = endpoint.client();
  const request = client.request(endpoint.method, endpoint.path(), body);
  try {
    const answer = parsed(await client.exchange(request));
    expect(answer.code).toBe('TR0033');
    expect(answer.headers['connection']).toBe('close');
    expectRefusal(answer);
  } catch (error) {
    // The server may close while the body is still on its way: the answer is then lost to a reset.
    if (!(error instanceof ConnectionLost)) throw error;
  }
}

/** Bytes of JSON changed in one to four places. */
function mutated(valid: Buffer, random: () => number): Buffer {
  let bytes: Buffer = Buffer.from(valid);
  const at = () => Math.floor(random() * bytes.length);
  const changes = 1 + Math.floor(random() * 4);
  for (let change = 0; change < changes; change++) {
    const [from, to] = [at(), at()].sort((a, b) => a - b) as [number, number];
    const part = bytes.subarray(from, to);
    switch (Math.floor(random() * 6)) {
      case 0:
        bytes[from] = Math.floor(random() * 256);
        break;
      case 1:
        bytes[from] = (bytes[from] ?? 0) ^ (1 << Math.floor(random() * 8));
        break;
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
        break;
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, to), part, bytes.subarray(to)]);
        break;
      case 4: {
        const digit = Buffer.from(String(Math.floor(random() * 10)));
        bytes = Buffer.concat([bytes.subarray(0, from), digit, bytes.subarray(from)]);
        break;
      }
      default: {
        const odd = ODD_VALUES[Math.floor(random() * ODD_VALUES.length)] ?? '';
        bytes = Buffer.concat([bytes.subarray(0, from), Buffer.from(odd), bytes.subarray(from)]);
      }
    }
  }
  return bytes.length > 60_000 ? bytes.subarray(0, 60_000) : bytes;
}
