import { describe, expect, test } from 'vitest';
import { once, RawConnection } from './support/raw.ts';
import { runServer } from './support/running.ts';

/** What an attacker or a broken client puts on the wire. The server refuses or closes; never 5xx. */

const running = runServer({ bodyBytesMax: 1000 });

const HOST = 'Host: x\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';

function post(headers: string, body = ''): string {
  return `POST /echo HTTP/1.1\r\n${HOST}${JSON_TYPE}${headers}\r\n${body}`;
}

async function alive(): Promise<void> {
  const { statuses } = await once(running.port, `GET /text HTTP/1.1\r\n${HOST}\r\n`);
  expect(statuses).toEqual([200]);
}

describe('framing in doubt', () => {
  const CHUNKED = '2\r\n{}\r\n0\r\n\r\n';

  test.each([
    ['two different lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n', '{}', 400],
    ['two equal lengths', 'Content-Length: 2\r\nContent-Length: 2\r\n', '{}', 400],
    ['an empty length and another', 'Content-Length:\r\nContent-Length: 2\r\n', '{}', 400],
    ['two Host headers', 'Host: y\r\nContent-Length: 2\r\n', '{}', 400],
    ['two tokens', 'Authorization: a\r\nAuthorization: b\r\nContent-Length: 2\r\n', '{}', 400],
    ['two accounts', 'accountId: 7\r\naccountId: 8\r\nContent-Length: 2\r\n', '{}', 400],
    ['two media types', 'Content-Type: text/plain\r\nContent-Length: 2\r\n', '{}', 400],
    ['a chunked body', 'Transfer-Encoding: chunked\r\n', CHUNKED, 411],
    ['an unknown encoding', 'Transfer-Encoding: xchunked\r\n', CHUNKED, 411],
    ['two encodings', 'Transfer-Encoding: chunked, identity\r\n', CHUNKED, 411],
  ])('%s: refused, and the connection closed', async (_, headers, body, status) => {
    const { statuses, closed } = await once(running.port, post(headers, body));
    expect(statuses).toEqual([status]);
    expect(closed).toBe(true);
    await alive();
  });

  test.each([
    ['a length and an encoding', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n'],
    ['a list of lengths', 'Content-Length: 2, 2\r\n'],
    ['a signed length', 'Content-Length: +2\r\n'],
    ['a negative length', 'Content-Length: -1\r\n'],
    ['a hexadecimal length', 'Content-Length: 0x2\r\n'],
    ['an endless length', `Content-Length: ${'9'.repeat(40)}\r\n`],
    ['an encoding without chunks', 'Transfer-Encoding: chunked\r\n'],
  ])('%s: the connection is closed without success', async (_, headers) => {
    const { text, closed } = await once(running.port, post(headers, '{}'));
    expect(text).not.toMatch(/^HTTP\/1\.1 [25]/);
    expect(closed).toBe(true);
    await alive();
  });

  test('what follows a refused message on its connection is not taken as a request', async () => {
    const smuggled = `GET /text HTTP/1.1\r\n${HOST}\r\n`;
    const headers = 'Content-Length: 2\r\nContent-Length: 40\r\n';
    const connection = await RawConnection.open(running.port);
    await connection.send(post(headers, `{}${smuggled}`));
    await connection.closed(1000);
    expect(await connection.closed(100)).toBe(true);
    expect(connection.received).not.toContain(' 200 ');
  });

  test.each([
    ['a bare line feed', 'GET /text HTTP/1.1\nHost: x\n\n'],
    ['HTTP/1.0', `GET /text HTTP/1.0\r\n${HOST}\r\n`],
    ['HTTP/3.0', `GET /text HTTP/3.0\r\n${HOST}\r\n`],
    ['an absolute target', `GET http://x/text HTTP/1.1\r\n${HOST}\r\n`],
    ['no Host', 'GET /text HTTP/1.1\r\nX: y\r\n\r\n'],
    ['a space before the colon', 'GET /text HTTP/1.1\r\nHost : x\r\n\r\n'],
    ['a folded header', `GET /text HTTP/1.1\r\n${HOST}A: b\r\n c\r\n\r\n`],
    ['a NUL in a header', `GET /text HTTP/1.1\r\n${HOST}A: \0\r\n\r\n`],
    ['a chunk extension', post('Transfer-Encoding: chunked\r\n', '2;a=b\r\n{}\r\n0\r\n\r\n')],
    ['a broken chunk', post('Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n')],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['nothing but line ends', '\r\n\r\n\r\n\r\n'],
  ])('%s gets no success', async (_, bytes) => {
    const { text } = await once(running.port, bytes, 300);
    expect(text).not.toMatch(/^HTTP\/1\.1 200/);
    expect(text).not.toMatch(/^HTTP\/1\.1 500/);
    await alive();
  });

  test('a GET or HEAD with a body is refused and closed', async () => {
    for (const method of ['GET', 'HEAD']) {
      const message = `${method} /text HTTP/1.1\r\n${HOST}Content-Length: 2\r\n\r\n{}`;
      const { statuses, closed } = await once(running.port, message);
      expect([statuses[0], closed]).toEqual([400, true]);
    }
    const empty = `GET /text HTTP/1.1\r\n${HOST}Content-Length: 0\r\n\r\n`;
    expect((await once(running.port, empty)).statuses).toEqual([200]);
  });
});

describe('sizes', () => {
  test('headers beyond their bound are refused or the connection is closed', async () => {
    const long = `GET /text HTTP/1.1\r\n${HOST}X: ${'y'.repeat(17_000)}\r\n\r\n`;
    const { statuses, closed } = await once(running.port, long);
    expect(statuses.every((status) => status === 431)).toBe(true);
    expect(closed).toBe(true);
    await alive();
  });

  test('two hundred headers, or one without end, get no success', async () => {
    const many = Array.from({ length: 200 }, (_, index) => `X${index}: y\r\n`).join('');
    const bomb = await once(running.port, `GET /text HTTP/1.1\r\n${HOST}${many}\r\n`, 300);
    expect(bomb.statuses).not.toContain(200);
    const endless = await once(
      running.port,
      `GET /text HTTP/1.1\r\nX: ${'y'.repeat(200_000)}`,
      300,
    );
    expect(endless.statuses).not.toContain(200);
    await alive();
  });

  test('a body beyond its bound is refused by its length, before it is sent', async () => {
    const { statuses, text, closed } = await once(running.port, post('Content-Length: 1001\r\n'));
    expect(statuses).toEqual([413]);
    expect(text).toContain('TR0033');
    expect(closed).toBe(true);
  });

  test('a megabyte of body gets 413 or a closed connection', async () => {
    const body = 'x'.repeat(1_000_000);
    const { statuses, closed } = await once(
      running.port,
      post(`Content-Length: ${body.length}\r\n`, body),
    );
    expect(statuses.every((status) => status === 413)).toBe(true);
    expect(closed).toBe(true);
    await alive();
  });

  test('a body of exactly the bound is taken', async () => {
    const body = JSON.stringify('x'.repeat(998));
    const { statuses } = await once(running.port, post(`Content-Length: ${body.length}\r\n`, body));
    expect(statuses).toEqual([200]);
  });
});

describe('pieces', () => {
  const body = '{"name":"ü😀","list":[1,2,3]}';
  const bytes = Buffer.from(post(`Content-Length: ${Buffer.byteLength(body)}\r\n`, body));
  const message = Buffer.concat([
    bytes.subarray(0, bytes.indexOf('\r\n\r\n') + 4),
    Buffer.from(body),
  ]);

  test('a request split at any byte is answered the same', async () => {
    const cuts = Array.from({ length: message.length - 1 }, (_, index) => index + 1);
    const answers = await Promise.all(
      cuts.map(async (cut) => {
        const connection = await RawConnection.open(running.port);
        await connection.send(message.subarray(0, cut));
        await new Promise((resolve) => setTimeout(resolve, 5));
        await connection.send(message.subarray(cut));
        const statuses = await connection.statuses(1);
        connection.destroy();
        return [cut, statuses, connection.received.slice(connection.received.indexOf('{'))];
      }),
    );
    const echoed = Buffer.from(body).toString('latin1');
    expect(answers).toEqual(cuts.map((cut) => [cut, [200], echoed]));
  });

  test('a request sent byte by byte is answered', async () => {
    const connection = await RawConnection.open(running.port);
    for (const byte of message) {
      await connection.send(Uint8Array.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await connection.statuses(1)).toEqual([200]);
    connection.destroy();
  });
});
