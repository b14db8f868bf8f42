import type Database from 'better-sqlite3';
import {
  type Decimal,
  formatDecimal,
  parseDecimal,
  powerOfTen,
} from '../../../core/fixed-point/index.ts';
import { ViewsInconsistent } from '../errors.ts';
import { amountScaleOf, lotSizeOf, priceScaleOf } from '../packing.ts';
import { ONE_HOUR, ONE_MINUTE, periodEnd, periodStart } from '../timeframes.ts';
import type { TradeWindowView } from './forms.ts';
import type { TradeWindowsRequest } from './requests.ts';

/** The trades of some stretch of time, as far as a window's figures need them. */
interface Stretch {
  readonly open: Decimal;
  readonly close: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  readonly baseVolume: Decimal;
  readonly quoteVolume: Decimal;
}

/** All trades of a stretch at one price, in the same scales and lots. */
type PriceRow = readonly [
  scales: number,
  price: number,
  quantity: string,
  firstId: number,
  lastId: number,
  lots: number | null,
];

/** The trades of a stretch of time by price: a scan of their index entries alone. */
export const TRADES_BY_PRICE = {
  tradesByPrice: `SELECT scales, trades.price, CAST(sum(trades.quantity) AS TEXT), min(trades.id),
      max(trades.id), lots
    FROM trades CROSS JOIN orders ON orders.id = taker_order
    WHERE trades.market = ? AND trades.time >= ? AND trades.time < ?
    GROUP BY scales, lots >> 16, trades.price`,
} as const;

/**
 * What was traded since a moment, exactly. A window is put together from the trades up to its first
 * whole minute, the candles of minutes up to its first whole hour, and those of hours from there on:
 * for a day that is at most one minute of trades and 84 candles, however much was traded.
 */
export class TradeWindowQueries {
  private readonly byPrice: Database.Statement;
  private readonly candles: Database.Statement;

  constructor(database: Database.Database) {
    this.byPrice = database.prepare(TRADES_BY_PRICE.tradesByPrice).raw();
    this.candles = database
      .prepare(
        `SELECT open, close, high, low, volume, quote_volume FROM candles
         WHERE market = ? AND timeframe = ? AND start >= ? AND start < ? ORDER BY start`,
      )
      .raw();
  }

  /** One window a market, in the order asked for; null where nothing was traded. */
  list({ markets, from }: TradeWindowsRequest): (TradeWindowView | null)[] {
    return markets.map((market) => this.window(market, from));
  }

  private window(market: number, from: number): TradeWindowView | null {
    const minute = firstWhole(ONE_MINUTE, from);
    const hour = firstWhole(ONE_HOUR, from);
    const stretches = [
      ...this.trades(market, from, minute),
      ...this.periods(market, ONE_MINUTE, minute, hour),
      ...this.periods(market, ONE_HOUR, hour, Number.MAX_SAFE_INTEGER),
    ];
    const [first, ...later] = stretches;
    return first === undefined ? null : windowView(later.reduce(joined, first));
  }

  private trades(market: number, from: number, to: number): Stretch[] {
    const rows = this.byPrice.all(market, from, to) as PriceRow[];
    const [some] = rows;
    if (some === undefined) return [];
    const earliest = rows.reduce((best, row) => (row[3] < best[3] ? row : best), some);
    const latest = rows.reduce((best, row) => (row[4] > best[4] ? row : best), some);
    const whole = rows.map(stretchOfPrice).reduce(joined);
    return [{ ...whole, open: priceOf(earliest), close: priceOf(latest) }];
  }

  private periods(market: number, timeframe: number, from: number, to: number): Stretch[] {
    const rows = this.candles.all(market, timeframe, from, to) as (readonly string[])[];
    return rows.map((row) => {
      const [open, close, high, low, baseVolume, quoteVolume] = row.map(parseDecimal);
      if (!(open && close && high && low && baseVolume && quoteVolume)) {
        throw new ViewsInconsistent('a candle is not readable');
      }
      return { open, close, high, low, baseVolume, quoteVolume };
    });
  }
}

/** The start of the first period that lies wholly after `from`, or begins with it. */
function firstWhole(timeframe: number, from: number): number {
  const start = periodStart(timeframe, from);
  return start === from ? from : periodEnd(timeframe, start);
}

function priceOf([scales, price]: PriceRow): Decimal {
  return { coefficient: BigInt(price), scale: priceScaleOf(scales) };
}

function stretchOfPrice(row: PriceRow): Stretch {
  const price = priceOf(row);
  const [scales, , quantity, , , lots] = row;
  const amount = BigInt(quantity) * BigInt(lotSizeOf(lots));
  const baseVolume = { coefficient: amount, scale: amountScaleOf(scales) };
  const quoteVolume = {
    coefficient: price.coefficient * baseVolume.coefficient,
    scale: price.scale + baseVolume.scale,
  };
  return { open: price, close: price, high: price, low: price, baseVolume, quoteVolume };
}

function joined(earlier: Stretch, later: Stretch): Stretch {
  return {
    open: earlier.open,
    close: later.close,
    high: difference(earlier.high, later.high) < 0n ? later.high : earlier.high,
    low: difference(earlier.low, later.low) > 0n ? later.low : earlier.low,
    baseVolume: sum(earlier.baseVolume, later.baseVolume),
    quoteVolume: sum(earlier.quoteVolume, later.quoteVolume),
  };
}

function sum(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { coefficient: unitsAt(a, scale) + unitsAt(b, scale), scale };
}

/** a - b in units of the finer of the two. */
function difference(a: Decimal, b: Decimal): bigint {
  const scale = Math.max(a.scale, b.scale);
  return unitsAt(a, scale) - unitsAt(b, scale);
}

function unitsAt({ coefficient, scale }: Decimal, finer: number): bigint {
  return coefficient * powerOfTen(finer - scale);
}

function windowView(window: Stretch): TradeWindowView {
  return {
    open: formatDecimal(window.open),
    last: formatDecimal(window.close),
    high: formatDecimal(window.high),
    low: formatDecimal(window.low),
    baseVolume: formatDecimal(window.baseVolume),
    quoteVolume: formatDecimal(window.quoteVolume),
  };
}
