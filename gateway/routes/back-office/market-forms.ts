import type { Static } from '@sinclair/typebox';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import type { MarketConfiguration } from '../../../core/messages/cold.ts';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import type { BackOfficeMarket, MarketSettings } from './market-schemas.ts';

/** Deviations and slippage count in 10^-4, commission rates in 10^-8. */
export const SHARE_SCALE = 4;
export const RATE_SCALE = 8;

const NONE = '0';

export function backOfficeMarket(
  configuration: MarketConfiguration,
): Static<typeof BackOfficeMarket> {
  const { minAmount, amountScale, createdAt, updatedAt } = configuration;
  return {
    marketId: configuration.marketId,
    displayName: configuration.displayName,
    fullName: configuration.fullName,
    baseAssetId: configuration.baseAssetId,
    quoteAssetId: configuration.quoteAssetId,
    minAmount: minAmount === 0 ? null : formatUnits(minAmount, amountScale),
    priceDeviation: formatUnits(configuration.priceDeviation, SHARE_SCALE),
    priceScale: configuration.priceScale,
    amountScale,
    slippageRate: formatUnits(configuration.slippageRate, SHARE_SCALE),
    status: configuration.status,
    type: configuration.type,
    subtype: configuration.subtype,
    isSynchronized: false,
    createdAt: createdAt === undefined ? null : formatTimestamp(createdAt),
    updatedAt: updatedAt === undefined ? null : formatTimestamp(updatedAt),
    externalTtl: configuration.externalTtl,
    internalTtl: configuration.internalTtl,
    lotSize: null,
    minLotAmount: null,
    maxLotAmount: null,
    tickSize: null,
    lotStep: null,
    swapSettings: null,
    calendarId: null,
    marketGroupId: null,
    marketGroupName: null,
    calendarName: null,
    maxLeverage: null,
    isConstLeverage: null,
  };
}

export function marketSettings(configuration: MarketConfiguration): MarketSettings {
  const { amountScale, priceScale } = configuration;
  const commission = formatUnits(configuration.feeRate ?? 0, RATE_SCALE);
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
    quote_fee: commission,
    maker_fee: commission,
    maker_fee_limit: NONE,
    taker_fee: commission,
    taker_fee_limit: NONE,
    status: configuration.status,
    side: configuration.side ?? 'BuySell',
    hidden: configuration.hidden ?? false,
  };
}
