import { Type } from '@sinclair/typebox';
import { orderView } from '../../../core/messages/order-view.ts';
import { Refused } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import type { RouteContext } from '../context.ts';
import { readOrderId } from './order-id.ts';
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
        const orderId = readOrderId(params.orderId);
        if (orderId instanceof Refused) return orderId;
        const young = orders.findYoung(account.index, orderId);
        if (young === undefined) return orders.readOlder(account.index, orderId);
        if (young instanceof Refused) return young;
        return { order: orderView(young, reference.market(young.market).names) };
      },
    }),
  ];
}
