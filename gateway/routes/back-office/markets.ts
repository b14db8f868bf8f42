import { Refusals } from '../../../core/messages/refusals.ts';
import { refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import type { RouteContext } from '../context.ts';
import { backOfficeMarket } from './market-forms.ts';
import { BackOfficeMarket } from './market-schemas.ts';

/** Markets as the back office reads them. */
export function backOfficeMarketRoutes({ venue }: RouteContext): Route[] {
  return [
    route({
      method: 'GET',
      path: '/back-api/backoffice/v2/markets/{marketId}',
      area: 'trading',
      operation: 'view-common',
      summary: 'A market in any state, hidden ones too.',
      responses: { 200: BackOfficeMarket },
      handler: ({ params }) => {
        const { marketId } = params;
        const { rootAsset } = venue.reference;
        const market = venue.reference.marketOf(marketId);
        if (market !== undefined)
          return backOfficeMarket(market.configuration, rootAsset?.scale ?? 0);
        return refuse(Refusals.MarketUnknown, { field: 'marketId', value: marketId });
      },
    }),
  ];
}
