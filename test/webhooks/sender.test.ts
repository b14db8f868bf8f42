import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebhookSender } from '../../gateway/webhooks/sender.ts';
import { Targets } from '../../gateway/webhooks/targets.ts';
import { Receiver } from './receiver.ts';

const receiver = new Receiver();
const looked: string[] = [];
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'here.test': ['127.0.0.1'],
  'both.test': ['8.8.8.8', '10.0.0.1'],
  'six.test': ['2606:4700::1', '::1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'none.test': [],
};

function sender(timeoutMs = 5000, allowed = ['127.0.0.0/8']): WebhookSender {
  return new WebhookSender({
    targets: new Targets(allowed),
    timeoutMs,
    resolve: async (name) => {
      looked.push(name);
      const addresses = ADDRESSES[name];
      if (addresses !== undefined) return addresses;
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    },
  });
}

const never = new AbortController().signal;
const call = (url: string) => ({
  url,
  body: '{"a":1}',
  headers: { 'webhook-id': 'x' },
  attempts: 0,
});
const send = (url: string, one = sender()) => one.send(call(url), never);

/** A server that speaks no HTTP, or bad HTTP. */
async function speaking(speak: (socket: Socket) => void): Promise<{ url: string; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    speak(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

beforeAll(() => receiver.listen());
afterAll(() => receiver.close());

describe('a call', () => {
  it('is a POST of the body as it is, with its headers and the name that was asked for', async () => {
    const url = `http://here.test:${receiver.port}/path?q=1#fragment`;
    expect(await send(url)).toEqual({ kind: 'answered', status: 204 });
    const [received] = receiver.callsTo('/path?q=1');
    expect(received?.text).toBe('{"a":1}');
    expect(received?.headers).toMatchObject({
      host: `here.test:${receiver.port}`,
      'content-type': 'application/json',
      'content-length': '7',
      'webhook-id': 'x',
    });
  });

  it('looks a name up once', async () => {
    looked.length = 0;
    await send(`http://here.test:${receiver.port}/once`);
    expect(looked).toEqual(['here.test']);
  });

  it('is not made where any address of the name leads inside', async () => {
    const closed = sender(5000, []);
    for (const name of ['here.test', 'both.test', 'six.test', 'mapped.test']) {
      const before = receiver.calls.length;
      const answer = await send(`http://${name}:${receiver.port}/inside`, closed);
      expect(answer, name).toEqual({ kind: 'refused', reason: 'its host is not public' });
      expect(receiver.calls.length).toBe(before);
    }
  });

  it('is not made to an address that would not be taken, whoever wrote it down', async () => {
    for (const url of ['http://127.0.0.1/', 'http://a:b@example.com/', 'file:///x', 'nothing']) {
      expect(await send(url, sender(5000, [])), url).toMatchObject({ kind: 'refused' });
    }
  });

  it('fails where the name is unknown, has no address, or nobody listens', async () => {
    expect(await send('http://unknown.test/')).toEqual({ kind: 'failed', reason: 'ENOTFOUND' });
    expect(await send('http://none.test/')).toMatchObject({ kind: 'failed' });
    const server = await speaking(() => undefined);
    server.close();
    expect(await send(server.url)).toEqual({ kind: 'failed', reason: 'ECONNREFUSED' });
  });

  it('follows no redirect', async () => {
    receiver.answer = (response) => {
      response.writeHead(307, { location: receiver.url('/elsewhere') }).end();
    };
    expect(await send(receiver.url('/redirect'))).toEqual({ kind: 'answered', status: 307 });
    receiver.answer = (response) => response.writeHead(204).end();
    expect(receiver.callsTo('/elsewhere')).toEqual([]);
  });

  it('reads no more of an answer than a little, however much comes', async () => {
    let written = 0;
    const server = await speaking((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n');
      const pour = (): void => {
        while (!socket.destroyed && written < 1e8) {
          written += 65_536;
          if (!socket.write(Buffer.alloc(65_536))) return void socket.once('drain', pour);
        }
      };
      socket.once('data', pour);
    });
    expect(await send(server.url)).toEqual({ kind: 'answered', status: 200 });
    server.close();
    expect(written).toBeLessThan(5e7);
  });

  it('ends after its time, whatever the other side does in it', async () => {
    const hasty = sender(200);
    const silent = await speaking(() => undefined);
    expect(await send(silent.url, hasty)).toEqual({ kind: 'failed', reason: 'it took too long' });
    silent.close();
    const dripping = await speaking((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await send(dripping.url, hasty)).toMatchObject({ kind: 'failed' });
    dripping.close();
    const stalled = await speaking((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx'));
    });
    expect(await send(stalled.url, hasty)).toEqual({ kind: 'answered', status: 200 });
    stalled.close();
  });

  it('fails where the answer is no HTTP, or its headers are endless', async () => {
    const odd = await speaking((socket) => socket.once('data', () => socket.end('SSH-2.0-x\r\n')));
    expect(await send(odd.url)).toMatchObject({ kind: 'failed' });
    odd.close();
    const endless = await speaking((socket) => {
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\n${`x-header: ${'x'.repeat(1000)}\r\n`.repeat(100)}`);
      });
    });
    expect(await send(endless.url)).toMatchObject({
      kind: 'failed',
      reason: 'HPE_HEADER_OVERFLOW',
    });
    endless.close();
  });

  it('takes another address of the name each time', async () => {
    const tried = new Set<string>();
    const server = new WebhookSender({
      targets: new Targets(['127.0.0.0/8']),
      timeoutMs: 2000,
      resolve: async () => ['127.0.0.2', '127.0.0.1'],
    });
    for (const attempts of [0, 1]) {
      const url = `http://two.test:${receiver.port}/two`;
      const result = await server.send({ ...call(url), attempts }, never);
      tried.add(result.kind);
    }
    expect([...tried].sort()).toEqual(['answered', 'failed']);
  });
});
