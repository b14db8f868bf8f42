import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { AccountReference, RequiredOperation, Session } from './authorisation.ts';
import type { Refused } from './refused.ts';
import type { JsonText, RenderedJson, Reply } from './reply.ts';

/**
 * A route is a declaration: what it takes, what it needs, what it answers. Validation, conversion,
 * serialisation, authorisation and the API document all derive from it.
 *
 *     route({
 *       method: 'GET',
 *       path: '/frontoffice/api/v4/orders/{orderId}',
 *       area: 'trading',
 *       operation: 'trading-ui',
 *       account: true,
 *       summary: 'One order by its id',
 *       responses: { 200: Type.Object({ order: OrderRead }) },
 *       handler: ({ params, account }) => ({ order: orders.read(account, params.orderId) }),
 *     })
 */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The part of the interface that a route belongs to: it decides the shape of error bodies. */
export type Area =
  | 'trading'
  | 'identity'
  | 'oauth'
  | 'partner'
  | 'export'
  | 'signed'
  | 'public'
  | 'operations';

/** Budgets of the rate limiter: each class has its own. `none` is for /health and the like. */
export type RateClass = 'read' | 'write' | 'cancel' | 'history' | 'guest' | 'identity' | 'none';

/** Response schemas by status; null is an answer without a body. */
export type Responses = { readonly [status: number]: TSchema | null };

/** A group of fields that was not declared has none. */
type Fields<S> = S extends TObject ? Static<S> : { readonly [name: string]: never };

/** The names in braces of a path. */
type PathName<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathName<Rest>
  : never;
type Parameters<P extends string, S> = S extends TObject
  ? Static<S>
  : { readonly [K in PathName<P>]: string };

/** What a handler sees. Everything in it was read before the handler ran and stays valid after awaits. */
export interface Request<P, Q, H, B, A, S> {
  readonly params: P;
  readonly query: Q;
  /** Only the headers that the route declares, by the names it declares. */
  readonly headers: H;
  readonly body: B;
  /** The account that the accountId header names, when the route says `account: true`. */
  readonly account: A;
  /** Who is calling; undefined on routes with operation 'none'. */
  readonly session: S;
  /** When the request came, UTC milliseconds. */
  readonly now: number;
  /** The Authorization header as sent, '' when absent: for Basic client authentication. */
  readonly authorization: string;
  /** The caller's address as text; looked up when it is read, '' once the caller has gone. */
  readonly remoteAddress: string;
}

type SuccessStatus<R extends Responses> = keyof R extends infer K
  ? K extends number
    ? `${K}` extends `2${string}` | `3${string}`
      ? K
      : never
    : never
  : never;
type BodyOf<S> = S extends TSchema ? Static<S> : null;
type Plain<S> = S extends TSchema ? Static<S> : ReturnType<() => void>;

/** One `Reply` type per declared status. */
type Replies<R extends Responses> = {
  [K in keyof R]: K extends number ? Reply<K, BodyOf<R[K]>> : never;
}[keyof R];

/**
 * What a handler may return: the body of the success status (nothing, if that has none), also as
 * `JsonText` or rendered, a `Reply` with one of the declared statuses, or a refusal.
 */
export type Outcome<R extends Responses> =
  | { [K in SuccessStatus<R>]: Plain<R[K]> | RenderedJson<Plain<R[K]>> }[SuccessStatus<R>]
  | JsonText
  | Replies<R>
  | Refused;

type SessionOf<O extends RequiredOperation> = O extends 'none' ? undefined : Session;
type AccountOf<A> = A extends true ? AccountReference : undefined;
type BodyIn<B> = B extends TSchema ? Static<B> : undefined;

export interface RouteExample {
  readonly body?: object;
  /** Of the success status. */
  readonly answer?: unknown;
}

/** What all routes have in common, whatever their types. */
interface Common<Path extends string> {
  readonly method: Method;
  /** Parameters in braces: `/orders/{orderId}`. */
  readonly path: Path;
  readonly area: Area;
  /** One sentence for the API document. */
  readonly summary: string;
  /**
   * What the API document shows of a request and of its answer, as they are on the wire. Whatever is
   * left out is made of the schemas.
   */
  readonly example?: RouteExample;
  /** Not part of the original interface: marked in the API document. */
  readonly extension?: true;
  /** `form` is application/x-www-form-urlencoded; `either` goes by the Content-Type. */
  readonly bodyFormat?: 'json' | 'form' | 'either';
  /**
   * Integers of a JSON body, by name, that may be beyond what a double holds: the handler gets the
   * digits of whole ones as text.
   */
  readonly wideIntegers?: readonly string[];
  /** The largest body that is read; 64 KiB unless said otherwise. */
  readonly bodyBytesMax?: number;
  /** The status of a plain returned body; needed only where several 2xx are declared. */
  readonly successStatus?: number;
  /** Headers of every answer of this route, for example `cache-control`. Names in lower case. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** By default: GET and list calls 'read', everything else 'write'; guests 'guest'. */
  readonly rateClass?: RateClass;
}

export interface RouteDeclaration<
  Path extends string,
  P extends TObject | undefined,
  Q extends TObject | undefined,
  H extends TObject | undefined,
  B extends TSchema | undefined,
  A extends true | undefined,
  O extends RequiredOperation,
  R extends Responses,
> extends Common<Path> {
  /** What the caller must be allowed to do; 'none' needs no token. */
  readonly operation: O;
  /** The route acts for the account that the accountId header names. */
  readonly account?: A;
  /** Only where path parameters are more than text. */
  readonly params?: P;
  readonly query?: Q;
  readonly headers?: H;
  /** Objects are closed (unknown fields are refused) unless they say `additionalProperties: true`. */
  readonly body?: B;
  readonly responses: R;
  handler(
    request: Request<
      Parameters<Path, P>,
      Fields<Q>,
      Fields<H>,
      BodyIn<B>,
      AccountOf<A>,
      SessionOf<O>
    >,
  ): Outcome<R> | Promise<Outcome<R>>;
}

/** The request of a route whose types are forgotten: what the server fills in. */
export type AnyRequest = Request<unknown, unknown, unknown, unknown, unknown, unknown>;

/** A declared route. */
export interface Route extends Common<string> {
  readonly operation: RequiredOperation;
  readonly account: boolean;
  readonly params: TObject | undefined;
  readonly query: TObject | undefined;
  readonly headers: TObject | undefined;
  readonly body: TSchema | undefined;
  readonly responses: Responses;
  handler(request: AnyRequest): unknown;
}

/** Declares a route; the handler's types follow from the schemas. */
export function route<
  const Path extends string,
  const O extends RequiredOperation,
  const R extends Responses,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  H extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
  A extends true | undefined = undefined,
>(declaration: RouteDeclaration<Path, P, Q, H, B, A, O, R>): Route {
  return {
    ...declaration,
    account: declaration.account === true,
    params: declaration.params,
    query: declaration.query,
    headers: declaration.headers,
    body: declaration.body,
    handler: declaration.handler as Route['handler'],
  };
}
