import type { CommissionProfile, CommissionRule, RulePriority } from '../messages/commissions.ts';
import { Refusals } from '../messages/refusals.ts';
import { isDefault } from './commission-schedule.ts';
import { type Denial, deny } from './denial.ts';

/** What a rule holds for: one of the two, or neither for a default rule. */
export interface RuleTarget {
  readonly marketId: string | null;
  readonly marketGroupId: string | null;
}

/** What there is for a rule to name. */
export interface RuleTargets {
  isMarket(marketId: string): boolean;
  isMarketGroup(marketGroupId: string): boolean;
}

/** The priority of a rule that goes behind all others. */
export const BEHIND = Number.POSITIVE_INFINITY;
/** The rules of one profile, the default one among them. */
const RULES_MAX = 500;

function ruleUnknown(ruleId: number): Denial {
  return deny(Refusals.ResourceUnknown, 'commissionProfileRuleId', String(ruleId));
}

/** Whether a rule of the profile may name this; `ruleId` null: one that is not in it yet. */
export function checkTarget(
  profile: CommissionProfile,
  ruleId: number | null,
  { marketId, marketGroupId }: RuleTarget,
  targets: RuleTargets,
): Denial | undefined {
  const known = profile.rules.find((rule) => rule.ruleId === ruleId);
  if (known === undefined && ruleId !== null) return ruleUnknown(ruleId);
  if (known !== undefined && isDefault(known)) {
    if (marketId === null && marketGroupId === null) return undefined;
    return deny(Refusals.DefaultRule, 'commissionProfileRuleId', `${ruleId}`, 'names nothing');
  }
  if (known === undefined && profile.rules.length >= RULES_MAX) {
    const value = String(profile.rules.length);
    return deny(Refusals.ConfigurationInvalid, 'rules', value, `at most ${RULES_MAX}`);
  }
  if (marketId !== null && marketGroupId !== null) {
    return deny(Refusals.RuleTarget, 'marketGroupId', marketGroupId, 'both are named');
  }
  if (marketId !== null) {
    if (!targets.isMarket(marketId)) return deny(Refusals.MarketUnknown, 'marketId', marketId);
    const taken = profile.rules.find((rule) => rule.marketId === marketId);
    return checkFree(ruleId, taken, 'marketId', marketId);
  }
  if (marketGroupId === null) return deny(Refusals.RuleTarget, 'marketId', '', 'neither is named');
  if (!targets.isMarketGroup(marketGroupId)) {
    return deny(Refusals.ReferenceUnknown, 'marketGroupId', marketGroupId);
  }
  const taken = profile.rules.find((rule) => rule.marketGroupId === marketGroupId);
  return checkFree(ruleId, taken, 'marketGroupId', marketGroupId);
}

function checkFree(
  ruleId: number | null,
  taken: CommissionRule | undefined,
  field: string,
  value: string,
): Denial | undefined {
  if (taken === undefined || taken.ruleId === ruleId) return undefined;
  return deny(Refusals.RuleTargetTaken, field, value, String(taken.ruleId));
}

export function checkDeletion(profile: CommissionProfile, ruleId: number): Denial | undefined {
  const rule = profile.rules.find((candidate) => candidate.ruleId === ruleId);
  if (rule === undefined) return ruleUnknown(ruleId);
  if (!isDefault(rule)) return undefined;
  return deny(Refusals.DefaultRule, 'commissionProfileRuleId', `${ruleId}`, 'cannot be deleted');
}

/**
 * The rules in order after some of them were given other priorities. The rule null is `subject`. Gaps
 * are allowed, two rules of the same priority are not; the default rule goes behind the last.
 */
export function prioritised(
  rules: readonly CommissionRule[],
  priorities: readonly RulePriority[],
  subject?: number,
): readonly CommissionRule[] | Denial {
  const wanted = new Map<number, number | null>();
  for (const { ruleId: named, priority } of priorities) {
    const ruleId = named ?? subject;
    const rule = rules.find((candidate) => candidate.ruleId === ruleId);
    if (rule === undefined || ruleId === undefined) {
      return deny(Refusals.ReferenceUnknown, 'commissionProfileRuleId', String(named));
    }
    if (isDefault(rule) && priority !== null && priority !== rule.priority) {
      return deny(Refusals.DefaultRule, 'commissionProfileRuleId', `${ruleId}`, 'comes last');
    }
    if (wanted.has(ruleId)) {
      const limit = 'each rule once';
      return deny(Refusals.ConfigurationInvalid, 'commissionProfileRuleId', `${ruleId}`, limit);
    }
    wanted.set(ruleId, priority);
  }
  const named = rules.filter((rule) => !isDefault(rule));
  const ordered = named
    .map((rule) => ({ ...rule, priority: wanted.get(rule.ruleId) ?? rule.priority }))
    .sort((a, b) => a.priority - b.priority)
    .map(placed);
  return checkPriorities(ordered) ?? [...ordered, ...lastOf(rules, ordered)];
}

function placed(
  rule: CommissionRule,
  place: number,
  ordered: readonly CommissionRule[],
): CommissionRule {
  if (rule.priority !== BEHIND) return rule;
  return { ...rule, priority: (ordered[place - 1]?.priority ?? 0) + 1 };
}

function checkPriorities(ordered: readonly CommissionRule[]): Denial | undefined {
  for (const [place, { ruleId, priority }] of ordered.entries()) {
    if (priority < 1) {
      return deny(Refusals.ConfigurationInvalid, 'priority', String(priority), '1 or more');
    }
    const before = ordered[place - 1];
    if (before?.priority !== priority) continue;
    const limit = `${before.ruleId} and ${ruleId}`;
    return deny(Refusals.RulePriorityTaken, 'priority', String(priority), limit);
  }
  return undefined;
}

function lastOf(
  rules: readonly CommissionRule[],
  ordered: readonly CommissionRule[],
): readonly CommissionRule[] {
  const last = ordered[ordered.length - 1]?.priority ?? 0;
  return rules.filter(isDefault).map((rule) => ({ ...rule, priority: last + 1 }));
}
