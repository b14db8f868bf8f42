import { Type } from '@sinclair/typebox';
import { orderView } from '../../../core/messages/order-view.ts';
import { Refused } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import type { RouteContext } from '../context.ts';
import { parseOrderId } from './order-id.ts';
import { OrderRead } from './schemas.ts';

/** Reading orders. */
export function readingRoutes({ venue, orders }: RouteContext): Route[] {
  const { reference } = venue;
  return [
    route({
      method: 'GET',
      path: '/frontoffice/api/v4/orders/{orderId}',
      area: 'trading',
      operation: 'trading-ui',
      account: true,
      summary: 'One order by its id.',
      responses: { 200: Type.Object({ order: OrderRead }) },
      handler: ({ params, account }) => {
        const found = orders.find(account.index, parseOrderId(params.orderId));
        if (found instanceof Promise) {
          return found.then((order) =>
            order instanceof Refused
              ? order
              : { order: orderView(order, reference.market(order.market).configuration) },
          );
        }
        if (found instanceof Refused) return found;
        return { order: orderView(found, reference.market(found.market).configuration) };
      },
    }),
  ];
}
