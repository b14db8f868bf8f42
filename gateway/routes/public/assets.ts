import { Type } from '@sinclair/typebox';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import type { AssetConfiguration } from '../../../core/messages/configuration.ts';
import { type Route, route } from '../../http/route.ts';
import { DecimalOutput, Nullable } from '../../http/schema.ts';
import type { RouteContext } from '../context.ts';
import { PUBLIC } from './public.ts';

const PublicAsset = Type.Object({
  name: Type.String(),
  can_withdraw: Type.Boolean(),
  can_deposit: Type.Boolean(),
  min_withdraw: DecimalOutput({ description: 'The smallest unit of the asset.' }),
  max_withdraw: Nullable(DecimalOutput({ description: 'null: no limit but the balance.' })),
});

/** Assets of the platform's own record, by symbol. */
export function publicAssetRoutes({ venue }: RouteContext): Route[] {
  return [
    route({
      ...PUBLIC,
      method: 'GET',
      path: '/public/asset',
      summary: 'The assets, by upper-case symbol.',
      responses: { 200: Type.Record(Type.String(), PublicAsset) },
      handler: () => {
        const own = venue.reference.assets.filter(({ source }) => source === 'Internal');
        return Object.fromEntries(
          own.map((asset) => [asset.assetId.toUpperCase(), publicAsset(asset)]),
        );
      },
    }),
  ];
}

function publicAsset({ name, scale, canWithdraw, canDeposit }: AssetConfiguration) {
  return {
    name,
    can_withdraw: canWithdraw ?? true,
    can_deposit: canDeposit ?? true,
    min_withdraw: formatUnits(1, scale),
    max_withdraw: null,
  };
}
