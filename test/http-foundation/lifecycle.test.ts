import { afterEach, describe, expect, test } from 'vitest';
import { HttpServer } from '../../gateway/http/server.ts';
import { demoAuthoriser, demoRoutes, gate } from './support/demo.ts';
import { once, RawConnection } from './support/raw.ts';
import { runServer } from './support/running.ts';

const running = runServer({ inFlightMax: 8, receivingMax: 6, rates: guestsAtTwo() });

function guestsAtTwo() {
  const many = { perSecond: 1e6, burst: 1e6 };
  const guest = { perSecond: 0.01, burst: 2 };
  return { read: many, write: many, cancel: many, history: many, identity: many, guest };
}

const HOST = 'Host: x\r\n';
const BODY = '{"name":"a"}';
const SLOW_READ = `GET /slow HTTP/1.1\r\n${HOST}\r\n`;
const TEXT = `GET /text HTTP/1.1\r\n${HOST}\r\n`;

function slowPost(length = BODY.length): string {
  return (
    `POST /slow HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n` +
    `Content-Length: ${length}\r\n\r\n`
  );
}

async function eventually(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400 && !holds(); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(holds()).toBe(true);
}

afterEach(async () => {
  while (gate.size > 0) gate.release();
  await eventually(() => running.server.inFlight === 0);
});

describe('a client that goes away', () => {
  test('while its answer is being made gets none, and its slot is free once the work is done', async () => {
    const connection = await RawConnection.open(running.port);
    const from = running.observations.length;
    await connection.send(slowPost() + BODY);
    await eventually(() => gate.size === 1);
    connection.destroy();
    await eventually(() => running.observations.length > from);
    expect(running.observations.at(-1)?.status).toBe(499);
    expect(running.server.inFlight).toBe(1);
    gate.release();
    await eventually(() => running.server.inFlight === 0);
    expect(running.observations.length).toBe(from + 1);
    expect(running.errors).toEqual([]);
  });

  test('in the middle of its body leaves nothing behind', async () => {
    const connection = await RawConnection.open(running.port);
    await connection.send(slowPost() + BODY.slice(0, 4));
    await eventually(() => running.server.inFlight === 1);
    connection.destroy();
    await eventually(() => running.server.inFlight === 0);
    expect(gate.size).toBe(0);
  });

  test('in the middle of a large answer leaves nothing behind', async () => {
    const connection = await RawConnection.open(running.port);
    connection.pause();
    await connection.send(`GET /large/8000000 HTTP/1.1\r\n${HOST}\r\n`);
    await eventually(() => running.server.inFlight === 1);
    connection.destroy();
    await eventually(() => running.server.inFlight === 0);
    expect((await once(running.port, TEXT)).statuses).toEqual([200]);
  });
});

describe('a slow reader', () => {
  test.each(['large', 'rendered'])(
    'of a %s answer gets all of it when it reads on',
    async (kind) => {
      const connection = await RawConnection.open(running.port);
      connection.pause();
      await connection.send(`GET /${kind}/8000000 HTTP/1.1\r\n${HOST}\r\n`);
      await eventually(() => running.server.inFlight === 1);
      connection.resume();
      expect(await connection.statuses(1)).toEqual([200]);
      await eventually(() => running.server.inFlight === 0);
      await connection.send(TEXT);
      expect(await connection.statuses(2)).toEqual([200, 200]);
      connection.destroy();
    },
  );
});

describe('a client that asks and never reads', () => {
  test('is closed before its answers fill the memory', async () => {
    const connection = await RawConnection.open(running.port);
    connection.pause();
    const from = running.observations.length;
    await connection.send(`GET /large/60000 HTTP/1.1\r\n${HOST}\r\n`.repeat(1000));
    await eventually(() => running.observations.length > from);
    await eventually(() => running.server.inFlight === 0);
    expect(running.observations.length - from).toBeLessThan(500);
    connection.resume();
    expect(await connection.closed()).toBe(true);
    expect((await once(running.port, TEXT)).statuses).toEqual([200]);
  });
});

describe('a client that hardly moves', () => {
  const crawl = async (start: string, step: string): Promise<boolean> => {
    const connection = await RawConnection.open(running.port);
    await connection.send(start);
    const timer = setInterval(() => void connection.send(step), 1000);
    const isClosed = await connection.closed(30_000);
    clearInterval(timer);
    return isClosed;
  };

  test('is closed, whether it is idle, in its headers or in its body', {
    timeout: 40_000,
  }, async () => {
    const closed = await Promise.all([
      crawl('', ''),
      crawl('GET /text HTTP/1.1\r\n', 'A'),
      crawl(`${slowPost()}{`, ' '),
    ]);
    expect(closed).toEqual([true, true, true]);
    expect(running.server.inFlight).toBe(0);
  });
});

describe('pipelined requests', () => {
  test('that are answered at once are answered in order', async () => {
    const connection = await RawConnection.open(running.port);
    await connection.send(TEXT.repeat(20));
    expect(await connection.statuses(20)).toEqual(Array.from({ length: 20 }, () => 200));
    connection.destroy();
  });

  test('behind an answer that takes time close the connection and harm nobody else', async () => {
    const connection = await RawConnection.open(running.port);
    await connection.send(SLOW_READ + TEXT);
    await eventually(() => gate.size === 1);
    await connection.closed(1000);
    gate.release();
    await eventually(() => running.server.inFlight === 0);
    expect(connection.received).not.toContain(' 500 ');
    expect(running.errors).toEqual([]);
    expect((await once(running.port, TEXT)).statuses).toEqual([200]);
  });

  test('behind a body whose answer takes time do not crash the server either', async () => {
    const connection = await RawConnection.open(running.port);
    await connection.send((slowPost() + BODY).repeat(3));
    await eventually(() => gate.size > 0);
    while (gate.size > 0) gate.release();
    await connection.closed(300);
    connection.destroy();
    expect(connection.received).not.toContain(' 500 ');
    expect((await once(running.port, TEXT)).statuses).toEqual([200]);
  });

  test('garbage behind a body does not reach a handler', async () => {
    const connection = await RawConnection.open(running.port);
    await connection.send(
      `POST /bodiless HTTP/1.1\r\n${HOST}Content-Length: 0\r\n\r\nxyzzy /secret\r\n\r\n`,
    );
    await connection.closed(1000);
    expect(connection.received.match(/HTTP\/1\.1 200/g)).toHaveLength(1);
    expect(connection.received).not.toContain(' 500 ');
  });
});

describe('a server that is full', () => {
  test('answers 503 with Retry-After at once, and takes requests again when there is room', async () => {
    const waiting = await Promise.all(
      Array.from({ length: 8 }, () => RawConnection.open(running.port)),
    );
    await Promise.all(waiting.map((connection) => connection.send(SLOW_READ)));
    await eventually(() => gate.size === 8);
    const { text, statuses } = await once(running.port, TEXT);
    expect(statuses).toEqual([503]);
    expect(text).toMatch(/^retry-after: 1\r$/m);
    expect(text).toContain('TR0900');
    while (gate.size > 0) gate.release();
    const answers = await Promise.all(waiting.map((connection) => connection.statuses(1)));
    expect(answers).toEqual(Array.from({ length: 8 }, () => [200]));
    expect((await once(running.port, TEXT)).statuses).toEqual([200]);
    for (const connection of waiting) connection.destroy();
  });

  test('takes a body that was on its way only where there is room for its work', async () => {
    const late = await RawConnection.open(running.port);
    await late.send(slowPost() + BODY.slice(0, 3));
    const waiting = await Promise.all(
      Array.from({ length: 8 }, () => RawConnection.open(running.port)),
    );
    await Promise.all(waiting.map((connection) => connection.send(SLOW_READ)));
    await eventually(() => gate.size === 8);
    await late.send(BODY.slice(3));
    expect(await late.statuses(1)).toEqual([503]);
    expect(gate.size).toBe(8);
    for (const connection of [late, ...waiting]) connection.destroy();
  });
});

describe('bodies that do not come', () => {
  test('keep nobody else from being served, and there are never more than so many', async () => {
    const open = () => RawConnection.open(running.port);
    const waiting = await Promise.all(Array.from({ length: 6 }, open));
    await Promise.all(waiting.map((connection) => connection.send(slowPost() + BODY.slice(0, 3))));
    await eventually(() => running.server.inFlight === 6);
    const oneMore = await open();
    await oneMore.send(slowPost() + BODY.slice(0, 3));
    expect(await oneMore.statuses(1)).toEqual([503]);
    expect(oneMore.received).toMatch(/^retry-after: 1\r$/m);
    expect(await oneMore.closed()).toBe(true);
    expect((await once(running.port, TEXT)).statuses).toEqual([200]);
    // What comes with its head is served, and so is one of those that waited.
    const whole = await open();
    await whole.send(slowPost() + BODY);
    await waiting[0]?.send(BODY.slice(3));
    await eventually(() => gate.size === 2);
    while (gate.size > 0) gate.release();
    expect([await whole.statuses(1), await waiting[0]?.statuses(1)]).toEqual([[200], [200]]);
    // There is room for another one then, and for all of them when the others have gone.
    const next = await open();
    await next.send(slowPost() + BODY.slice(0, 3));
    await eventually(() => running.server.inFlight === 6);
    expect(next.received).toBe('');
    for (const connection of [whole, next, ...waiting]) connection.destroy();
    await eventually(() => running.server.inFlight === 0);
    const again = await Promise.all(Array.from({ length: 6 }, open));
    await Promise.all(again.map((connection) => connection.send(slowPost() + BODY.slice(0, 3))));
    await eventually(() => running.server.inFlight === 6);
    for (const connection of again) expect(connection.received).toBe('');
    for (const connection of again) connection.destroy();
  });
});

describe('a caller that asks too often', () => {
  test('gets 429 with the time to wait, and signed-in callers are not concerned', async () => {
    const ask = () => fetch(`${running.base}/guest`);
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 'TR0040' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit-policy')).toBe('"default";q=2;w=200');
    expect(refused.headers.get('ratelimit')).toMatch(/^"default";r=0;t=\d+$/);
    const headers = { authorization: 'Bearer good', accountid: '7' };
    expect((await fetch(`${running.base}/things/5`, { headers })).status).toBe(200);
  });
});

describe('a server that stops', () => {
  test('answers what it took, refuses the rest, and closes', async () => {
    const server = new HttpServer({ routes: demoRoutes, authoriser: demoAuthoriser });
    const port = await server.listen('127.0.0.1', 0);
    const taken = await RawConnection.open(port);
    const idle = await RawConnection.open(port);
    await taken.send(SLOW_READ);
    await eventually(() => gate.size === 1);
    let isClosed = false;
    const closing = server.close().then(() => {
      isClosed = true;
    });
    await expect(RawConnection.open(port)).rejects.toThrow();
    await idle.send(TEXT);
    expect(await idle.statuses(1)).toEqual([503]);
    expect(isClosed).toBe(false);
    gate.release();
    await closing;
    expect(await taken.statuses(1)).toEqual([200]);
    expect(await taken.closed()).toBe(true);
  });

  test('does not share its port with another', async () => {
    const other = new HttpServer({ routes: demoRoutes, authoriser: demoAuthoriser });
    await expect(other.listen('127.0.0.1', running.port)).rejects.toThrow(String(running.port));
  });
});
