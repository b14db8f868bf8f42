import { setTimeout as sleep } from 'node:timers/promises';
import { Refusals } from '../../core/messages/refusals.ts';
import type { Answer } from './answer-writer.ts';
import type { Authoriser } from './authorisation.ts';
import type { CallerGate } from './caller-gate.ts';
import { type CompiledRoute, compileRoute, routerPattern } from './compiled-route.ts';
import { Exchange } from './exchange.ts';
import { checkFraming, declaredLength, readHeaders } from './incoming-headers.ts';
import { DEFAULT_LIMITS, type HttpLimits } from './limits.ts';
import { type RequestObserver, silentObserver } from './observer.ts';
import { refusalAnswer } from './refusal-answer.ts';
import { type Refused, refuse } from './refused.ts';
import { ResponseSlot, type SlotOwner } from './response-slot.ts';
import type { Route } from './route.ts';
import { RouteIndex } from './route-index.ts';
import { type Clock, ServerState, systemClock } from './server-state.ts';
import {
  type App,
  closeListenSocket,
  createApp,
  EXCLUSIVE_PORT,
  type HttpRequest,
  type HttpResponse,
  implementation,
  type ListenSocket,
  portOf,
} from './uws.ts';

export interface HttpServerOptions {
  readonly routes: readonly Route[];
  readonly authoriser: Authoriser;
  readonly limits?: Partial<HttpLimits>;
  readonly observer?: RequestObserver;
  readonly clock?: Clock;
  /** Whose headers are believed and who is turned away; without it peers are the callers. */
  readonly gate?: CallerGate | undefined;
  /** Told of exceptions that are no refusals; their requests are answered 500. */
  readonly onError?: (error: unknown, route: Route) => void;
}

/** The HTTP edge: a route table on a port. */
export class HttpServer {
  /** Which uWebSockets.js runs: the native one or its JavaScript fallback. */
  readonly implementation = implementation;
  private readonly app: App = createApp();
  private readonly state: ServerState;
  private readonly index: RouteIndex;
  private socket: ListenSocket | undefined;

  constructor(options: HttpServerOptions) {
    const { routes, authoriser, limits, onError = () => undefined } = options;
    this.state = new ServerState({
      authoriser,
      limits: { ...DEFAULT_LIMITS, ...limits },
      observer: options.observer ?? silentObserver,
      clock: options.clock ?? systemClock,
      gate: options.gate,
      onError,
    });
    this.index = new RouteIndex(routes);
    for (const [index, route] of routes.entries()) {
      this.register(compileRoute(route, index, this.state.limits));
    }
    this.app.any('/*', (response, request) => this.unmatched(response, request));
  }

  /** Requests that wait for their body, their answer or their reader. */
  get inFlight(): number {
    return this.state.inFlight;
  }

  /** Resolves to the port (that of the system's choice for 0); rejects when it is taken. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.app.listen(host, port, EXCLUSIVE_PORT, (socket) => {
        if (socket === false) return reject(new Error(`cannot listen on ${host}:${port}`));
        this.socket = socket;
        resolve(portOf(socket));
      });
    });
  }

  /**
   * Takes no new work, waits until what was taken is answered, then closes every connection. What is
   * the venue's to do is done in moments; a client that is slow to send or to read is waited for only
   * so long, or it could keep the venue from ending.
   */
  async close(): Promise<void> {
    if (this.socket !== undefined) closeListenSocket(this.socket);
    this.socket = undefined;
    const patience = new AbortController();
    const { signal } = patience;
    const given = sleep(this.state.limits.drainMilliseconds, undefined, { signal });
    await Promise.race([this.state.drain(), given.catch(() => undefined)]);
    patience.abort();
    this.app.close?.();
  }

  private register(compiled: CompiledRoute): void {
    const { app, state } = this;
    const pattern = routerPattern(compiled.route.path);
    const serve = (response: HttpResponse, request: HttpRequest) =>
      new Exchange(state, compiled, response, false).begin(request);
    switch (compiled.route.method) {
      case 'GET':
        app.get(pattern, serve);
        app.head(pattern, (response, request) =>
          new Exchange(state, compiled, response, true).begin(request),
        );
        break;
      case 'POST':
        app.post(pattern, serve);
        break;
      case 'PUT':
        app.put(pattern, serve);
        break;
      case 'PATCH':
        app.patch(pattern, serve);
        break;
      case 'DELETE':
        app.del(pattern, serve);
        break;
    }
  }

  /** Everything that no route took: 404, 405 and OPTIONS. */
  private unmatched(response: HttpResponse, request: HttpRequest): void {
    const { state } = this;
    const started = state.clock.monotonic();
    const method = request.getMethod();
    const slot = new ResponseSlot(state, response, method === 'head', NOBODY);
    readHeaders(request);
    const known = this.index.find(request.getUrl());
    const refused = checkFraming(state.limits.headerBytesMax);
    const isAsked = refused === undefined && known !== undefined && method === 'options';
    const answer = isAsked
      ? optionsAnswer(known.allow)
      : refusalAnswer(known?.area ?? 'trading', refused ?? refuseUnmatched(known?.allow));
    slot.send(answer);
    slot.isInCallback = false;
    state.observer.observe(-1, answer.status, state.clock.monotonic() - started);
  }
}

/** No handler waits for the answer of an unknown path. */
const NOBODY: SlotOwner = { clientWentAway: () => undefined };

function optionsAnswer(allow: string): Answer {
  return { status: 204, contentType: '', payload: '', headers: [['allow', allow]], close: false };
}

function refuseUnmatched(allow: string | undefined): Refused {
  const close = declaredLength() > 0;
  if (allow === undefined) return refuse(Refusals.UnknownRoute, { close });
  return refuse(Refusals.MethodNotAllowed, { limit: allow, headers: { allow }, close });
}
