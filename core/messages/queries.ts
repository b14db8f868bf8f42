import type { PositionTriggers, Transfer } from './cold-events.ts';
import type { CommissionConfiguration } from './commissions.ts';
import type {
  AccountConfiguration,
  AssetConfiguration,
  MarginSettings,
  MarketConfiguration,
} from './configuration.ts';

/** What is asked of clearing now and then and changes nothing; msgpack. Money is bigint in units as named. */
export type Query =
  | { readonly type: 'Valuations'; readonly accounts: readonly number[] }
  | { readonly type: 'Positions'; readonly account: number }
  | { readonly type: 'Margin'; readonly account: number }
  /** Prices and funding of a Cfd or Perp market. */
  | { readonly type: 'MarketPrices'; readonly market: number }
  | { readonly type: 'Configuration' }
  | { readonly type: 'Audit' };

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
