import type Database from 'better-sqlite3';
import { formatUnits } from '../../core/fixed-point/index.ts';
import type {
  AssetConfiguration,
  ColdEvent,
  MarketConfiguration,
  Transfer,
} from '../../core/messages/cold.ts';
import { ViewsInconsistent } from './errors.ts';
import { packScales } from './packing.ts';

interface MarketEntry {
  readonly quoteAssetId: string;
  readonly priceScale: number;
  readonly amountScale: number;
  /** Packed; null until the quote asset is known or after it changed. */
  scales: number | null;
}

type TransferState = Pick<Transfer, 'transferId' | 'status' | 'callbackUrl' | 'updatedAt'>;

interface AssetEntry {
  readonly assetId: string;
  readonly scale: number;
}

/** Assets, markets, accounts and transfers: what cold events announce and hot events refer to. */
export class ReferenceFold {
  private readonly assets = new Map<number, AssetEntry>();
  private readonly markets = new Map<number, MarketEntry>();
  private pending: ColdEvent[] = [];
  private readonly statements: ReturnType<typeof prepare>;

  /** Takes up what the tables already hold. */
  constructor(database: Database.Database) {
    this.statements = prepare(database);
    for (const row of database.prepare('SELECT id, asset_id, scale FROM assets').iterate()) {
      const asset = row as { id: number; asset_id: string; scale: number };
      this.assets.set(asset.id, { assetId: asset.asset_id, scale: asset.scale });
    }
    const markets = 'SELECT id, quote_asset_id, price_scale, amount_scale FROM markets';
    for (const row of database.prepare(markets).iterate()) {
      const market = row as {
        id: number;
        quote_asset_id: string;
        price_scale: number;
        amount_scale: number;
      };
      this.markets.set(market.id, {
        quoteAssetId: market.quote_asset_id,
        priceScale: market.price_scale,
        amountScale: market.amount_scale,
        scales: null,
      });
    }
  }

  /** Whether something is waiting to be written. */
  get changed(): boolean {
    return this.pending.length > 0;
  }

  /** The scales that a market's orders are accepted in at this point of the history. */
  scalesOf(market: number): number {
    const entry = this.markets.get(market);
    if (entry === undefined) throw new ViewsInconsistent(`there is no market ${market}`);
    entry.scales ??= packScales(
      entry.priceScale,
      entry.amountScale,
      this.assetNamed(entry.quoteAssetId).scale,
    );
    return entry.scales;
  }

  apply(event: ColdEvent): void {
    if (event.type === 'Resumed') return;
    this.pending.push(event);
    if (event.type === 'AssetConfigured') {
      const { assetId, scale } = event.configuration;
      this.assets.set(event.asset, { assetId, scale });
      for (const market of this.markets.values()) market.scales = null;
    } else if (event.type === 'MarketConfigured') {
      const { quoteAssetId, priceScale, amountScale } = event.configuration;
      this.markets.set(event.market, { quoteAssetId, priceScale, amountScale, scales: null });
    }
  }

  /** Writes everything collected; inside the caller's transaction. */
  write(): void {
    for (const event of this.pending) this.writeEvent(event);
    this.pending = [];
  }

  private writeEvent(event: ColdEvent): void {
    switch (event.type) {
      case 'AssetConfigured':
        return this.writeAsset(event.asset, event.configuration);
      case 'MarketConfigured':
        return this.writeMarket(event.market, event.configuration);
      case 'AccountOpened': {
        const { accountId, ownerUserId, accountStatus } = event.configuration;
        this.statements.account.run(event.account, accountId, ownerUserId, accountStatus);
        return;
      }
      case 'AccountStatusChanged':
        return expectRow(
          this.statements.accountStatus.run(event.status, event.account),
          `account ${event.account}`,
        );
      case 'TransferCreated':
        return this.writeTransfer(event.transfer);
      case 'TransferChanged':
        expectRow(
          this.statements.transferStatus.run(event.status, event.updatedAt, event.transferId),
          `transfer ${event.transferId}`,
        );
        return this.writeCallback(event);
      case 'Resumed':
        return;
    }
  }

  private writeAsset(asset: number, configuration: AssetConfiguration): void {
    const { assetId, name, scale, isRoot } = configuration;
    this.statements.asset.run(asset, assetId, name, scale, isRoot ? 1 : 0);
  }

  private writeMarket(market: number, configuration: MarketConfiguration): void {
    this.statements.market.run(
      market,
      configuration.marketId,
      configuration.type,
      configuration.displayName,
      configuration.fullName,
      configuration.baseAssetId,
      configuration.quoteAssetId,
      configuration.priceScale,
      configuration.amountScale,
    );
  }

  private writeTransfer(transfer: Transfer): void {
    const asset = this.assets.get(transfer.asset);
    if (asset === undefined) throw new ViewsInconsistent(`there is no asset ${transfer.asset}`);
    this.statements.transfer.run(
      transfer.transferId,
      transfer.account,
      transfer.asset,
      transfer.type,
      transfer.status,
      formatUnits(transfer.amount, asset.scale),
      transfer.deduplicationId,
      transfer.createdAt,
      transfer.updatedAt,
    );
    this.writeCallback(transfer);
  }

  private writeCallback(state: TransferState): void {
    const { transferId, status, callbackUrl, updatedAt } = state;
    if (callbackUrl === null) return;
    this.statements.callback.run(transferId, status, callbackUrl, updatedAt);
  }

  private assetNamed(assetId: string): AssetEntry {
    for (const asset of this.assets.values()) if (asset.assetId === assetId) return asset;
    throw new ViewsInconsistent(`there is no asset ${assetId}`);
  }
}

function prepare(database: Database.Database) {
  return {
    asset: database.prepare('INSERT OR REPLACE INTO assets VALUES (?, ?, ?, ?, ?)'),
    market: database.prepare('INSERT OR REPLACE INTO markets VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    account: database.prepare('INSERT OR REPLACE INTO accounts VALUES (?, ?, ?, ?)'),
    accountStatus: database.prepare('UPDATE accounts SET status = ? WHERE id = ?'),
    transfer: database.prepare('INSERT INTO transfers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    callback: database.prepare(
      'INSERT INTO callbacks (transfer, status, url, time) VALUES (?, ?, ?, ?)',
    ),
    transferStatus: database.prepare('UPDATE transfers SET status = ?, updated = ? WHERE id = ?'),
  };
}

function expectRow(result: Database.RunResult, what: string): void {
  if (result.changes !== 1) throw new ViewsInconsistent(`there is no ${what} to change`);
}
