import type { ColdEvent } from '../../../core/messages/cold-events.ts';
import type {
  AssetConfiguration,
  LeverageProfile,
  MarginSettings,
  MarketConfiguration,
} from '../../../core/messages/configuration.ts';
import type { MarketTerms } from './terms.ts';

export const HOUSE = 0;

export interface FollowedMarket {
  readonly configuration: MarketConfiguration;
  readonly terms: MarketTerms;
  readonly base: number;
  readonly quote: number;
  readonly baseUnitsPerStep: bigint;
  /** Root units. */
  settlement: bigint;
}

/** What is configured, who owns what. */
export class FollowedVenue {
  readonly assets: AssetConfiguration[] = [];
  readonly markets: FollowedMarket[] = [];
  readonly collateral = new Map<number, Set<number>>();
  settings: MarginSettings = {
    marginCall: 10_000,
    stopOut: 5_000,
    negativeBalanceProtection: true,
  };
  executions = 0;
  private readonly netting: boolean[] = [];
  private readonly totals = new Map<string, bigint>();

  get rootAsset(): number {
    return this.assets.findIndex(({ isRoot }) => isRoot);
  }

  market(index: number): FollowedMarket {
    const market = this.markets[index];
    if (market === undefined) throw new Error(`no market ${index}`);
    return market;
  }

  isNetting(account: number): boolean {
    return this.netting[account] === true;
  }

  get accounts(): number {
    return this.netting.length;
  }

  profileOf(market: number): LeverageProfile | undefined {
    return this.market(market).configuration.margin?.leverage;
  }

  total(account: number, asset: number): bigint {
    return this.totals.get(`${account} ${asset}`) ?? 0n;
  }

  add(account: number, asset: number, amount: bigint): void {
    this.totals.set(`${account} ${asset}`, this.total(account, asset) + amount);
  }

  move(from: number, to: number, asset: number, amount: bigint): void {
    this.add(from, asset, -amount);
    this.add(to, asset, amount);
  }

  cold(event: ColdEvent): void {
    switch (event.type) {
      case 'AssetConfigured':
        this.assets[event.asset] = event.configuration;
        return;
      case 'MarketConfigured':
        return this.configureMarket(event.market, event.configuration);
      case 'AccountOpened':
        this.netting[event.account] = event.configuration.accountType === 'Netting';
        return;
      case 'CollateralSelected': {
        const selected = this.collateral.get(event.account) ?? new Set();
        this.collateral.set(event.account, selected);
        if (event.selected) selected.add(event.asset);
        else selected.delete(event.asset);
        return;
      }
      case 'MarginSettingsChanged':
        this.settings = event.settings;
    }
  }

  private configureMarket(index: number, configuration: MarketConfiguration): void {
    const { baseAssetId, quoteAssetId, priceScale, amountScale, margin } = configuration;
    const find = (assetId: string) => this.assets.findIndex((each) => each.assetId === assetId);
    const [base, quote] = [find(baseAssetId), find(quoteAssetId)];
    const scaleOf = (asset: number) => this.assets[asset]?.scale ?? 0;
    const spare = scaleOf(base) - amountScale;
    this.markets[index] = {
      configuration,
      base,
      quote,
      terms: {
        priceScale,
        amountScale,
        lotSize: margin?.lotSize ?? 1,
        quoteScale: scaleOf(quote),
        rootScale: scaleOf(this.rootAsset),
      },
      baseUnitsPerStep: spare >= 0 ? 10n ** BigInt(spare) : 0n,
      settlement: this.markets[index]?.settlement ?? 0n,
    };
  }
}
