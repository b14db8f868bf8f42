import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Type } from '@sinclair/typebox';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UnexpectedAnswerError, VenueClient } from '../../gateway/demo/venue-client.ts';

const credentials = {
  email: 'maker@example.test',
  password: 'secret',
  clientId: 'client',
  clientSecret: 'client-secret',
};

interface Canned {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Answers requests of a path with what was queued for it; the last answer stays. */
class CannedVenue {
  readonly requests: { readonly line: string; readonly authorization: string; body: string }[] = [];
  readonly #answers = new Map<string, Canned[]>();
  #server: Server | undefined;

  queue(path: string, ...answers: Canned[]): void {
    this.#answers.set(path, answers);
  }

  async start(): Promise<string> {
    const server = createServer((request, response) => void this.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#server = server;
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  grants(): (string | null)[] {
    return this.requests
      .filter(({ line }) => line === 'POST /identity/connect/token')
      .map(({ body }) => new URLSearchParams(body).get('grant_type'));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    const path = request.url ?? '';
    const authorization = request.headers.authorization ?? '';
    this.requests.push({ line: `${request.method} ${path}`, authorization, body });
    const answers = this.#answers.get(path) ?? [{ status: 404, body: {} }];
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer === undefined || answer.status === 0) {
      response.destroy();
      return;
    }
    response.writeHead(answer.status, answer.headers);
    response.end(JSON.stringify(answer.body ?? null));
  }
}

function token(name: string, expiresIn = 30): Canned {
  return {
    status: 200,
    body: { access_token: name, refresh_token: `${name}-refresh`, expires_in: expiresIn },
  };
}

describe('a client of the venue', () => {
  const tokenPath = '/identity/connect/token';
  let venue: CannedVenue;
  let stopping: AbortController;
  let client: VenueClient;

  beforeEach(async () => {
    venue = new CannedVenue();
    stopping = new AbortController();
    client = new VenueClient(await venue.start(), credentials, stopping.signal);
  });

  afterEach(async () => {
    stopping.abort();
    await venue.stop();
  });

  test('signs in once and uses its token for what follows', async () => {
    venue.queue(tokenPath, token('first'));
    venue.queue('/thing', { status: 200, body: { ok: true } });
    await client.send({ method: 'GET', path: '/thing' });
    const answer = await client.send({ method: 'GET', path: '/thing' });
    expect(answer).toMatchObject({ status: 200, body: { ok: true } });
    expect(venue.grants()).toEqual(['password']);
    expect(venue.requests.at(-1)?.authorization).toBe('Bearer first');
  });

  test('renews its token before it expires, by the refresh token', async () => {
    venue.queue(tokenPath, token('first', 0), token('second'));
    venue.queue('/thing', { status: 200 });
    await client.send({ method: 'GET', path: '/thing' });
    await client.send({ method: 'GET', path: '/thing' });
    expect(venue.grants()).toEqual(['password', 'refresh_token']);
    expect(venue.requests.at(-1)?.authorization).toBe('Bearer second');
  });

  test('signs in again where the refresh token is refused', async () => {
    const refused = { status: 400, body: { error: 'invalid_grant' } };
    venue.queue(tokenPath, token('first', 0), refused, token('second'));
    venue.queue('/thing', { status: 200 });
    await client.send({ method: 'GET', path: '/thing' });
    await client.send({ method: 'GET', path: '/thing' });
    expect(venue.grants()).toEqual(['password', 'refresh_token', 'password']);
  });

  test('takes a new token after a 401 and asks once more, no oftener', async () => {
    venue.queue(tokenPath, token('first'), token('second'));
    venue.queue('/thing', { status: 401, body: {} });
    const answer = await client.send({ method: 'GET', path: '/thing' });
    expect(answer.status).toBe(401);
    expect(venue.requests.filter(({ line }) => line === 'GET /thing')).toHaveLength(2);
    expect(venue.grants()).toHaveLength(2);
  });

  test('asks again after 429, 503 and a broken connection, and hands on what comes then', async () => {
    venue.queue(tokenPath, token('first'));
    venue.queue(
      '/thing',
      { status: 503, headers: { 'retry-after': '0' } },
      { status: 429, headers: { 'retry-after': '0' } },
      { status: 0 },
      { status: 400, body: { code: 'TR0400' } },
    );
    const answer = await client.send({ method: 'POST', path: '/thing', body: { a: 1 } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'TR0400' } });
    const bodies = venue.requests.filter(({ line }) => line === 'POST /thing');
    expect(bodies.map(({ body }) => body)).toEqual(Array(4).fill('{"a":1}'));
  });

  test('stops waiting when its signal fires', async () => {
    venue.queue(tokenPath, { status: 503, headers: { 'retry-after': '3600' } });
    const waiting = client.send({ method: 'GET', path: '/thing' });
    stopping.abort();
    await expect(waiting).rejects.toThrow();
  });

  test('still works under another signal when its own has fired', async () => {
    venue.queue(tokenPath, token('first'));
    venue.queue('/thing', { status: 200 });
    await client.send({ method: 'GET', path: '/thing' });
    stopping.abort();
    const last = client.under(new AbortController().signal);
    expect((await last.send({ method: 'GET', path: '/thing' })).status).toBe(200);
    expect(venue.grants()).toEqual(['password']);
  });

  test('refuses an answer of another shape', async () => {
    venue.queue(tokenPath, token('first'));
    venue.queue('/thing', { status: 200, body: { orderId: 7 } });
    const schema = Type.Object({ orderId: Type.String() });
    const reading = client.read({ method: 'GET', path: '/thing' }, schema);
    await expect(reading).rejects.toThrow(UnexpectedAnswerError);
  });
});
