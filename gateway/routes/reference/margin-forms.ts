import { greatestAmount, highestLeverage } from '../../../core/clearing/index.ts';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import type {
  LeverageProfile,
  LeverageTier,
  MarketConfiguration,
  SwapSettings,
  SwapSide,
} from '../../../core/messages/configuration.ts';

/** Swap sizes count in 10^-8. */
const SWAP_SCALE = 8;
/** Spot trades what is there: one for one. */
const SPOT_LEVERAGE = 1;

/** How a market's amounts and prices are cut, where they count in lots; nothing but null for Spot. */
export function lotParameters(configuration: MarketConfiguration) {
  const { margin, minAmount, maxAmount, amountScale, priceScale } = configuration;
  if (margin === undefined) {
    return { lotSize: null, minLotAmount: null, maxLotAmount: null, tickSize: null, lotStep: null };
  }
  return {
    lotSize: margin.lotSize,
    minLotAmount: formatUnits(Math.max(minAmount, margin.lotStep), amountScale),
    maxLotAmount: maxAmount === null ? null : Math.floor(maxAmount / 10 ** amountScale),
    tickSize: formatUnits(1, priceScale),
    lotStep: formatUnits(margin.lotStep, amountScale),
  };
}

/** The most of the base asset that one order may be of, in a market's own words or not. */
export function maxBaseAmount(configuration: MarketConfiguration, quoteScale: number): string {
  const { margin, amountScale } = configuration;
  const steps = BigInt(greatestAmount(configuration, quoteScale));
  return formatUnits(steps * BigInt(margin?.lotSize ?? 1), amountScale);
}

export function swapSettings({ type, long, short }: SwapSettings) {
  return {
    type,
    shortPositionSettings: swapSide(short),
    longPositionSettings: swapSide(long),
  };
}

function swapSide({ size, assetId }: SwapSide) {
  return { size: formatUnits(size, SWAP_SCALE), assetId };
}

/** `rootScale` is that of the root asset, which the notional of tiers is in. */
export function leverageProfile(profile: LeverageProfile, rootScale: number) {
  const { leverageType, useOnlyMaxLeverage } = profile;
  const isFixed = profile.leverageType === 'Fixed';
  const tierForm = ({ maxLeverage, maxNotionalInRoot }: LeverageTier) => ({
    maxLeverage,
    maxNotionalValueInRAT:
      maxNotionalInRoot === null ? null : formatUnits(maxNotionalInRoot, rootScale),
  });
  return {
    leverageType,
    leverage: {
      useOnlyMaxLeverage,
      maxLeverage: isFixed ? profile.maxLeverage : null,
      tiers: isFixed ? null : profile.tiers.map(tierForm),
    },
  };
}

/**
 * Leverage in the two fields that older forms have: the most that any order can get, and whether a
 * trader must take it.
 */
export function leverageInTwoFields({ margin }: MarketConfiguration) {
  if (margin === undefined) return { maxLeverage: SPOT_LEVERAGE, isConstLeverage: true };
  const { leverage } = margin;
  return { maxLeverage: highestLeverage(leverage), isConstLeverage: leverage.useOnlyMaxLeverage };
}
