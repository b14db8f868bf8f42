import { createServer } from 'node:net';
import { Refusals } from '../../../core/messages/refusals.ts';
import type { CallerGate } from '../../../gateway/http/caller-gate.ts';
import { refuse } from '../../../gateway/http/refused.ts';
import { type Method, type Route, route } from '../../../gateway/http/route.ts';
import { HttpServer } from '../../../gateway/http/server.ts';
import type { IdentityOptions } from '../../../gateway/identity/identity.ts';
import { ALICE, createFixture, DEMO_PASSWORD, type IdentityFixture } from './identity-fixture.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** The identity component behind the real HTTP server, at the address that it issues for. */
export interface HttpFixture extends IdentityFixture {
  readonly base: string;
  send(method: string, path: string, init?: RequestInit): Promise<HttpAnswer>;
  postJson(path: string, body: unknown, headers?: Record<string, string>): Promise<HttpAnswer>;
  /** POST to the token endpoint with these headers. */
  postForm(form: Record<string, string>, headers?: Record<string, string>): Promise<HttpAnswer>;
  /** Signs a browser in; answers its Cookie header. */
  signIn(email?: string, password?: string): Promise<string>;
  /** What handlers have thrown. */
  readonly faults: readonly unknown[];
}

/** A route of each area that a token may open. */
const PROBES = [
  probe('/probe/front', 'trading-ui'),
  probe('/probe/back', 'view-common'),
  probe('/probe/manage', 'manage-transfers'),
  probe('/probe/front', 'trading-ui', 'POST'),
  probe('/probe/front', 'trading-ui', 'DELETE'),
];

function probe(
  path: string,
  operation: 'trading-ui' | 'view-common' | 'manage-transfers',
  method: Method = 'GET',
): Route {
  return route({
    method,
    path,
    area: 'trading',
    operation,
    summary: `Needs ${operation}`,
    responses: { 200: null },
    handler: () => undefined,
  });
}

export async function createHttpFixture(
  options: Partial<IdentityOptions> = {},
  gate?: CallerGate,
): Promise<HttpFixture> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const fixture = await createFixture({ issuer: base, ...options });
  fixture.clock.now = Date.now();
  const faults: unknown[] = [];
  const { authoriser, routes } = fixture.identity;
  const server = new HttpServer({
    routes: [...routes, ...PROBES],
    authoriser: {
      authorise: (authorization, operation, now, caller) =>
        authoriser.authorise(authorization, operation, now, caller),
      resolveAccount: () => refuse(Refusals.AccountUnknown),
      authoriseSigned: () => refuse(Refusals.Unauthorised),
    },
    clock: { now: () => fixture.clock.now, monotonic: () => performance.now() },
    gate,
    onError: (error) => faults.push(error),
  });
  await server.listen('127.0.0.1', port);
  const calls = callsOf(base);
  return {
    ...fixture,
    ...calls,
    base,
    faults,
    async signIn(email = ALICE, password = DEMO_PASSWORD) {
      const answer = await calls.postJson('/identity/sign-in', { email, password });
      if (answer.status !== 200) throw new Error(`${email}: ${answer.status} ${answer.text}`);
      return cookieOf(answer);
    },
    async dispose() {
      await server.close();
      await fixture.dispose();
    },
  };
}

function callsOf(base: string): Pick<HttpFixture, 'send' | 'postJson' | 'postForm'> {
  const send: HttpFixture['send'] = async (method, path, init = {}) => {
    const response = await fetch(base + path, { method, redirect: 'manual', ...init });
    const { status, headers } = response;
    const text = await response.text();
    const isJson = headers.get('content-type') === 'application/json' && text !== '';
    return { status, headers, text, body: isJson ? JSON.parse(text) : {} };
  };
  return {
    send,
    postJson: (path, body, headers = {}) =>
      send('POST', path, {
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    postForm: (form, headers = {}) =>
      send('POST', '/identity/connect/token', { headers, body: new URLSearchParams(form) }),
  };
}

/** The Cookie header that a browser would send after this answer. */
export function cookieOf({ headers }: Pick<HttpAnswer, 'headers'>): string {
  const pairs = headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  return pairs.filter((pair) => !pair.endsWith('=')).join('; ');
}

async function freePort(): Promise<number> {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
