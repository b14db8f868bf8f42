import type { CommissionEvent } from './commissions.ts';
import type {
  AccountConfiguration,
  AssetConfiguration,
  MarginSettings,
  MarketConfiguration,
} from './configuration.ts';
import type {
  AccountStatusName,
  ReasonName,
  StopOrderStatusName,
  TransferStatusName,
  TransferTypeName,
} from './enums.ts';
import type { ReversalEvent } from './reversals.ts';

/**
 * What is rare travels and is journaled as msgpack objects. Money is bigint in units of the asset's
 * scale; indexes are the dense numbers that clearing assigned.
 */

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

/** An order that waits for its activation price. Prices are ticks, 0 for none; see PlaceMarginOrder. */
export interface StopOrder {
  /** Out of the same sequence as the ids of orders. */
  readonly orderId: number;
  readonly account: number;
  readonly market: number;
  readonly side: number;
  readonly type: number;
  readonly timeInForce: number;
  /** 1: a program sent it, with a key. */
  readonly byKey: number;
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
