import { NO_ACCOUNT } from '../../../core/messages/commands.ts';
import { Refused } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import type { RouteContext } from '../context.ts';
import { SPOT_PREVIEW_EXAMPLE } from '../orders/examples.ts';
import { OrderPreviews, Preview, PreviewBody } from '../orders/preview.ts';
import { GUEST } from './guest.ts';
import { forGuests } from './guest-markets.ts';

/** Pricing orders that nobody in particular would place. */
export function guestPreviewRoutes(context: RouteContext): Route[] {
  const previews = new OrderPreviews(context);
  return [
    route({
      ...GUEST,
      method: 'POST',
      path: '/frontoffice/api/v3/guest/order-data',
      summary: 'What a Spot order would cost at the default commission, entry tier.',
      body: PreviewBody,
      example: { body: SPOT_PREVIEW_EXAMPLE },
      responses: { 200: Preview },
      handler: async ({ body: { order }, now }) => {
        const named = previews.market(order.marketId);
        const market = forGuests(named, 'order.marketId', order.marketId);
        if (market instanceof Refused) return market;
        return await previews.price(order, market, NO_ACCOUNT, now);
      },
    }),
  ];
}
