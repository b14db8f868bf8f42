import type Database from 'better-sqlite3';
import { formatUnits } from '../../core/fixed-point/index.ts';
import type { ColdEvent, Transfer } from '../../core/messages/cold-events.ts';
import type { AssetConfiguration, MarketConfiguration } from '../../core/messages/configuration.ts';
import { ViewsInconsistent } from './errors.ts';
import { packScales } from './packing.ts';

interface MarketEntry {
  readonly type: string;
  readonly lotSize: number;
  readonly quoteAssetId: string;
  readonly priceScale: number;
  readonly amountScale: number;
  /** Packed; null until the quote asset is known or after it changed. */
  scales: number | null;
}

/** The events that are written here. */
const CONFIGURING: ReadonlySet<ColdEvent['type']> = new Set([
  'AssetConfigured',
  'MarketConfigured',
  'AccountOpened',
  'AccountStatusChanged',
  'TransferCreated',
  'TransferChanged',
]);

type TransferState = Pick<Transfer, 'transferId' | 'status' | 'callbackUrl' | 'updatedAt'>;

interface AssetEntry {
  readonly assetId: string;
  readonly scale: number;
  readonly isRoot: boolean;
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
    for (const row of database
      .prepare('SELECT id, asset_id, scale, is_root FROM assets')
      .iterate()) {
      const asset = row as { id: number; asset_id: string; scale: number; is_root: number };
      const { asset_id: assetId, scale, is_root: isRoot } = asset;
      this.assets.set(asset.id, { assetId, scale, isRoot: isRoot === 1 });
    }
    const markets =
      'SELECT id, type, quote_asset_id, price_scale, amount_scale, lot_size FROM markets';
    for (const row of database.prepare(markets).iterate()) {
      const market = row as {
        id: number;
        type: string;
        quote_asset_id: string;
        price_scale: number;
        amount_scale: number;
        lot_size: number;
      };
      this.markets.set(market.id, {
        type: market.type,
        lotSize: market.lot_size,
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
    entry.scales ??= this.packedScales(entry);
    return entry.scales;
  }

  /** Base assets in one lot of the market, at this point of the history; 1 for Spot. */
  lotSizeOf(market: number): number {
    const entry = this.markets.get(market);
    if (entry === undefined) throw new ViewsInconsistent(`there is no market ${market}`);
    return entry.lotSize;
  }

  apply(event: ColdEvent): void {
    if (!CONFIGURING.has(event.type)) return;
    this.pending.push(event);
    if (event.type === 'AssetConfigured') {
      const { assetId, scale, isRoot } = event.configuration;
      this.assets.set(event.asset, { assetId, scale, isRoot });
      for (const market of this.markets.values()) market.scales = null;
    } else if (event.type === 'MarketConfigured') {
      const { type, quoteAssetId, priceScale, amountScale, margin } = event.configuration;
      const lotSize = margin?.lotSize ?? 1;
      const entry = { type, lotSize, quoteAssetId, priceScale, amountScale, scales: null };
      this.markets.set(event.market, entry);
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
      default:
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
      configuration.margin?.lotSize ?? 1,
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

  private packedScales({ type, priceScale, amountScale, quoteAssetId }: MarketEntry): number {
    const quote = this.assetNamed(quoteAssetId).scale;
    if (type === 'Spot') return packScales(priceScale, amountScale, quote, quote);
    for (const { isRoot, scale } of this.assets.values()) {
      if (isRoot) return packScales(priceScale, amountScale, quote, scale);
    }
    throw new ViewsInconsistent('there is no root asset');
  }

  private assetNamed(assetId: string): AssetEntry {
    for (const asset of this.assets.values()) if (asset.assetId === assetId) return asset;
    throw new ViewsInconsistent(`there is no asset ${assetId}`);
  }
}

function prepare(database: Database.Database) {
  return {
    asset: database.prepare('INSERT OR REPLACE INTO assets VALUES (?, ?, ?, ?, ?)'),
    market: database.prepare(
      'INSERT OR REPLACE INTO markets VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
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
