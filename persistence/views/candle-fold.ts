import type Database from 'better-sqlite3';
import { formatUnits, powerOfTen } from '../../core/fixed-point/index.ts';
import { ViewsInconsistent } from './errors.ts';
import { addProduct } from './exact-sum.ts';
import { amountScaleOf, priceScaleOf } from './packing.ts';
import { ONE_MINUTE, periodStart, TIMEFRAMES } from './timeframes.ts';

/** The trades of one market in one minute since the last commit. */
interface MinuteFold {
  readonly market: number;
  readonly scales: number;
  readonly lotSize: number;
  readonly start: number;
  readonly open: number;
  high: number;
  low: number;
  close: number;
  volume: number | bigint;
  quoteVolume: number | bigint;
}

/** One candle in units: prices and volume in the scales given, the quote volume in their sum. */
interface Candle {
  priceScale: number;
  amountScale: number;
  open: bigint;
  high: bigint;
  low: bigint;
  close: bigint;
  volume: bigint;
  quoteVolume: bigint;
}

/**
 * Folds trades into candles. A trade touches one minute in memory; the minutes of a commit then go
 * into the candles of every timeframe, a handful of rows whatever the number of trades. A candle's
 * quote volume is the exact sum of price × amount.
 */
export class CandleFold {
  private readonly latest = new Map<number, MinuteFold>();
  private minutes: MinuteFold[] = [];
  private readonly select: Database.Statement;
  private readonly upsert: Database.Statement;

  constructor(database: Database.Database) {
    this.select = database
      .prepare(
        `SELECT open, high, low, close, volume, quote_volume FROM candles
         WHERE market = ? AND timeframe = ? AND start = ?`,
      )
      .raw();
    this.upsert = database.prepare('INSERT OR REPLACE INTO candles VALUES (?,?,?,?,?,?,?,?,?)');
  }

  /** `quantity` counts lots of `lotSize` base assets; candles show base assets. */
  trade(
    market: number,
    scales: number,
    lotSize: number,
    time: number,
    price: number,
    quantity: number,
  ): void {
    const latest = this.latest.get(market);
    const start = periodStart(ONE_MINUTE, time);
    const isSame = latest?.start === start && latest.scales === scales;
    if (latest === undefined || !isSame || latest.lotSize !== lotSize) {
      const volume = addProduct(0, quantity, 1);
      const first = { open: price, high: price, low: price, close: price, volume };
      const quoteVolume = addProduct(0, price, quantity);
      this.begin({ market, scales, lotSize, start, ...first, quoteVolume });
      return;
    }
    if (price > latest.high) latest.high = price;
    if (price < latest.low) latest.low = price;
    latest.close = price;
    latest.volume = addProduct(latest.volume, quantity, 1);
    latest.quoteVolume = addProduct(latest.quoteVolume, price, quantity);
  }

  /** Writes everything collected; inside the caller's transaction. */
  write(): void {
    if (this.minutes.length === 0) return;
    for (let timeframe = 0; timeframe < TIMEFRAMES.length; timeframe++) {
      this.writeTimeframe(timeframe);
    }
    this.minutes = [];
    this.latest.clear();
  }

  private begin(minute: MinuteFold): void {
    this.latest.set(minute.market, minute);
    this.minutes.push(minute);
  }

  /** Minutes are merged in the order of their trades, also where the clock went backwards. */
  private writeTimeframe(timeframe: number): void {
    const candles = new Map<string, { key: [number, number, number]; candle: Candle }>();
    for (const minute of this.minutes) {
      const start = periodStart(timeframe, minute.start);
      const name = `${minute.market}/${start}`;
      const known = candles.get(name);
      if (known !== undefined) {
        merge(known.candle, candleOf(minute));
        continue;
      }
      const key: [number, number, number] = [minute.market, timeframe, start];
      const stored = this.load(key);
      if (stored !== null) merge(stored, candleOf(minute));
      candles.set(name, { key, candle: stored ?? candleOf(minute) });
    }
    for (const { key, candle } of candles.values()) this.store(key, candle);
  }

  private load(key: [number, number, number]): Candle | null {
    const row = this.select.get(...key) as readonly string[] | undefined;
    return row === undefined ? null : parseCandle(row);
  }

  private store(key: [number, number, number], candle: Candle): void {
    const { priceScale, amountScale } = candle;
    this.upsert.run(
      ...key,
      formatUnits(candle.open, priceScale),
      formatUnits(candle.high, priceScale),
      formatUnits(candle.low, priceScale),
      formatUnits(candle.close, priceScale),
      formatUnits(candle.volume, amountScale),
      formatUnits(candle.quoteVolume, priceScale + amountScale),
    );
  }
}

function candleOf(minute: MinuteFold): Candle {
  const lotSize = BigInt(minute.lotSize);
  return {
    priceScale: priceScaleOf(minute.scales),
    amountScale: amountScaleOf(minute.scales),
    open: BigInt(minute.open),
    high: BigInt(minute.high),
    low: BigInt(minute.low),
    close: BigInt(minute.close),
    volume: BigInt(minute.volume) * lotSize,
    quoteVolume: BigInt(minute.quoteVolume) * lotSize,
  };
}

/** Appends a later candle of the same period. */
function merge(candle: Candle, later: Candle): void {
  const priceScale = Math.max(candle.priceScale, later.priceScale);
  const amountScale = Math.max(candle.amountScale, later.amountScale);
  rescale(candle, priceScale, amountScale);
  rescale(later, priceScale, amountScale);
  if (later.high > candle.high) candle.high = later.high;
  if (later.low < candle.low) candle.low = later.low;
  candle.close = later.close;
  candle.volume += later.volume;
  candle.quoteVolume += later.quoteVolume;
}

function rescale(candle: Candle, priceScale: number, amountScale: number): void {
  const price = powerOfTen(priceScale - candle.priceScale);
  const amount = powerOfTen(amountScale - candle.amountScale);
  candle.open *= price;
  candle.high *= price;
  candle.low *= price;
  candle.close *= price;
  candle.volume *= amount;
  candle.quoteVolume *= price * amount;
  candle.priceScale = priceScale;
  candle.amountScale = amountScale;
}

/** Reads a stored candle in the smallest scales that hold all of its numbers. */
function parseCandle(row: readonly string[]): Candle {
  const [open, high, low, close, volume, quoteVolume] = row.map(storedDecimal);
  if (!(open && high && low && close && volume && quoteVolume)) {
    throw new ViewsInconsistent('a candle is not readable');
  }
  const amountScale = volume.scale;
  const priceScale = Math.max(
    open.scale,
    high.scale,
    low.scale,
    close.scale,
    quoteVolume.scale - amountScale,
  );
  const price = (decimal: StoredDecimal): bigint => unitsAt(decimal, priceScale);
  return {
    priceScale,
    amountScale,
    open: price(open),
    high: price(high),
    low: price(low),
    close: price(close),
    volume: unitsAt(volume, amountScale),
    quoteVolume: unitsAt(quoteVolume, priceScale + amountScale),
  };
}

interface StoredDecimal {
  readonly coefficient: bigint;
  readonly scale: number;
}

function storedDecimal(text: string): StoredDecimal {
  const point = text.indexOf('.');
  if (point < 0) return { coefficient: BigInt(text), scale: 0 };
  return {
    coefficient: BigInt(text.slice(0, point) + text.slice(point + 1)),
    scale: text.length - point - 1,
  };
}

function unitsAt(decimal: StoredDecimal, scale: number): bigint {
  return decimal.coefficient * powerOfTen(scale - decimal.scale);
}
