import { Refused } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import type { RouteContext } from '../context.ts';
import { Depth, type DepthReader, LevelsQuery } from '../market-data/depth.ts';
import { marketOfSymbol } from '../market-data/symbol.ts';
import { GUEST } from './guest.ts';
import { forGuests } from './guest-markets.ts';

/** Order books for whoever has no token. */
export function guestDepthRoutes({ venue }: RouteContext, reader: DepthReader): Route[] {
  return [
    route({
      ...GUEST,
      method: 'GET',
      path: '/marketdata/api/v4/guest/instruments/{marketSymbol}/depth',
      extension: true,
      summary: 'The best levels of an order book.',
      query: LevelsQuery,
      responses: { 200: Depth },
      handler: async ({ params: { marketSymbol }, query, now }) => {
        const named = marketOfSymbol(venue.reference, marketSymbol);
        const market = forGuests(named, 'marketSymbol', marketSymbol);
        if (market instanceof Refused) return market;
        return await reader.read(market, query.levels, now);
      },
    }),
  ];
}
