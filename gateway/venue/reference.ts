import { CommissionSchedule } from '../../core/clearing/index.ts';
import type { ColdEvent } from '../../core/messages/cold-events.ts';
import type {
  AccountConfiguration,
  AssetConfiguration,
  MarginSettings,
  MarketConfiguration,
} from '../../core/messages/configuration.ts';
import type { OrderMarket, Scales } from '../../core/messages/order-view.ts';
import type { ConfigurationAnswer } from '../../core/messages/queries.ts';

/** A trading account with its dense index. */
export interface AccountEntry {
  readonly index: number;
  readonly configuration: AccountConfiguration;
}

/** A market with its dense index and its assets. */
export interface MarketEntry {
  readonly index: number;
  readonly scales: Scales;
  readonly configuration: MarketConfiguration;
  readonly base: AssetConfiguration;
  readonly quote: AssetConfiguration;
  /** What its commissions are in: the quote asset for Spot, else the root asset. */
  readonly commissionAssetId: string;
  /** What the read form of its orders tells of it. */
  readonly names: OrderMarket;
}

/** Before clearing has told its own. */
const NO_LEVELS: MarginSettings = { marginCall: 0, stopOut: 0, negativeBalanceProtection: false };

/**
 * What is configured, in memory: assets, markets, accounts, commissions, levels of margin. Filled from
 * clearing at start and kept up by the events that it releases, so that it changes exactly when the
 * change is durable.
 */
export class Reference {
  readonly assets: AssetConfiguration[] = [];
  readonly markets: MarketEntry[] = [];
  readonly commissions = new CommissionSchedule();
  /**
   * Changes whenever assets, markets or what trading costs change, whoever is charged: what was made of
   * them before may not hold any more.
   */
  revision = 0;
  private readonly marketsById = new Map<string, MarketEntry>();
  private readonly accounts: AccountEntry[] = [];
  private readonly accountsById = new Map<string, AccountEntry>();
  private readonly accountsByOwner = new Map<string, AccountEntry[]>();
  rootAsset: AssetConfiguration | undefined;
  marginSettings: MarginSettings = NO_LEVELS;

  load(answer: ConfigurationAnswer): void {
    answer.assets.forEach((configuration, asset) => {
      this.apply({ type: 'AssetConfigured', asset, configuration });
    });
    answer.markets.forEach((configuration, market) => {
      this.apply({ type: 'MarketConfigured', market, configuration });
    });
    answer.accounts.forEach((configuration, account) => {
      this.apply({ type: 'AccountOpened', account, configuration });
    });
    this.commissions.load(answer.commissions);
    this.revision++;
    this.marginSettings = answer.marginSettings;
  }

  apply(event: ColdEvent): void {
    switch (event.type) {
      case 'AssetConfigured':
        return this.configureAsset(event.asset, event.configuration);
      case 'MarketConfigured':
        return this.configureMarket(event.market, event.configuration);
      case 'AccountOpened':
        return this.setAccount({ index: event.account, configuration: event.configuration });
      case 'AccountStatusChanged': {
        const { configuration } = this.account(event.account);
        const changed = { ...configuration, accountStatus: event.status };
        return this.setAccount({ index: event.account, configuration: changed });
      }
      case 'CommissionProfileSet':
      case 'CommissionGroupSet':
      case 'CommissionProfileRemoved':
      case 'CommissionGroupRemoved':
      case 'CommissionGroupAssigned':
      case 'CommissionProfileAssigned':
        this.revision++;
        return this.commissions.apply(event);
      case 'MarginSettingsChanged':
        this.marginSettings = event.settings;
        return;
      default:
    }
  }

  market(index: number): MarketEntry {
    const market = this.markets[index];
    if (market === undefined) throw new RangeError(`no market ${index}`);
    return market;
  }

  marketOf(marketId: string): MarketEntry | undefined {
    return this.marketsById.get(marketId);
  }

  isMarket(marketId: string): boolean {
    return this.marketsById.has(marketId);
  }

  /** Whether a market is in this group. */
  isMarketGroup(marketGroupId: string): boolean {
    return this.markets.some(({ configuration }) => configuration.marketGroupId === marketGroupId);
  }

  asset(index: number): AssetConfiguration {
    const asset = this.assets[index];
    if (asset === undefined) throw new RangeError(`no asset ${index}`);
    return asset;
  }

  account(index: number): AccountEntry {
    const account = this.accounts[index];
    if (account === undefined) throw new RangeError(`no account ${index}`);
    return account;
  }

  accountOf(accountId: string): AccountEntry | undefined {
    return this.accountsById.get(accountId);
  }

  /** A user's accounts, oldest first. */
  accountsOwnedBy(userId: string): readonly AccountEntry[] {
    return this.accountsByOwner.get(userId) ?? [];
  }

  private configureAsset(index: number, configuration: AssetConfiguration): void {
    this.revision++;
    this.assets[index] = configuration;
    if (configuration.isRoot) this.rootAsset = configuration;
    // Markets keep their assets at hand: renew those of this one.
    const { assetId, isRoot } = configuration;
    for (const { index: market, configuration: known } of [...this.markets]) {
      const { baseAssetId, quoteAssetId, type } = known;
      const isOfIt = baseAssetId === assetId || quoteAssetId === assetId;
      if (isOfIt || (isRoot && type !== 'Spot')) this.configureMarket(market, known);
    }
  }

  private configureMarket(index: number, configuration: MarketConfiguration): void {
    const base = this.assets.find((asset) => asset.assetId === configuration.baseAssetId);
    const quote = this.assets.find((asset) => asset.assetId === configuration.quoteAssetId);
    if (base === undefined || quote === undefined) throw new Error(`assets of market ${index}`);
    const { priceScale, amountScale, type, margin } = configuration;
    const charged = type === 'Spot' ? quote : (this.rootAsset ?? quote);
    const scales = {
      price: priceScale,
      amount: amountScale,
      quote: quote.scale,
      commission: charged.scale,
      lotSize: margin?.lotSize ?? 1,
    };
    const commissionAssetId = charged.assetId;
    const { marketId, displayName, fullName } = configuration;
    const names = { marketId, type, displayName, fullName, commissionAssetId };
    const entry = { index, scales, configuration, base, quote, commissionAssetId, names };
    this.revision++;
    this.markets[index] = entry;
    this.marketsById.set(configuration.marketId, entry);
  }

  private setAccount(entry: AccountEntry): void {
    const { accountId, ownerUserId } = entry.configuration;
    this.accounts[entry.index] = entry;
    this.accountsById.set(accountId, entry);
    const owned = (this.accountsByOwner.get(ownerUserId) ?? []).filter(
      (account) => account.index !== entry.index,
    );
    this.accountsByOwner.set(
      ownerUserId,
      [...owned, entry].sort((a, b) => a.index - b.index),
    );
  }
}
