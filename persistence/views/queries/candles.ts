import type Database from 'better-sqlite3';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import { periodEnd, timeframeIndex } from '../timeframes.ts';
import type { CandleView } from './forms.ts';
import { BOUND_LIMIT } from './limit.ts';
import type { Names } from './names.ts';
import { type CandlesRequest, PAGE_LIMITS } from './requests.ts';

type CandleRow = [
  start: number,
  open: string,
  high: string,
  low: string,
  close: string,
  volume: string,
  quoteVolume: string,
];

/** How many candles come where neither a start nor a count was asked for. */
const DEFAULT_COUNT = 1_000;

export class CandleQueries {
  private readonly names: Names;
  private readonly newest: Database.Statement;

  constructor(database: Database.Database, names: Names) {
    this.names = names;
    this.newest = database
      .prepare(
        `SELECT start, open, high, low, close, volume, quote_volume FROM candles
         WHERE market = ? AND timeframe = ? AND start BETWEEN ? AND ?
         ORDER BY start DESC ${BOUND_LIMIT}`,
      )
      .raw();
  }

  /** The newest candles of the window, oldest first. A period without a trade has no candle. */
  list(request: CandlesRequest): CandleView[] {
    const timeframe = timeframeIndex(request.timeframe);
    const fallback = request.from === null ? DEFAULT_COUNT : PAGE_LIMITS.candles;
    const count = Math.max(1, Math.min(request.count ?? fallback, PAGE_LIMITS.candles));
    const from = request.from ?? Number.MIN_SAFE_INTEGER;
    const to = request.to ?? Number.MAX_SAFE_INTEGER;
    const rows = this.newest.all(request.market, timeframe, from, to, count) as CandleRow[];
    const instrument = rows.length === 0 ? '' : this.names.market(request.market).marketId;
    return rows.reverse().map(([start, open, high, low, close, volume, quoteVolume]) => ({
      instrument,
      start: formatTimestamp(start),
      end: formatTimestamp(periodEnd(timeframe, start)),
      low,
      high,
      open,
      close,
      volume,
      quoteVolume,
    }));
  }
}
