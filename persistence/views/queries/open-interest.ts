import type Database from 'better-sqlite3';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import type { OpenInterestView } from './forms.ts';
import type { OpenInterestRequest } from './requests.ts';

/** A scan of the entries that a market's open positions have in an index. */
const OPEN_INTEREST = `SELECT CAST(coalesce(sum(quantity), 0) AS TEXT) FROM positions
    WHERE market = ? AND closed IS NULL`;

type Lots = readonly [amountScale: number, lotSize: number];

export class OpenInterestQueries {
  private readonly sum: Database.Statement;
  private readonly lots: Database.Statement;

  constructor(database: Database.Database) {
    this.sum = database.prepare(OPEN_INTEREST).pluck();
    this.lots = database.prepare('SELECT amount_scale, lot_size FROM markets WHERE id = ?').raw();
  }

  /** Null for a market that there is not. */
  find({ market }: OpenInterestRequest): OpenInterestView | null {
    const lots = this.lots.get(market) as Lots | undefined;
    if (lots === undefined) return null;
    const [amountScale, lotSize] = lots;
    const both = BigInt(this.sum.get(market) as string) * BigInt(lotSize);
    // Half of an odd sum would be one step short of exact: one more place holds it.
    return { amount: formatUnits(both * 5n, amountScale + 1) };
  }
}
