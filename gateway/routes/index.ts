import type { Route } from '../http/route.ts';
import { accountRoutes } from './accounts/accounts.ts';
import { balanceRoutes } from './accounts/balances.ts';
import { collateralRoutes } from './accounts/collateral.ts';
import { backOfficeRoutes } from './back-office/index.ts';
import type { RouteContext } from './context.ts';
import { guestRecommendationRoutes } from './guest/ai-recommendation.ts';
import { guestCandleRoutes } from './guest/candles.ts';
import { guestDepthRoutes } from './guest/depth.ts';
import { guestFundingRoutes } from './guest/funding.ts';
import { guestMarginPreviewRoutes } from './guest/margin-preview.ts';
import { guestPreviewRoutes } from './guest/preview.ts';
import { guestPriceRoutes } from './guest/prices.ts';
import { guestReferenceRoutes } from './guest/reference.ts';
import { candleRoutes } from './market-data/candles.ts';
import { DepthReader, depthRoutes } from './market-data/depth.ts';
import { fundingRoutes } from './market-data/funding.ts';
import { PriceReader, priceRoutes } from './market-data/prices.ts';
import { executionRoutes } from './orders/executions.ts';
import { listRoutes } from './orders/list.ts';
import { marginPlacementRoutes } from './orders/margin-placement.ts';
import { marginPreviewRoutes } from './orders/margin-preview.ts';
import { placementRoutes } from './orders/placement.ts';
import { previewRoutes } from './orders/preview.ts';
import { readingRoutes } from './orders/reading.ts';
import { stopOrderRoutes } from './orders/stop-orders.ts';
import { positionRoutes } from './positions/index.ts';
import { publicAssetRoutes } from './public/assets.ts';
import { publicSummaryRoutes } from './public/summary.ts';
import { publicTradeRoutes } from './public/trades.ts';
import { assetRoutes } from './reference/assets.ts';
import { favoriteRoutes } from './reference/favorites.ts';
import { infoRoutes } from './reference/info.ts';
import { marketRoutes } from './reference/markets.ts';
import { TimeZones } from './reference/time-zones.ts';
import { transferRoutes } from './transfers/transfers.ts';

/** Every route of the trading interface, area by area. */
export function createRoutes(context: RouteContext): Route[] {
  const depth = new DepthReader(context.venue);
  const prices = new PriceReader(context.venue);
  const zones = new TimeZones(context.timeZone);
  return [
    ...placementRoutes(context),
    ...marginPlacementRoutes(context),
    ...previewRoutes(context),
    ...marginPreviewRoutes(context),
    ...stopOrderRoutes(context),
    ...positionRoutes(context),
    ...readingRoutes(context),
    ...listRoutes(context),
    ...executionRoutes(context),
    ...accountRoutes(context),
    ...balanceRoutes(context),
    ...collateralRoutes(context),
    ...assetRoutes(context),
    ...marketRoutes(context),
    ...favoriteRoutes(context),
    ...infoRoutes(context, zones),
    ...depthRoutes(context, depth),
    ...candleRoutes(context),
    ...fundingRoutes(context),
    ...priceRoutes(context, prices),
    ...transferRoutes(context),
    ...backOfficeRoutes(context),
    ...guestReferenceRoutes(context, zones),
    ...guestPreviewRoutes(context),
    ...guestMarginPreviewRoutes(context),
    ...guestCandleRoutes(context),
    ...guestDepthRoutes(context, depth),
    ...guestRecommendationRoutes(context, depth),
    ...guestFundingRoutes(context),
    ...guestPriceRoutes(context, prices),
    ...publicAssetRoutes(context),
    ...publicSummaryRoutes(context, depth),
    ...publicTradeRoutes(context),
  ];
}
