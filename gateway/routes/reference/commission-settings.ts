import type { Static } from '@sinclair/typebox';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import type { MarketEntry, Reference } from '../../venue/reference.ts';
import type { CommissionSettings as SettingsSchema } from './market-schemas.ts';

export type CommissionSettings = Static<typeof SettingsSchema>;

/** Sizes count in 10^-8. */
const SIZE_SCALE = 8;

/**
 * What `userId` is charged in a market: as the profile of the user's first account has it, and for
 * somebody without an account the default one.
 */
export function commissionSettings(
  reference: Reference,
  market: MarketEntry,
  userId: string,
): CommissionSettings {
  const { commissions } = reference;
  const account = reference.accountsOwnedBy(userId)[0];
  const profile = commissions.profileOf(account?.index);
  const decided = commissions.chargeOf(market, profile);
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
