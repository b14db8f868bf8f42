import type {
  AccountStatusName,
  AccountTypeName,
  AssetSourceName,
  AssetTypeName,
  MarketSideName,
  MarketStatusName,
  MarketTypeName,
  TransferStatusName,
  TransferTypeName,
} from './enums.ts';

/**
 * What is rare travels and is journaled as msgpack objects. Money is bigint in units of the asset's
 * scale; indexes are the dense numbers that clearing assigned.
 */

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
  /** Commission on notional in 10^-8 (100000 is 0.001), and its minimum an order in root asset units. */
  readonly feeRate: number;
  readonly feeMinimum: bigint;
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

export interface Transfer {
  readonly transferId: number;
  readonly deduplicationId: string;
  readonly account: number;
  readonly asset: number;
  readonly type: TransferTypeName;
  readonly status: TransferStatusName;
  readonly amount: bigint;
  /** Where to tell of its changes; the latest that was given. */
  readonly callbackUrl: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Cold events: part of the journal's format. */
export type ColdEvent =
  | {
      readonly type: 'AssetConfigured';
      readonly asset: number;
      readonly configuration: AssetConfiguration;
    }
  | {
      readonly type: 'MarketConfigured';
      readonly market: number;
      readonly configuration: MarketConfiguration;
    }
  | {
      readonly type: 'AccountOpened';
      readonly account: number;
      readonly configuration: AccountConfiguration;
    }
  | {
      readonly type: 'AccountStatusChanged';
      readonly account: number;
      readonly status: AccountStatusName;
    }
  | { readonly type: 'TransferCreated'; readonly transfer: Transfer }
  | {
      readonly type: 'TransferChanged';
      readonly transferId: number;
      readonly status: TransferStatusName;
      readonly callbackUrl: string | null;
      readonly updatedAt: number;
    }
  /** The venue took up work: every open order went to the books anew, in order of priority. */
  | { readonly type: 'Resumed' };

export type AdminCommand =
  /** `isNew`: refused where there is one of this id. */
  | {
      readonly type: 'ConfigureAsset';
      readonly configuration: AssetConfiguration;
      readonly isNew?: true;
    }
  | {
      readonly type: 'ConfigureMarket';
      readonly configuration: MarketConfiguration;
      readonly isNew?: true;
    }
  /** Changes what is named and leaves the rest, however many do so at once. */
  | {
      readonly type: 'ChangeAsset';
      readonly assetId: string;
      readonly changes: Partial<AssetConfiguration>;
    }
  | {
      readonly type: 'ChangeMarket';
      readonly marketId: string;
      /** The scales that the sender saw: refused where they are not the market's any more. */
      readonly priceScale: number;
      readonly amountScale: number;
      readonly changes: Partial<MarketConfiguration>;
    }
  | {
      readonly type: 'SetMarketStatus';
      readonly marketId: string;
      readonly status: MarketStatusName;
    }
  | {
      readonly type: 'OpenAccount';
      readonly configuration: Omit<AccountConfiguration, 'accountId' | 'publicAccountId'>;
    }
  | {
      readonly type: 'SetAccountStatus';
      readonly accountId: string;
      readonly status: AccountStatusName;
    }
  | {
      readonly type: 'Deposit' | 'Withdraw';
      readonly deduplicationId: string;
      readonly accountId: string;
      readonly assetId: string;
      /** Decimal text as the client sent it, canonical. */
      readonly amount: string;
      readonly callbackUrl?: string | null;
    }
  | {
      readonly type: 'ConfirmWithdrawal' | 'CancelWithdrawal';
      readonly accountId: string;
      readonly transferId: string;
      /** Without one the transfer keeps what it has. */
      readonly callbackUrl?: string | null;
    };

export type Query =
  | { readonly type: 'Balances'; readonly account: number }
  | { readonly type: 'Valuations'; readonly accounts: readonly number[] }
  | { readonly type: 'Configuration' }
  | { readonly type: 'Audit' };

export interface BalanceView {
  readonly asset: number;
  readonly total: bigint;
  /** Held by open orders and withdrawals that await confirmation. */
  readonly held: bigint;
}

export interface BalancesAnswer {
  readonly balances: readonly BalanceView[];
}

/** The answer of `deposit` and its like: the transfer as it was created. */
export interface TransferAnswer {
  readonly transfer: Transfer;
}

/** What each account owns in all, as decimals of the root asset; without a rate an asset counts 0. */
export interface ValuationsAnswer {
  readonly totals: readonly string[];
}

/** Everything configured so far, in index order: what a gateway needs to start. */
export interface ConfigurationAnswer {
  readonly sequence: number;
  readonly assets: readonly AssetConfiguration[];
  readonly markets: readonly MarketConfiguration[];
  readonly accounts: readonly AccountConfiguration[];
}

/** For each asset: everything in ledgers, and what came in less what went out. They must be equal. */
export interface AuditAnswer {
  readonly sequence: number;
  readonly assets: readonly {
    readonly assetId: string;
    readonly ledgers: bigint;
    readonly netTransfers: bigint;
  }[];
  readonly openOrders: number;
  readonly heldMismatches: number;
  /** Commands that the order books have not answered. */
  readonly atBooks: number;
}
