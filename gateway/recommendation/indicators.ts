import { ATR, BollingerBands, EMA, LinearRegression, MACD, RSI } from 'trading-signals';

/** A candle as far as indicators look at it. They are floating-point figures; no money is. */
export interface IndicatorCandle {
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

export interface Indicators {
  readonly close: number;
  readonly ema12: number;
  readonly ema26: number;
  readonly macdHistogram: number;
  /** 0 to 100. */
  readonly rsi: number;
  readonly lowerBand: number;
  readonly upperBand: number;
  /** What the price moves in one candle, on average. */
  readonly range: number;
  /** What the straight line through the last 24 closes rises in one candle. */
  readonly slope: number;
  /** Of the last 24 candles. */
  readonly highest: number;
  readonly lowest: number;
}

/** Fewer candles say nothing: MACD(12, 26, 9) needs the most of them. */
export const CANDLES_MIN = 35;
/** How many candles the line is drawn through, and how far it is continued. */
export const LINE_CANDLES = 24;

const BAND_CANDLES = 20;
const BAND_DEVIATIONS = 2;
const STRENGTH_CANDLES = 14;

/** Of candles, oldest first; null where there are too few of them. */
export function indicatorsOf(candles: readonly IndicatorCandle[]): Indicators | null {
  const newest = candles.at(-1);
  if (newest === undefined || candles.length < CANDLES_MIN) return null;
  const ema12 = new EMA(12);
  const ema26 = new EMA(26);
  const macd = new MACD(new EMA(12), new EMA(26), new EMA(9));
  const rsi = new RSI(STRENGTH_CANDLES);
  const bands = new BollingerBands(BAND_CANDLES, BAND_DEVIATIONS);
  const range = new ATR(STRENGTH_CANDLES);
  const line = new LinearRegression(LINE_CANDLES);
  for (const candle of candles) {
    for (const indicator of [ema12, ema26, macd, rsi, bands, line]) indicator.add(candle.close);
    range.add(candle);
  }
  const { lower, upper } = bands.getResultOrThrow();
  const recent = candles.slice(-LINE_CANDLES);
  return {
    close: newest.close,
    ema12: ema12.getResultOrThrow(),
    ema26: ema26.getResultOrThrow(),
    macdHistogram: macd.getResultOrThrow().histogram,
    rsi: rsi.getResultOrThrow(),
    lowerBand: lower,
    upperBand: upper,
    range: range.getResultOrThrow(),
    slope: line.getResultOrThrow().slope,
    highest: Math.max(...recent.map(({ high }) => high)),
    lowest: Math.min(...recent.map(({ low }) => low)),
  };
}
