import type { AdminCommand } from '../../core/messages/cold-commands.ts';
import type { AssetConfiguration, MarketConfiguration } from '../../core/messages/configuration.ts';

/** Monday 2 March 2026, 12:00 UTC. */
export const START = Date.UTC(2026, 2, 2, 12);

export function asset(
  assetId: string,
  scale: number,
  more: Partial<AssetConfiguration> = {},
): AssetConfiguration {
  return {
    assetId,
    name: assetId.toUpperCase(),
    scale,
    isRoot: false,
    marginRatio: 0,
    type: 'Crypto',
    source: 'Internal',
    ...more,
  };
}

/** An open Spot market without limits, collar, commission or calendar, but for `more`. */
export function spotMarket(
  base: string,
  quote: string,
  more: Partial<MarketConfiguration> = {},
): MarketConfiguration {
  return {
    marketId: `spot.${base}_${quote}`,
    displayName: `${base}/${quote}`,
    fullName: null,
    type: 'Spot',
    subtype: null,
    baseAssetId: base,
    quoteAssetId: quote,
    priceScale: 2,
    amountScale: 3,
    minAmount: 1,
    maxAmount: null,
    maxPrice: null,
    priceDeviation: 0,
    slippageRate: 11_000,
    feeRate: 100_000,
    feeMinimum: 0n,
    internalTtl: 5_000,
    externalTtl: 5_000,
    status: 'Open',
    calendar: null,
    ...more,
  };
}

export function openAccount(accountName: string, ownerUserId: string): AdminCommand {
  return {
    type: 'OpenAccount',
    configuration: {
      accountName,
      accountType: 'Netting',
      accountStatus: 'Active',
      ownerUserId,
      isCopyTradingAccount: false,
    },
  };
}

/** The dense index and the public id follow from the order in which accounts are opened. */
export const accountIdOf = (account: number): string => String(100_000 + account);
