import type { Route } from '../../http/route.ts';
import type { RouteContext } from '../context.ts';
import { backOfficeAccountRoutes } from './accounts.ts';
import { backOfficeAssetRoutes } from './assets.ts';
import { commissionGroupRoutes } from './commission-groups.ts';
import { commissionProfileRoutes } from './commission-profiles.ts';
import { commissionRuleRoutes } from './commission-rules.ts';
import { legacyAssetRoutes } from './legacy-assets.ts';
import { legacyMarketRoutes } from './legacy-markets.ts';
import { legacyTradeRoutes } from './legacy-trades.ts';
import { legacyTradeRevertRoutes } from './legacy-trades-revert.ts';
import { marginMarketRoutes } from './margin-markets.ts';
import { marketCategoryRoutes } from './market-categories.ts';
import { backOfficeMarketRoutes } from './markets.ts';
import { tierRoutes } from './tiers.ts';
import { userListRoutes } from './user-list.ts';
import { userRoutes } from './users.ts';
import { venueMarginRoutes } from './venue-margin.ts';

/** What administrators configure: assets, markets, users and their accounts. */
export function backOfficeRoutes(context: RouteContext): Route[] {
  return [
    ...backOfficeAssetRoutes(context),
    ...legacyAssetRoutes(context),
    ...backOfficeMarketRoutes(context),
    ...legacyMarketRoutes(context),
    ...legacyTradeRoutes(context),
    ...legacyTradeRevertRoutes(context),
    ...marginMarketRoutes(context),
    ...venueMarginRoutes(context),
    ...marketCategoryRoutes(context),
    ...commissionRuleRoutes(context),
    ...commissionProfileRoutes(context),
    ...commissionGroupRoutes(context),
    ...tierRoutes(context),
    ...userRoutes(context),
    ...userListRoutes(context),
    ...backOfficeAccountRoutes(context),
  ];
}
