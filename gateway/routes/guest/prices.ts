import { Type } from '@sinclair/typebox';
import { Refused } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { PathText } from '../../http/schema.ts';
import type { RouteContext } from '../context.ts';
import { MarketPrices, type PriceReader } from '../market-data/prices.ts';
import { marketOfSymbol } from '../market-data/symbol.ts';
import { GUEST } from './guest.ts';
import { forGuests } from './guest-markets.ts';

/** Prices of Cfd and Perp markets for whoever has no token. */
export function guestPriceRoutes({ venue }: RouteContext, reader: PriceReader): Route[] {
  return [
    route({
      ...GUEST,
      method: 'GET',
      path: '/marketdata/api/v4/guest/instruments/{marketSymbol}/prices',
      params: Type.Object({ marketSymbol: PathText('perp.btc_usdt') }),
      extension: true,
      summary: 'The prices of a Cfd or Perp market, and the funding rate of a Perp.',
      responses: { 200: MarketPrices },
      handler: ({ params: { marketSymbol }, now }) => {
        const named = marketOfSymbol(venue.reference, marketSymbol);
        const market = forGuests(named, 'marketSymbol', marketSymbol);
        return market instanceof Refused ? market : reader.read(market, now);
      },
    }),
  ];
}
