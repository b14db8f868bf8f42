import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { once, parseStatuses, RawConnection } from '../http-foundation/support/raw.ts';
import type { ApiClient } from '../support/api-client.ts';
import { toBytes } from '../support/connection.ts';
import { inParallel } from '../support/parallel.ts';
import { randomSource, seed } from '../support/seed.ts';
import {
  cancelAll,
  ORDERS,
  type OrderBody,
  openOrdersOf,
  place,
  RESTING,
  stateOf,
} from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';

const server = useServer();
let alice: ApiClient;
let before: unknown;

beforeAll(async () => {
  process.stdout.write(`SEED=${seed}\n`);
  alice = await server().trader('alice');
});
beforeEach(async () => {
  before = await stateOf([alice]);
});
afterEach(async () => {
  await cancelAll(alice);
  expect(server().isRunning).toBe(true);
  expect(await stateOf([alice])).toEqual(before);
});

/** The bytes of a valid order, with head and body apart. */
function orderBytes(clientOrderId: string): { head: string; body: string; whole: Buffer } {
  const request = alice.request('POST', ORDERS, { order: { ...RESTING, clientOrderId } });
  const whole = toBytes(request);
  const [head = '', body = ''] = whole.toString().split('\r\n\r\n');
  return { head: `${head}\r\n\r\n`, body, whole };
}

async function ordersNamed(prefix: string): Promise<number> {
  const orders = await openOrdersOf(alice);
  return orders.filter(({ clientOrderId }) => clientOrderId?.startsWith(prefix)).length;
}

/** The order that a repeat of this request is answered with. */
async function orderBehind(clientOrderId: string): Promise<string> {
  const { body } = await place(alice, { clientOrderId });
  return (body as OrderBody).order.orderId;
}

describe('a request', () => {
  it('may come in two parts, cut anywhere', async () => {
    const length = orderBytes('cut-0000').whole.length;
    const cuts = Array.from({ length: length - 1 }, (_, index) => index + 1);
    await inParallel(cuts, 8, async (cut) => {
      const { whole } = orderBytes(`cut-${String(cut).padStart(4, '0')}`);
      const connection = await RawConnection.open(server().port);
      await connection.send(whole.subarray(0, cut));
      await nextTurn();
      await connection.send(whole.subarray(cut));
      expect(await connection.statuses(1), `cut at ${cut}`).toEqual([201]);
      connection.destroy();
    });
    expect(await ordersNamed('cut-')).toBe(cuts.length);
  });

  it('may come byte by byte', async () => {
    const { whole } = orderBytes('bytes');
    const connection = await RawConnection.open(server().port);
    for (const byte of whole) await connection.send(Buffer.of(byte));
    expect(await connection.statuses(1)).toEqual([201]);
    connection.destroy();
  });

  it('that is given up before its end does nothing', async () => {
    const random = randomSource(seed);
    const attempts = Array.from({ length: 300 }, (_, index) => index);
    await inParallel(attempts, 16, async (index) => {
      const { whole } = orderBytes(`given-up-${index}`);
      const connection = await RawConnection.open(server().port);
      await connection.send(whole.subarray(0, Math.floor(random() * whole.length)));
      connection.destroy();
    });
    expect(await ordersNamed('given-up-')).toBe(0);
  });

  it('whose sender does not wait for the answer is done once or not at all, as a repeat tells', async () => {
    const attempts = Array.from({ length: 200 }, (_, index) => index);
    await inParallel(attempts, 16, async (index) => {
      const name = `gone-${index}`;
      const connection = await RawConnection.open(server().port);
      await connection.send(orderBytes(name).whole);
      connection.destroy();
      const first = await orderBehind(name);
      expect(await orderBehind(name)).toBe(first);
    });
    expect(await ordersNamed('gone-')).toBe(attempts.length);
  });

  it('sent behind another that is under way loses no order and makes none twice', async () => {
    const attempts = Array.from({ length: 50 }, (_, index) => index);
    await inParallel(attempts, 8, async (index) => {
      const names = [0, 1, 2].map((part) => `pipe-${index}-${part}`);
      const bytes = Buffer.concat(names.map((name) => orderBytes(name).whole));
      const connection = await RawConnection.open(server().port);
      await connection.send(bytes);
      const text = await connection.until((seen) => parseStatuses(seen).length === 3, 500);
      connection.destroy();
      for (const status of parseStatuses(text)) expect(status).toBe(201);
      for (const name of names) expect(await orderBehind(name)).toBe(await orderBehind(name));
    });
    expect(await ordersNamed('pipe-')).toBe(3 * attempts.length);
  });
});

describe('a message whose end is in doubt', () => {
  const withHead = (change: (head: string) => string) => {
    const { head, body } = orderBytes('doubtful');
    return change(head) + body;
  };
  const length = /content-length: \d+\r\n/;
  const cases: readonly (readonly [string, () => string])[] = [
    ['two lengths', () => withHead((head) => head.replace(length, '$&content-length: 2\r\n'))],
    ['the same length twice', () => withHead((head) => head.replace(length, '$&$&'))],
    [
      'a length and chunks',
      () => withHead((head) => head.replace(length, '$&transfer-encoding: chunked\r\n')),
    ],
    ['chunks', () => withHead((head) => head.replace(length, 'transfer-encoding: chunked\r\n'))],
    [
      'an unknown coding',
      () => withHead((head) => head.replace(length, '$&transfer-encoding: x\r\n')),
    ],
    ['a negative length', () => withHead((head) => head.replace(length, 'content-length: -1\r\n'))],
    [
      'a length in hexadecimal',
      () => withHead((head) => head.replace(length, 'content-length: 0x1\r\n')),
    ],
    [
      'a list of lengths',
      () => withHead((head) => head.replace(length, 'content-length: 3, 3\r\n')),
    ],
    [
      'a huge length',
      () => withHead((head) => head.replace(length, 'content-length: 99999999999\r\n')),
    ],
    ['two hosts', () => withHead((head) => head.replace('host:', 'host: other\r\nhost:'))],
    [
      'a space before a colon',
      () => withHead((head) => head.replace('content-length:', 'content-length :')),
    ],
    ['HTTP/1.0', () => withHead((head) => head.replace('HTTP/1.1', 'HTTP/1.0'))],
    ['HTTP/2', () => withHead((head) => head.replace('HTTP/1.1', 'HTTP/2.0'))],
    ['bare line feeds', () => withHead((head) => head.replaceAll('\r\n', '\n'))],
    ['a folded header', () => withHead((head) => head.replace('host:', 'x: a\r\n b\r\nhost:'))],
    ['NUL in a header', () => withHead((head) => head.replace('host:', 'x: \u0000\r\nhost:'))],
  ];
  it.each(cases)('(%s) is refused or left, and places nothing', async (_, bytes) => {
    const { statuses } = await once(server().port, bytes(), 300);
    for (const status of statuses) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect([501, 505, ...Array.from({ length: 100 }, (__, index) => 400 + index)]).toContain(
        status,
      );
    }
    expect(await ordersNamed('doubtful')).toBe(0);
  });

  it('hides no second request', async () => {
    const hidden = orderBytes('smuggled').whole.toString();
    for (const bytes of [
      withHead((head) =>
        head.replace(length, 'content-length: 0\r\ntransfer-encoding: chunked\r\n'),
      ).replace(/\{.*$/s, `0\r\n\r\n${hidden}`),
      `GET /frontoffice/api/v4/orders/1 HTTP/1.1\r\nhost: a\r\ncontent-length: ${hidden.length}\r\n\r\n${hidden}`,
      `POST /nowhere HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\n{}\r\n${hidden}`,
      `POST ${ORDERS} HTTP/1.1\r\nhost: a\r\ncontent-length: 70000\r\n\r\n${hidden}`,
    ]) {
      await once(server().port, bytes, 300);
      expect(await ordersNamed('smuggled')).toBe(0);
    }
  });
});
