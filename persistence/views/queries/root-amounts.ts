import type Database from 'better-sqlite3';
import {
  formatQuotient,
  formatUnits,
  parseDecimal,
  powerOfTen,
} from '../../../core/fixed-point/index.ts';
import { ONE_MINUTE, periodStart } from '../timeframes.ts';
import type { Names } from './names.ts';

/** What amounts of other assets are in the root asset, for display: nothing is booked by it. */
export class RootAmounts {
  private readonly names: Names;
  private readonly closeBefore: Database.Statement;
  private readonly openOf: Database.Statement;

  constructor(database: Database.Database, names: Names) {
    this.names = names;
    const oneMinute = `FROM candles WHERE market = ? AND timeframe = ${ONE_MINUTE} AND`;
    this.closeBefore = database
      .prepare(`SELECT close ${oneMinute} start < ? ORDER BY start DESC LIMIT 1`)
      .pluck();
    this.openOf = database.prepare(`SELECT open ${oneMinute} start = ?`).pluck();
  }

  /**
   * At the last price before the minute of `time` or, in the first minute, at its first price; "0"
   * while there is none. So it never changes once that minute is over.
   */
  at(time: number, units: bigint, assetId: string, scale: number): string {
    const minute = periodStart(ONE_MINUTE, time);
    return this.convert(units, assetId, scale, (market) => {
      return this.closeBefore.get(market, minute) ?? this.openOf.get(market, minute);
    });
  }

  /** At the latest price of all. */
  latest(units: bigint, assetId: string, scale: number): string {
    return this.convert(units, assetId, scale, (market) =>
      this.closeBefore.get(market, Number.MAX_SAFE_INTEGER),
    );
  }

  private convert(
    units: bigint,
    assetId: string,
    scale: number,
    priceOf: (market: number) => unknown,
  ): string {
    const root = this.names.rootAsset();
    if (root === undefined || units === 0n) return '0';
    if (root.assetId === assetId) return formatUnits(units, scale);
    const market = this.names.spotMarket(assetId, root.assetId);
    const price = market === undefined ? undefined : priceOf(market);
    const rate = price === undefined ? undefined : parseDecimal(String(price));
    if (rate === undefined) return '0';
    const denominator = powerOfTen(scale + rate.scale);
    return formatQuotient(units * rate.coefficient, denominator, root.scale, 'half-up');
  }
}
