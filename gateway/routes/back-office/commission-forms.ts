import { type Static, Type } from '@sinclair/typebox';
import { isDefault } from '../../../core/clearing/index.ts';
import { formatUnits, parseDecimal, toUnits } from '../../../core/fixed-point/index.ts';
import type {
  Charge,
  CommissionProfile,
  CommissionRule,
  FeeSettings,
  RulePriority,
} from '../../../core/messages/commissions.ts';
import { CHARGE_TYPES } from '../../../core/messages/enums.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { DecimalInput, DecimalOutput, Int32, Nullable, OneOf } from '../../http/schema.ts';
import type { Reference } from '../../venue/reference.ts';
import { AssetId } from './asset-forms.ts';
import { type Names, unitsOf } from './units.ts';

/** Sizes count in 10^-8. */
export const SIZE_SCALE = 8;
const ID_LENGTH_MAX = 64;
const PRIORITIES_MAX = 500;
const PRIORITY_MAX = 2_000_000_000;

const NUMBER = /^[1-9][0-9]{0,14}$/;

const Id = Type.String({ minLength: 1, maxLength: ID_LENGTH_MAX });

/** The id of a profile, a rule or a group in a body. */
export function NumericId(description?: string) {
  return Type.String({
    pattern: NUMBER.source,
    ...(description === undefined ? {} : { description }),
  });
}

/** Rules that name no priority, and the default rule, have one behind the last: 32 bits hold it. */
export function Priority(description: string) {
  return Int32({ maximum: PRIORITY_MAX, description });
}

const SIZE = 'Percent: a fraction of notional. FixPerLot: so much of the asset a lot.';

const FeeSettingsInput = Type.Object({
  spot: Type.Object({
    type: OneOf(['Percent'], { description: 'Spot has no lots.' }),
    size: DecimalInput({ description: SIZE }),
  }),
  cfd: Type.Object({
    assetId: Type.Optional(Nullable(AssetId)),
    type: OneOf(CHARGE_TYPES),
    size: DecimalInput({ description: SIZE }),
  }),
  minFeeRAT: Type.Optional(
    Nullable(DecimalInput({ description: 'What an order with any fill pays at least.' })),
  ),
});

const RULE = 'commissionProfileRule';
const FEES = `${RULE}.feeSettings`;

/** What requests call the parts of a rule. */
export const RULE_NAMES: Names = {
  marketId: `${RULE}.marketId`,
  marketGroupId: `${RULE}.marketGroupId`,
  priority: `${RULE}.priority`,
  'spot.size': `${FEES}.spot.size`,
  'cfd.size': `${FEES}.cfd.size`,
  'cfd.assetId': `${FEES}.cfd.assetId`,
  minFeeRAT: `${FEES}.minFeeRAT`,
};

/** What a rule names: one of the two, the default rule neither. */
export const TargetInput = {
  marketId: Type.Optional(Nullable(Id)),
  marketGroupId: Type.Optional(Nullable(Id)),
};
export const RuleInput = { ...TargetInput, feeSettings: FeeSettingsInput };

export const PrioritiesInput = Type.Array(
  Type.Object({
    commissionProfileRuleId: Type.Optional(Nullable(NumericId('null: the rule itself.'))),
    priority: Type.Optional(Nullable(Priority('1 is the strongest. null: as it is.'))),
  }),
  { maxItems: PRIORITIES_MAX },
);

export const RuleForm = Type.Object({
  commissionProfileRuleId: Type.String(),
  priority: Type.Integer(),
  isDefault: Type.Boolean(),
  feeSettings: Type.Object({
    spot: Type.Object({ type: OneOf(CHARGE_TYPES), size: DecimalOutput() }),
    cfd: Type.Object({
      assetId: Nullable(Type.String()),
      type: OneOf(CHARGE_TYPES),
      size: DecimalOutput(),
    }),
    minFeeRAT: Nullable(DecimalOutput()),
  }),
  marketId: Nullable(Type.String()),
  marketName: Nullable(Type.String()),
  marketGroupId: Nullable(Type.String()),
  marketGroupName: Nullable(Type.String()),
  commissionProfileId: Type.String(),
  commissionProfileName: Type.String(),
});

export function ruleForm(
  reference: Reference,
  { profileId, name }: CommissionProfile,
  rule: CommissionRule,
): Static<typeof RuleForm> {
  const { marketId, marketGroupId, fees } = rule;
  const { spotSize, margin, minimum } = fees;
  const market = marketId === null ? undefined : reference.marketOf(marketId);
  const member = reference.markets.find(
    ({ configuration }) => marketGroupId !== null && configuration.marketGroupId === marketGroupId,
  );
  return {
    commissionProfileRuleId: String(rule.ruleId),
    priority: rule.priority,
    isDefault: isDefault(rule),
    feeSettings: {
      spot: { type: 'Percent', size: formatUnits(spotSize, SIZE_SCALE) },
      cfd: {
        assetId: margin.assetId,
        type: margin.type,
        size: formatUnits(margin.size, SIZE_SCALE),
      },
      minFeeRAT: leastForm(reference, minimum),
    },
    marketId,
    marketName: market?.configuration.displayName ?? null,
    marketGroupId,
    marketGroupName: member?.configuration.marketGroupName ?? null,
    commissionProfileId: String(profileId),
    commissionProfileName: name,
  };
}

/** A minimum in whole root assets; null where there is none. */
export function leastForm({ rootAsset }: Reference, minimum: bigint): string | null {
  return minimum === 0n ? null : formatUnits(minimum, rootAsset?.scale ?? 0);
}

export function feesOf(
  reference: Reference,
  { spot, cfd, minFeeRAT }: Static<typeof FeeSettingsInput>,
): FeeSettings | Refused {
  const spotSize = unitsOf(spot.size, SIZE_SCALE, `${FEES}.spot.size`);
  if (spotSize instanceof Refused) return spotSize;
  const size = unitsOf(cfd.size, SIZE_SCALE, `${FEES}.cfd.size`);
  if (size instanceof Refused) return size;
  const minimum = rootUnitsOf(reference, minFeeRAT ?? '0', `${FEES}.minFeeRAT`);
  if (minimum instanceof Refused) return minimum;
  const margin: Charge = { type: cfd.type, size, assetId: cfd.assetId ?? null };
  return { spotSize, margin, minimum };
}

/** A decimal of the root asset in its units. */
export function rootUnitsOf(
  { rootAsset }: Reference,
  text: string,
  field: string,
): bigint | Refused {
  const scale = rootAsset?.scale ?? 0;
  const decimal = parseDecimal(text);
  const units = decimal === undefined ? 'off-step' : toUnits(decimal, scale);
  const isAmount = typeof units === 'bigint' && units >= 0n;
  // Units of a root asset that is yet to come would mean something else once it is there.
  if (isAmount && (units === 0n || rootAsset !== undefined)) return units;
  const step = formatUnits(1, scale);
  const limit =
    rootAsset === undefined ? 'no root asset yet' : `a multiple of ${step}, not below 0`;
  return refuse(Refusals.ConfigurationInvalid, { field, value: text, limit });
}

/** The ids of a path as numbers; what can be none names nothing. */
export function idsIn<Name extends string>(
  params: Readonly<Record<Name, string>>,
): Readonly<Record<Name, number>> | Refused {
  const ids: Record<string, number> = {};
  for (const [field, text] of Object.entries<string>(params)) {
    if (!NUMBER.test(text)) return refuse(Refusals.ResourceUnknown, { field, value: text });
    ids[field] = Number(text);
  }
  return ids as Readonly<Record<Name, number>>;
}

export function prioritiesOf(
  sent: Static<typeof PrioritiesInput> | null | undefined,
): RulePriority[] {
  return (sent ?? []).map(({ commissionProfileRuleId, priority }) => ({
    ruleId: commissionProfileRuleId == null ? null : Number(commissionProfileRuleId),
    priority: priority ?? null,
  }));
}
