import { powerOfTenNumber } from '../../fixed-point/index.ts';
import type {
  FundingSettings,
  LeverageProfile,
  MarginConfiguration,
  MarketConfiguration,
  SwapSettings,
} from '../../messages/configuration.ts';
import { Refusals } from '../../messages/refusals.ts';
import { invalid, isIntegerWithin } from '../configuration-limits.ts';
import { type Denial, deny } from '../denial.ts';
import type { Market } from '../market.ts';
import type { ClearingState } from '../state.ts';

const LOT_SIZE_MAX = 1_000_000;
const LOTS_MAX = 10_000;
const LEVERAGE_MAX = 10_000;
const TIERS_MAX = 10;
const FUNDING_HOURS: readonly number[] = [1, 2, 3, 4, 6, 8, 12, 24];
/** Rates and swap sizes count in 10^-8: this is 1. */
const UNIT = 100_000_000;
/** A settlement of funding comes to 10 % at most. */
const FUNDING_CAP_MAX = UNIT / 10;
/** Of sizes, in 10^-8: a Percent has 5 decimals, Points have 3. */
const SIZE_STEPS = { Percent: 1_000, Points: 100_000, FixPerLot: 1 } as const;

/** Whether what a market has for margin goes with its type, and is within its limits. */
export function checkMarginConfiguration(
  state: ClearingState,
  market: MarketConfiguration,
): Denial | undefined {
  const { type, margin } = market;
  if (type === 'Spot') {
    return margin === undefined ? undefined : invalid('margin', type, 'Cfd and Perp only');
  }
  if (margin === undefined) return invalid('margin', type, 'required for Cfd and Perp');
  if (state.rootAsset < 0) return invalid('margin', type, 'there must be a root asset first');
  return (
    checkLots(market, margin) ??
    checkLeverageProfile(margin.leverage) ??
    checkSwaps(state, market, margin.swaps) ??
    checkFunding(market, margin.funding)
  );
}

/** What positions and orders are counted in stays as it is while there are any. */
export function checkUnitsInUse(
  state: ClearingState,
  market: MarketConfiguration,
  known: Market,
): Denial | undefined {
  const { marketId, priceScale, amountScale, margin } = known.configuration;
  const same =
    market.priceScale === priceScale &&
    market.amountScale === amountScale &&
    market.margin?.lotSize === margin?.lotSize &&
    market.margin?.lotStep === margin?.lotStep;
  if (same) return undefined;
  const inUse =
    known.orders.openCount > 0 ||
    state.exposures.activeCount(known.index) > 0 ||
    state.stopOrders.all().some((stopOrder) => stopOrder.market === known.index);
  return inUse ? deny(Refusals.ConfigurationInUse, 'scale', marketId) : undefined;
}

function checkLots(
  { amountScale, minAmount, maxAmount }: MarketConfiguration,
  { lotSize, lotStep }: MarginConfiguration,
): Denial | undefined {
  const lot = powerOfTenNumber(amountScale);
  if (!isIntegerWithin(lotSize, 1, LOT_SIZE_MAX)) {
    return invalid('lotSize', lotSize, `1 to ${LOT_SIZE_MAX}`);
  }
  if (!isIntegerWithin(lotStep, 1, lot)) return invalid('lotStep', lotStep, 'above 0, up to 1 lot');
  if (minAmount > lot) return invalid('minLotAmount', minAmount, 'up to 1 lot');
  if (maxAmount !== null && maxAmount > LOTS_MAX * lot) {
    return invalid('maxLotAmount', maxAmount, `up to ${LOTS_MAX} lots`);
  }
  return undefined;
}

function checkLeverageProfile(profile: LeverageProfile): Denial | undefined {
  if (profile.leverageType === 'Fixed') return checkMaxLeverage(profile.maxLeverage);
  const { tiers } = profile;
  if (tiers.length < 1 || tiers.length > TIERS_MAX) {
    return invalid('tiers', tiers.length, `1 to ${TIERS_MAX} tiers`);
  }
  let reached = 0n;
  for (const [index, { maxLeverage, maxNotionalInRoot }] of tiers.entries()) {
    const denial = checkMaxLeverage(maxLeverage);
    if (denial !== undefined) return denial;
    const isLast = index === tiers.length - 1;
    if (isLast !== (maxNotionalInRoot === null)) {
      return invalid('maxNotionalValueInRAT', maxNotionalInRoot, 'null for the last tier only');
    }
    if (maxNotionalInRoot === null) continue;
    if (maxNotionalInRoot <= reached) {
      return invalid('maxNotionalValueInRAT', maxNotionalInRoot, 'ascending');
    }
    reached = maxNotionalInRoot;
  }
  return undefined;
}

function checkMaxLeverage(maxLeverage: number): Denial | undefined {
  if (isIntegerWithin(maxLeverage, 1, LEVERAGE_MAX)) return undefined;
  return invalid('maxLeverage', maxLeverage, `1 to ${LEVERAGE_MAX}`);
}

function checkSwaps(
  state: ClearingState,
  { type }: MarketConfiguration,
  swaps: SwapSettings | null,
): Denial | undefined {
  if (swaps === null) return undefined;
  if (type !== 'Cfd') return invalid('swapSettings', type, 'Cfd only');
  const step = SIZE_STEPS[swaps.type];
  const most = swaps.type === 'Percent' ? UNIT : Number.MAX_SAFE_INTEGER;
  for (const { size, assetId } of [swaps.long, swaps.short]) {
    if (!isIntegerWithin(size, -most, most) || size % step !== 0) {
      const limit = swaps.type === 'Percent' ? '-1 to 1 with 5 decimals' : 'up to 3 decimals';
      return invalid('swapSize', size, limit);
    }
    if (assetId !== null && state.assetOf(assetId) === undefined) {
      return deny(Refusals.AssetUnknown, 'assetId', assetId);
    }
  }
  return undefined;
}

function checkFunding(
  { type }: MarketConfiguration,
  funding: FundingSettings | null,
): Denial | undefined {
  if (funding === null) return undefined;
  const { startTime, intervalHours, cap } = funding;
  if (type !== 'Perp') return invalid('funding', type, 'Perp only');
  if (!/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(startTime)) {
    return invalid('fundingStartTime', startTime, 'HH:MM:SS');
  }
  if (!FUNDING_HOURS.includes(intervalHours)) {
    return invalid('fundingIntervalInHours', intervalHours, FUNDING_HOURS.join(', '));
  }
  if (isIntegerWithin(cap, 0, FUNDING_CAP_MAX)) return undefined;
  return invalid('fundingRateCap', cap, '0 to 0.1');
}
