import type {
  Charge,
  CommissionConfiguration,
  CommissionEvent,
  CommissionGroup,
  CommissionProfile,
  CommissionRule,
} from '../messages/commissions.ts';
import type { MarketConfiguration } from '../messages/configuration.ts';

export const DEFAULT_PROFILE = 1;
/** 0.001 of notional, in 10^-8: what the default rule of a new venue charges on everything. */
const FIRST_SIZE = 100_000;

/** A market as far as commissions look at it. */
export interface ChargedMarket {
  readonly index: number;
  readonly configuration: MarketConfiguration;
}

/** What decides an order's commission: one charge, or tiers of one by traded volume. */
export type MarketCharge =
  | {
      readonly type: 'Fixed';
      readonly charge: Charge;
      /** Of what Spot orders trade as makers. */
      readonly makerSize: number;
      readonly minimum: bigint;
    }
  | { readonly type: 'Dynamic'; readonly group: CommissionGroup };

/** The profile that is there before anything happened. */
const FIRST_PROFILE: CommissionProfile = {
  profileId: DEFAULT_PROFILE,
  name: 'Default',
  rules: [
    {
      ruleId: 1,
      marketId: null,
      marketGroupId: null,
      fees: {
        spotSize: FIRST_SIZE,
        margin: { type: 'Percent', size: FIRST_SIZE, assetId: null },
        minimum: 0n,
      },
      priority: 1,
    },
  ],
};

/**
 * Who pays what for trading where: commission profiles with their rules, groups with volume tiers, and
 * what is assigned to which. For an account in a market the first of these decides:
 *
 * 1. the strongest rule of the account's profile that names the market or its market group
 * 2. the group that the market is in
 * 3. the market's own rates (`feeRate`, `makerFeeRate`, `feeMinimum`), where it has them
 * 4. the default rule of the account's profile
 */
export class CommissionSchedule {
  private readonly profilesById = new Map<number, CommissionProfile>();
  private readonly groupsById = new Map<number, CommissionGroup>();
  private readonly marketGroups = new Map<number, number>();
  private readonly accountProfiles = new Map<number, number>();
  /** Ids are never given twice, also not those of what was removed. */
  nextRuleId = 1;
  nextProfileId = 1;
  nextGroupId = 1;
  /** Changes with every event: what was looked up before it may not hold any more. */
  revision = 0;

  constructor() {
    this.setProfile(FIRST_PROFILE);
  }

  get profiles(): readonly CommissionProfile[] {
    return [...this.profilesById.values()];
  }

  get groups(): readonly CommissionGroup[] {
    return [...this.groupsById.values()];
  }

  profile(profileId: number): CommissionProfile | undefined {
    return this.profilesById.get(profileId);
  }

  group(groupId: number): CommissionGroup | undefined {
    return this.groupsById.get(groupId);
  }

  /** The group that a market is in. */
  groupOf(market: number): CommissionGroup | undefined {
    const groupId = this.marketGroups.get(market);
    return groupId === undefined ? undefined : this.groupsById.get(groupId);
  }

  /** The dense indexes of a group's markets. */
  marketsOf(groupId: number): number[] {
    const pairs = [...this.marketGroups].filter(([, group]) => group === groupId);
    return pairs.map(([market]) => market);
  }

  /** Whether any account was given this profile. */
  isAssigned(profileId: number): boolean {
    return [...this.accountProfiles.values()].includes(profileId);
  }

  /** An account that was given none has the default one, and so has nobody in particular. */
  profileOf(account: number | undefined): CommissionProfile {
    const own = account === undefined ? undefined : this.accountProfiles.get(account);
    const profileId = own ?? DEFAULT_PROFILE;
    return this.profilesById.get(profileId) as CommissionProfile;
  }

  chargeOf(market: ChargedMarket, profile: CommissionProfile): MarketCharge {
    const { type, feeRate, feeMinimum, makerFeeRate } = market.configuration;
    const rule = profile.rules.find((candidate) => applies(candidate, market)) as CommissionRule;
    if (isDefault(rule)) {
      const group = this.groupOf(market.index);
      if (group !== undefined) return { type: 'Dynamic', group };
      if (feeRate !== null) {
        const charge = { type: 'Percent', size: feeRate, assetId: null } as const;
        const makerSize = makerFeeRate ?? feeRate;
        return { type: 'Fixed', charge, makerSize, minimum: feeMinimum };
      }
    }
    const { spotSize, margin, minimum } = rule.fees;
    const charge: Charge =
      type === 'Spot' ? { type: 'Percent', size: spotSize, assetId: null } : margin;
    return { type: 'Fixed', charge, makerSize: charge.size, minimum };
  }

  apply(event: CommissionEvent): void {
    this.revision++;
    switch (event.type) {
      case 'CommissionProfileSet':
        return this.setProfile(event.profile);
      case 'CommissionGroupSet':
        return this.setGroup(event.group);
      case 'CommissionProfileRemoved':
        this.profilesById.delete(event.profileId);
        return;
      case 'CommissionGroupRemoved':
        this.groupsById.delete(event.groupId);
        return;
      case 'CommissionGroupAssigned':
        if (event.groupId === null) this.marketGroups.delete(event.market);
        else this.marketGroups.set(event.market, event.groupId);
        return;
      case 'CommissionProfileAssigned':
        if (event.profileId === DEFAULT_PROFILE) this.accountProfiles.delete(event.account);
        else this.accountProfiles.set(event.account, event.profileId);
        return;
      case 'TradingDayEnded':
        return;
    }
  }

  save(): CommissionConfiguration {
    const byIndex = (a: readonly [number, number], b: readonly [number, number]) => a[0] - b[0];
    return {
      profiles: this.profiles,
      groups: this.groups,
      marketGroups: [...this.marketGroups].sort(byIndex),
      accountProfiles: [...this.accountProfiles].sort(byIndex),
      nextRuleId: this.nextRuleId,
      nextProfileId: this.nextProfileId,
      nextGroupId: this.nextGroupId,
    };
  }

  /** Becomes what was saved. */
  load(saved: CommissionConfiguration): void {
    this.revision++;
    this.profilesById.clear();
    this.groupsById.clear();
    this.marketGroups.clear();
    this.accountProfiles.clear();
    for (const profile of saved.profiles) this.setProfile(profile);
    for (const group of saved.groups) this.setGroup(group);
    for (const [market, groupId] of saved.marketGroups) this.marketGroups.set(market, groupId);
    for (const [account, id] of saved.accountProfiles) this.accountProfiles.set(account, id);
    this.nextRuleId = saved.nextRuleId;
    this.nextProfileId = saved.nextProfileId;
    this.nextGroupId = saved.nextGroupId;
  }

  private setProfile(profile: CommissionProfile): void {
    this.profilesById.set(profile.profileId, profile);
    this.nextProfileId = Math.max(this.nextProfileId, profile.profileId + 1);
    for (const { ruleId } of profile.rules) this.nextRuleId = Math.max(this.nextRuleId, ruleId + 1);
  }

  private setGroup(group: CommissionGroup): void {
    this.groupsById.set(group.groupId, group);
    this.nextGroupId = Math.max(this.nextGroupId, group.groupId + 1);
  }
}

/** It names nothing and so holds for everything that no other rule names. */
export function isDefault(rule: CommissionRule): boolean {
  return rule.marketId === null && rule.marketGroupId === null;
}

function applies(rule: CommissionRule, { configuration }: ChargedMarket): boolean {
  if (rule.marketId !== null) return rule.marketId === configuration.marketId;
  if (rule.marketGroupId === null) return true;
  return rule.marketGroupId === configuration.marketGroupId;
}
