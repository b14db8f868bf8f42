import { MAX_UNITS } from '../fixed-point/index.ts';
import type {
  Charge,
  CommissionCommand,
  CommissionGroup,
  CommissionProfile,
  CommissionRule,
  FeeSettings,
  RulePriority,
} from '../messages/commissions.ts';
import { Refusals } from '../messages/refusals.ts';
import {
  BEHIND,
  checkDeletion,
  checkTarget,
  prioritised,
  type RuleTargets,
} from './commission-rules.ts';
import { type CommissionSchedule, DEFAULT_PROFILE, isDefault } from './commission-schedule.ts';
import { type Denial, deny } from './denial.ts';
import type { Recorder } from './recorder.ts';
import type { ClearingState } from './state.ts';

/** 1 in 10^-8: all of the notional. */
const SIZE_ONE = 100_000_000;
/** A million of an asset a lot, in 10^-8. */
const PER_LOT_MAX = 100_000_000_000_000;
const TIERS_MAX = 50;
const PROFILES_MAX = 1000;
const GROUPS_MAX = 1000;

type CommandOf<T extends CommissionCommand['type']> = Extract<CommissionCommand, { type: T }>;

/** Changes who pays what, in order with the trading: orders admitted before keep their terms. */
export class CommissionAdministration {
  private readonly state: ClearingState;
  private readonly recorder: Recorder;
  private readonly targets: RuleTargets;

  constructor(state: ClearingState, recorder: Recorder) {
    this.state = state;
    this.recorder = recorder;
    this.targets = {
      isMarket: (marketId) => state.marketOf(marketId) !== undefined,
      isMarketGroup: (groupId) =>
        state.markets.some(({ configuration }) => configuration.marketGroupId === groupId),
    };
  }

  apply(ticket: number, command: CommissionCommand, now: number): Denial | undefined {
    switch (command.type) {
      case 'CreateCommissionProfile':
        return this.createProfile(ticket, command.name, now);
      case 'CreateCommissionRule':
        return this.createRule(ticket, command, now);
      case 'ChangeCommissionRule':
        return this.changeRule(ticket, command, now);
      case 'DeleteCommissionRule':
        return this.deleteRule(ticket, command, now);
      case 'SetCommissionPriorities':
        return this.setPriorities(ticket, command, now);
      case 'AssignCommissionProfile':
        return this.assignProfile(ticket, command, now);
      case 'CreateCommissionGroup': {
        const groupId = this.schedule.nextGroupId;
        return this.setGroup(ticket, { ...command.group, groupId }, now);
      }
      case 'ChangeCommissionGroup':
        return this.setGroup(ticket, command.group, now, true);
      case 'RemoveCommissionProfile':
        return this.removeProfile(ticket, command.profileId, now);
      case 'RemoveCommissionGroup':
        return this.removeGroup(ticket, command.groupId, now);
      case 'AssignCommissionGroup':
        return this.assignGroup(ticket, command, now);
    }
  }

  private get schedule(): CommissionSchedule {
    return this.state.commissions.schedule;
  }

  /** Its default rule starts as that of the Default profile is now. */
  private createProfile(ticket: number, name: string, now: number): Denial | undefined {
    const { profiles, nextRuleId, nextProfileId: profileId } = this.schedule;
    if (profiles.some((profile) => profile.name === name)) {
      return deny(Refusals.AlreadyExists, 'name', name);
    }
    if (profiles.length >= PROFILES_MAX)
      return invalid('profiles', PROFILES_MAX, 'all there can be');
    const model = this.schedule.profileOf(undefined).rules.filter(isDefault);
    const rules = model.map((rule) => ({ ...rule, ruleId: nextRuleId, priority: 1 }));
    return this.record(ticket, { profileId, name, rules }, now, { profileId });
  }

  /** Orders that were placed under it keep their charge: it stands in them. */
  private removeProfile(ticket: number, profileId: number, now: number): Denial | undefined {
    const field = 'commissionProfileId';
    const value = String(profileId);
    if (this.schedule.profile(profileId) === undefined) return profileUnknown(profileId);
    if (profileId === DEFAULT_PROFILE) {
      return deny(Refusals.WrongState, field, value, 'the default profile: it stays');
    }
    if (this.schedule.isAssigned(profileId)) return deny(Refusals.StillInUse, field, value);
    this.recorder.cold(now, { type: 'CommissionProfileRemoved', profileId });
    this.recorder.coldAnswer(ticket, {});
    return undefined;
  }

  private removeGroup(ticket: number, groupId: number, now: number): Denial | undefined {
    if (this.schedule.group(groupId) === undefined) return groupUnknown(groupId);
    if (this.schedule.marketsOf(groupId).length > 0) {
      return deny(Refusals.StillInUse, 'dynamicCommissionGroupId', String(groupId));
    }
    this.recorder.cold(now, { type: 'CommissionGroupRemoved', groupId });
    this.recorder.coldAnswer(ticket, {});
    return undefined;
  }

  private createRule(
    ticket: number,
    command: CommandOf<'CreateCommissionRule'>,
    now: number,
  ): Denial | undefined {
    const { marketId, marketGroupId, fees } = command;
    const profile = this.schedule.profile(command.profileId);
    if (profile === undefined) return profileUnknown(command.profileId);
    const denial =
      checkTarget(profile, null, command, this.targets) ?? this.checkFees(command.fees);
    if (denial !== undefined) return denial;
    const ruleId = this.schedule.nextRuleId;
    const priority = command.priority ?? BEHIND;
    const rule = { ruleId, marketId, marketGroupId, fees, priority };
    const rules = prioritised([...profile.rules, rule], command.priorities, ruleId);
    if ('refusal' in rules) return rules;
    return this.record(ticket, { ...profile, rules }, now, { ruleId });
  }

  private changeRule(
    ticket: number,
    command: CommandOf<'ChangeCommissionRule'>,
    now: number,
  ): Denial | undefined {
    const { ruleId, marketId, marketGroupId, fees } = command;
    const profile = this.schedule.profile(command.profileId);
    if (profile === undefined) return profileUnknown(command.profileId);
    const denial =
      checkTarget(profile, ruleId, command, this.targets) ?? this.checkFees(command.fees);
    if (denial !== undefined) return denial;
    const changed = profile.rules.map((rule) =>
      rule.ruleId === ruleId ? { ...rule, marketId, marketGroupId, fees } : rule,
    );
    return this.reorder(ticket, profile, changed, command.priorities, now, ruleId);
  }

  private deleteRule(
    ticket: number,
    { profileId, ruleId }: CommandOf<'DeleteCommissionRule'>,
    now: number,
  ): Denial | undefined {
    const profile = this.schedule.profile(profileId);
    if (profile === undefined) return profileUnknown(profileId);
    const denial = checkDeletion(profile, ruleId);
    if (denial !== undefined) return denial;
    const left = profile.rules.filter((rule) => rule.ruleId !== ruleId);
    return this.reorder(ticket, profile, left, [], now);
  }

  private setPriorities(
    ticket: number,
    { profileId, priorities }: CommandOf<'SetCommissionPriorities'>,
    now: number,
  ): Denial | undefined {
    const profile = this.schedule.profile(profileId);
    if (profile === undefined) return profileUnknown(profileId);
    return this.reorder(ticket, profile, profile.rules, priorities, now);
  }

  private reorder(
    ticket: number,
    profile: CommissionProfile,
    changed: readonly CommissionRule[],
    priorities: readonly RulePriority[],
    now: number,
    subject?: number,
  ): Denial | undefined {
    const rules = prioritised(changed, priorities, subject);
    if ('refusal' in rules) return rules;
    return this.record(ticket, { ...profile, rules }, now, {});
  }

  private record(
    ticket: number,
    profile: CommissionProfile,
    now: number,
    answer: object,
  ): undefined {
    this.recorder.cold(now, { type: 'CommissionProfileSet', profile });
    this.recorder.coldAnswer(ticket, answer);
    return undefined;
  }

  private assignProfile(
    ticket: number,
    { accountId, profileId }: CommandOf<'AssignCommissionProfile'>,
    now: number,
  ): Denial | undefined {
    const account = this.state.accounts.indexOf(accountId);
    if (account === undefined) return deny(Refusals.ResourceUnknown, 'accountId', accountId);
    if (this.schedule.profile(profileId) === undefined) {
      return deny(Refusals.ReferenceUnknown, 'commissionProfileId', String(profileId));
    }
    this.recorder.cold(now, { type: 'CommissionProfileAssigned', account, profileId });
    this.recorder.coldAnswer(ticket, {});
    return undefined;
  }

  private setGroup(
    ticket: number,
    group: CommissionGroup,
    now: number,
    isKnown = false,
  ): Denial | undefined {
    const { groupId, name, type, assetId, minimum } = group;
    const { groups } = this.schedule;
    if (isKnown && this.schedule.group(groupId) === undefined) return groupUnknown(groupId);
    if (!isKnown && groups.length >= GROUPS_MAX) {
      return invalid('groups', GROUPS_MAX, 'all there can be');
    }
    if (groups.some((other) => other.name === name && other.groupId !== groupId)) {
      return deny(Refusals.AlreadyExists, 'name', name);
    }
    const spot = this.schedule.marketsOf(groupId).some((market) => this.isSpot(market));
    const denial =
      (spot ? checkSpot(type, groupId) : undefined) ??
      this.checkTiers(group) ??
      checkMinimum(minimum) ??
      this.checkAsset(type, assetId, 'assetId');
    if (denial !== undefined) return denial;
    this.recorder.cold(now, { type: 'CommissionGroupSet', group });
    this.recorder.coldAnswer(ticket, { groupId });
    return undefined;
  }

  private assignGroup(
    ticket: number,
    { marketId, groupId }: CommandOf<'AssignCommissionGroup'>,
    now: number,
  ): Denial | undefined {
    const market = this.state.marketOf(marketId);
    if (market === undefined) return deny(Refusals.MarketUnknown, 'marketId', marketId);
    if (groupId !== null) {
      const group = this.schedule.group(groupId);
      if (group === undefined) {
        return deny(Refusals.ReferenceUnknown, 'dynamicCommissionGroupId', String(groupId));
      }
      const denial = this.isSpot(market.index) ? checkSpot(group.type, groupId) : undefined;
      if (denial !== undefined) return denial;
    }
    this.recorder.cold(now, { type: 'CommissionGroupAssigned', market: market.index, groupId });
    this.recorder.coldAnswer(ticket, {});
    return undefined;
  }

  private isSpot(market: number): boolean {
    return this.state.market(market).configuration.type === 'Spot';
  }

  private checkFees({ spotSize, margin, minimum }: FeeSettings): Denial | undefined {
    return (
      checkSize('Percent', spotSize, 'spot.size') ??
      this.checkCharge(margin) ??
      checkMinimum(minimum)
    );
  }

  private checkCharge({ type, size, assetId }: Charge): Denial | undefined {
    return checkSize(type, size, 'cfd.size') ?? this.checkAsset(type, assetId, 'cfd.assetId');
  }

  private checkAsset(type: string, assetId: string | null, field: string): Denial | undefined {
    if (assetId === null) return undefined;
    if (type === 'Percent') return deny(Refusals.FieldNotTaken, field, assetId, 'Percent');
    return this.state.assetOf(assetId) === undefined
      ? deny(Refusals.AssetUnknown, field, assetId)
      : undefined;
  }

  private checkTiers({ type, tiers }: CommissionGroup): Denial | undefined {
    if (tiers.length < 1 || tiers.length > TIERS_MAX) {
      return invalid('tiers', tiers.length, `1 to ${TIERS_MAX} of them`);
    }
    for (const [place, { size, makerSize, minTradingVolume }] of tiers.entries()) {
      const denial =
        checkSize(type, size, `tiers[${place}].size`) ??
        checkSize(type, makerSize, `tiers[${place}].makerSize`);
      if (denial !== undefined) return denial;
      const before = tiers[place - 1]?.minTradingVolume;
      const follows = before === undefined ? minTradingVolume === 0n : minTradingVolume > before;
      if (follows && minTradingVolume <= MAX_UNITS) continue;
      const field = `tiers[${place}].minTradingVolumeInRAT`;
      return invalid(field, minTradingVolume, 'from 0 upwards');
    }
    return undefined;
  }
}

function profileUnknown(profileId: number): Denial {
  return deny(Refusals.ResourceUnknown, 'commissionProfileId', String(profileId));
}

function groupUnknown(groupId: number): Denial {
  return deny(Refusals.ResourceUnknown, 'dynamicCommissionGroupId', String(groupId));
}

function invalid(field: string, value: number | bigint, limit: string): Denial {
  return deny(Refusals.ConfigurationInvalid, field, String(value), limit);
}

function checkSize(type: string, size: number, field: string): Denial | undefined {
  const most = type === 'Percent' ? SIZE_ONE : PER_LOT_MAX;
  if (Number.isSafeInteger(size) && size >= 0 && size <= most) return undefined;
  return invalid(field, size, type === 'Percent' ? 'a fraction, 0 to 1' : '0 to a million a lot');
}

function checkMinimum(minimum: bigint): Denial | undefined {
  if (minimum >= 0n && minimum <= MAX_UNITS) return undefined;
  return invalid('minFeeRAT', minimum, `0 to ${MAX_UNITS} units`);
}

/** Spot has no lots. */
function checkSpot(type: string, groupId: number): Denial | undefined {
  if (type === 'Percent') return undefined;
  const value = String(groupId);
  return deny(Refusals.ConfigurationInvalid, 'dynamicCommissionGroupId', value, 'Percent for Spot');
}
