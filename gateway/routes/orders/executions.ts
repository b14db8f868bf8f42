import { type Static, Type } from '@sinclair/typebox';
import { REASONS, SIDES } from '../../../core/messages/enums.ts';
import {
  type ExecutionPage,
  ORDERS_PER_REQUEST,
  PAGE_DEFAULT,
  PAGE_LIMITS,
  type Read,
} from '../../../persistence/views/index.ts';
import { Refused } from '../../http/refused.ts';
import { JsonText } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { DecimalOutput, Int32, Nullable, OneOf, TimestampOutput } from '../../http/schema.ts';
import { textOf } from '../../venue/views-read.ts';
import type { RouteContext } from '../context.ts';
import { NumericId, readOrderId } from './order-id.ts';

const POSITION_ID_LENGTH_MAX = 32;

const PositionId = Type.Optional(
  Nullable(
    Type.String({
      maxLength: POSITION_ID_LENGTH_MAX,
      description:
        'Only what the order did to this position. Empty, null or left out: all of it, and for Spot orders, which have no position.',
    }),
  ),
);
const Limit = Type.Optional(
  Nullable(
    Int32({
      minimum: 1,
      description: `${PAGE_DEFAULT} by default; more than ${PAGE_LIMITS.executions} count as ${PAGE_LIMITS.executions}.`,
    }),
  ),
);

const OfOrderBody = Type.Object({
  positionId: PositionId,
  limit: Limit,
  lastExecutionId: Type.Optional(
    Nullable(
      Type.String({
        ...NumericId(),
        description: 'Goes on behind this execution, the last of the page before.',
      }),
    ),
  ),
});
const OfPairsBody = Type.Object({
  orderPositionPairs: Type.Array(Type.Object({ orderId: NumericId(), positionId: PositionId }), {
    maxItems: ORDERS_PER_REQUEST,
  }),
  limit: Limit,
});
const OfOrdersBody = Type.Object({
  orderIds: Type.Array(NumericId(), { maxItems: ORDERS_PER_REQUEST }),
  limit: Limit,
});

/** One side of one trade; of a flip, what it did to one of the two positions. */
export const Execution = Type.Object({
  positionId: Type.String({ description: 'Empty where there is no position.' }),
  orderId: Type.String(),
  executionId: Type.String(),
  side: OneOf(SIDES),
  reason: OneOf(REASONS),
  createdAt: TimestampOutput(),
  baseAmount: DecimalOutput(),
  executionPrice: DecimalOutput(),
  commissionAmountInRAT: DecimalOutput(),
  commissions: Type.Array(Type.Object({ assetId: Type.String(), amount: DecimalOutput() })),
  comment: Nullable(Type.String()),
  realizedPnlInRAT: DecimalOutput(),
  positionSizeIncreased: Type.Boolean({
    description:
      'A flip shows as two executions of one id: false for what closed, true for what opened.',
  }),
  isReverted: Type.Optional(
    Type.Boolean({ description: 'Extension. The venue has undone it; left out where it has not.' }),
  ),
});
const Page = Type.Object({
  executions: Type.Array(Execution),
  isExceeded: Type.Boolean({ description: 'There are more than the limit.' }),
});

/** Executions of orders, newest first. The v4 paths answer as v5 does. */
export function executionRoutes(context: RouteContext): Route[] {
  return [ofOrder(context, 'v5'), ofOrder(context, 'v4'), ofPairs(context), ofOrders(context)];
}

function ofOrder({ venue, orders, views }: RouteContext, version: 'v4' | 'v5'): Route {
  return route({
    method: 'POST',
    path: `/frontoffice/api/${version}/orders/{orderId}/executions/list`,
    area: 'trading',
    operation: 'trading-ui',
    account: true,
    rateClass: 'history',
    summary: 'The executions of one order, newest first.',
    body: OfOrderBody,
    responses: { 200: Page },
    handler: async ({ params, body, account }) => {
      const { positionId, limit, lastExecutionId } = body;
      const orderId = readOrderId(params.orderId);
      if (orderId instanceof Refused) return orderId;
      const order = await orders.find(account.index, orderId);
      if (order instanceof Refused) return order;
      const request = {
        account: account.index,
        orders: [{ orderId, positionId: positionOf(positionId) }],
        limit: limit ?? null,
        lastExecutionId: Number(lastExecutionId ?? 0) || null,
      };
      return pageOf(await views.executions(request, venue.durableSequence));
    },
  });
}

function ofPairs({ venue, views }: RouteContext): Route {
  return route({
    method: 'POST',
    path: '/frontoffice/api/v5/orders/executions/list',
    area: 'trading',
    operation: 'trading-ui',
    account: true,
    rateClass: 'history',
    summary: 'The executions of several orders in their positions, newest first.',
    body: OfPairsBody,
    responses: { 200: Page },
    handler: async ({ body, account }) => {
      const request = {
        account: account.index,
        orders: body.orderPositionPairs.map(({ orderId, positionId }) => ({
          orderId: Number(orderId),
          positionId: positionOf(positionId),
        })),
        limit: body.limit ?? null,
        lastExecutionId: null,
      };
      return pageOf(await views.executions(request, venue.durableSequence));
    },
  });
}

function ofOrders({ venue, views }: RouteContext): Route {
  return route({
    method: 'POST',
    path: '/frontoffice/api/v4/orders/executions/list',
    area: 'trading',
    operation: 'trading-ui',
    account: true,
    rateClass: 'history',
    summary: 'The executions of several orders, newest first.',
    body: OfOrdersBody,
    responses: { 200: Page },
    handler: async ({ body, account }) => {
      const request = {
        account: account.index,
        orders: body.orderIds.map((orderId) => ({ orderId: Number(orderId), positionId: null })),
        limit: body.limit ?? null,
        lastExecutionId: null,
      };
      return pageOf(await views.executions(request, venue.durableSequence));
    },
  });
}

/** Null where none is named; a text that names no position finds nothing. */
function positionOf(positionId: Static<typeof PositionId> | undefined): number | null {
  if (positionId === undefined || positionId === null || positionId === '') return null;
  return /^[1-9][0-9]{0,15}$/.test(positionId) ? Number(positionId) : -1;
}

/** A page of executions as the views have it. */
export function pageOf(read: Read<ExecutionPage>): JsonText | Refused {
  const text = textOf(read);
  if (text instanceof Refused) return text;
  return new JsonText(text ?? '{"executions":[],"isExceeded":false}');
}
