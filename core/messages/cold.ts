import type { CommissionCommand, CommissionConfiguration, CommissionEvent } from './commissions.ts';
import type { AssetConfiguration, MarketConfiguration } from './configuration.ts';
import type {
  AccountStatusName,
  AccountTypeName,
  MarketStatusName,
  ReasonName,
  StopOrderStatusName,
  TransferStatusName,
  TransferTypeName,
} from './enums.ts';
import type { ReversalCommand, ReversalEvent } from './reversals.ts';

export type {
  AssetConfiguration,
  Calendar,
  FundingSettings,
  LeverageProfile,
  LeverageTier,
  MarginConfiguration,
  MarketConfiguration,
  SwapSettings,
  SwapSide,
  TimeInterval,
} from './configuration.ts';

/**
 * What is rare travels and is journaled as msgpack objects. Money is bigint in units of the asset's
 * scale; indexes are the dense numbers that clearing assigned.
 */

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

/** The venue's levels of margin, in 10^-4 (10000 is 100 %). */
export interface MarginSettings {
  /** Below it an account may only reduce. */
  readonly marginCall: number;
  /** Below it its positions are closed. */
  readonly stopOut: number;
  /** What an account without positions is below zero is then booked against the house. */
  readonly negativeBalanceProtection: boolean;
}

/** An order that waits for its activation price. Prices are ticks, 0 for none; see PlaceMarginOrder. */
export interface StopOrder {
  /** Out of the same sequence as the ids of orders. */
  readonly orderId: number;
  readonly account: number;
  readonly market: number;
  readonly side: number;
  readonly type: number;
  readonly timeInForce: number;
  readonly postOnly: number;
  readonly selfTradePrevention: number;
  readonly isTrailing: number;
  readonly leverage: number;
  readonly activationPrice: number;
  readonly price: number;
  readonly quantity: number;
  readonly expiresAt: number;
  readonly stopLoss: number;
  readonly takeProfit: number;
  readonly clientOrderId: string;
  readonly comment: string;
  readonly createdAt: number;
}

/** The triggers of a position in ticks, 0 for none; `trailingOffset` not 0: the stop-loss trails. */
export interface PositionTriggers {
  readonly stopLoss: number;
  readonly takeProfit: number;
  readonly trailingOffset: number;
}

/** Cold events: part of the journal's format. */
export type ColdEvent =
  | CommissionEvent
  | ReversalEvent
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
  | { readonly type: 'StopOrderPlaced'; readonly stopOrder: StopOrder }
  | {
      readonly type: 'StopOrderEnded';
      readonly orderId: number;
      readonly status: StopOrderStatusName;
      readonly reason: ReasonName;
      /** The order that came of it, which the next event accepts; null where none did. */
      readonly activatedOrderId: number | null;
      /** Why it was rejected: a code of the catalogue; null otherwise. */
      readonly refusal: number | null;
    }
  | {
      readonly type: 'PositionTriggersSet';
      readonly positionId: number;
      readonly triggers: PositionTriggers;
    }
  | {
      readonly type: 'CollateralSelected';
      readonly account: number;
      readonly asset: number;
      readonly selected: boolean;
    }
  | { readonly type: 'MarginSettingsChanged'; readonly settings: MarginSettings }
  /** An index price from outside, in ticks. */
  | { readonly type: 'IndexPriceSet'; readonly market: number; readonly price: number }
  /** Premiums of the running funding interval since the last such event: Σ in 10^-8, and how many. */
  | {
      readonly type: 'PremiumSampled';
      readonly market: number;
      readonly sum: number;
      readonly count: number;
    }
  /** The house covered what an account was below zero, in root units. */
  | {
      readonly type: 'NegativeBalanceCompensated';
      readonly account: number;
      readonly amount: bigint;
    }
  /** The venue took up work: every open order went to the books anew, in order of priority. */
  | { readonly type: 'Resumed' };

export type AdminCommand =
  | CommissionCommand
  | ReversalCommand
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
      readonly type: 'SetPositionTriggers';
      readonly accountId: string;
      readonly positionId: number;
      readonly priceScale: number;
      /** Ticks; 0 for none. */
      readonly stopLoss: number;
      readonly takeProfit: number;
      readonly isTrailing: boolean;
    }
  | {
      readonly type: 'SelectCollateral';
      readonly accountId: string;
      readonly assetId: string;
      readonly selected: boolean;
    }
  | { readonly type: 'SetMarginSettings'; readonly settings: MarginSettings }
  /** `price` is decimal text. */
  | { readonly type: 'SetIndexPrice'; readonly marketId: string; readonly price: string }
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
  | { readonly type: 'Positions'; readonly account: number }
  | { readonly type: 'Margin'; readonly account: number }
  /** Prices and funding of a Cfd or Perp market. */
  | { readonly type: 'MarketPrices'; readonly market: number }
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

/** An open position. Prices ticks, quantities steps, `openNotional` ticks × steps, money as named. */
export interface PositionView {
  readonly positionId: number;
  readonly market: number;
  /** Side.Buy is long. */
  readonly side: number;
  readonly quantity: number;
  /** What orders that close it have claimed. */
  readonly closing: number;
  readonly openNotional: bigint;
  /** The order that opened it: its comment is the position's. */
  readonly openOrderId: number;
  readonly openedAt: number;
  readonly triggers: PositionTriggers;
  /** At which it could be closed now: the bid of a long, the ask of a short; 0 for none. */
  readonly currentPrice: number;
  readonly markPrice: number;
  /** Root units at currentPrice. */
  readonly unrealized: bigint;
  readonly usedMargin: bigint;
  /** Quote units; opening notional / it is the effective leverage. */
  readonly margin: bigint;
}

export interface PositionsAnswer {
  readonly positions: readonly PositionView[];
}

/** Root units. `level` in 10^-4 (10000 is 100 %), null where no margin is used. */
export interface MarginAnswer {
  readonly marginBalance: bigint;
  readonly unrealized: bigint;
  readonly equity: bigint;
  readonly usedMargin: bigint;
  readonly freeMargin: bigint;
  readonly level: bigint | null;
  /** Assets that the account has selected as collateral, the root asset among them. */
  readonly collateral: readonly number[];
}

/** Ticks, 0 for none. `fundingRate` in 10^-8 as it would be applied now, null where there is no index. */
export interface MarketPricesAnswer {
  readonly bid: number;
  readonly ask: number;
  readonly last: number;
  readonly mark: number;
  readonly index: number;
  readonly fundingRate: number | null;
  readonly nextFundingAt: number | null;
}

/** The answer of `deposit` and its like: the transfer as it was created. */
export interface TransferAnswer {
  readonly transfer: Transfer;
}

/**
 * What each account owns in all, with the unrealised profit or loss of its positions, as decimals of the
 * root asset; without a rate an asset counts 0.
 */
export interface ValuationsAnswer {
  readonly totals: readonly string[];
}

/** Everything configured so far, in index order: what a gateway needs to start. */
export interface ConfigurationAnswer {
  readonly sequence: number;
  readonly assets: readonly AssetConfiguration[];
  readonly markets: readonly MarketConfiguration[];
  readonly accounts: readonly AccountConfiguration[];
  readonly commissions: CommissionConfiguration;
  readonly marginSettings: MarginSettings;
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
  /** Exposures, positions and orders on margin that do not fit each other. */
  readonly marginMismatches: number;
  /** Commands that the order books have not answered. */
  readonly atBooks: number;
}
