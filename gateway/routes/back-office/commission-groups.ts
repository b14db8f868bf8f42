import { type Static, Type } from '@sinclair/typebox';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import type { CommissionGroup, CommissionTier } from '../../../core/messages/commissions.ts';
import { CHARGE_TYPES } from '../../../core/messages/enums.ts';
import { Refused } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { DecimalInput, DecimalOutput, Nullable, OneOf } from '../../http/schema.ts';
import type { Reference } from '../../venue/reference.ts';
import type { RouteContext } from '../context.ts';
import { AssetId } from './asset-forms.ts';
import { idsIn, leastForm, NumericId, rootUnitsOf, SIZE_SCALE } from './commission-forms.ts';
import { inWordsOf, unitsOf } from './units.ts';

const GROUPS = '/back-api/backoffice/v2/dynamic-commission-groups';
const NAMES = { minFeeRAT: 'minCommissionInRAT', 'cfd.assetId': 'assetId' };
const NAME_LENGTH_MAX = 100;
const TIERS_MAX = 50;

const SIZE = 'Percent: a fraction of notional. FixPerLot: so much of the asset a lot.';
const MAKER_SIZE = 'The same of what Spot orders trade as makers; left out: size.';
const VOLUME = 'From this volume of the last 30 days on; ascending, the first 0.';

const GroupInput = Type.Object({
  name: Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX }),
  type: OneOf(CHARGE_TYPES),
  assetId: Type.Optional(Nullable(AssetId)),
  minCommissionInRAT: Type.Optional(Nullable(DecimalInput())),
  tiers: Type.Array(
    Type.Object({
      size: DecimalInput({ description: SIZE }),
      makerSize: Type.Optional(Nullable(DecimalInput({ description: MAKER_SIZE }))),
      minTradingVolumeInRAT: DecimalInput({ description: VOLUME }),
    }),
    { minItems: 1, maxItems: TIERS_MAX },
  ),
});

const GROUP_EXAMPLE = {
  name: 'By volume',
  type: 'Percent',
  tiers: [
    { size: '0.001', makerSize: '0.0008', minTradingVolumeInRAT: '0' },
    { size: '0.0008', makerSize: '0.0005', minTradingVolumeInRAT: '125000' },
  ],
};

const GroupForm = Type.Object({
  dynamicCommissionGroupId: Type.String(),
  name: Type.String(),
  type: OneOf(CHARGE_TYPES),
  assetId: Nullable(Type.String()),
  minCommissionInRAT: Nullable(DecimalOutput()),
  tiers: Type.Array(
    Type.Object({
      size: DecimalOutput({ description: SIZE }),
      makerSize: DecimalOutput(),
      minTradingVolumeInRAT: DecimalOutput({ description: VOLUME }),
    }),
  ),
  marketIds: Type.Array(Type.String()),
});

/** Dynamic commission groups: what their markets charge follows the account's traded volume. */
export function commissionGroupRoutes(context: RouteContext): Route[] {
  return [
    listGroups(context),
    createGroup(context),
    changeGroup(context),
    removeGroup(context),
    assignGroup(context),
  ];
}

function listGroups({ venue }: RouteContext): Route {
  const { reference } = venue;
  return route({
    method: 'GET',
    path: GROUPS,
    area: 'trading',
    operation: 'view-commission-rules',
    extension: true,
    summary: 'Every dynamic commission group with its tiers and markets.',
    responses: { 200: Type.Array(GroupForm) },
    handler: () => reference.commissions.groups.map((group) => groupForm(reference, group)),
  });
}

function createGroup({ venue }: RouteContext): Route {
  return route({
    method: 'POST',
    path: GROUPS,
    area: 'trading',
    operation: 'manage-commission-rules',
    extension: true,
    summary: 'Makes a dynamic commission group; no market is in it yet.',
    body: GroupInput,
    example: { body: GROUP_EXAMPLE },
    responses: { 201: Type.Object({ id: Type.String() }) },
    handler: async ({ body, now }) => {
      const group = groupOf(venue.reference, body);
      if (group instanceof Refused) return group;
      const command = { type: 'CreateCommissionGroup', group } as const;
      const created = await venue.cold<{ groupId: number }>(now, command);
      if (created instanceof Refused) return inWordsOf(NAMES, body, created);
      return { id: String(created.groupId) };
    },
  });
}

function changeGroup({ venue }: RouteContext): Route {
  return route({
    method: 'PUT',
    path: `${GROUPS}/{dynamicCommissionGroupId}`,
    area: 'trading',
    operation: 'manage-commission-rules',
    extension: true,
    summary: 'Replaces what a group charges; orders placed from now on follow it.',
    body: GroupInput,
    example: { body: GROUP_EXAMPLE },
    responses: { 200: null },
    handler: async ({ params, body, now }) => {
      const ids = idsIn(params);
      if (ids instanceof Refused) return ids;
      const group = groupOf(venue.reference, body);
      if (group instanceof Refused) return group;
      const groupId = ids.dynamicCommissionGroupId;
      const command = { type: 'ChangeCommissionGroup', group: { ...group, groupId } } as const;
      const changed = await venue.cold(now, command);
      return changed instanceof Refused ? inWordsOf(NAMES, body, changed) : undefined;
    },
  });
}

function removeGroup({ venue }: RouteContext): Route {
  return route({
    method: 'DELETE',
    path: `${GROUPS}/{dynamicCommissionGroupId}`,
    area: 'trading',
    operation: 'manage-commission-rules',
    extension: true,
    summary: 'Removes a group that no market is in.',
    responses: { 200: null },
    handler: async ({ params, now }) => {
      const ids = idsIn(params);
      if (ids instanceof Refused) return ids;
      const { dynamicCommissionGroupId: groupId } = ids;
      const removed = await venue.cold(now, { type: 'RemoveCommissionGroup', groupId });
      return removed instanceof Refused ? removed : undefined;
    },
  });
}

function assignGroup({ venue }: RouteContext): Route {
  return route({
    method: 'PUT',
    path: '/back-api/backoffice/v2/markets/{marketId}/dynamic-commission-group',
    area: 'trading',
    operation: 'manage-commission-rules',
    extension: true,
    summary: 'Puts a market into a group, or with null into none.',
    body: Type.Object({ dynamicCommissionGroupId: Nullable(NumericId()) }),
    responses: { 200: null },
    handler: async ({ params, body, now }) => {
      const { dynamicCommissionGroupId: id } = body;
      const assigned = await venue.cold(now, {
        type: 'AssignCommissionGroup',
        marketId: params.marketId,
        groupId: id === null ? null : Number(id),
      });
      return assigned instanceof Refused ? assigned : undefined;
    },
  });
}

function groupOf(
  reference: Reference,
  { name, type, assetId, minCommissionInRAT, tiers: sent }: Static<typeof GroupInput>,
): Omit<CommissionGroup, 'groupId'> | Refused {
  const minimum = rootUnitsOf(reference, minCommissionInRAT ?? '0', 'minCommissionInRAT');
  if (minimum instanceof Refused) return minimum;
  const tiers: CommissionTier[] = [];
  for (const [place, tier] of sent.entries()) {
    const size = unitsOf(tier.size, SIZE_SCALE, `tiers[${place}].size`);
    if (size instanceof Refused) return size;
    const field = `tiers[${place}].minTradingVolumeInRAT`;
    const minTradingVolume = rootUnitsOf(reference, tier.minTradingVolumeInRAT, field);
    if (minTradingVolume instanceof Refused) return minTradingVolume;
    const makerSize = unitsOf(tier.makerSize ?? tier.size, SIZE_SCALE, `tiers[${place}].makerSize`);
    if (makerSize instanceof Refused) return makerSize;
    tiers.push({ size, makerSize, minTradingVolume });
  }
  return { name, type, assetId: assetId ?? null, minimum, tiers };
}

function groupForm(reference: Reference, group: CommissionGroup): Static<typeof GroupForm> {
  const { groupId, name, type, assetId, minimum, tiers } = group;
  const rootScale = reference.rootAsset?.scale ?? 0;
  const markets = reference.commissions.marketsOf(groupId);
  return {
    dynamicCommissionGroupId: String(groupId),
    name,
    type,
    assetId,
    minCommissionInRAT: leastForm(reference, minimum),
    tiers: tiers.map(({ size, makerSize, minTradingVolume }) => ({
      size: formatUnits(size, SIZE_SCALE),
      makerSize: formatUnits(makerSize, SIZE_SCALE),
      minTradingVolumeInRAT: formatUnits(minTradingVolume, rootScale),
    })),
    marketIds: markets.map((market) => reference.market(market).configuration.marketId),
  };
}
