import type { ChargeTypeName } from './enums.ts';

/*
 * What the venue charges for executions, and for whom. All sizes count in 10^-8: of notional for
 * Percent, of one of the asset a lot for FixPerLot. Minimums and volumes are root units.
 */

/** Percent: a fraction of notional. FixPerLot: so much of an asset (null: the root asset) a lot. */
export interface Charge {
  readonly type: ChargeTypeName;
  readonly size: number;
  readonly assetId: string | null;
}

export interface FeeSettings {
  /** Of Spot orders, on the notional of either side. */
  readonly spotSize: number;
  /** Of Cfd and Perp orders. */
  readonly margin: Charge;
  /** What an order with any fill pays at least. */
  readonly minimum: bigint;
}

/** A rule names a market, a market group, or neither: then it is the default rule of its profile. */
export interface CommissionRule {
  readonly ruleId: number;
  readonly marketId: string | null;
  readonly marketGroupId: string | null;
  readonly fees: FeeSettings;
  /** 1 is the strongest; the default rule comes behind all others. */
  readonly priority: number;
}

/** Its rules in order, strongest first, the default rule last. Every account has one profile. */
export interface CommissionProfile {
  readonly profileId: number;
  readonly name: string;
  readonly rules: readonly CommissionRule[];
}

/** Charged from this traded volume on. */
export interface CommissionTier {
  readonly size: number;
  /** Of what Spot orders trade as makers; Cfd and Perp orders are charged `size` on all. */
  readonly makerSize: number;
  readonly minTradingVolume: bigint;
}

/** A charge that follows the account's traded volume, for the markets that are in it. */
export interface CommissionGroup {
  readonly groupId: number;
  readonly name: string;
  readonly type: ChargeTypeName;
  /** Of a FixPerLot size; null for the root asset. */
  readonly assetId: string | null;
  readonly minimum: bigint;
  /** Ascending; the first from volume 0. */
  readonly tiers: readonly CommissionTier[];
}

/** The order of a rule among others; the rule null is the one that the command is about. */
export interface RulePriority {
  readonly ruleId: number | null;
  /** null: as it is. */
  readonly priority: number | null;
}

/** Part of the journal's format. */
export type CommissionEvent =
  /** The profile is now exactly this. */
  | { readonly type: 'CommissionProfileSet'; readonly profile: CommissionProfile }
  | { readonly type: 'CommissionGroupSet'; readonly group: CommissionGroup }
  /** No account has the profile, no market is in the group. */
  | { readonly type: 'CommissionProfileRemoved'; readonly profileId: number }
  | { readonly type: 'CommissionGroupRemoved'; readonly groupId: number }
  | {
      readonly type: 'CommissionGroupAssigned';
      readonly market: number;
      readonly groupId: number | null;
    }
  | {
      readonly type: 'CommissionProfileAssigned';
      readonly account: number;
      readonly profileId: number;
    }
  /**
   * A day of the platform ended, and `next` began: numbers of days since 1970-01-01. What each account
   * traded on it counts from now on, at these rates: root asset for one of the asset, in 10^-12.
   */
  | {
      readonly type: 'TradingDayEnded';
      readonly day: number;
      readonly next: number;
      readonly rates: readonly { readonly asset: number; readonly rate: bigint }[];
    };

export type CommissionCommand =
  | { readonly type: 'CreateCommissionProfile'; readonly name: string }
  | { readonly type: 'RemoveCommissionProfile'; readonly profileId: number }
  | {
      readonly type: 'CreateCommissionRule';
      readonly profileId: number;
      readonly marketId: string | null;
      readonly marketGroupId: string | null;
      readonly fees: FeeSettings;
      /** null: behind all others but the default rule. */
      readonly priority: number | null;
      readonly priorities: readonly RulePriority[];
    }
  | {
      readonly type: 'ChangeCommissionRule';
      readonly profileId: number;
      readonly ruleId: number;
      readonly marketId: string | null;
      readonly marketGroupId: string | null;
      readonly fees: FeeSettings;
      readonly priorities: readonly RulePriority[];
    }
  | {
      readonly type: 'DeleteCommissionRule';
      readonly profileId: number;
      readonly ruleId: number;
    }
  | {
      readonly type: 'SetCommissionPriorities';
      readonly profileId: number;
      readonly priorities: readonly RulePriority[];
    }
  | {
      readonly type: 'AssignCommissionProfile';
      readonly accountId: string;
      readonly profileId: number;
    }
  | { readonly type: 'CreateCommissionGroup'; readonly group: Omit<CommissionGroup, 'groupId'> }
  | { readonly type: 'ChangeCommissionGroup'; readonly group: CommissionGroup }
  | { readonly type: 'RemoveCommissionGroup'; readonly groupId: number }
  | {
      readonly type: 'AssignCommissionGroup';
      readonly marketId: string;
      readonly groupId: number | null;
    };

/** Everything about commissions but traded volumes: what a gateway needs to start. */
export interface CommissionConfiguration {
  readonly profiles: readonly CommissionProfile[];
  readonly groups: readonly CommissionGroup[];
  /** Pairs of a market's dense index and its group, of an account's and its profile. */
  readonly marketGroups: readonly (readonly [number, number])[];
  readonly accountProfiles: readonly (readonly [number, number])[];
  /** Ids are never given twice, also not those of what was removed. */
  readonly nextRuleId: number;
  readonly nextProfileId: number;
  readonly nextGroupId: number;
}
