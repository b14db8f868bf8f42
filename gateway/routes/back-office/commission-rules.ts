import { Type } from '@sinclair/typebox';
import { checkDeletion, checkTarget, type Denial } from '../../../core/clearing/index.ts';
import type { CommissionProfile } from '../../../core/messages/commissions.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { Nullable } from '../../http/schema.ts';
import type { Reference } from '../../venue/reference.ts';
import type { RouteContext } from '../context.ts';
import {
  feesOf,
  idsIn,
  PrioritiesInput,
  Priority,
  prioritiesOf,
  RULE_NAMES,
  RuleForm,
  RuleInput,
  ruleForm,
  TargetInput,
} from './commission-forms.ts';
import { inWordsOf } from './units.ts';

const RULES = '/back-api/backoffice/v2/commission-profiles/{commissionProfileId}/rules';
const RULE = `${RULES}/{commissionProfileRuleId}` as const;

const VIEW = { area: 'trading', operation: 'view-commission-rules' } as const;
const RULE_EXAMPLE = {
  commissionProfileRule: {
    marketId: 'spot.btc_usdt',
    feeSettings: {
      spot: { type: 'Percent', size: '0.001' },
      cfd: { type: 'FixPerLot', size: '2.5', assetId: 'usdt' },
      minFeeRAT: null,
    },
  },
  priorities: [{ commissionProfileRuleId: null, priority: 1 }],
};

const MANAGE = { area: 'trading', operation: 'manage-commission-rules' } as const;
const Priorities = Type.Optional(Nullable(PrioritiesInput));

/** The rules of a commission profile: which market or group of markets pays what, the strongest first. */
export function commissionRuleRoutes(context: RouteContext): Route[] {
  return [
    listRules(context),
    createRule(context),
    setPriorities(context),
    changeRule(context),
    deleteRule(context),
    validateUpdate(context),
    validateDelete(context),
  ];
}

function listRules({ venue }: RouteContext): Route {
  const { reference } = venue;
  return route({
    ...VIEW,
    method: 'GET',
    path: RULES,
    summary: 'The rules of a profile, the strongest first, the default rule last.',
    responses: { 200: Type.Array(RuleForm) },
    handler: ({ params }) => {
      const ids = idsIn(params);
      if (ids instanceof Refused) return ids;
      const profile = profileOf(reference, ids.commissionProfileId);
      if (profile instanceof Refused) return profile;
      return profile.rules.map((rule) => ruleForm(reference, profile, rule));
    },
  });
}

function createRule({ venue }: RouteContext): Route {
  const { reference } = venue;
  return route({
    ...MANAGE,
    method: 'POST',
    path: RULES,
    summary: 'Adds a rule for a market or a market group; orders placed from now on follow it.',
    body: Type.Object({
      commissionProfileRule: Type.Object({
        ...RuleInput,
        priority: Type.Optional(
          Nullable(Priority('null: behind all others but the default rule.')),
        ),
      }),
      priorities: Priorities,
    }),
    example: { body: RULE_EXAMPLE },
    responses: { 201: Type.Object({ id: Type.String() }) },
    handler: async ({ params, body, now }) => {
      const ids = idsIn(params);
      if (ids instanceof Refused) return ids;
      const { marketId, marketGroupId, feeSettings, priority } = body.commissionProfileRule;
      const fees = feesOf(reference, feeSettings);
      if (fees instanceof Refused) return fees;
      const created = await venue.cold<{ ruleId: number }>(now, {
        type: 'CreateCommissionRule',
        profileId: ids.commissionProfileId,
        marketId: marketId ?? null,
        marketGroupId: marketGroupId ?? null,
        fees,
        priority: priority ?? null,
        priorities: prioritiesOf(body.priorities),
      });
      if (created instanceof Refused) return inWordsOf(RULE_NAMES, body, created);
      return { id: String(created.ruleId) };
    },
  });
}

function changeRule({ venue }: RouteContext): Route {
  const { reference } = venue;
  return route({
    ...MANAGE,
    method: 'PUT',
    path: RULE,
    summary: 'Replaces what a rule names and charges; of the default rule, what it charges.',
    body: Type.Object({
      commissionProfileRule: Type.Object(RuleInput),
      priorities: Priorities,
    }),
    example: { body: RULE_EXAMPLE },
    responses: { 200: null },
    handler: async ({ params, body, now }) => {
      const ids = idsIn(params);
      if (ids instanceof Refused) return ids;
      const { marketId, marketGroupId, feeSettings } = body.commissionProfileRule;
      const fees = feesOf(reference, feeSettings);
      if (fees instanceof Refused) return fees;
      const changed = await venue.cold(now, {
        type: 'ChangeCommissionRule',
        profileId: ids.commissionProfileId,
        ruleId: ids.commissionProfileRuleId,
        marketId: marketId ?? null,
        marketGroupId: marketGroupId ?? null,
        fees,
        priorities: prioritiesOf(body.priorities),
      });
      return changed instanceof Refused ? inWordsOf(RULE_NAMES, body, changed) : undefined;
    },
  });
}

function deleteRule({ venue }: RouteContext): Route {
  return route({
    ...MANAGE,
    method: 'DELETE',
    path: RULE,
    summary: 'Removes a rule; the default rule cannot be removed.',
    responses: { 200: null },
    handler: async ({ params, now }) => {
      const ids = idsIn(params);
      if (ids instanceof Refused) return ids;
      const deleted = await venue.cold(now, {
        type: 'DeleteCommissionRule',
        profileId: ids.commissionProfileId,
        ruleId: ids.commissionProfileRuleId,
      });
      return deleted instanceof Refused ? deleted : undefined;
    },
  });
}

function setPriorities({ venue }: RouteContext): Route {
  return route({
    ...MANAGE,
    method: 'PUT',
    path: `${RULES}/priorities`,
    summary: 'Gives rules other priorities, all at once; what is not named keeps its own.',
    body: PrioritiesInput,
    responses: { 200: null },
    handler: async ({ params, body, now }) => {
      const ids = idsIn(params);
      if (ids instanceof Refused) return ids;
      const changed = await venue.cold(now, {
        type: 'SetCommissionPriorities',
        profileId: ids.commissionProfileId,
        priorities: prioritiesOf(body),
      });
      return changed instanceof Refused ? changed : undefined;
    },
  });
}

function validateUpdate({ venue }: RouteContext): Route {
  const { reference } = venue;
  return route({
    ...MANAGE,
    method: 'POST',
    path: `${RULE}/validate-update`,
    summary: 'Whether a rule may name this; changes nothing.',
    body: Type.Object({ commissionProfileRule: Type.Object(TargetInput) }),
    responses: { 200: Type.Object({}) },
    handler: ({ params, body }) => {
      const ids = idsIn(params);
      if (ids instanceof Refused) return ids;
      const profile = profileOf(reference, ids.commissionProfileId);
      if (profile instanceof Refused) return profile;
      const { marketId = null, marketGroupId = null } = body.commissionProfileRule;
      const ruleId = ids.commissionProfileRuleId;
      const target = { marketId, marketGroupId };
      return outcomeOf(checkTarget(profile, ruleId, target, reference), body);
    },
  });
}

function validateDelete({ venue }: RouteContext): Route {
  return route({
    ...MANAGE,
    method: 'POST',
    path: `${RULE}/validate-delete`,
    summary: 'Whether a rule may be removed; changes nothing.',
    responses: { 200: Type.Object({}) },
    handler: ({ params }) => {
      const ids = idsIn(params);
      if (ids instanceof Refused) return ids;
      const profile = profileOf(venue.reference, ids.commissionProfileId);
      if (profile instanceof Refused) return profile;
      return outcomeOf(checkDeletion(profile, ids.commissionProfileRuleId));
    },
  });
}

function profileOf({ commissions }: Reference, id: number): CommissionProfile | Refused {
  const profile = commissions.profile(id);
  if (profile !== undefined) return profile;
  return refuse(Refusals.ResourceUnknown, { field: 'commissionProfileId', value: String(id) });
}

function outcomeOf(denial: Denial | undefined, sent = {}): Record<string, never> | Refused {
  return denial === undefined ? {} : inWordsOf(RULE_NAMES, sent, refuse(denial.refusal, denial));
}
