import { NO_ACCOUNT } from '../../../core/messages/commands.ts';
import { Refused } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import type { RouteContext } from '../context.ts';
import { marginPreviewExample } from '../orders/examples.ts';
import { MARGIN_PATHS, type MarginType } from '../orders/margin-placement.ts';
import { GuestMarginPreview, MarginPreviewBody, MarginPreviews } from '../orders/margin-preview.ts';
import { GUEST } from './guest.ts';
import { forGuests } from './guest-markets.ts';

/** Pricing orders on margin that nobody in particular would place. */
export function guestMarginPreviewRoutes(context: RouteContext): Route[] {
  return [preview(context, 'Cfd'), preview(context, 'Perp')];
}

function preview(context: RouteContext, type: MarginType): Route {
  const previews = new MarginPreviews(context, type);
  return route({
    ...GUEST,
    method: 'POST',
    path: `/frontoffice/api/${MARGIN_PATHS[type]}/v4/guest/order-data`,
    summary: `What a ${type} order would take and cost at the default commission, entry tier.`,
    body: MarginPreviewBody,
    example: { body: marginPreviewExample(type) },
    responses: { 200: GuestMarginPreview },
    handler: async ({ body: { order }, now }) => {
      const named = previews.market(order.marketId);
      const market = forGuests(named, 'order.marketId', order.marketId);
      if (market instanceof Refused) return market;
      const priced = await previews.price(order, market, NO_ACCOUNT, now);
      // Nobody's account has no margin level.
      return priced instanceof Refused ? priced : { order: { ...priced.order, marginLevel: null } };
    },
  });
}
