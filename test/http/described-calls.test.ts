import { expect, it } from 'vitest';
import { useServer } from '../support/use-server.ts';

/**
 * The calls of the interface as it was described, by the operation that each needs: written down here
 * once more, so that none goes missing and none changes hands unnoticed.
 */
const DESCRIBED: Readonly<Record<string, readonly string[]>> = {
  'hide-markets': ['PUT /back-api/backoffice/market/{market_id}'],
  'manage-assets': [
    'POST /back-api/backoffice/asset/{asset_id}',
    'PUT /back-api/backoffice/asset/{asset_id}',
    'POST /back-api/backoffice/v2/internal-assets',
    'PUT /back-api/backoffice/v2/internal-assets/{id}',
  ],
  'manage-commission-rules': [
    'POST /back-api/backoffice/v2/commission-profiles/{commissionProfileId}/rules',
    'PUT /back-api/backoffice/v2/commission-profiles/{commissionProfileId}/rules/priorities',
    'PUT /back-api/backoffice/v2/commission-profiles/{commissionProfileId}/rules/{commissionProfileRuleId}',
    'DELETE /back-api/backoffice/v2/commission-profiles/{commissionProfileId}/rules/{commissionProfileRuleId}',
    'POST /back-api/backoffice/v2/commission-profiles/{commissionProfileId}/rules/{commissionProfileRuleId}/validate-delete',
    'POST /back-api/backoffice/v2/commission-profiles/{commissionProfileId}/rules/{commissionProfileRuleId}/validate-update',
  ],
  'manage-markets': ['POST /back-api/backoffice/market/{market_id}'],
  'manage-markets-categories': ['PUT /back-api/backoffice/v2/markets-categories'],
  'manage-trades': ['POST /back-api/backoffice/trades/revert'],
  'manage-transfers': [
    'POST /back-api/backoffice/transfers/deposit',
    'POST /back-api/backoffice/transfers/withdrawal',
    'POST /back-api/backoffice/transfers/withdrawal-cancel',
    'POST /back-api/backoffice/transfers/withdrawal-confirm',
  ],
  'manage-users': ['POST /back-api/backoffice/user'],
  none: [
    'POST /api/v2/my/refresh',
    'POST /api/v2/refresh',
    'POST /frontoffice/api/cfd/v4/guest/order-data',
    'POST /frontoffice/api/perpetual/v4/guest/order-data',
    'GET /frontoffice/api/v3/guest/assets',
    'GET /frontoffice/api/v3/guest/info',
    'GET /frontoffice/api/v3/guest/info/time-zones',
    'POST /frontoffice/api/v3/guest/order-data',
    'GET /frontoffice/api/v4/guest/markets-categories',
    'GET /frontoffice/api/v5/guest/markets',
    'GET /frontoffice/api/v5/guest/markets/{marketId}',
    'GET /identity/connect/authorize',
    'POST /identity/connect/token',
    'POST /identity/sign-in',
    'GET /marketdata/api/v1/guest/ai-recommendation/{marketId}',
    'GET /marketdata/api/v4/guest/instruments/{marketSymbol}/funding',
    'GET /marketdata/api/v4/guest/instruments/{marketSymbol}/history',
    'GET /public/asset',
    'GET /public/summary',
    'GET /public/ticker',
    'GET /public/trades/{instrument}',
    'POST /tokens',
  ],
  read: [
    'GET /exports/async/{exportId}/sign',
    'GET /groups/{groupId}/resources/{resourceId}',
    'GET /nodes/{nodeId}',
    'GET /reassignments',
  ],
  'signed-in': ['POST /identity/sign-out'],
  'trading-ui': [
    'POST /frontoffice/api/cfd/v4/order-data',
    'POST /frontoffice/api/cfd/v4/orders',
    'POST /frontoffice/api/cfd/v4/stop-orders',
    'POST /frontoffice/api/order',
    'GET /frontoffice/api/order_history',
    'DELETE /frontoffice/api/orders/{id}',
    'POST /frontoffice/api/perpetual/v4/orders',
    'GET /frontoffice/api/trade_history',
    'GET /frontoffice/api/v3/accounts',
    'GET /frontoffice/api/v3/assets',
    'GET /frontoffice/api/v3/info',
    'POST /frontoffice/api/v3/orders',
    'DELETE /frontoffice/api/v3/orders/{orderId}',
    'GET /frontoffice/api/v4/account-margin-settings/assets',
    'POST /frontoffice/api/v4/account-margin-settings/assets/{assetId}',
    'DELETE /frontoffice/api/v4/account-margin-settings/assets/{assetId}',
    'GET /frontoffice/api/v4/markets',
    'GET /frontoffice/api/v4/markets-categories',
    'GET /frontoffice/api/v4/markets/{marketId}',
    'POST /frontoffice/api/v4/order-list',
    'POST /frontoffice/api/v4/orders/closed-positions',
    'POST /frontoffice/api/v4/orders/executions/list',
    'GET /frontoffice/api/v4/orders/{orderId}',
    'POST /frontoffice/api/v4/orders/{orderId}/executions/list',
    'POST /frontoffice/api/v4/positions/executions/list',
    'POST /frontoffice/api/v4/positions/{positionId}/executions/list',
    'POST /frontoffice/api/v5/orders/executions/list',
    'POST /frontoffice/api/v5/orders/{orderId}/executions/list',
    'GET /frontoffice/api/v6/markets',
    'POST /frontoffice/api/v6/markets/favorites/add',
    'POST /frontoffice/api/v6/markets/favorites/delete',
    'GET /frontoffice/api/v6/markets/{marketId}',
    'GET /marketdata/api/v4/instruments/{marketSymbol}/funding',
    'GET /marketdata/api/v4/instruments/{marketSymbol}/history',
    'POST /trading/frontoffice/api/order',
    'GET /trading/frontoffice/api/order_history',
    'DELETE /trading/frontoffice/api/orders/{id}',
    'GET /trading/frontoffice/api/trade_history',
  ],
  'view-commission-rules': [
    'GET /back-api/backoffice/tiers',
    'GET /back-api/backoffice/v2/commission-profiles/{commissionProfileId}/rules',
  ],
  'view-common': [
    'GET /back-api/backoffice/api/assets-info',
    'GET /back-api/backoffice/user',
    'GET /back-api/backoffice/v2/assets/list',
    'GET /back-api/backoffice/v2/markets-categories',
    'GET /back-api/backoffice/v2/markets/{marketId}',
  ],
  'view-trades': ['GET /back-api/api/v2/account_trades/', 'GET /back-api/api/v2/last_trades'],
  'view-users': ['GET /back-api/backoffice/user/{userId}', 'GET /back-api/backoffice/users'],
  write: [
    'PUT /banners/languages/{languageId}',
    'POST /clients',
    'PATCH /groups/{groupId}',
    'PATCH /links/{linkId}',
    'POST /profiles/{profileId}/contacts',
    'PATCH /rates/{providerId}/drivers/{driverId}',
    'PATCH /relations/{relationId}',
    'PUT /savings-programs/{savingsProgram}',
    'PATCH /symbols/{symbolId}/preferences/{paymentPlanId}',
  ],
};

const server = useServer();

interface Operation {
  readonly 'x-extension'?: boolean;
  readonly 'x-required-operation'?: string;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

it('has every call that was described, and marks all others as extensions', async () => {
  const { body } = await server().anonymous().get<Document>('/openapi.json');
  const calls: Record<string, string[]> = {};
  for (const [path, methods] of Object.entries(body.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation['x-extension'] === true) continue;
      const name = operation['x-required-operation'] ?? 'none';
      calls[name] = [...(calls[name] ?? []), `${method.toUpperCase()} ${path}`];
    }
  }
  const sorted = (lists: Readonly<Record<string, readonly string[]>>) =>
    Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.toSorted()]));
  expect(sorted(calls)).toEqual(sorted(DESCRIBED));
});
