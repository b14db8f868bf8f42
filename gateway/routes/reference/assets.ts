import { Type } from '@sinclair/typebox';
import type { AssetConfiguration } from '../../../core/messages/configuration.ts';
import { type Route, route } from '../../http/route.ts';
import type { RouteContext } from '../context.ts';

export const Asset = Type.Object({
  assetId: Type.String(),
  assetName: Type.String(),
  isRootAsset: Type.Boolean(),
});

/** The assets of the venue. */
export function assetRoutes({ venue }: RouteContext): Route[] {
  return [
    route({
      method: 'GET',
      path: '/frontoffice/api/v3/assets',
      area: 'trading',
      operation: 'trading-ui',
      summary: 'Every asset; amounts in the RAT are in the root asset.',
      responses: { 200: Type.Array(Asset) },
      handler: () => venue.reference.assets.map(assetForm),
    }),
  ];
}

export function assetForm({ assetId, name, isRoot }: AssetConfiguration) {
  return { assetId, assetName: name, isRootAsset: isRoot };
}
