import { Refused } from '../../../gateway/http/refused.ts';
import { Reply } from '../../../gateway/http/reply.ts';
import type { AnyRequest, Route } from '../../../gateway/http/route.ts';
import type { Identity } from '../../../gateway/identity/identity.ts';

export interface CalledAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Readonly<Record<string, string>>;
}

export interface CallOptions {
  readonly authorization?: string;
  readonly body?: unknown;
  readonly remoteAddress?: string;
}

export const TESTS_CLIENT = basic('tests', 'tests-secret');

export function basic(clientId: string, secret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
}

/** A member of an answer's body, as text. */
export function textOf({ body }: CalledAnswer, name: string): string {
  const value = body[name];
  if (typeof value !== 'string') throw new Error(`${name} is ${String(value)}`);
  return value;
}

/** Calls the handlers of declared routes as the server does, without sockets and JSON between. */
export class RouteCaller {
  readonly #identity: Identity;
  readonly #clock: { now: number };

  constructor(identity: Identity, clock: { now: number }) {
    this.#identity = identity;
    this.#clock = clock;
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<CalledAnswer> {
    const route = this.#identity.routes.find(
      (candidate) => candidate.method === method && candidate.path === path,
    );
    if (route === undefined) throw new Error(`no route ${method} ${path}`);
    return toAnswer(await this.#handle(route, options));
  }

  /** POST to the token endpoint, as the client `tests` unless said otherwise. */
  token(form: Record<string, string>, options: CallOptions = {}): Promise<CalledAnswer> {
    return this.call('POST', '/identity/connect/token', {
      authorization: TESTS_CLIENT,
      ...options,
      body: form,
    });
  }

  async #handle(route: Route, options: CallOptions): Promise<unknown> {
    const { authorization = '', body = {}, remoteAddress = '127.0.0.1' } = options;
    const { now } = this.#clock;
    const session =
      route.operation === 'none'
        ? undefined
        : await this.#identity.authoriser.authorise(authorization, route.operation, now);
    if (session instanceof Refused) return session;
    const request: AnyRequest = {
      params: {},
      query: {},
      headers: {},
      body,
      account: undefined,
      session,
      now,
      authorization,
      remoteAddress,
    };
    return await route.handler(request);
  }
}

function toAnswer(outcome: unknown): CalledAnswer {
  if (outcome instanceof Refused) {
    return {
      status: outcome.refusal.status,
      body: { refusal: outcome.refusal.name },
      headers: outcome.details.headers ?? {},
    };
  }
  const { status, body, headers } =
    outcome instanceof Reply ? outcome : { status: 200, body: outcome, headers: undefined };
  return { status, body: Object.fromEntries(Object.entries(body ?? {})), headers: headers ?? {} };
}
