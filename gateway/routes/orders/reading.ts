import { Refused } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import type { RouteContext } from '../context.ts';
import { KeptOrders, OrderAnswer } from './kept-orders.ts';
import { readOrderId } from './order-id.ts';

/** Reading orders. */
export function readingRoutes({ venue, orders }: RouteContext): Route[] {
  const { reference } = venue;
  const kept = new KeptOrders();
  return [
    route({
      method: 'GET',
      path: '/frontoffice/api/v4/orders/{orderId}',
      area: 'trading',
      operation: 'trading-ui',
      account: true,
      summary: 'One order by its id.',
      responses: { 200: OrderAnswer },
      handler: ({ params, account }) => {
        const orderId = readOrderId(params.orderId);
        if (orderId instanceof Refused) return orderId;
        const young = orders.findYoung(account.index, orderId);
        if (young === undefined) return orders.readOlder(account.index, orderId);
        if (young instanceof Refused) return young;
        const { names } = reference.market(young.market);
        return kept.answer(young, venue.orders.revisionOf(orderId), names);
      },
    }),
  ];
}
