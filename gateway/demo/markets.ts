import type {
  Calendar,
  LeverageTier,
  MarketConfiguration,
} from '../../core/messages/configuration.ts';

/**
 * The markets of the demo venue. Their largest amounts are stated, so that prices far above those of
 * today fit: the two bound each other.
 */

/**
 * What all of them have in common: open, without a collar, Market orders hold 10 % above the price, and
 * the commission is that of the default rule.
 */
const open = {
  maxPrice: null,
  priceDeviation: 0,
  slippageRate: 11_000,
  feeRate: null,
  feeMinimum: 0n,
  internalTtl: 60_000,
  externalTtl: 60_000,
  status: 'Open',
  calendar: null,
} as const;

const spot = { ...open, type: 'Spot', subtype: null } as const;

const WHOLE_DAY_BUT_ONE_HOUR = [
  { start: '00:00', end: '17:00' },
  { start: '18:00', end: '24:00' },
];

/** New York: an hour's break each day, nothing from Friday 17:00 to Monday 00:00. */
const METALS_HOURS: Calendar = {
  calendarId: 'metals',
  calendarName: 'Metals, New York',
  timeZoneId: 'America/New_York',
  tradingSessions: [
    { dayOfWeek: 'Monday', timeIntervals: WHOLE_DAY_BUT_ONE_HOUR },
    { dayOfWeek: 'Tuesday', timeIntervals: WHOLE_DAY_BUT_ONE_HOUR },
    { dayOfWeek: 'Wednesday', timeIntervals: WHOLE_DAY_BUT_ONE_HOUR },
    { dayOfWeek: 'Thursday', timeIntervals: WHOLE_DAY_BUT_ONE_HOUR },
    { dayOfWeek: 'Friday', timeIntervals: [{ start: '00:00', end: '17:00' }] },
  ],
  sessionOverrides: [],
};

/** Whole usdt in units of 10^-6. */
const USDT = 1_000_000n;

const BITCOIN_TIERS: readonly LeverageTier[] = [
  { maxLeverage: 100, maxNotionalInRoot: 100_000n * USDT },
  { maxLeverage: 50, maxNotionalInRoot: 500_000n * USDT },
  { maxLeverage: 20, maxNotionalInRoot: 2_000_000n * USDT },
  { maxLeverage: 10, maxNotionalInRoot: 10_000_000n * USDT },
  { maxLeverage: 5, maxNotionalInRoot: null },
];

/** Every eight hours from midnight, 0.75 % at most. */
const FUNDING = { startTime: '00:00:00', intervalHours: 8, cap: 750_000 } as const;

const SPOT_MARKETS: readonly MarketConfiguration[] = [
  {
    ...spot,
    marketId: 'spot.btc_usdt',
    displayName: 'BTC/USDT',
    fullName: 'Bitcoin / Tether',
    baseAssetId: 'btc',
    quoteAssetId: 'usdt',
    priceScale: 2,
    amountScale: 6,
    minAmount: 10,
    maxAmount: 5_000_000_000,
  },
  {
    ...spot,
    marketId: 'spot.eth_usdt',
    displayName: 'ETH/USDT',
    fullName: 'Ether / Tether',
    baseAssetId: 'eth',
    quoteAssetId: 'usdt',
    priceScale: 2,
    amountScale: 5,
    minAmount: 10,
    maxAmount: 5_000_000_000,
    priceDeviation: 1000,
  },
  {
    ...spot,
    marketId: 'spot.eth_btc',
    displayName: 'ETH/BTC',
    fullName: 'Ether / Bitcoin',
    baseAssetId: 'eth',
    quoteAssetId: 'btc',
    priceScale: 6,
    amountScale: 5,
    minAmount: 10,
    maxAmount: 5_000_000_000,
  },
];

const CFD_MARKETS: readonly MarketConfiguration[] = [
  {
    ...open,
    type: 'Cfd',
    subtype: 'Fx',
    marketId: 'cfd.eur_usdt',
    displayName: 'EUR/USDT',
    fullName: 'Euro / Tether',
    baseAssetId: 'eur',
    quoteAssetId: 'usdt',
    priceScale: 5,
    amountScale: 2,
    minAmount: 1,
    maxAmount: 100_000,
    margin: {
      lotSize: 100_000,
      lotStep: 1,
      leverage: { leverageType: 'Fixed', useOnlyMaxLeverage: false, maxLeverage: 100 },
      // A long position pays 0.7 points a night, a short one is paid 0.3.
      swaps: {
        type: 'Points',
        long: { size: 70_000_000, assetId: null },
        short: { size: -30_000_000, assetId: null },
      },
      funding: null,
    },
  },
  {
    ...open,
    type: 'Cfd',
    subtype: 'Metals',
    marketId: 'cfd.xau_usdt',
    displayName: 'XAU/USDT',
    fullName: 'Gold / Tether',
    baseAssetId: 'xau',
    quoteAssetId: 'usdt',
    priceScale: 2,
    amountScale: 2,
    minAmount: 1,
    maxAmount: 100_000,
    calendar: METALS_HOURS,
    margin: {
      lotSize: 100,
      lotStep: 1,
      leverage: { leverageType: 'Fixed', useOnlyMaxLeverage: false, maxLeverage: 50 },
      // Both sides pay, 0.02 % and 0.01 % of their worth a night.
      swaps: {
        type: 'Percent',
        long: { size: 20_000, assetId: null },
        short: { size: 10_000, assetId: null },
      },
      funding: null,
    },
  },
];

const PERP_MARKETS: readonly MarketConfiguration[] = [
  {
    ...open,
    type: 'Perp',
    subtype: null,
    marketId: 'perp.btc_usdt',
    displayName: 'BTC/USDT Perp',
    fullName: 'Bitcoin / Tether, perpetual',
    baseAssetId: 'btc',
    quoteAssetId: 'usdt',
    priceScale: 2,
    amountScale: 3,
    minAmount: 1,
    maxAmount: 1_000_000,
    margin: {
      lotSize: 1,
      lotStep: 1,
      leverage: { leverageType: 'Dynamic', useOnlyMaxLeverage: false, tiers: BITCOIN_TIERS },
      swaps: null,
      funding: FUNDING,
    },
  },
  {
    ...open,
    type: 'Perp',
    subtype: null,
    marketId: 'perp.eth_usdt',
    displayName: 'ETH/USDT Perp',
    fullName: 'Ether / Tether, perpetual',
    baseAssetId: 'eth',
    quoteAssetId: 'usdt',
    priceScale: 2,
    amountScale: 2,
    minAmount: 1,
    maxAmount: 1_000_000,
    margin: {
      lotSize: 1,
      lotStep: 1,
      leverage: { leverageType: 'Fixed', useOnlyMaxLeverage: false, maxLeverage: 50 },
      swaps: null,
      funding: FUNDING,
    },
  },
];

export const DEMO_MARKETS: readonly MarketConfiguration[] = [
  ...SPOT_MARKETS,
  ...CFD_MARKETS,
  ...PERP_MARKETS,
];
