import { Type } from '@sinclair/typebox';
import type { AssetConfiguration } from '../../../core/messages/configuration.ts';
import { ASSET_SOURCES, ASSET_TYPES } from '../../../core/messages/enums.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { DecimalInput, Int32, Nullable, OneOf, PathText } from '../../http/schema.ts';
import type { RouteContext } from '../context.ts';
import { AssetForm, AssetId, AssetName, assetForm, knownAsset } from './asset-forms.ts';
import { given, inWordsOf, unitsOf } from './units.ts';

const INTERNAL_ASSETS = '/back-api/backoffice/v2/internal-assets';
const SCALE_MAX = 18;
const DEFAULT_SCALE = 8;
/** Margin ratios count in 10^-4. */
const RATIO_SCALE = 4;
const WHOLE = 10_000;
const LIST_LIMIT = 1000;
const FILTER_LENGTH_MAX = 128;
const NAMES = { assetId: 'id', isRoot: 'isRootAsset' };

const Settings = {
  name: Type.Optional(Nullable(AssetName)),
  scale: Type.Optional(Nullable(Int32({ minimum: 0, maximum: SCALE_MAX }))),
  type: Type.Optional(Nullable(OneOf(ASSET_TYPES))),
  isRootAsset: Type.Optional(
    Nullable(
      Type.Boolean({ description: 'Extension: true makes it the root asset, once and for all.' }),
    ),
  ),
  marginRatio: Type.Optional(
    Nullable(DecimalInput({ description: 'Extension: what counts as collateral, 0 to 1.' })),
  ),
};
const Creation = Type.Object({ id: Type.Optional(Nullable(AssetId)), ...Settings });
const Update = Type.Object(Settings);

/** Assets as the back office keeps them. */
export function backOfficeAssetRoutes(context: RouteContext): Route[] {
  return [createAsset(context), updateAsset(context), listAssets(context)];
}

function createAsset({ venue }: RouteContext): Route {
  return route({
    method: 'POST',
    path: INTERNAL_ASSETS,
    area: 'trading',
    operation: 'manage-assets',
    summary: 'Makes an asset of the venue itself.',
    body: Creation,
    example: { body: { id: 'btc', name: 'Bitcoin', scale: 8, type: 'Crypto' } },
    responses: { 201: AssetForm },
    handler: async ({ body, now }) => {
      const { id } = body;
      if (id == null) return refuse(Refusals.FieldMissing, { field: 'id' });
      const isRoot = body.isRootAsset ?? false;
      const marginRatio = ratioOf(body.marginRatio, isRoot ? WHOLE : 0);
      if (marginRatio instanceof Refused) return marginRatio;
      const configuration: AssetConfiguration = {
        assetId: id,
        name: body.name ?? id.toUpperCase(),
        scale: body.scale ?? DEFAULT_SCALE,
        type: body.type ?? 'Crypto',
        source: 'Internal',
        isRoot,
        marginRatio,
      };
      const command = { type: 'ConfigureAsset', configuration, isNew: true } as const;
      const answer = await venue.cold(now, command);
      return answer instanceof Refused ? inWordsOf(NAMES, body, answer) : assetForm(configuration);
    },
  });
}

function updateAsset({ venue }: RouteContext): Route {
  return route({
    method: 'PUT',
    path: `${INTERNAL_ASSETS}/{id}`,
    params: Type.Object({ id: PathText('btc') }),
    example: { body: { name: 'Bitcoin', type: 'Crypto' } },
    area: 'trading',
    operation: 'manage-assets',
    summary: 'Changes what is sent of an asset of the venue itself; its scale is fixed.',
    body: Update,
    responses: { 200: null },
    handler: async ({ params, body, now }) => {
      const known = knownAsset(venue.reference, params.id, 'id');
      if (known instanceof Refused) return known;
      if (known.source !== 'Internal') {
        return refuse(Refusals.AssetUnknown, { field: 'id', value: params.id });
      }
      const changes = changesOf(body, known);
      if (changes instanceof Refused) return changes;
      const command = { type: 'ChangeAsset', assetId: params.id, changes } as const;
      const answer = await venue.cold(now, command);
      return answer instanceof Refused ? inWordsOf(NAMES, body, answer) : undefined;
    },
  });
}

interface AssetUpdate {
  readonly name?: string | null;
  readonly scale?: number | null;
  readonly type?: AssetConfiguration['type'] | null;
  readonly isRootAsset?: boolean | null;
  readonly marginRatio?: string | null;
}

function changesOf(
  { name, scale, type, isRootAsset, marginRatio }: AssetUpdate,
  known: AssetConfiguration,
): Partial<AssetConfiguration> | Refused {
  if (isRootAsset === false && known.isRoot) {
    const limit = 'the root asset stays the root asset';
    return refuse(Refusals.ConfigurationInvalid, { field: 'isRootAsset', value: 'false', limit });
  }
  const becomesRoot = isRootAsset === true && !known.isRoot;
  const ratio = ratioOf(marginRatio, becomesRoot ? WHOLE : known.marginRatio);
  if (ratio instanceof Refused) return ratio;
  return given<AssetConfiguration>({ name, scale, type, isRoot: isRootAsset, marginRatio: ratio });
}

function ratioOf(text: string | null | undefined, otherwise: number): number | Refused {
  return text == null ? otherwise : unitsOf(text, RATIO_SCALE, 'marginRatio');
}

function listAssets({ venue }: RouteContext): Route {
  const Text = Type.Optional(Type.String({ maxLength: FILTER_LENGTH_MAX }));
  return route({
    method: 'GET',
    path: '/back-api/backoffice/v2/assets/list',
    area: 'trading',
    operation: 'view-common',
    summary: 'Assets in the order of their making; filters add up, a name may be a part of one.',
    query: Type.Object({
      id: Text,
      name: Text,
      source: Type.Optional(OneOf(ASSET_SOURCES)),
      type: Type.Optional(OneOf(ASSET_TYPES)),
      limit: Type.Optional(Int32({ minimum: 1, maximum: LIST_LIMIT, default: LIST_LIMIT })),
      offset: Type.Optional(Int32({ minimum: 0, default: 0 })),
    }),
    responses: { 200: Type.Array(AssetForm) },
    handler: ({ query }) => {
      const { id, source, type, limit = LIST_LIMIT, offset = 0 } = query;
      const name = query.name?.toLowerCase() ?? '';
      const fitting = venue.reference.assets.filter(
        (asset) =>
          (id === undefined || asset.assetId === id) &&
          (source === undefined || asset.source === source) &&
          (type === undefined || asset.type === type) &&
          asset.name.toLowerCase().includes(name),
      );
      return fitting.slice(offset, offset + limit).map(assetForm);
    },
  });
}
