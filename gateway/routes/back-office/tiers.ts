import { type Static, Type } from '@sinclair/typebox';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import type { CommissionGroup } from '../../../core/messages/commissions.ts';
import { type Route, route } from '../../http/route.ts';
import { DecimalOutput, Nullable } from '../../http/schema.ts';
import type { Reference } from '../../venue/reference.ts';
import type { RouteContext } from '../context.ts';
import { SIZE_SCALE } from './commission-forms.ts';

const TierGroup = Type.Object({
  tiers: Type.Array(
    Type.Object({
      id: Type.Integer(),
      description: Type.String(),
      volume: DecimalOutput({ description: 'Root assets traded in the last 30 days.' }),
      makerFee: DecimalOutput({ description: 'A fraction of notional.' }),
      takerFee: DecimalOutput({ description: 'A fraction of notional.' }),
      tierGroupId: Type.Integer(),
    }),
  ),
  market: Type.Array(Type.Object({ marketId: Type.String(), tierGroupId: Type.Integer() })),
});

/** The dynamic commission groups as the older back office knows them. */
export function tierRoutes({ venue }: RouteContext): Route[] {
  const { reference } = venue;
  return [
    route({
      method: 'GET',
      path: '/back-api/backoffice/tiers',
      area: 'trading',
      operation: 'view-commission-rules',
      summary: 'What is charged by traded volume, for the groups that charge on notional.',
      responses: {
        200: Type.Object({
          rootAsset: Nullable(Type.String()),
          groups: Type.Array(TierGroup),
        }),
      },
      handler: () => ({
        rootAsset: reference.rootAsset?.assetId ?? null,
        groups: reference.commissions.groups
          .filter(({ type }) => type === 'Percent')
          .map((group) => tierGroup(reference, group)),
      }),
    }),
  ];
}

/** The ids of tiers follow from group and place: a group has fewer than a thousand of them. */
const TIERS_A_GROUP = 1000;

function tierGroup(reference: Reference, group: CommissionGroup): Static<typeof TierGroup> {
  const { groupId, name } = group;
  const rootScale = reference.rootAsset?.scale ?? 0;
  const markets = reference.commissions.marketsOf(groupId);
  return {
    tiers: group.tiers.map(({ size, makerSize, minTradingVolume }, place) => ({
      id: groupId * TIERS_A_GROUP + place + 1,
      description: `${name} ${place + 1}`,
      volume: formatUnits(minTradingVolume, rootScale),
      makerFee: formatUnits(makerSize, SIZE_SCALE),
      takerFee: formatUnits(size, SIZE_SCALE),
      tierGroupId: groupId,
    })),
    market: markets.map((market) => ({
      marketId: reference.market(market).configuration.marketId,
      tierGroupId: groupId,
    })),
  };
}
