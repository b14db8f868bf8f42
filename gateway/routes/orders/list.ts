import { Type } from '@sinclair/typebox';
import { ORDER_STATUSES } from '../../../core/messages/enums.ts';
import { PAGE_DEFAULT, PAGE_LIMITS } from '../../../persistence/views/index.ts';
import { Refused } from '../../http/refused.ts';
import { JsonText } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { Int32, Nullable, OneOf, TimestampInput } from '../../http/schema.ts';
import { textOf } from '../../venue/views-read.ts';
import type { RouteContext } from '../context.ts';
import { NumericId } from './order-id.ts';
import { OrderRead } from './schemas.ts';

const STATUSES_MAX = 16;

const ListBody = Type.Object({
  limit: Type.Optional(
    Nullable(
      Int32({
        minimum: 1,
        description: `${PAGE_DEFAULT} by default; more than ${PAGE_LIMITS.orders} count as ${PAGE_LIMITS.orders}.`,
      }),
    ),
  ),
  createdAtFrom: Type.Optional(Nullable(TimestampInput())),
  createdAtTo: Type.Optional(Nullable(TimestampInput({ description: 'Inclusive.' }))),
  orderStatus: Type.Optional(
    Nullable(
      Type.Array(OneOf(ORDER_STATUSES), {
        maxItems: STATUSES_MAX,
        description: 'Any status where none is named.',
      }),
    ),
  ),
  lastOrderId: Type.Optional(
    Nullable(
      Type.String({
        ...NumericId(),
        description: 'Goes on behind this order, the last of the page before.',
      }),
    ),
  ),
});

/** Lists of orders, newest first. */
export function listRoutes({ venue, views }: RouteContext): Route[] {
  return [
    route({
      method: 'POST',
      path: '/frontoffice/api/v4/order-list',
      area: 'trading',
      operation: 'trading-ui',
      account: true,
      rateClass: 'history',
      summary: "The account's orders, newest first.",
      body: ListBody,
      example: { body: { limit: 50, orderStatus: ['Pending', 'Working'] } },
      responses: { 200: Type.Object({ data: Type.Array(OrderRead) }) },
      handler: async ({ body, account }) => {
        const { limit, createdAtFrom, createdAtTo, orderStatus, lastOrderId } = body;
        const page = await views.orders(
          {
            account: account.index,
            statuses: orderStatus ?? null,
            createdAtFrom: createdAtFrom ?? null,
            createdAtTo: createdAtTo ?? null,
            limit: limit ?? null,
            lastOrderId: Number(lastOrderId ?? 0) || null,
          },
          venue.durableSequence,
        );
        const text = textOf(page);
        if (text instanceof Refused) return text;
        return new JsonText(`{"data":${text ?? '[]'}}`);
      },
    }),
  ];
}
