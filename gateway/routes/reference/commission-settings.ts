import type { Static } from '@sinclair/typebox';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import type { CommissionProfile } from '../../../core/messages/commissions.ts';
import type { MarketEntry, Reference } from '../../venue/reference.ts';
import type { CommissionSettings as SettingsSchema } from './market-schemas.ts';

export type CommissionSettings = Static<typeof SettingsSchema>;

/** Sizes count in 10^-8. */
const SIZE_SCALE = 8;

/** What decides a user's charges: the profile of the first account, without an account the default one. */
export function profileOfUser(reference: Reference, userId: string): CommissionProfile {
  const account = reference.accountsOwnedBy(userId)[0];
  return reference.commissions.profileOf(account?.index);
}

/** What users with this profile are charged in a market. */
export function commissionSettings(
  reference: Reference,
  market: MarketEntry,
  profile: CommissionProfile,
): CommissionSettings {
  const decided = reference.commissions.chargeOf(market, profile);
  const rootScale = reference.rootAsset?.scale ?? 0;
  const least = (minimum: bigint) => (minimum === 0n ? null : formatUnits(minimum, rootScale));
  if (decided.type === 'Fixed') {
    const { charge, minimum } = decided;
    const { type, assetId } = charge;
    const size = formatUnits(charge.size, SIZE_SCALE);
    return {
      type: 'Fixed',
      charge: { type, assetId, size, tiers: null, minCommissionInRAT: least(minimum) },
      dynamicCommissionGroupId: null,
    };
  }
  const { groupId, type, minimum, tiers } = decided.group;
  return {
    type: 'Dynamic',
    charge: {
      type,
      assetId: null,
      size: null,
      tiers: tiers.map(({ size, minTradingVolume }) => ({
        size: formatUnits(size, SIZE_SCALE),
        minTradingVolumeInRAT: formatUnits(minTradingVolume, rootScale),
      })),
      minCommissionInRAT: least(minimum),
    },
    dynamicCommissionGroupId: String(groupId),
  };
}
