import { MAX_UNITS } from '../fixed-point/index.ts';
import { TradingSessions } from '../market/sessions.ts';
import type { AssetConfiguration, MarketConfiguration } from '../messages/configuration.ts';
import { Refusals } from '../messages/refusals.ts';
import { invalid, isIntegerWithin } from './configuration-limits.ts';
import { type Denial, deny } from './denial.ts';
import { checkMarginConfiguration, checkUnitsInUse } from './margin/margin-configuration.ts';
import { greatestCofactor, type Market } from './market.ts';
import type { ClearingState } from './state.ts';

/** Whether an asset may be configured so. */
export function checkAssetConfiguration(
  state: ClearingState,
  asset: AssetConfiguration,
): Denial | undefined {
  const { assetId, scale, isRoot, marginRatio } = asset;
  if (!/^[a-z0-9]{1,15}$/.test(assetId)) {
    return invalid('assetId', assetId, '1 to 15 characters of a-z and 0-9');
  }
  if (!isIntegerWithin(scale, 0, 18)) return invalid('scale', scale, '0 to 18');
  if (!isIntegerWithin(marginRatio, 0, 10_000))
    return invalid('marginRatio', marginRatio, '0 to 1');
  const known = state.assetOf(assetId);
  if (known !== undefined && known.configuration.scale !== scale) {
    return deny(Refusals.ScaleFixed, 'scale', assetId);
  }
  const root = state.assets[state.rootAsset]?.configuration.assetId;
  if (isRoot && root !== undefined && root !== assetId) {
    return invalid('isRoot', assetId, `the root asset is ${root}`);
  }
  if (isRoot && marginRatio !== 10_000)
    return invalid('marginRatio', marginRatio, '1 for the root');
  return undefined;
}

/** Whether a market may be configured so; `known` is the market that it is of, if there is one. */
export function checkMarketConfiguration(
  state: ClearingState,
  market: MarketConfiguration,
  known: Market | undefined,
): Denial | undefined {
  const { marketId, priceScale, amountScale, baseAssetId, quoteAssetId } = market;
  const base = state.assetOf(baseAssetId);
  const quote = state.assetOf(quoteAssetId);
  if (base === undefined) return deny(Refusals.AssetUnknown, 'baseAssetId', baseAssetId);
  if (quote === undefined) return deny(Refusals.AssetUnknown, 'quoteAssetId', quoteAssetId);
  if (base === quote) return invalid('quoteAssetId', quoteAssetId, 'another asset than the base');
  const expected = `${market.type.toLowerCase()}.${baseAssetId}_${quoteAssetId}`;
  if (marketId !== expected) return invalid('marketId', marketId, expected);
  if (!isIntegerWithin(priceScale, 2, 8)) return invalid('priceScale', priceScale, '2 to 8');
  // On margin no base asset moves: a step may be finer than its unit.
  const finest = market.type === 'Spot' ? Math.min(8, base.configuration.scale) : 8;
  if (!isIntegerWithin(amountScale, 0, finest)) {
    return invalid('amountScale', amountScale, `0 to ${finest}`);
  }
  return (
    (known === undefined ? undefined : checkUnitsInUse(state, market, known)) ??
    checkMarketLimits(market) ??
    checkMarginConfiguration(state, market)
  );
}

function checkMarketLimits(market: MarketConfiguration): Denial | undefined {
  const { minAmount, maxAmount, maxPrice, priceDeviation, slippageRate, feeRate } = market;
  if (!isIntegerWithin(minAmount, 0, Number.MAX_SAFE_INTEGER)) {
    return invalid('minAmount', minAmount, 'an amount');
  }
  if (
    maxAmount !== null &&
    !isIntegerWithin(maxAmount, Math.max(1, minAmount), Number.MAX_SAFE_INTEGER)
  ) {
    return invalid('maxAmount', maxAmount, 'an amount not below minAmount');
  }
  const highest = greatestCofactor(maxAmount ?? 1);
  if (maxPrice !== null && !isIntegerWithin(maxPrice, 1, highest)) {
    return invalid('maxPrice', maxPrice, `1 to ${highest} ticks, by maxAmount`);
  }
  const { minPrice = 0 } = market;
  if (!isIntegerWithin(minPrice, 0, maxPrice ?? highest)) {
    return invalid('minPrice', minPrice, 'a price not above maxPrice');
  }
  if (!isIntegerWithin(priceDeviation, 0, 10_000)) {
    return invalid('priceDeviation', priceDeviation, '0 to 1');
  }
  if (!isIntegerWithin(slippageRate, 10_000, 100_000)) {
    return invalid('slippageRate', slippageRate, '1 to 10');
  }
  if (feeRate !== null && !isIntegerWithin(feeRate, 0, 100_000_000)) {
    return invalid('feeRate', feeRate, '0 to 1');
  }
  const { makerFeeRate = null } = market;
  if (makerFeeRate !== null && !isIntegerWithin(makerFeeRate, 0, 100_000_000)) {
    return invalid('makerFeeRate', makerFeeRate, '0 to 1');
  }
  if (market.type !== 'Spot' && (makerFeeRate ?? feeRate) !== feeRate) {
    return invalid('makerFeeRate', makerFeeRate, 'feeRate, which all pay on margin');
  }
  if (market.feeMinimum < 0n || market.feeMinimum > MAX_UNITS) {
    return invalid('feeMinimum', market.feeMinimum, `0 to ${MAX_UNITS} units`);
  }
  if (!isIntegerWithin(market.internalTtl, 0, 86_400_000)) {
    return invalid('internalTtl', market.internalTtl, '0 to 86400000 ms');
  }
  return checkCalendar(market);
}

function checkCalendar(market: MarketConfiguration): Denial | undefined {
  try {
    new TradingSessions(market.calendar);
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return invalid('calendar', error.message, 'a valid calendar');
    throw error;
  }
}
