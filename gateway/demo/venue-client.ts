import { setTimeout as sleep } from 'node:timers/promises';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { BotCredentials } from '../identity/index.ts';

const SCOPE = 'openid offline_access FrontOffice';
const REQUEST_TIMEOUT_MS = 10_000;
const BACKOFF_FIRST_MS = 250;
const BACKOFF_MAX_MS = 10_000;
/** A token is renewed when this share of its lifetime has passed. */
const TOKEN_LIFETIME_SHARE = 0.7;

const TokenAnswer = Type.Object({
  access_token: Type.String(),
  refresh_token: Type.Optional(Type.String()),
  expires_in: Type.Number(),
});

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface VenueRequest {
  readonly method: Method;
  readonly path: string;
  readonly accountId?: string;
  readonly body?: unknown;
}

/** Any answer but those that `VenueClient` takes care of itself: success, or a refusal. */
export interface VenueAnswer {
  readonly status: number;
  readonly body: unknown;
}

interface AccessToken {
  readonly text: string;
  readonly refreshToken: string | undefined;
  /** On the monotonic clock. */
  readonly renewAt: number;
}

/** The answer was neither what the interface promises nor a refusal that the caller can act on. */
export class UnexpectedAnswerError extends Error {}

/**
 * A client of the HTTP interface like any other. It signs in, renews its token in time, and waits as
 * long as it takes where the venue is away, starting, busy or asks for patience: a request ends with
 * an answer, or by the signal. One request is under way at a time, so requests that have an effect
 * should carry a clientOrderId: they may be sent twice.
 */
export class VenueClient {
  readonly #baseUrl: string;
  readonly #credentials: BotCredentials;
  readonly #signal: AbortSignal;
  #token: AccessToken | undefined;

  constructor(baseUrl: string, credentials: BotCredentials, signal: AbortSignal) {
    this.#baseUrl = baseUrl;
    this.#credentials = credentials;
    this.#signal = signal;
  }

  /** The same identity under another signal: what is to be done when the first has fired. */
  under(signal: AbortSignal): VenueClient {
    const client = new VenueClient(this.#baseUrl, this.#credentials, signal);
    client.#token = this.#token;
    return client;
  }

  /** A 200 or 201 whose body fits the schema; everything else throws. */
  async read<S extends TSchema>(request: VenueRequest, schema: S): Promise<Static<S>> {
    const answer = await this.send(request);
    if (isSuccess(answer.status)) return expectShape(schema, answer.body, request.path);
    throw new UnexpectedAnswerError(describe(request, answer));
  }

  /** The answer to a request, refusals included. */
  async send(request: VenueRequest): Promise<VenueAnswer> {
    let refusedToken: string | undefined;
    for (;;) {
      const token = await this.#accessToken();
      const answer = await this.#patiently(() => this.#fetch(request, `Bearer ${token}`));
      if (answer.status !== 401 || refusedToken !== undefined) return answer;
      refusedToken = token;
      if (this.#token?.text === token) this.#token = undefined;
    }
  }

  async #accessToken(): Promise<string> {
    const held = this.#token;
    if (held !== undefined && performance.now() < held.renewAt) return held.text;
    this.#token = undefined;
    const refreshed =
      held?.refreshToken === undefined
        ? undefined
        : await this.#grant({ grant_type: 'refresh_token', refresh_token: held.refreshToken });
    const { email, password } = this.#credentials;
    const token =
      refreshed ?? (await this.#grant({ grant_type: 'password', username: email, password }));
    if (token === undefined) throw new UnexpectedAnswerError('the venue refused the sign-in');
    this.#token = token;
    return token.text;
  }

  /** Undefined where the grant is refused: a used or revoked refresh token, a wrong password. */
  async #grant(fields: Readonly<Record<string, string>>): Promise<AccessToken | undefined> {
    const { clientId, clientSecret } = this.#credentials;
    const body = new URLSearchParams({
      ...fields,
      client_id: clientId,
      client_secret: clientSecret,
      scope: SCOPE,
    });
    const path = '/identity/connect/token';
    const answer = await this.#patiently(() => this.#fetch({ method: 'POST', path, body }, ''));
    if (!isSuccess(answer.status)) return undefined;
    const token = expectShape(TokenAnswer, answer.body, path);
    return {
      text: token.access_token,
      refreshToken: token.refresh_token,
      renewAt: performance.now() + token.expires_in * 1000 * TOKEN_LIFETIME_SHARE,
    };
  }

  async #patiently(attempt: () => Promise<Attempt>): Promise<VenueAnswer> {
    for (let backoff = BACKOFF_FIRST_MS; ; backoff = Math.min(2 * backoff, BACKOFF_MAX_MS)) {
      this.#signal.throwIfAborted();
      const outcome = await attempt().catch(() => undefined);
      this.#signal.throwIfAborted();
      if (outcome !== undefined && !isTemporary(outcome.status)) return outcome;
      const asked = (outcome?.retryAfterSeconds ?? 0) * 1000;
      await sleep(Math.max(backoff, asked), undefined, { signal: this.#signal });
    }
  }

  async #fetch(request: VenueRequest, authorization: string): Promise<Attempt> {
    const { method, path, accountId, body } = request;
    const headers = new Headers();
    if (authorization !== '') headers.set('authorization', authorization);
    if (accountId !== undefined) headers.set('accountId', accountId);
    const init: RequestInit = {
      method,
      headers,
      signal: AbortSignal.any([this.#signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    };
    if (body instanceof URLSearchParams) init.body = body;
    else if (body !== undefined) {
      headers.set('content-type', 'application/json');
      init.body = JSON.stringify(body);
    }
    const response = await fetch(new URL(path, this.#baseUrl), init);
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? null : JSON.parse(text),
      retryAfterSeconds: Number(response.headers.get('retry-after') ?? 0) || 0,
    };
  }
}

interface Attempt extends VenueAnswer {
  readonly retryAfterSeconds: number;
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function isTemporary(status: number): boolean {
  return status === 429 || status >= 500;
}

function expectShape<S extends TSchema>(schema: S, body: unknown, path: string): Static<S> {
  if (Value.Check(schema, body)) return body;
  throw new UnexpectedAnswerError(`${path} answered in another shape: ${JSON.stringify(body)}`);
}

function describe({ method, path }: VenueRequest, { status, body }: VenueAnswer): string {
  return `${method} ${path} answered ${status}: ${JSON.stringify(body)}`;
}
