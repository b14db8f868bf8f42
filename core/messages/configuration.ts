import type {
  AccountStatusName,
  AccountTypeName,
  AssetSourceName,
  AssetTypeName,
  MarketSideName,
  MarketStatusName,
  MarketTypeName,
  SwapTypeName,
} from './enums.ts';

/** How assets and markets are configured: part of the journal's format, as cold.ts is. */

export interface AssetConfiguration {
  readonly assetId: string;
  readonly name: string;
  /** Decimal places of the asset's smallest unit, 0 to 18. */
  readonly scale: number;
  readonly isRoot: boolean;
  /** Share of the asset that counts as collateral, in 10^-4 (10000 is 1); the root asset has 1. */
  readonly marginRatio: number;
  readonly type: AssetTypeName;
  readonly source: AssetSourceName;
  /** Whether transfers of it may be created; absent: they may. */
  readonly canDeposit?: boolean;
  readonly canWithdraw?: boolean;
  /** What a withdrawal is said to cost, canonical decimal text; for display, nothing charges it. */
  readonly withdrawalFee?: string;
  readonly imageUrl?: string | null;
}

/** Local wall-clock times `HH:MM` or `HH:MM:SS`; `24:00` and an end of `00:00` are midnight. */
export interface TimeInterval {
  readonly start: string;
  readonly end: string;
}

export interface Calendar {
  /** What the back office calls it; nothing depends on either. */
  readonly calendarId?: string;
  readonly calendarName?: string;
  /** IANA zone of all times below. */
  readonly timeZoneId: string;
  readonly tradingSessions: readonly {
    readonly dayOfWeek: string;
    readonly timeIntervals: readonly TimeInterval[];
  }[];
  /** A date without intervals (null or empty) is closed. */
  readonly sessionOverrides: readonly {
    readonly date: string;
    readonly timeIntervals: readonly TimeInterval[] | null;
  }[];
}

/** One step of a Dynamic leverage profile: up to this net notional, in root units; null for no end. */
export interface LeverageTier {
  readonly maxLeverage: number;
  readonly maxNotionalInRoot: bigint | null;
}

/** `useOnlyMaxLeverage`: every order takes the most; otherwise anything from 1 to it. */
export type LeverageProfile =
  | {
      readonly leverageType: 'Fixed';
      readonly useOnlyMaxLeverage: boolean;
      readonly maxLeverage: number;
    }
  | {
      readonly leverageType: 'Dynamic';
      readonly useOnlyMaxLeverage: boolean;
      /** Ascending; the last without an end. */
      readonly tiers: readonly LeverageTier[];
    };

/** What one night costs: positive is a charge, negative a rebate. `size` in 10^-8. */
export interface SwapSide {
  readonly size: number;
  /** The asset of a FixPerLot size; null for the root asset. */
  readonly assetId: string | null;
}

export interface SwapSettings {
  readonly type: SwapTypeName;
  readonly long: SwapSide;
  readonly short: SwapSide;
}

export interface FundingSettings {
  /** `HH:MM:SS` UTC: settlements are this and every `intervalHours` after it. */
  readonly startTime: string;
  readonly intervalHours: number;
  /** The most that one settlement may come to, either way, in 10^-8 of the position's notional. */
  readonly cap: number;
}

/** What a Cfd or Perp market has beyond a Spot market. Amounts of it count 10^-amountScale lots. */
export interface MarginConfiguration {
  /** Whole base assets in one lot. */
  readonly lotSize: number;
  /** Every quantity is a multiple of it: 10^-amountScale lots. */
  readonly lotStep: number;
  readonly leverage: LeverageProfile;
  /** Cfd only. */
  readonly swaps: SwapSettings | null;
  /** Perp only. */
  readonly funding: FundingSettings | null;
}

export interface MarketConfiguration {
  readonly marketId: string;
  readonly displayName: string;
  readonly fullName: string | null;
  readonly type: MarketTypeName;
  readonly subtype: string | null;
  readonly baseAssetId: string;
  readonly quoteAssetId: string;
  readonly priceScale: number;
  readonly amountScale: number;
  /** Amount steps; 0 for no minimum, null for the venue's own maximum. */
  readonly minAmount: number;
  readonly maxAmount: number | null;
  /**
   * Ticks; null for the most that goes with maxAmount: the product of the two is at most 2^63 - 1, so
   * that what any order trades for is exact.
   */
  readonly maxPrice: number | null;
  /** Ticks; absent or 0 for none. */
  readonly minPrice?: number;
  /** 10^-4: 1000 is 10 %; 0 is no restriction. */
  readonly priceDeviation: number;
  /** 10^-4: 11000 is 1.1. */
  readonly slippageRate: number;
  /**
   * The market's own commission on notional in 10^-8 (100000 is 0.001), and its minimum an order in
   * root asset units. null: it has none, and the default rule of the account's profile decides. A
   * rule that names the market, and a commission group, come before either.
   */
  readonly feeRate: number | null;
  readonly feeMinimum: bigint;
  /** Of a Spot market, what orders pay for what they trade as makers; absent: feeRate. */
  readonly makerFeeRate?: number | null;
  /** How long the rest of a Retry order waits, ms. */
  readonly internalTtl: number;
  readonly externalTtl: number;
  readonly status: MarketStatusName;
  /** Which orders it takes and amends; absent: both. */
  readonly side?: MarketSideName;
  /** No trader sees it and none can place an order by its name; absent: shown. */
  readonly hidden?: boolean;
  /** null: always open. */
  readonly calendar: Calendar | null;
  /** The group of markets that it belongs to, which commission rules may name; absent or null: none. */
  readonly marketGroupId?: string | null;
  readonly marketGroupName?: string | null;
  /** Cfd and Perp; absent for Spot. */
  readonly margin?: MarginConfiguration;
  /** UTC ms, by the clock of whoever configured it. */
  readonly createdAt?: number;
  readonly updatedAt?: number;
}

export interface AccountConfiguration {
  readonly accountId: string;
  readonly publicAccountId: number;
  readonly accountName: string;
  readonly accountType: AccountTypeName;
  readonly accountStatus: AccountStatusName;
  readonly ownerUserId: string;
  readonly isCopyTradingAccount: boolean;
}

/** The venue's levels of margin, in 10^-4 (10000 is 100 %). */
export interface MarginSettings {
  /** Below it an account may only reduce. */
  readonly marginCall: number;
  /** Below it its positions are closed. */
  readonly stopOut: number;
  /** What an account without positions is below zero is then booked against the house. */
  readonly negativeBalanceProtection: boolean;
}
