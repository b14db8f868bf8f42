import { Type } from '@sinclair/typebox';
import {
  MARKET_TYPES,
  ORDER_TYPES,
  REASONS,
  SIDES,
  STOP_ORDER_STATUSES,
  TIMES_IN_FORCE,
} from '../../../core/messages/enums.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { PAGE_DEFAULT, PAGE_LIMITS } from '../../../persistence/views/index.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { JsonText } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { DecimalOutput, Int32, Nullable, OneOf, TimestampOutput } from '../../http/schema.ts';
import { textOf } from '../../venue/views-read.ts';
import type { RouteContext } from '../context.ts';
import { NumericId, readOrderId } from './order-id.ts';

const STATUSES_MAX = 16;

/** A stop order as it is read. */
const StopOrderRead = Type.Object({
  marketId: Type.String(),
  marketType: OneOf(MARKET_TYPES),
  marketDisplayName: Type.String(),
  marketFullName: Nullable(Type.String()),
  orderId: Type.String(),
  status: OneOf(STOP_ORDER_STATUSES),
  reason: OneOf(REASONS),
  side: OneOf(SIDES),
  orderType: OneOf(ORDER_TYPES),
  timeInForce: OneOf(TIMES_IN_FORCE),
  activationPrice: DecimalOutput(),
  requestedPrice: Nullable(DecimalOutput()),
  requestedAmount: DecimalOutput({ description: 'Base assets.' }),
  requestedLotAmount: Nullable(DecimalOutput({ description: 'Null for Spot.' })),
  leverage: Type.Integer({ description: '0: the most that the market gives at activation.' }),
  stopLoss: Nullable(Type.Object({ price: DecimalOutput(), isTrailing: Type.Boolean() })),
  takeProfit: Nullable(Type.Object({ price: DecimalOutput() })),
  expiresAt: Nullable(TimestampOutput()),
  createdAt: TimestampOutput(),
  updatedAt: TimestampOutput(),
  activatedOrderId: Nullable(Type.String({ description: 'The order that it became.' })),
  rejectCode: Nullable(Type.String({ description: 'Why that order was refused.' })),
  comment: Nullable(Type.String()),
  clientOrderId: Nullable(Type.String()),
});

/** Reading stop orders, whatever became of them. */
export function stopOrderRoutes(context: RouteContext): Route[] {
  return [readStopOrder(context), listStopOrders(context)];
}

function readStopOrder({ venue, views }: RouteContext): Route {
  return route({
    method: 'GET',
    path: '/frontoffice/api/v4/stop-orders/{orderId}',
    area: 'trading',
    operation: 'trading-ui',
    account: true,
    extension: true,
    summary: 'One stop order by its id.',
    responses: { 200: Type.Object({ order: StopOrderRead }) },
    handler: async ({ params, account }) => {
      const orderId = readOrderId(params.orderId);
      if (orderId instanceof Refused) return orderId;
      const text = textOf(await views.stopOrder(account.index, orderId, venue.durableSequence));
      if (text instanceof Refused) return text;
      if (text !== undefined) return new JsonText(`{"order":${text}}`);
      return refuse(Refusals.OrderUnknown, { field: 'orderId', value: orderId });
    },
  });
}

function listStopOrders({ venue, views }: RouteContext): Route {
  return route({
    method: 'POST',
    path: '/frontoffice/api/v4/stop-order-list',
    area: 'trading',
    operation: 'trading-ui',
    account: true,
    extension: true,
    rateClass: 'history',
    summary: "The account's stop orders, newest first.",
    body: Type.Object({
      limit: Type.Optional(
        Nullable(
          Int32({
            minimum: 1,
            description: `${PAGE_DEFAULT} by default; more than ${PAGE_LIMITS.orders} count as ${PAGE_LIMITS.orders}.`,
          }),
        ),
      ),
      status: Type.Optional(
        Nullable(
          Type.Array(OneOf(STOP_ORDER_STATUSES), {
            maxItems: STATUSES_MAX,
            description: 'Any status where none is named.',
          }),
        ),
      ),
      lastOrderId: Type.Optional(
        Nullable(
          Type.String({
            ...NumericId(),
            description: 'Goes on behind this stop order, the last of the page before.',
          }),
        ),
      ),
    }),
    responses: { 200: Type.Object({ data: Type.Array(StopOrderRead) }) },
    handler: async ({ body, account }) => {
      const request = {
        account: account.index,
        statuses: body.status ?? null,
        limit: body.limit ?? null,
        lastOrderId: Number(body.lastOrderId ?? 0) || null,
      };
      const text = textOf(await views.stopOrders(request, venue.durableSequence));
      if (text instanceof Refused) return text;
      return new JsonText(`{"data":${text ?? '[]'}}`);
    },
  });
}
