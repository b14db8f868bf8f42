import { type Static, Type } from '@sinclair/typebox';
import { formatUnits } from '../../core/fixed-point/index.ts';
import { DecimalOutput, Nullable, OneOf, TimestampOutput } from '../http/schema.ts';
import { CANDLES_MIN, type Indicators, indicatorsOf, LINE_CANDLES } from './indicators.ts';
import { LANGUAGES, type Language, type Texts, textsIn } from './texts.ts';
import { RULES, type Votes, votesOf } from './votes.ts';

const DIRECTIONS = ['Up', 'Down', 'Flat'] as const;
const ACTIONS = ['Buy', 'Hold', 'Sell'] as const;
const TRIGGERS = ['Support', 'Resistance', 'LowerBand', 'UpperBand'] as const;
const CONDITIONS = ['Below', 'Above'] as const;
/** A side must lead by this share of all rules. */
const LEAD = 0.4;
const SHARE_SCALE = 4;

const Price = DecimalOutput();
const Share = DecimalOutput({ description: '0 to 1.' });

/** How many candles of what length are looked at. */
export const RECOMMENDATION_CANDLES = { timeframe: '1h', count: 200 } as const;
/** How many levels a side of the book is weighed by. */
export const RECOMMENDATION_LEVELS = 50;

export const Recommendation = Type.Object(
  {
    marketId: Type.String(),
    language: OneOf(LANGUAGES),
    basis: Type.Object({
      timeframe: Type.String(),
      candles: Type.Integer(),
      from: Nullable(TimestampOutput()),
      to: Nullable(TimestampOutput()),
    }),
    forecast: Nullable(
      Type.Object({
        horizonHours: Type.Integer(),
        direction: OneOf(DIRECTIONS),
        price: Price,
        low: Price,
        high: Price,
      }),
    ),
    sentiment: Type.Object({
      buy: Share,
      neutral: Share,
      sell: Share,
      bookBids: Nullable(Share),
      votes: Nullable(
        Type.Object({
          Trend: Type.Integer(),
          Momentum: Type.Integer(),
          Strength: Type.Integer(),
          Bands: Type.Integer(),
          Book: Type.Integer(),
        }),
      ),
    }),
    suggestedActions: Type.Array(
      Type.Object({ action: OneOf(ACTIONS), score: DecimalOutput(), text: Type.String() }),
    ),
    metrics: Type.Object({
      lastPrice: Nullable(Price),
      change24h: Nullable(DecimalOutput({ description: 'A fraction: 0.01 is 1 %.' })),
      high24h: Nullable(Price),
      low24h: Nullable(Price),
      baseVolume24h: DecimalOutput(),
      quoteVolume24h: DecimalOutput(),
      spread: Nullable(Price),
      rsi: Nullable(DecimalOutput({ description: '0 to 100.' })),
      averageRange: Nullable(Price),
      openInterest: Nullable(
        DecimalOutput({ description: 'In the base asset; null where there are no positions.' }),
      ),
    }),
    triggers: Type.Array(
      Type.Object({
        type: OneOf(TRIGGERS),
        condition: OneOf(CONDITIONS),
        price: Price,
        text: Type.String(),
      }),
    ),
    disclaimer: Type.String(),
  },
  {
    description:
      `Computed by fixed rules from this venue's own trades and order book, and by nothing
else: no model was trained, nothing outside is looked at, and the same trades give the same answer.
The basis is the newest ${RECOMMENDATION_CANDLES.count} candles of an hour in which something was traded.
Five rules vote 1 (buy), 0 or -1 (sell): Trend, EMA(12) above or below EMA(26); Momentum, the sign of the
MACD(12, 26, 9) histogram; Strength, RSI(14) below 30 or above 70; Bands, the last close below or above
the Bollinger bands (20, 2); Book, one side of the best ${RECOMMENDATION_LEVELS} levels holding more than
0.6 of the amount of both. sentiment has the share of the rules that vote each way. The suggested action
is Buy or Sell where one side leads by 0.4 of all rules, else Hold; score is the lead. The forecast
continues the straight line through the last ${LINE_CANDLES} closes for ${LINE_CANDLES} candles, give or
take ATR(14) times the square root of ${LINE_CANDLES}; a line that rises by less than a tenth of ATR(14) a
candle is Flat. Triggers are the lowest and highest price of the last ${LINE_CANDLES} candles and the bands.
With fewer than ${CANDLES_MIN} candles forecast, votes and what depends on them are null or empty,
sentiment is neutral and the action is Hold. The figures of 24 hours are exact sums of trades.`.replaceAll(
        '\n',
        ' ',
      ),
  },
);
export type Recommendation = Static<typeof Recommendation>;

/** What is looked at. Amounts and prices are the decimals that the interface answers elsewhere. */
export interface RecommendationBasis {
  readonly marketId: string;
  readonly language: Language;
  readonly priceScale: number;
  /** Oldest first. */
  readonly candles: readonly {
    readonly start: string;
    readonly end: string;
    readonly high: string;
    readonly low: string;
    readonly close: string;
  }[];
  readonly bids: readonly { readonly price: string; readonly amount: string }[];
  readonly asks: readonly { readonly price: string; readonly amount: string }[];
  readonly day: {
    readonly change: string;
    readonly high: string;
    readonly low: string;
    readonly baseVolume: string;
    readonly quoteVolume: string;
  } | null;
  readonly openInterest: string | null;
}

/** What follows from the basis, by the rules in the description above. */
export function recommend(basis: RecommendationBasis): Recommendation {
  const { marketId, language, candles, priceScale } = basis;
  const texts = textsIn(language);
  const indicators = indicatorsOf(
    candles.map(({ high, low, close }) => ({
      high: Number(high),
      low: Number(low),
      close: Number(close),
    })),
  );
  const bidShare = bidShareOf(basis);
  const votes = indicators === null ? null : votesOf(indicators, bidShare);
  return {
    marketId,
    language,
    basis: {
      timeframe: RECOMMENDATION_CANDLES.timeframe,
      candles: candles.length,
      from: candles[0]?.start ?? null,
      to: candles.at(-1)?.end ?? null,
    },
    forecast: indicators === null ? null : forecastOf(indicators, priceScale),
    sentiment: sentimentOf(votes, bidShare),
    suggestedActions: [actionOf(votes, texts)],
    metrics: metricsOf(basis, indicators),
    triggers: indicators === null ? [] : triggersOf(indicators, priceScale, texts),
    disclaimer: texts.disclaimer,
  };
}

/** The bids' part of what both sides hold; null for an empty book. */
function bidShareOf({ bids, asks }: RecommendationBasis): number | null {
  const held = (levels: RecommendationBasis['bids']): number =>
    levels.reduce((sum, { amount }) => sum + Number(amount), 0);
  const [bid, ask] = [held(bids), held(asks)];
  return bid + ask === 0 ? null : bid / (bid + ask);
}

/** A tenth of the average range: less of a slope is no direction. */
const FLAT_SHARE = 0.1;

function forecastOf({ close, slope, range }: Indicators, scale: number) {
  const price = close + slope * LINE_CANDLES;
  const spread = range * Math.sqrt(LINE_CANDLES);
  const isFlat = Math.abs(slope) <= FLAT_SHARE * range;
  const direction = isFlat ? 'Flat' : slope > 0 ? 'Up' : 'Down';
  return {
    horizonHours: LINE_CANDLES,
    direction,
    price: priceText(price, scale),
    low: priceText(price - spread, scale),
    high: priceText(price + spread, scale),
  } as const;
}

function sentimentOf(votes: Votes | null, bidShare: number | null): Recommendation['sentiment'] {
  const share = (count: number): string => decimalText(count / RULES.length, SHARE_SCALE);
  const bookBids = bidShare === null ? null : decimalText(bidShare, SHARE_SCALE);
  if (votes === null) return { buy: '0', neutral: '1', sell: '0', bookBids, votes };
  const count = (vote: number): number => RULES.filter((rule) => votes[rule] === vote).length;
  return {
    buy: share(count(1)),
    neutral: share(count(0)),
    sell: share(count(-1)),
    bookBids,
    votes,
  };
}

function actionOf(votes: Votes | null, texts: Texts): Recommendation['suggestedActions'][number] {
  if (votes === null) return { action: 'Hold', score: '0', text: texts.tooFew };
  const score = RULES.reduce((sum, rule) => sum + votes[rule], 0) / RULES.length;
  const action = score >= LEAD ? 'Buy' : score <= -LEAD ? 'Sell' : 'Hold';
  return { action, score: decimalText(score, SHARE_SCALE), text: texts[action] };
}

function metricsOf(
  { candles, bids, asks, day, openInterest, priceScale }: RecommendationBasis,
  indicators: Indicators | null,
): Recommendation['metrics'] {
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  const isTwoSided = bid !== undefined && ask !== undefined;
  return {
    lastPrice: candles.at(-1)?.close ?? null,
    change24h: day?.change ?? null,
    high24h: day?.high ?? null,
    low24h: day?.low ?? null,
    baseVolume24h: day?.baseVolume ?? '0',
    quoteVolume24h: day?.quoteVolume ?? '0',
    spread: isTwoSided ? decimalText(Number(ask) - Number(bid), priceScale) : null,
    rsi: indicators === null ? null : decimalText(indicators.rsi, 2),
    averageRange: indicators === null ? null : decimalText(indicators.range, priceScale),
    openInterest,
  };
}

function triggersOf(
  { lowest, highest, lowerBand, upperBand }: Indicators,
  scale: number,
  texts: Texts,
): Recommendation['triggers'] {
  const below = (type: 'Support' | 'LowerBand', price: number) =>
    ({ type, condition: 'Below', price: priceText(price, scale), text: texts[type] }) as const;
  const above = (type: 'Resistance' | 'UpperBand', price: number) =>
    ({ type, condition: 'Above', price: priceText(price, scale), text: texts[type] }) as const;
  return [
    below('Support', lowest),
    above('Resistance', highest),
    below('LowerBand', lowerBand),
    above('UpperBand', upperBand),
  ];
}

/** A price is at least the smallest there is. */
function priceText(value: number, scale: number): string {
  return decimalText(Math.max(value, 10 ** -scale), scale);
}

function decimalText(value: number, scale: number): string {
  return formatUnits(BigInt(Math.round(value * 10 ** scale)), scale);
}
