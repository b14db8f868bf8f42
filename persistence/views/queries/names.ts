import type Database from 'better-sqlite3';
import type { MarketTypeName } from '../../../core/messages/enums.ts';
import { ViewsInconsistent } from '../errors.ts';

export interface MarketNames {
  readonly marketId: string;
  readonly type: MarketTypeName;
  readonly displayName: string;
  readonly fullName: string | null;
  readonly baseAssetId: string;
  readonly quoteAssetId: string;
  /** What its commissions are in: the quote asset for Spot, else the root asset. */
  readonly commissionAssetId: string;
}

export interface AssetNames {
  readonly id: number;
  readonly assetId: string;
  readonly scale: number;
  readonly isRoot: boolean;
}

/**
 * Names of markets and assets, read once and again only after they changed. They are as they are
 * now, also in old orders.
 */
export class Names {
  private readonly configuration: Database.Statement;
  private readonly selectMarkets: Database.Statement;
  private readonly selectAssets: Database.Statement;
  private readonly markets = new Map<number, MarketNames>();
  private readonly assets = new Map<number, AssetNames>();
  private loaded = -1;

  constructor(database: Database.Database) {
    this.configuration = database.prepare('SELECT configuration FROM progress').pluck();
    this.selectMarkets = database
      .prepare(
        `SELECT id, market_id, type, display_name, full_name, base_asset_id, quote_asset_id
         FROM markets`,
      )
      .raw();
    this.selectAssets = database.prepare('SELECT id, asset_id, scale, is_root FROM assets').raw();
  }

  /** Catches up with the database; call it first in each read transaction. */
  refresh(): void {
    const current = this.configuration.get() as number;
    if (current === this.loaded) return;
    for (const row of this.selectAssets.iterate()) {
      const [id, assetId, scale, isRoot] = row as [number, string, number, number];
      this.assets.set(id, { id, assetId, scale, isRoot: isRoot === 1 });
    }
    const root = this.rootAsset()?.assetId ?? '';
    for (const row of this.selectMarkets.iterate()) {
      const [id, marketId, type, displayName, fullName, baseAssetId, quoteAssetId] = row as [
        number,
        string,
        MarketTypeName,
        string,
        string | null,
        string,
        string,
      ];
      const names = { marketId, type, displayName, fullName, baseAssetId, quoteAssetId };
      const commissionAssetId = type === 'Spot' ? quoteAssetId : root;
      this.markets.set(id, { ...names, commissionAssetId });
    }
    this.loaded = current;
  }

  market(id: number): MarketNames {
    const market = this.markets.get(id);
    if (market === undefined) throw new ViewsInconsistent(`there is no market ${id}`);
    return market;
  }

  asset(id: number): AssetNames {
    const asset = this.assets.get(id);
    if (asset === undefined) throw new ViewsInconsistent(`there is no asset ${id}`);
    return asset;
  }

  rootAsset(): AssetNames | undefined {
    return [...this.assets.values()].find((asset) => asset.isRoot);
  }

  /** The Spot market of one asset against another, if there is one. */
  spotMarket(baseAssetId: string, quoteAssetId: string): number | undefined {
    for (const [id, market] of this.markets) {
      if (
        market.type === 'Spot' &&
        market.baseAssetId === baseAssetId &&
        market.quoteAssetId === quoteAssetId
      ) {
        return id;
      }
    }
    return undefined;
  }
}
