import { Type } from '@sinclair/typebox';
import { Refused } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { PathText } from '../../http/schema.ts';
import type { RouteContext } from '../context.ts';
import { FundingHistory, FundingQuery, readFunding } from '../market-data/funding.ts';
import { marketOfSymbol } from '../market-data/symbol.ts';
import { GUEST } from './guest.ts';
import { forGuests } from './guest-markets.ts';

/** Funding settlements for whoever has no token: the same ones. */
export function guestFundingRoutes(context: RouteContext): Route[] {
  return [
    route({
      ...GUEST,
      method: 'GET',
      path: '/marketdata/api/v4/guest/instruments/{marketSymbol}/funding',
      params: Type.Object({ marketSymbol: PathText('perp.btc_usdt') }),
      summary: 'Funding settlements of a Perp market, newest first.',
      query: FundingQuery,
      responses: { 200: FundingHistory },
      handler: ({ params: { marketSymbol }, query }) => {
        const named = marketOfSymbol(context.venue.reference, marketSymbol);
        const market = forGuests(named, 'marketSymbol', marketSymbol);
        return market instanceof Refused ? market : readFunding(context, market, query);
      },
    }),
  ];
}
