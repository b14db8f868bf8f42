import type { CommissionCommand } from './commissions.ts';
import type {
  AccountConfiguration,
  AssetConfiguration,
  MarginSettings,
  MarketConfiguration,
} from './configuration.ts';
import type { AccountStatusName, MarketStatusName } from './enums.ts';
import type { ReversalCommand } from './reversals.ts';

/** What administrators and owners of accounts ask of clearing; msgpack, as the events that come of it. */
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
