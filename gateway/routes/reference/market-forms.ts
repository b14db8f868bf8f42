import { formatUnits } from '../../../core/fixed-point/index.ts';
import type { Calendar, TimeInterval } from '../../../core/messages/configuration.ts';
import type { MarketEntry } from '../../venue/reference.ts';
import type { CommissionSettings } from './commission-settings.ts';
import {
  leverageInTwoFields,
  leverageProfile,
  lotParameters,
  maxBaseAmount,
  swapSettings,
} from './margin-forms.ts';
import type { MarketDetail, MarketDetailV4 } from './market-schemas.ts';

/** Deviations and slippage count in 10^-4. */
const SHARE_SCALE = 4;

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MIDNIGHT = '00:00:00';
const AROUND_THE_CLOCK: Calendar = {
  timeZoneId: 'UTC',
  tradingSessions: DAYS.map((dayOfWeek) => ({
    dayOfWeek,
    timeIntervals: [{ start: MIDNIGHT, end: MIDNIGHT }],
  })),
  sessionOverrides: [],
};

/** A market as lists have it. */
export function marketItem({ configuration }: MarketEntry) {
  const { marketId, displayName, fullName, type, subtype } = configuration;
  return { marketId, displayName, fullName, type, subtype };
}

/** The v6 detail; `rootScale` is that of the root asset. */
export function marketDetail(
  market: MarketEntry,
  rootScale: number,
  commissions: CommissionSettings,
  isFavorite: boolean,
): MarketDetail {
  const { margin } = market.configuration;
  return {
    ...tradingParameters(market),
    leverageProfile: margin === undefined ? null : leverageProfile(margin.leverage, rootScale),
    commissionSettings: commissions,
    isFavorite,
  };
}

/** The v4 detail. */
export function marketDetailV4(market: MarketEntry, isFavorite: boolean): MarketDetailV4 {
  return {
    ...tradingParameters(market),
    minQuoteAmount: null,
    ...leverageInTwoFields(market.configuration),
    isFavorite,
  };
}

/** What anyone may know of how a market trades. */
export function tradingParameters({ configuration, quote }: MarketEntry) {
  const { minAmount, amountScale, margin } = configuration;
  const isSpot = margin === undefined;
  return {
    marketId: configuration.marketId,
    displayName: configuration.displayName,
    fullName: configuration.fullName,
    baseAssetId: configuration.baseAssetId,
    quoteAssetId: configuration.quoteAssetId,
    minAmount: isSpot && minAmount > 0 ? formatUnits(minAmount, amountScale) : null,
    maxBaseAmount: maxBaseAmount(configuration, quote.scale),
    priceDeviation: formatUnits(configuration.priceDeviation, SHARE_SCALE),
    priceScale: configuration.priceScale,
    amountScale: isSpot ? amountScale : null,
    type: configuration.type,
    subtype: configuration.subtype,
    swapSettings: margin?.swaps ? swapSettings(margin.swaps) : null,
    ...lotParameters(configuration),
    slippageRate: formatUnits(configuration.slippageRate, SHARE_SCALE),
    calendar: calendarForm(configuration.calendar ?? AROUND_THE_CLOCK),
    fundingStartTime: margin?.funding?.startTime ?? null,
    fundingIntervalInHours: margin?.funding?.intervalHours ?? null,
  };
}

function calendarForm(calendar: Calendar) {
  return {
    timeZoneId: calendar.timeZoneId,
    tradingSessions: calendar.tradingSessions.map(({ dayOfWeek, timeIntervals }) => ({
      dayOfWeek,
      timeIntervals: timeIntervals.map(intervalForm),
    })),
    sessionOverrides: calendar.sessionOverrides.map(({ date, timeIntervals }) => ({
      date,
      timeIntervals: timeIntervals?.map(intervalForm) ?? null,
    })),
  };
}

function intervalForm({ start, end }: TimeInterval) {
  return { start: wholeTime(start), end: wholeTime(end) };
}

/** `HH:MM:SS`: seconds are added, and 24:00 is written as the midnight that clients can parse. */
function wholeTime(time: string): string {
  const whole = time.length === 5 ? `${time}:00` : time;
  return whole === '24:00:00' ? MIDNIGHT : whole;
}
