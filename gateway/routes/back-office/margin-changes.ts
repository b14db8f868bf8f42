import type { Static } from '@sinclair/typebox';
import { formatUnits, parseDecimal, toUnits } from '../../../core/fixed-point/index.ts';
import type {
  Calendar,
  FundingSettings,
  LeverageProfile,
  MarginConfiguration,
  MarketConfiguration,
  SwapSettings,
} from '../../../core/messages/configuration.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { Refused, refuse } from '../../http/refused.ts';
import type {
  CalendarInput,
  FundingSettingsInput,
  LeverageProfileInput,
  MarketChange,
  SwapSettingsInput,
} from './margin-schemas.ts';
import { SHARE_SCALE } from './market-forms.ts';
import { unitsOf } from './units.ts';

/** Swap sizes and the cap of funding count in 10^-8. */
const SIZE_SCALE = 8;
/** The finest lot step. */
const LOT_SCALE_MAX = 8;
const PERCENT_PLACES = 5;
const POINTS_PLACES = 3;
const FUNDING_INTERVALS: readonly number[] = [1, 2, 3, 4, 6, 8, 12, 24];
/** Fields that only a Cfd or Perp market has. */
const ON_MARGIN = [
  'lotSize',
  'lotStep',
  'minLotAmount',
  'maxLotAmount',
  'leverageProfile',
  'swapSettings',
  'fundingSettings',
] as const;

type Changes = { -readonly [K in keyof MarketConfiguration]?: MarketConfiguration[K] };

/**
 * What a request changes of a market's configuration; what it leaves out stays. Throws the refusal of
 * what it cannot say. `rootScale` is that of the root asset, which the notional of tiers is in.
 */
export function marketChanges(
  sent: MarketChange,
  known: MarketConfiguration,
  rootScale: number,
): Partial<MarketConfiguration> {
  const { displayName, fullName, subtype, status, side, hidden, internalTtl } = sent;
  const plain = { displayName, fullName, subtype, status, side, hidden, internalTtl };
  const changes: Changes = Object.fromEntries(
    Object.entries(plain).filter(([, value]) => value !== undefined),
  );
  const { priceDeviation, slippageRate, calendar, marketGroup } = sent;
  if (priceDeviation !== undefined) {
    changes.priceDeviation = given(unitsOf(priceDeviation, SHARE_SCALE, 'priceDeviation'));
  }
  if (slippageRate !== undefined) {
    changes.slippageRate = given(unitsOf(slippageRate, SHARE_SCALE, 'slippageRate'));
  }
  if (calendar !== undefined) changes.calendar = calendar === null ? null : calendarOf(calendar);
  if (marketGroup !== undefined) {
    changes.marketGroupId = marketGroup?.id ?? null;
    changes.marketGroupName = marketGroup?.name ?? null;
  }
  return { ...changes, ...marginChanges(sent, known, rootScale) };
}

function marginChanges(
  sent: MarketChange,
  known: MarketConfiguration,
  rootScale: number,
): Partial<MarketConfiguration> {
  const field = ON_MARGIN.find((name) => sent[name] !== undefined);
  if (field === undefined) return {};
  const { margin } = known;
  if (margin === undefined) throw refuse(Refusals.FieldNotTaken, { field, limit: 'a Spot market' });
  const { leverageProfile, swapSettings, fundingSettings } = sent;
  const lots = lotChanges(sent, known, margin);
  const changed: MarginConfiguration = {
    lotSize: sent.lotSize ?? margin.lotSize,
    lotStep: lots.lotStep,
    leverage:
      leverageProfile === undefined ? margin.leverage : profileOf(leverageProfile, rootScale),
    swaps: swapSettings === undefined ? margin.swaps : swapSettings && swapsOf(swapSettings),
    funding: fundingSettings === undefined ? margin.funding : fundingOf(fundingSettings),
  };
  const { amountScale, minAmount, maxAmount } = lots;
  return { margin: changed, amountScale, minAmount, maxAmount };
}

/** The figures that count in lots: all of them follow the decimals of the step. */
function lotChanges(sent: MarketChange, known: MarketConfiguration, margin: MarginConfiguration) {
  const { amountScale: knownScale, minAmount: knownMinimum, maxAmount: knownMaximum } = known;
  const step = sent.lotStep ?? formatUnits(margin.lotStep, knownScale);
  const amountScale = Math.min(LOT_SCALE_MAX, parseDecimal(step)?.scale ?? 0);
  const lotStep = given(unitsOf(step, amountScale, 'lotStep'));
  if (lotStep === 0 || lotStep > 10 ** amountScale) {
    const limit = '0.00000001 to 1';
    throw refuse(Refusals.ConfigurationInvalid, { field: 'lotStep', value: step, limit });
  }
  const minimum = sent.minLotAmount ?? formatUnits(knownMinimum, knownScale);
  const minAmount = given(unitsOf(minimum, amountScale, 'minLotAmount'));
  const isLot = minAmount > 0 && minAmount <= 10 ** amountScale && minAmount % lotStep === 0;
  if (!isLot) {
    const limit = `a multiple of ${step} up to 1`;
    throw refuse(Refusals.ConfigurationInvalid, { field: 'minLotAmount', value: minimum, limit });
  }
  const lots = sent.maxLotAmount ?? (knownMaximum ?? 0) / 10 ** knownScale;
  return { amountScale, lotStep, minAmount, maxAmount: lots * 10 ** amountScale };
}

function profileOf(
  { leverageType, leverage }: Static<typeof LeverageProfileInput>,
  rootScale: number,
): LeverageProfile {
  const { useOnlyMaxLeverage = false, maxLeverage, tiers } = leverage;
  const field = 'leverageProfile.leverage';
  if (leverageType === 'Fixed') {
    if (maxLeverage == null) throw missing(`${field}.maxLeverage`);
    if (tiers != null) throw superfluous(`${field}.tiers`, leverageType);
    return { leverageType, useOnlyMaxLeverage, maxLeverage };
  }
  if (tiers == null) throw missing(`${field}.tiers`);
  if (maxLeverage != null) throw superfluous(`${field}.maxLeverage`, leverageType);
  return {
    leverageType,
    useOnlyMaxLeverage,
    tiers: tiers.map((tier, place) => ({
      maxLeverage: tier.maxLeverage,
      maxNotionalInRoot:
        tier.maxNotionalValueInRAT == null
          ? null
          : signedUnits(tier.maxNotionalValueInRAT, rootScale, `${field}.tiers[${place}]`),
    })),
  };
}

function swapsOf(sent: Static<typeof SwapSettingsInput>): SwapSettings {
  const { type, longPositionSettings, shortPositionSettings } = sent;
  const side = ({ size, assetId }: typeof longPositionSettings, name: string) => ({
    size: swapSize(type, size, `swapSettings.${name}.size`),
    assetId: assetId ?? null,
  });
  return {
    type,
    long: side(longPositionSettings, 'longPositionSettings'),
    short: side(shortPositionSettings, 'shortPositionSettings'),
  };
}

function swapSize(type: SwapSettings['type'], text: string, field: string): number {
  const size = signedUnits(text, SIZE_SCALE, field);
  const places = parseDecimal(text)?.scale ?? 0;
  const whole = 10n ** BigInt(SIZE_SCALE);
  const limit =
    type === 'Percent' && (size > whole || size < -whole || places > PERCENT_PLACES)
      ? `-1 to 1, up to ${PERCENT_PLACES} decimals`
      : type === 'Points' && places > POINTS_PLACES
        ? `of up to ${POINTS_PLACES} decimals`
        : undefined;
  if (limit !== undefined)
    throw refuse(Refusals.ConfigurationInvalid, { field, value: text, limit });
  return safeNumber(size, text, field);
}

function fundingOf(sent: Static<typeof FundingSettingsInput>): FundingSettings {
  const { startTime, intervalInHours, cap } = sent;
  if (!FUNDING_INTERVALS.includes(intervalInHours)) {
    throw refuse(Refusals.NotOneOf, {
      field: 'fundingSettings.intervalInHours',
      value: intervalInHours,
      limit: FUNDING_INTERVALS.join(', '),
    });
  }
  const field = 'fundingSettings.cap';
  return { startTime, intervalHours: intervalInHours, cap: given(unitsOf(cap, SIZE_SCALE, field)) };
}

function calendarOf(sent: Static<typeof CalendarInput>): Calendar {
  return { ...sent, sessionOverrides: sent.sessionOverrides ?? [] };
}

function signedUnits(text: string, scale: number, field: string): bigint {
  const decimal = parseDecimal(text);
  const units = decimal === undefined ? 'off-step' : toUnits(decimal, scale);
  if (typeof units === 'bigint') return units;
  const limit = `a multiple of ${formatUnits(1, scale)}`;
  throw refuse(Refusals.ConfigurationInvalid, { field, value: text, limit });
}

function safeNumber(units: bigint, value: string, field: string): number {
  const number = Number(units);
  if (Number.isSafeInteger(number)) return number;
  throw refuse(Refusals.ConfigurationInvalid, { field, value, limit: 'a smaller figure' });
}

function missing(field: string): Refused {
  return refuse(Refusals.FieldMissing, { field });
}

function superfluous(field: string, leverageType: string): Refused {
  return refuse(Refusals.FieldNotTaken, { field, limit: `leverageType ${leverageType}` });
}

function given<T>(value: T | Refused): T {
  if (value instanceof Refused) throw value;
  return value;
}
