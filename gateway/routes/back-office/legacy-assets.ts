import { Type } from '@sinclair/typebox';
import type { AssetConfiguration } from '../../../core/messages/configuration.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { DecimalInput, Int32, Nullable } from '../../http/schema.ts';
import type { RouteContext } from '../context.ts';
import {
  AssetId,
  AssetInfo,
  AssetName,
  assetInfo,
  knownAsset,
  withdrawalFee,
} from './asset-forms.ts';
import { given, inWordsOf } from './units.ts';

const PATH = '/back-api/backoffice/asset/{asset_id}';
const URL_LENGTH_MAX = 2048;
const SCALE_MAX = 18;
const NAMES = { assetId: 'id', name: 'asset_name' };

const Scale = Int32({ minimum: 0, maximum: SCALE_MAX });
const Flag = Type.Optional(Nullable(Type.Boolean()));
const ImageUrl = Type.Optional(Nullable(Type.String({ format: 'uri', maxLength: URL_LENGTH_MAX })));
const Creation = Type.Object({
  id: AssetId,
  asset_name: AssetName,
  withdrawal_fee: DecimalInput(),
  scale: Scale,
  can_deposit: Flag,
  can_withdraw: Flag,
  image_url: ImageUrl,
});
const Update = Type.Object({
  asset_name: AssetName,
  withdrawal_fee: Type.Optional(Nullable(DecimalInput())),
  scale: Type.Optional(Nullable(Scale)),
  can_deposit: Flag,
  can_withdraw: Flag,
  image_url: ImageUrl,
});

/** Assets as the older back office knows them. */
export function legacyAssetRoutes(context: RouteContext): Route[] {
  return [listAssetInfos(context), createAsset(context), updateAsset(context)];
}

function listAssetInfos({ venue }: RouteContext): Route {
  return route({
    method: 'GET',
    path: '/back-api/backoffice/api/assets-info',
    area: 'trading',
    operation: 'view-common',
    summary: 'Every asset, and whether it may come in and go out.',
    responses: { 200: Type.Object({ data: Type.Array(AssetInfo) }) },
    handler: () => ({ data: venue.reference.assets.map(assetInfo) }),
  });
}

function createAsset({ venue }: RouteContext): Route {
  return route({
    method: 'POST',
    path: PATH,
    area: 'trading',
    operation: 'manage-assets',
    summary: 'Makes an asset.',
    body: Creation,
    example: { body: { id: 'btc', asset_name: 'Bitcoin', withdrawal_fee: 0.0005, scale: 8 } },
    responses: { 200: AssetInfo },
    handler: async ({ params, body, now }) => {
      const { asset_id } = params;
      if (body.id !== asset_id) {
        const limit = `${asset_id}, as in the path`;
        return refuse(Refusals.ConfigurationInvalid, { field: 'id', value: body.id, limit });
      }
      const fee = withdrawalFee(body.withdrawal_fee, body.scale);
      if (fee instanceof Refused) return fee;
      const configuration: AssetConfiguration = {
        assetId: asset_id,
        name: body.asset_name,
        scale: body.scale,
        isRoot: false,
        marginRatio: 0,
        type: 'Crypto',
        source: 'Internal',
        canDeposit: body.can_deposit ?? true,
        canWithdraw: body.can_withdraw ?? true,
        withdrawalFee: fee,
        imageUrl: body.image_url ?? null,
      };
      const command = { type: 'ConfigureAsset', configuration, isNew: true } as const;
      const answer = await venue.cold(now, command);
      return answer instanceof Refused ? inWordsOf(NAMES, body, answer) : assetInfo(configuration);
    },
  });
}

function updateAsset({ venue }: RouteContext): Route {
  return route({
    method: 'PUT',
    path: PATH,
    area: 'trading',
    operation: 'manage-assets',
    summary: 'Changes what is sent of an asset; its scale is fixed.',
    body: Update,
    responses: { 200: AssetInfo },
    handler: async ({ params, body, now }) => {
      const { asset_id: assetId } = params;
      const known = knownAsset(venue.reference, assetId, 'asset_id');
      if (known instanceof Refused) return known;
      const fee =
        body.withdrawal_fee == null ? null : withdrawalFee(body.withdrawal_fee, known.scale);
      if (fee instanceof Refused) return fee;
      const changes = given<AssetConfiguration>({
        name: body.asset_name,
        scale: body.scale,
        canDeposit: body.can_deposit,
        canWithdraw: body.can_withdraw,
        withdrawalFee: fee,
        imageUrl: body.image_url,
      });
      const answer = await venue.cold(now, { type: 'ChangeAsset', assetId, changes });
      if (answer instanceof Refused) return inWordsOf(NAMES, body, answer);
      const changed = knownAsset(venue.reference, assetId, 'asset_id');
      return changed instanceof Refused ? changed : assetInfo(changed);
    },
  });
}
