import type Database from 'better-sqlite3';
import {
  type Decimal,
  formatDecimal,
  parseDecimal,
  powerOfTen,
} from '../../core/fixed-point/index.ts';
import { ViewsInconsistent } from './errors.ts';
import { addProduct } from './exact-sum.ts';
import { amountScaleOf, priceScaleOf } from './packing.ts';

/** What an account traded in a market since the last commit, as long as nothing was configured anew. */
interface Volume {
  readonly account: number;
  readonly market: number;
  readonly scales: number;
  readonly lotSize: number;
  /** Σ price × quantity. */
  notional: number | bigint;
}

/** More markets than there will ever be. */
const MARKETS = 2 ** 20;

/** Adds up what each account has traded in each market, in the quote asset, exactly. */
export class VolumeFold {
  private readonly latest = new Map<number, Volume>();
  private volumes: Volume[] = [];
  private readonly select: Database.Statement;
  private readonly upsert: Database.Statement;

  constructor(database: Database.Database) {
    this.select = database
      .prepare('SELECT volume FROM volumes WHERE account = ? AND market = ?')
      .pluck();
    this.upsert = database.prepare('INSERT OR REPLACE INTO volumes VALUES (?, ?, ?)');
  }

  /** One side of a trade; `quantity` counts lots of `lotSize` base assets. */
  add(
    account: number,
    market: number,
    scales: number,
    lotSize: number,
    price: number,
    quantity: number,
  ): void {
    const key = account * MARKETS + market;
    const latest = this.latest.get(key);
    if (latest !== undefined && latest.scales === scales && latest.lotSize === lotSize) {
      latest.notional = addProduct(latest.notional, price, quantity);
      return;
    }
    const notional = addProduct(0, price, quantity);
    const volume = { account, market, scales, lotSize, notional };
    this.latest.set(key, volume);
    this.volumes.push(volume);
  }

  /** Writes everything collected; inside the caller's transaction. */
  write(): void {
    for (const volume of this.volumes) this.writeVolume(volume);
    this.volumes = [];
    this.latest.clear();
  }

  private writeVolume({ account, market, scales, lotSize, notional }: Volume): void {
    const coefficient = BigInt(notional) * BigInt(lotSize);
    const added = { coefficient, scale: priceScaleOf(scales) + amountScaleOf(scales) };
    const before = this.select.get(account, market) as string | undefined;
    const sum = before === undefined ? added : plus(readable(before), added);
    this.upsert.run(account, market, formatDecimal(sum));
  }
}

function readable(text: string): Decimal {
  const decimal = parseDecimal(text);
  if (decimal === undefined) throw new ViewsInconsistent('a volume is not readable');
  return decimal;
}

function plus(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  const left = a.coefficient * powerOfTen(scale - a.scale);
  return { coefficient: left + b.coefficient * powerOfTen(scale - b.scale), scale };
}
