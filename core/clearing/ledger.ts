import { addUnits } from '../fixed-point/index.ts';
import { grown } from './columns.ts';

/** No entry: the account has never had the asset. */
export const NO_ENTRY = -1;

/** The account that collects commissions and what rounding leaves. It belongs to the platform. */
export const HOUSE_ACCOUNT = 0;

export interface LedgerSnapshot {
  readonly heads: Int32Array;
  readonly assets: Uint32Array;
  readonly nexts: Int32Array;
  readonly totals: BigInt64Array;
  readonly helds: BigInt64Array;
  readonly netTransfers: BigInt64Array;
}

/**
 * Every balance: for each account a short chain of entries, one an asset. `total` is what the account
 * owns, `held` the part of it that open orders and unconfirmed withdrawals need; both are integers in
 * units of the asset's scale within ±(2^63 − 1), and an operation that would leave that range throws
 * `AmountOverflowError` before it changes anything.
 */
export class Ledger {
  private heads = new Int32Array(1024).fill(NO_ENTRY);
  private assets = new Uint32Array(1024);
  private nexts = new Int32Array(1024);
  private totals = new BigInt64Array(1024);
  private helds = new BigInt64Array(1024);
  private netTransfers = new BigInt64Array(16);
  private entryCount = 0;

  /** How many entries there are: they count from 0. */
  get size(): number {
    return this.entryCount;
  }

  /** The entry of `asset` on `account`, or `NO_ENTRY`. */
  find(account: number, asset: number): number {
    if (account >= this.heads.length) return NO_ENTRY;
    let entry = this.heads[account] as number;
    while (entry !== NO_ENTRY && this.assets[entry] !== asset) entry = this.nexts[entry] as number;
    return entry;
  }

  /** The entry of `asset` on `account`, opened empty where there was none. */
  open(account: number, asset: number): number {
    const found = this.find(account, asset);
    if (found !== NO_ENTRY) return found;
    const size = this.heads.length;
    this.heads = grown(this.heads, account);
    if (this.heads.length > size) this.heads.fill(NO_ENTRY, size);
    const entry = this.entryCount++;
    this.assets = grown(this.assets, entry);
    this.nexts = grown(this.nexts, entry);
    this.totals = grown(this.totals, entry);
    this.helds = grown(this.helds, entry);
    this.assets[entry] = asset;
    this.nexts[entry] = this.heads[account] as number;
    this.heads[account] = entry;
    return entry;
  }

  total(entry: number): bigint {
    return entry === NO_ENTRY ? 0n : (this.totals[entry] as bigint);
  }

  held(entry: number): bigint {
    return entry === NO_ENTRY ? 0n : (this.helds[entry] as bigint);
  }

  available(entry: number): bigint {
    return entry === NO_ENTRY ? 0n : (this.totals[entry] as bigint) - (this.helds[entry] as bigint);
  }

  credit(entry: number, amount: bigint): void {
    this.totals[entry] = addUnits(this.totals[entry] as bigint, amount);
  }

  debit(entry: number, amount: bigint): void {
    this.totals[entry] = addUnits(this.totals[entry] as bigint, -amount);
  }

  hold(entry: number, amount: bigint): void {
    this.helds[entry] = addUnits(this.helds[entry] as bigint, amount);
  }

  release(entry: number, amount: bigint): void {
    const left = (this.helds[entry] as bigint) - amount;
    if (left < 0n) throw new RangeError(`ledger entry ${entry} would hold ${left}`);
    this.helds[entry] = left;
  }

  /** Records that `amount` came into the venue (or left it, when negative). */
  transferred(asset: number, amount: bigint): void {
    this.netTransfers = grown(this.netTransfers, asset);
    this.netTransfers[asset] = addUnits(this.netTransfers[asset] as bigint, amount);
  }

  netTransfersOf(asset: number): bigint {
    return asset < this.netTransfers.length ? (this.netTransfers[asset] as bigint) : 0n;
  }

  /** What all ledgers together own of each asset. Walks every entry. */
  sums(assetCount: number): bigint[] {
    const sums = new Array<bigint>(assetCount).fill(0n);
    for (let entry = 0; entry < this.entryCount; entry++) {
      const asset = this.assets[entry] as number;
      sums[asset] = (sums[asset] as bigint) + (this.totals[entry] as bigint);
    }
    return sums;
  }

  /** Calls back for each asset that the account has ever had, newest entry first. */
  forEachOf(account: number, visit: (asset: number, total: bigint, held: bigint) => void): void {
    if (account >= this.heads.length) return;
    for (let entry = this.heads[account] as number; entry !== NO_ENTRY; ) {
      visit(
        this.assets[entry] as number,
        this.totals[entry] as bigint,
        this.helds[entry] as bigint,
      );
      entry = this.nexts[entry] as number;
    }
  }

  /** Calls back for each entry. Walks everything: for checks. */
  forEachEntry(visit: (entry: number, asset: number, total: bigint, held: bigint) => void): void {
    for (let entry = 0; entry < this.entryCount; entry++) {
      const total = this.totals[entry] as bigint;
      visit(entry, this.assets[entry] as number, total, this.helds[entry] as bigint);
    }
  }

  /** Calls back for each entry with its account. Walks everything: for checks. */
  forEach(visit: (account: number, asset: number, total: bigint, held: bigint) => void): void {
    for (let account = 0; account < this.heads.length; account++) {
      this.forEachOf(account, (asset, total, held) => visit(account, asset, total, held));
    }
  }

  save(): LedgerSnapshot {
    const used = this.entryCount;
    return {
      heads: this.heads.slice(),
      assets: this.assets.slice(0, used),
      nexts: this.nexts.slice(0, used),
      totals: this.totals.slice(0, used),
      helds: this.helds.slice(0, used),
      netTransfers: this.netTransfers.slice(),
    };
  }

  load(snapshot: LedgerSnapshot): void {
    this.heads = snapshot.heads.slice();
    this.assets = snapshot.assets.slice();
    this.nexts = snapshot.nexts.slice();
    this.totals = snapshot.totals.slice();
    this.helds = snapshot.helds.slice();
    this.netTransfers = snapshot.netTransfers.slice();
    this.entryCount = snapshot.totals.length;
  }
}
