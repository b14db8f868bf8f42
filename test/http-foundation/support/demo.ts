import { Type } from '@sinclair/typebox';
import { Refusals } from '../../../core/messages/refusals.ts';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import { compileRenderer } from '../../../gateway/http/answer-serialiser.ts';
import type { Authoriser, Operation, Session } from '../../../gateway/http/authorisation.ts';
import { refuse } from '../../../gateway/http/refused.ts';
import { created, empty, redirect, reply } from '../../../gateway/http/reply.ts';
import { type Route, route } from '../../../gateway/http/route.ts';
import {
  DecimalInput,
  DecimalOutput,
  Int32,
  Nullable,
  OneOf,
  TextOutput,
  TimestampInput,
  TimestampOutput,
} from '../../../gateway/http/schema.ts';

/** A small venue that does nothing: every kind of route, for tests and measurements. */

const OrderRequest = Type.Object({
  order: Type.Object({
    marketId: Type.String({ pattern: '^(spot.){0,1}[a-z0-9]{1,15}_[a-z0-9]{1,15}$' }),
    side: OneOf(['Buy', 'Sell']),
    orderType: OneOf(['Market', 'Limit'], { 'x-refusal': 'EmptyOrderType' }),
    timeInForce: OneOf(['Gtc', 'Ioc', 'Fok', 'Gtd', 'Day', 'Retry']),
    requestedAmount: DecimalInput(),
    requestedPrice: Type.Optional(Nullable(DecimalInput())),
    cancellationDate: Type.Optional(Nullable(TimestampInput())),
    comment: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
    clientOrderId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  }),
});

const Order = Type.Object({
  marketId: Type.String(),
  marketDisplayName: Type.String(),
  orderId: Type.String(),
  orderType: Type.String(),
  side: Type.String(),
  timeInForce: Type.String(),
  status: Type.String(),
  source: Type.String(),
  commission: DecimalOutput(),
  requestedAmount: DecimalOutput(),
  remainingAmount: DecimalOutput(),
  requestedPrice: Nullable(DecimalOutput()),
  executionPrice: DecimalOutput(),
  createdAt: TimestampOutput(),
  updatedAt: TimestampOutput(),
  rejectDetails: Type.String(),
  cancellationDate: Nullable(TimestampOutput()),
  fillFactor: DecimalOutput(),
});

const placeOrder = route({
  method: 'POST',
  path: '/frontoffice/api/v3/orders',
  area: 'trading',
  operation: 'trading-ui',
  account: true,
  summary: 'Places an order',
  body: OrderRequest,
  responses: { 201: Type.Object({ order: Order }) },
  handler: ({ body: { order }, now }) => {
    const at = formatTimestamp(now);
    return {
      order: {
        marketId: order.marketId,
        marketDisplayName: 'BTC/USDT',
        orderId: '1234567',
        orderType: order.orderType,
        side: order.side,
        timeInForce: order.timeInForce,
        status: 'Pending',
        source: 'Manual',
        commission: '0',
        requestedAmount: order.requestedAmount,
        remainingAmount: order.requestedAmount,
        requestedPrice: order.requestedPrice ?? null,
        executionPrice: '0',
        createdAt: at,
        updatedAt: at,
        rejectDetails: '',
        cancellationDate: order.cancellationDate ? formatTimestamp(order.cancellationDate) : null,
        fillFactor: '0',
      },
    };
  },
});

const readThing = route({
  method: 'GET',
  path: '/things/{thingId}',
  area: 'trading',
  operation: 'trading-ui',
  account: true,
  summary: 'Reads a thing',
  query: Type.Object({
    limit: Type.Optional(Int32({ minimum: 1, maximum: 100 })),
    offset: Int32({ minimum: 0, default: 0 }),
    isFavorite: Type.Optional(Type.Boolean()),
    from: Type.Optional(TimestampInput()),
    amount: Type.Optional(DecimalInput()),
    side: Type.Optional(OneOf(['Buy', 'Sell'])),
    roles: Type.Optional(Type.Array(Type.String())),
  }),
  headers: Type.Object({ 'x-api-version': Type.Optional(Type.String()) }),
  responses: {
    200: Type.Object({
      thingId: Type.String(),
      account: Type.Integer(),
      user: Type.String(),
      query: Type.Unknown(),
      headers: Type.Unknown(),
    }),
  },
  handler: ({ params, query, headers, account, session }) => ({
    thingId: params.thingId,
    account: account.index,
    user: session.userId,
    query,
    headers,
  }),
});

const echo = route({
  method: 'POST',
  path: '/echo',
  area: 'public',
  operation: 'none',
  rateClass: 'none',
  summary: 'Answers the body',
  body: Type.Unknown(),
  responses: { 200: Type.Unknown() },
  handler: ({ body }) => body,
});

/** Answers that tests hold back: `release` answers the oldest one. */
class Gate {
  private readonly waiting: (() => void)[] = [];

  wait(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  release(): void {
    this.waiting.shift()?.();
  }

  get size(): number {
    return this.waiting.length;
  }
}

export const gate = new Gate();

const slow = route({
  method: 'POST',
  path: '/slow',
  area: 'public',
  operation: 'none',
  rateClass: 'none',
  summary: 'Answers when the gate opens',
  body: Type.Object({ name: Type.String() }),
  responses: { 200: Type.Object({ name: Type.String() }) },
  handler: async ({ body }) => {
    await gate.wait();
    return { name: body.name };
  },
});

const slowRead = route({
  method: 'GET',
  path: '/slow',
  area: 'public',
  operation: 'none',
  rateClass: 'none',
  summary: 'Answers when the gate opens',
  responses: { 200: Type.Object({ ok: Type.Boolean() }) },
  handler: async () => {
    await gate.wait();
    return { ok: true };
  },
});

const token = route({
  method: 'POST',
  path: '/identity/connect/token',
  area: 'identity',
  operation: 'none',
  summary: 'Takes a form',
  bodyFormat: 'form',
  responseHeaders: { 'cache-control': 'no-store' },
  body: Type.Object(
    { grant_type: OneOf(['password', 'refresh_token']), username: Type.Optional(Type.String()) },
    { additionalProperties: true },
  ),
  responses: { 200: Type.Object({ grant: Type.String(), user: Type.String() }) },
  handler: ({ body }) => ({ grant: body.grant_type, user: body.username ?? '' }),
});

const large = route({
  method: 'GET',
  path: '/large/{size}',
  area: 'export',
  operation: 'none',
  rateClass: 'none',
  summary: 'Answers as many characters as asked for',
  params: Type.Object({ size: Int32() }),
  responses: { 200: Type.Object({ text: Type.String() }) },
  handler: ({ params }) => ({ text: 'x'.repeat(params.size) }),
});

const Text = Type.Object({ text: Type.String() });
const renderText = compileRenderer(Text);

const rendered = route({
  method: 'GET',
  path: '/rendered/{size}',
  area: 'export',
  operation: 'none',
  rateClass: 'none',
  summary: 'Answers as many characters as asked for, rendered before',
  params: Type.Object({ size: Int32() }),
  responses: { 200: Text },
  handler: ({ params }) => renderText({ text: 'é'.repeat(params.size) }),
});

const faults = ['throw', 'reject', 'refuse', 'throw-refusal', 'reject-refusal', 'misfit'] as const;

const fault = route({
  method: 'GET',
  path: '/fault/{kind}',
  area: 'partner',
  operation: 'none',
  rateClass: 'none',
  summary: 'Fails in every way a handler can',
  params: Type.Object({ kind: OneOf(faults) }),
  responses: { 200: Type.Object({ text: Type.String() }) },
  handler: ({ params: { kind } }) => {
    const refused = refuse(Refusals.AmountTooSmall, { field: 'amount', value: '1', limit: '2' });
    if (kind === 'throw') throw new Error('a defect');
    if (kind === 'reject') return Promise.reject(new Error('a late defect'));
    if (kind === 'throw-refusal') throw refused;
    if (kind === 'reject-refusal') return Promise.reject(refused);
    if (kind === 'misfit') return JSON.parse('{}') as { text: string };
    return refused;
  },
});

const statuses = route({
  method: 'GET',
  path: '/status/{kind}',
  area: 'public',
  operation: 'none',
  rateClass: 'none',
  summary: 'Answers with a status of choice',
  responses: { 200: Type.Object({ ok: Type.Boolean() }), 201: Type.Null(), 202: null, 302: null },
  successStatus: 200,
  handler: ({ params: { kind } }) => {
    if (kind === 'created') return created(null, { location: '/there' });
    if (kind === 'empty') return empty(202);
    if (kind === 'redirect') return redirect('/elsewhere');
    return reply(200, { ok: kind === 'ok' });
  },
});

const text = route({
  method: 'GET',
  path: '/text',
  area: 'operations',
  operation: 'none',
  summary: 'Answers text',
  responses: { 200: TextOutput('text/plain; charset=utf-8') },
  handler: () => 'one "line"\n',
});

const guest = route({
  method: 'GET',
  path: '/guest',
  area: 'public',
  operation: 'none',
  summary: 'A guest endpoint',
  responses: { 200: Type.Object({ address: Type.String() }) },
  handler: ({ remoteAddress }) => ({ address: remoteAddress }),
});

const bodiless = route({
  method: 'POST',
  path: '/bodiless',
  area: 'trading',
  operation: 'none',
  rateClass: 'none',
  summary: 'Takes no body and answers none',
  responses: { 200: null },
  handler: () => undefined,
});

const remove = route({
  method: 'DELETE',
  path: '/things/{thingId}',
  area: 'trading',
  operation: 'manage-assets',
  summary: 'Deletes a thing',
  responses: { 200: null },
  handler: async () => {},
});

const signed = route({
  method: 'POST',
  path: '/signed',
  area: 'signed',
  operation: 'trading-ui',
  summary: 'A signed request',
  body: Type.Object({ ts: Type.String(), nonce: Type.Integer() }),
  responses: { 200: Type.Object({ user: Type.String() }) },
  handler: ({ session }) => ({ user: session.userId }),
});

const signedRead = route({
  method: 'GET',
  path: '/signed',
  area: 'signed',
  operation: 'trading-ui',
  summary: 'A signed read',
  query: Type.Object({ ts: Type.String(), nonce: Type.Integer() }),
  responses: { 200: Type.Object({ user: Type.String() }) },
  handler: ({ session }) => ({ user: session.userId }),
});

export const demoRoutes: readonly Route[] = [
  placeOrder,
  readThing,
  echo,
  slow,
  slowRead,
  token,
  large,
  fault,
  statuses,
  text,
  guest,
  bodiless,
  remove,
  signed,
  signedRead,
  rendered,
];

const operations: ReadonlySet<Operation> = new Set<Operation>(['trading-ui']);
const alice: Session = { userId: 'alice', clientId: 'tests', operations, expiresAt: 0 };

/** `Bearer good` is alice, `Bearer late` is alice after a tick; account 7 is hers, 8 after a tick. */
export const demoAuthoriser: Authoriser = {
  authorise(authorization, operation) {
    const refused = () =>
      operation === 'signed-in' || alice.operations.has(operation)
        ? alice
        : refuse(Refusals.Forbidden, { limit: operation });
    if (authorization === 'Bearer good') return refused();
    if (authorization === 'Bearer late') return Promise.resolve().then(refused);
    return refuse(Refusals.Unauthorised);
  },
  resolveAccount(_session, accountId) {
    if (accountId === '7') return { accountId, index: 7 };
    if (accountId === '8') return Promise.resolve({ accountId, index: 8 });
    return refuse(Refusals.AccountUnknown, { value: accountId });
  },
  authoriseSigned(key, sign, payload) {
    return key === 'alice' && sign === `signed ${payload}` ? alice : refuse(Refusals.Unauthorised);
  },
};
