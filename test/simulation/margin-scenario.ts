import type { AdminCommand } from '../../core/messages/cold-commands.ts';
import type { Calendar, MarketConfiguration } from '../../core/messages/configuration.ts';
import { asset, spotMarket } from '../clearing/venue.ts';
import { MarginCommandSource } from './margin-source.ts';
import type { Scenario } from './scenario.ts';

const ASSETS = [
  asset('usdt', 6, { isRoot: true, marginRatio: 10_000 }),
  asset('btc', 8, { marginRatio: 8_000 }),
  asset('eur', 2, { marginRatio: 9_500 }),
];

/** Open on weekdays only, with a break each night. */
const WEEKDAYS: Calendar = {
  timeZoneId: 'Europe/Berlin',
  tradingSessions: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'].map((dayOfWeek) => ({
    dayOfWeek,
    timeIntervals: [{ start: '00:00', end: '23:00' }],
  })),
  sessionOverrides: [{ date: '2026-03-04', timeIntervals: null }],
};

const LOTS = { priceScale: 2, amountScale: 2, slippageRate: 11_000 };

/** The Spot markets come first. */
const SPOT_MARKETS: readonly MarketConfiguration[] = [
  spotMarket('btc', 'usdt'),
  spotMarket('eur', 'usdt', { amountScale: 2, feeMinimum: 2n }),
];

const MARGIN_MARKETS: readonly MarketConfiguration[] = [
  spotMarket('btc', 'usdt', {
    ...LOTS,
    marketId: 'cfd.btc_usdt',
    type: 'Cfd',
    feeRate: 60_000,
    feeMinimum: 3_000n,
    margin: {
      lotSize: 1,
      lotStep: 1,
      leverage: {
        leverageType: 'Dynamic',
        useOnlyMaxLeverage: false,
        tiers: [
          { maxLeverage: 50, maxNotionalInRoot: 20_000_000n },
          { maxLeverage: 10, maxNotionalInRoot: 200_000_000n },
          { maxLeverage: 3, maxNotionalInRoot: null },
        ],
      },
      swaps: {
        type: 'Percent',
        long: { size: 30_000, assetId: null },
        short: { size: -11_000, assetId: null },
      },
      funding: null,
    },
  }),
  spotMarket('btc', 'usdt', {
    ...LOTS,
    marketId: 'perp.btc_usdt',
    type: 'Perp',
    feeRate: 45_678,
    margin: {
      lotSize: 1,
      lotStep: 5,
      leverage: { leverageType: 'Fixed', useOnlyMaxLeverage: false, maxLeverage: 20 },
      swaps: null,
      funding: { startTime: '00:30:00', intervalHours: 1, cap: 750_000 },
    },
  }),
  spotMarket('btc', 'eur', {
    ...LOTS,
    marketId: 'cfd.btc_eur',
    type: 'Cfd',
    feeRate: 0,
    calendar: WEEKDAYS,
    margin: {
      lotSize: 3,
      lotStep: 1,
      leverage: { leverageType: 'Fixed', useOnlyMaxLeverage: true, maxLeverage: 30 },
      swaps: {
        type: 'FixPerLot',
        long: { size: 12_345_678, assetId: 'eur' },
        short: { size: 7_000_000, assetId: null },
      },
      funding: null,
    },
  }),
];

const settings: AdminCommand = {
  type: 'SetMarginSettings',
  settings: { marginCall: 10_000, stopOut: 5_000, negativeBalanceProtection: true },
};

/** Every fourth account has more than it can lose; the others do not. */
const isRich = (account: number): boolean => account % 4 === 1;

/** Margin accounts of both types beside Spot trading, prices that crash, funding, swaps, stop-outs. */
export const MARGIN: Scenario = {
  assets: ASSETS,
  markets: [...SPOT_MARKETS, ...MARGIN_MARKETS],
  accounts: (dice) => dice.between(4, 8),
  settings: [settings],
  openAccount: (account) => ({
    type: 'OpenAccount',
    configuration: {
      accountName: `Account ${account}`,
      accountType: account % 2 === 0 ? 'Netting' : 'Hedging',
      accountStatus: 'Active',
      ownerUserId: `user ${account}`,
      isCopyTradingAccount: false,
    },
  }),
  fundsOf: (account, assetId) => {
    if (isRich(account)) return '100000';
    const poor = account % 3 === 0;
    return assetId === 'usdt' ? (poor ? '0.02' : '30') : poor ? '20' : '5';
  },
  source: (dice, accounts) =>
    new MarginCommandSource(dice, {
      accounts: accounts + 1,
      assetIds: ASSETS.map(({ assetId }) => assetId),
      spotMarkets: SPOT_MARKETS,
      marginMarkets: MARGIN_MARKETS,
    }),
  houseStandsIn: true,
};
