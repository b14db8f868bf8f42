import { Type } from '@sinclair/typebox';
import { Refusals } from '../../../core/messages/refusals.ts';
import { orBusy } from '../../directory-answer.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import type { RouteContext } from '../context.ts';
import { visibleMarket } from './visible-markets.ts';

const FavoriteBody = Type.Object({ marketId: Type.String({ minLength: 1, maxLength: 64 }) });
const Nothing = Type.Object({});

/** The caller's favorite markets. Adding and deleting twice is the same as once. */
export function favoriteRoutes(context: RouteContext): Route[] {
  return [addFavorite(context), deleteFavorite(context)];
}

function addFavorite({ venue, favorites }: RouteContext): Route {
  return route({
    method: 'POST',
    path: '/frontoffice/api/v6/markets/favorites/add',
    area: 'trading',
    operation: 'trading-ui',
    summary: 'Makes a market a favorite of the caller.',
    body: FavoriteBody,
    responses: { 200: Nothing },
    handler: async ({ body, session, now }) => {
      const { marketId } = body;
      const market = visibleMarket(venue.reference, marketId, 'marketId');
      if (market instanceof Refused) return market;
      const added = favorites.add({ userId: session.userId, marketId, at: now });
      return (await orBusy(added)) ?? {};
    },
  });
}

function deleteFavorite({ venue, favorites }: RouteContext): Route {
  return route({
    method: 'POST',
    path: '/frontoffice/api/v6/markets/favorites/delete',
    area: 'trading',
    operation: 'trading-ui',
    summary: 'Makes a market a favorite no more.',
    body: FavoriteBody,
    responses: { 200: Nothing },
    handler: async ({ body, session }) => {
      const { marketId } = body;
      if (venue.reference.marketOf(marketId) === undefined) {
        return refuse(Refusals.MarketUnknown, { field: 'marketId', value: marketId });
      }
      return (await orBusy(favorites.remove({ userId: session.userId, marketId }))) ?? {};
    },
  });
}
