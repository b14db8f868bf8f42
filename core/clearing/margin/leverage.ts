import type { LeverageProfile } from '../../messages/configuration.ts';

/**
 * The most leverage that a profile gives at a net notional of `notionalInRoot` root units: of a
 * Dynamic profile that of the first tier that reaches so far.
 */
export function leverageCap(profile: LeverageProfile, notionalInRoot: bigint): number {
  if (profile.leverageType === 'Fixed') return profile.maxLeverage;
  for (const { maxLeverage, maxNotionalInRoot } of profile.tiers) {
    if (maxNotionalInRoot === null || notionalInRoot <= maxNotionalInRoot) return maxLeverage;
  }
  return 1;
}

/** The most leverage that a profile gives to anybody. */
export function highestLeverage(profile: LeverageProfile): number {
  if (profile.leverageType === 'Fixed') return profile.maxLeverage;
  return profile.tiers.reduce((most, { maxLeverage }) => Math.max(most, maxLeverage), 1);
}
