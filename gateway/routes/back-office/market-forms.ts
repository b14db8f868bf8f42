import type { Static } from '@sinclair/typebox';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import type {
  FundingSettings,
  MarketConfiguration,
  SwapSettings,
  SwapSide,
} from '../../../core/messages/configuration.ts';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import { leverageInTwoFields, leverageProfile, lotParameters } from '../reference/margin-forms.ts';
import type { EntryRates } from './commission-entry.ts';
import type { BackOfficeMarket, MarketSettings } from './market-schemas.ts';

/** Deviations and slippage count in 10^-4, commission rates in 10^-8. */
export const SHARE_SCALE = 4;
export const RATE_SCALE = 8;

const NONE = '0';
const NO_LEVERAGE = { maxLeverage: null, isConstLeverage: null };

/** A market as the back office reads it; `rootScale` is that of the root asset. */
export function backOfficeMarket(
  configuration: MarketConfiguration,
  rootScale: number,
): Static<typeof BackOfficeMarket> {
  const { minAmount, amountScale, createdAt, updatedAt, calendar, margin } = configuration;
  const isSpot = margin === undefined;
  return {
    marketId: configuration.marketId,
    displayName: configuration.displayName,
    fullName: configuration.fullName,
    baseAssetId: configuration.baseAssetId,
    quoteAssetId: configuration.quoteAssetId,
    minAmount: isSpot && minAmount > 0 ? formatUnits(minAmount, amountScale) : null,
    priceDeviation: formatUnits(configuration.priceDeviation, SHARE_SCALE),
    priceScale: configuration.priceScale,
    amountScale: isSpot ? amountScale : null,
    slippageRate: formatUnits(configuration.slippageRate, SHARE_SCALE),
    status: configuration.status,
    type: configuration.type,
    subtype: configuration.subtype,
    isSynchronized: false,
    createdAt: createdAt === undefined ? null : formatTimestamp(createdAt),
    updatedAt: updatedAt === undefined ? null : formatTimestamp(updatedAt),
    externalTtl: configuration.externalTtl,
    internalTtl: configuration.internalTtl,
    ...lotParameters(configuration),
    swapSettings: margin?.swaps ? swapForm(margin.swaps) : null,
    calendarId: calendar?.calendarId ?? null,
    marketGroupId: configuration.marketGroupId ?? null,
    marketGroupName: configuration.marketGroupName ?? null,
    calendarName: calendar?.calendarName ?? null,
    ...(isSpot ? NO_LEVERAGE : leverageInTwoFields(configuration)),
    leverageProfile: isSpot ? null : leverageProfile(margin.leverage, rootScale),
    fundingSettings: margin?.funding ? fundingForm(margin.funding) : null,
  };
}

function swapForm({ type, long, short }: SwapSettings) {
  const side = ({ size, assetId }: SwapSide) => ({
    swapSize: formatUnits(size, RATE_SCALE),
    assetId,
  });
  return { type, shortPositionSettings: side(short), longPositionSettings: side(long) };
}

function fundingForm({ startTime, intervalHours, cap }: FundingSettings) {
  return { startTime, intervalInHours: intervalHours, cap: formatUnits(cap, RATE_SCALE) };
}

/** `rates` are what its commissions start at. */
export function marketSettings(
  configuration: MarketConfiguration,
  rates: EntryRates,
): MarketSettings {
  const { amountScale, priceScale } = configuration;
  const taker = formatUnits(rates.taker, RATE_SCALE);
  return {
    id: configuration.marketId,
    base_asset: configuration.baseAssetId,
    quote_asset: configuration.quoteAssetId,
    amount_scale: amountScale,
    min_amount: formatUnits(configuration.minAmount, amountScale),
    price_deviation: formatUnits(configuration.priceDeviation, SHARE_SCALE),
    price_scale: priceScale,
    max_price: formatUnits(configuration.maxPrice ?? 0, priceScale),
    min_price: formatUnits(configuration.minPrice ?? 0, priceScale),
    base_fee: NONE,
    quote_fee: taker,
    maker_fee: formatUnits(rates.maker, RATE_SCALE),
    maker_fee_limit: NONE,
    taker_fee: taker,
    taker_fee_limit: NONE,
    status: configuration.status,
    side: configuration.side ?? 'BuySell',
    hidden: configuration.hidden ?? false,
  };
}
