import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseStatuses } from './support/raw.ts';
import { runServer } from './support/running.ts';
import { randomSource, seed } from './support/seed.ts';

/** `FUZZ=100000` asks for that many connections. */
const CONNECTIONS = Number(process.env['FUZZ'] ?? 3000);
const AT_ONCE = 32;

const running = runServer();
const random = randomSource(seed);

function below(limit: number): number {
  return Math.floor(random() * limit);
}

function pick<T>(list: readonly T[]): T {
  return list[below(list.length)] as T;
}

const ORDER = JSON.stringify({
  order: {
    marketId: 'spot.btc_usdt',
    side: 'Buy',
    orderType: 'Limit',
    timeInForce: 'Gtc',
    requestedAmount: 0.001,
    requestedPrice: '50000',
  },
});

function message(method: string, target: string, body = ''): Buffer {
  const head = [
    `${method} ${target} HTTP/1.1`,
    'Host: x',
    'Authorization: Bearer good',
    'accountId: 7',
    'Content-Type: application/json',
    ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

const MESSAGES = [
  message('POST', '/frontoffice/api/v3/orders', ORDER),
  message('POST', '/echo', '{"a":[1,{"b":null}],"c":"x"}'),
  message('GET', '/things/5?limit=5&roles=a&from=2026-01-01T00:00:00Z'),
  message('POST', '/bodiless'),
  message('DELETE', '/things/5', '{}'),
  message('OPTIONS', '/echo'),
];

const PIECES = [
  '\r\n',
  '\r\n\r\n',
  'Content-Length: 5\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Host: y\r\n',
  '%00',
  '\0',
  '"',
  '{',
  '1e400',
  '\\ud800',
  '__proto__',
  '\xff\xfe',
  ' ',
  ':',
];

/** A valid message with a few bytes changed, cut, doubled or put in. */
function mutated(): Buffer {
  let bytes = pick(MESSAGES);
  for (let rounds = 1 + below(4); rounds > 0; rounds--) {
    const at = below(bytes.length);
    const before = bytes.subarray(0, at);
    switch (below(5)) {
      case 0:
        bytes = Buffer.concat([before, Buffer.of(below(256)), bytes.subarray(at + 1)]);
        break;
      case 1:
        bytes = Buffer.concat([before, bytes.subarray(at + 1 + below(20))]);
        break;
      case 2:
        bytes = Buffer.concat([before, Buffer.from(pick(PIECES), 'latin1'), bytes.subarray(at)]);
        break;
      case 3:
        bytes = Buffer.concat([bytes, pick(MESSAGES)]);
        break;
      default:
        bytes = Buffer.concat([
          before,
          before.subarray(below(before.length + 1)),
          bytes.subarray(at),
        ]);
    }
  }
  return bytes;
}

function noise(): Buffer {
  return Buffer.from(Array.from({ length: below(300) }, () => below(256)));
}

/** Sends, says that nothing more comes, and resolves to what came back. */
function converse(bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(running.port, '127.0.0.1');
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
    const cut = below(bytes.length + 1);
    socket.write(bytes.subarray(0, cut));
    if (random() < 0.1) socket.destroy();
    else setImmediate(() => socket.end(bytes.subarray(cut)));
  });
}

async function fuzz(make: () => Buffer, count: number): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  let left = count;
  const work = async () => {
    while (left-- > 0) {
      const bytes = make();
      for (const status of parseStatuses(await converse(bytes))) {
        counts.set(status, (counts.get(status) ?? 0) + 1);
        if (status >= 500)
          throw new Error(`${status} for ${JSON.stringify(bytes.toString('latin1'))}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return counts;
}

async function stillServes(): Promise<void> {
  const response = await fetch(`${running.base}/text`);
  expect(response.status).toBe(200);
  expect(running.errors).toEqual([]);
  expect(running.server.inFlight).toBe(0);
}

describe('a server under fire', () => {
  test('answers valid messages through the same path', async () => {
    const counts = await fuzz(() => pick(MESSAGES), 100);
    expect([...counts.keys()].every((status) => status < 500)).toBe(true);
    expect(counts.get(201)).toBeGreaterThan(0);
    await stillServes();
  });

  test('answers mutated messages with 4xx or closes, never 5xx', { timeout: 600_000 }, async () => {
    const counts = await fuzz(mutated, CONNECTIONS);
    expect(counts.get(400)).toBeGreaterThan(0);
    await stillServes();
  });

  test('survives noise', { timeout: 600_000 }, async () => {
    const counts = await fuzz(noise, CONNECTIONS / 4);
    expect([...counts.keys()].filter((status) => status < 400)).toEqual([]);
    await stillServes();
  });

  test('answers every JSON body with what it means or with a 400', async () => {
    const send = (body: string) =>
      fetch(`${running.base}/echo`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
    const run = fc.asyncProperty(fc.json({ maxDepth: 4 }), async (body) => {
      const response = await send(body);
      const text = await response.text();
      if (response.status === 200) expect(JSON.parse(text)).toEqual(JSON.parse(body));
      else expect([response.status, text]).toEqual([400, expect.stringContaining('TR0006')]);
    });
    await fc.assert(run, { seed, numRuns: 300 });
    await stillServes();
  });

  test('places nothing for an order with any field of another kind', async () => {
    const headers = {
      'content-type': 'application/json',
      authorization: 'Bearer good',
      accountid: '7',
    };
    const names = Object.keys((JSON.parse(ORDER) as { order: object }).order);
    const strange = fc.oneof(
      fc.constantFrom<unknown>([], {}, true, 'NaN', '1e9999', ' 1', '1 ', '٣', '0x1', [[]]),
      fc.string({ minLength: 129 }),
      fc.object(),
    );
    const run = fc.asyncProperty(fc.constantFrom(...names), strange, async (name, value) => {
      const { order } = JSON.parse(ORDER) as { order: Record<string, unknown> };
      const response = await fetch(`${running.base}/frontoffice/api/v3/orders`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ order: { ...order, [name]: value } }),
      });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('"TR00');
    });
    await fc.assert(run, { seed, numRuns: 200 });
    await stillServes();
  });
});
