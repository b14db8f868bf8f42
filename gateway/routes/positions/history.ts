import { Type } from '@sinclair/typebox';
import {
  MARKET_TYPES,
  ORDER_TYPES,
  REASONS,
  SIDES,
  TIMES_IN_FORCE,
} from '../../../core/messages/enums.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { ORDERS_PER_REQUEST, PAGE_DEFAULT, PAGE_LIMITS } from '../../../persistence/views/index.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { JsonText } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import {
  DecimalOutput,
  Int32,
  Nullable,
  OneOf,
  TimestampInput,
  TimestampOutput,
} from '../../http/schema.ts';
import { textOf } from '../../venue/views-read.ts';
import type { RouteContext } from '../context.ts';
import { Execution, pageOf } from '../orders/executions.ts';
import { NumericId } from '../orders/order-id.ts';
import { PositionIdInput, positionUnknown, readPositionId } from './position-id.ts';
import { PositionReader } from './position-reader.ts';

const PAYMENT_TYPES = ['Funding', 'Swap', 'Compensation'] as const;
const Executions = Type.Object({
  executions: Type.Array(Execution),
  isExceeded: Type.Boolean({ description: 'Extension. There are more than the limit.' }),
});

function Limit(most: number) {
  const description = `${PAGE_DEFAULT} by default; more than ${most} count as ${most}.`;
  return Type.Optional(Nullable(Int32({ minimum: 1, description })));
}

function After(what: string) {
  const description = `Goes on behind this ${what}, the last of the page before.`;
  return Type.Optional(Nullable(Type.String({ ...NumericId(), description })));
}

const From = Type.Optional(Nullable(TimestampInput()));
const To = Type.Optional(Nullable(TimestampInput({ description: 'Inclusive.' })));

/** What became of positions. */
export function positionHistoryRoutes(context: RouteContext): Route[] {
  return [ofPosition(context), ofPositions(context), closed(context), payments(context)];
}

function ofPosition(context: RouteContext): Route {
  const { venue, views } = context;
  const positions = new PositionReader(context);
  return route({
    method: 'POST',
    path: '/frontoffice/api/v4/positions/{positionId}/executions/list',
    area: 'trading',
    operation: 'trading-ui',
    account: true,
    rateClass: 'history',
    summary: 'The executions that opened, changed and closed a position, newest first.',
    body: Type.Object({
      limit: Limit(PAGE_LIMITS.executions),
      offset: Type.Optional(Nullable(Int32({ minimum: 0, description: '0 by default.' }))),
    }),
    responses: { 200: Executions },
    handler: async ({ params, body, account }) => {
      const positionId = readPositionId(params.positionId);
      if (positionId instanceof Refused) return positionId;
      const record = await positions.record(account.index, positionId);
      if (record instanceof Refused) return record;
      if (record === undefined) return positionUnknown(positionId);
      const { limit, offset } = body;
      const page = { limit: limit ?? null, offset: offset ?? null };
      const request = { account: account.index, positionIds: [positionId], ...page };
      return pageOf(await views.positionExecutions(request, venue.durableSequence));
    },
  });
}

function ofPositions({ venue, views }: RouteContext): Route {
  return route({
    method: 'POST',
    path: '/frontoffice/api/v4/positions/executions/list',
    area: 'trading',
    operation: 'trading-ui',
    account: true,
    rateClass: 'history',
    summary: 'The executions of several positions, newest first.',
    body: Type.Object({
      positionIds: Type.Array(PositionIdInput(), { maxItems: ORDERS_PER_REQUEST }),
      limit: Limit(PAGE_LIMITS.executions),
    }),
    responses: { 200: Executions },
    handler: async ({ body, account }) => {
      const positionIds = body.positionIds.map(Number);
      const page = { limit: body.limit ?? null, offset: null };
      const request = { account: account.index, positionIds, ...page };
      return pageOf(await views.positionExecutions(request, venue.durableSequence));
    },
  });
}

const ClosedPosition = Type.Object({
  marketId: Type.String(),
  marketFullName: Nullable(Type.String()),
  marketDisplayName: Nullable(Type.String()),
  marketType: OneOf(MARKET_TYPES),
  orderId: Type.String(),
  orderType: OneOf(ORDER_TYPES),
  timeInForce: OneOf(TIMES_IN_FORCE),
  side: OneOf(SIDES, { description: 'Of the order that closed.' }),
  positionCloseLotAmount: DecimalOutput(),
  reason: OneOf(REASONS),
  realizedPnlInRAT: DecimalOutput({ description: 'Before commissions, swaps and funding.' }),
  closedAt: Nullable(TimestampOutput()),
  positionId: Type.String(),
  openPrice: DecimalOutput({ description: 'Volume-weighted average of what was closed.' }),
  closePrice: DecimalOutput({ description: 'Volume-weighted average of the closing trades.' }),
  positionPriceInRAT: DecimalOutput({
    description: 'What was closed, at closePrice and rateToRAT.',
  }),
  rateToRAT: DecimalOutput({ description: 'The root asset for one of the quote asset.' }),
  openedAt: TimestampOutput(),
  comment: Nullable(Type.String()),
});

function closed({ venue, views }: RouteContext): Route {
  return route({
    method: 'POST',
    path: '/frontoffice/api/v4/orders/closed-positions',
    area: 'trading',
    operation: 'trading-ui',
    account: true,
    rateClass: 'history',
    summary: 'What orders closed of positions, the newest order first.',
    body: Type.Object({
      createdAtFrom: From,
      createdAtTo: To,
      closedAtFrom: From,
      closedAtTo: To,
      marketId: Type.Optional(Nullable(Type.String())),
      marketType: Type.Optional(Nullable(OneOf(['Cfd', 'Perp']))),
      limit: Limit(PAGE_LIMITS.closings),
      lastOrderId: After('order'),
    }),
    responses: {
      200: Type.Object({ data: Type.Array(ClosedPosition), isExceeded: Type.Boolean() }),
    },
    handler: async ({ body, account }) => {
      const { marketId } = body;
      const named = marketId ?? null;
      const market = named === null ? undefined : venue.reference.marketOf(named);
      if (named !== null && market === undefined) {
        return refuse(Refusals.MarketUnknown, { field: 'marketId', value: named });
      }
      const request = {
        account: account.index,
        createdAtFrom: body.createdAtFrom ?? null,
        createdAtTo: body.createdAtTo ?? null,
        closedAtFrom: body.closedAtFrom ?? null,
        closedAtTo: body.closedAtTo ?? null,
        market: market?.index ?? null,
        marketType: body.marketType ?? null,
        limit: body.limit ?? null,
        lastOrderId: Number(body.lastOrderId ?? 0) || null,
      };
      const text = textOf(await views.closings(request, venue.durableSequence));
      if (text instanceof Refused) return text;
      return new JsonText(text ?? '{"data":[],"isExceeded":false}');
    },
  });
}

const Payment = Type.Object({
  paymentId: Type.String(),
  type: OneOf(PAYMENT_TYPES),
  createdAt: TimestampOutput(),
  marketId: Nullable(Type.String()),
  positionId: Nullable(Type.String()),
  amountInRAT: DecimalOutput({ description: 'Negative for what the account paid.' }),
});

function payments({ venue, views }: RouteContext): Route {
  return route({
    method: 'POST',
    path: '/frontoffice/api/v4/positions/payments/list',
    area: 'trading',
    operation: 'trading-ui',
    account: true,
    extension: true,
    rateClass: 'history',
    summary: 'Funding, swaps and compensations of the account, newest first.',
    body: Type.Object({ limit: Limit(PAGE_LIMITS.payments), lastPaymentId: After('payment') }),
    responses: { 200: Type.Object({ data: Type.Array(Payment) }) },
    handler: async ({ body, account }) => {
      const request = {
        account: account.index,
        limit: body.limit ?? null,
        lastPaymentId: Number(body.lastPaymentId ?? 0) || null,
      };
      const text = textOf(await views.payments(request, venue.durableSequence));
      if (text instanceof Refused) return text;
      return new JsonText(`{"data":${text ?? '[]'}}`);
    },
  });
}
