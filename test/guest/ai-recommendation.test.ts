import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Recommendation,
  type RecommendationBasis,
  recommend,
} from '../../gateway/recommendation/recommendation.ts';
import { LANGUAGES, languageOf, textsIn } from '../../gateway/recommendation/texts.ts';
import type { Answer } from '../support/api-client.ts';
import { placed } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);

/** Hourly candles that close at these prices and reach one beyond either way. */
function candlesOf(closes: readonly number[]): RecommendationBasis['candles'] {
  return closes.map((close, index) => ({
    start: new Date(START + index * HOUR).toISOString(),
    end: new Date(START + (index + 1) * HOUR).toISOString(),
    high: String(close + 1),
    low: String(close - 1),
    close: String(close),
  }));
}

function basis(
  closes: readonly number[],
  more: Partial<RecommendationBasis> = {},
): RecommendationBasis {
  return {
    marketId: 'spot.btc_usdt',
    language: 'en',
    priceScale: 2,
    candles: candlesOf(closes),
    bids: [],
    asks: [],
    day: null,
    openInterest: null,
    ...more,
  };
}

const line = (length: number, from: number, step: number): number[] =>
  Array.from({ length }, (_, index) => from + index * step);
const actionOf = ({ suggestedActions }: Recommendation) => suggestedActions[0]?.action;
const level = (amount: string) => [{ price: '100', amount }];

describe('what is made of trades', () => {
  it('continues a straight line, and takes its range from how far candles reach', () => {
    const { forecast, triggers, metrics, basis: seen } = recommend(basis(line(60, 1000, 3)));
    // The last close is 1177; 24 more steps of 3. The first candle ranges over 2, and each later one
    // reaches 4 beyond the close before; Wilder smooths over 14, beginning with a plain mean.
    let range = (2 + 13 * 4) / 14;
    for (let candle = 14; candle < 60; candle++) range = (13 * range + 4) / 14;
    const spread = range * Math.sqrt(24);
    expect(forecast).toEqual({
      horizonHours: 24,
      direction: 'Up',
      price: '1249',
      low: (1249 - spread).toFixed(2).replace(/0+$/, ''),
      high: (1249 + spread).toFixed(2).replace(/0+$/, ''),
    });
    expect(metrics).toMatchObject({ lastPrice: '1177', averageRange: '4', rsi: '100' });
    expect(triggers.slice(0, 2)).toMatchObject([
      { type: 'Support', condition: 'Below', price: String(1000 + 36 * 3 - 1) },
      { type: 'Resistance', condition: 'Above', price: '1178' },
    ]);
    expect(seen).toEqual({
      timeframe: '1h',
      candles: 60,
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-01-03T12:00:00.000Z',
    });
  });

  it('has the bands two standard deviations around the mean of twenty closes', () => {
    const closes = Array.from({ length: 50 }, (_, index) => 1000 + 10 * Math.sin(index));
    const last = closes.slice(-20);
    const mean = last.reduce((sum, close) => sum + close, 0) / 20;
    const variance = last.reduce((sum, close) => sum + (close - mean) ** 2, 0) / 20;
    const { triggers } = recommend(basis(closes));
    const prices = triggers.slice(2).map(({ price }) => Number(price));
    expect(prices[0]).toBeCloseTo(mean - 2 * Math.sqrt(variance), 1);
    expect(prices[1]).toBeCloseTo(mean + 2 * Math.sqrt(variance), 1);
  });

  it('finds no direction where nothing moves', () => {
    const still = recommend(basis(Array(50).fill(1000)));
    expect(still.forecast).toMatchObject({ direction: 'Flat', price: '1000' });
    expect(still.sentiment).toMatchObject({ buy: '0', neutral: '1', sell: '0' });
    expect(actionOf(still)).toBe('Hold');
  });

  it('suggests what most rules speak for', () => {
    const rising = [...line(40, 1000, 1), 1042, 1046, 1051, 1057, 1064, 1063, 1066];
    const heavyBids = { bids: level('9'), asks: level('1') };
    const buy = recommend(basis(rising, heavyBids));
    expect(buy.sentiment.votes).toMatchObject({ Trend: 1, Momentum: 1, Book: 1 });
    const falling = rising.map((close) => 2100 - close);
    const sell = recommend(basis(falling, { bids: level('1'), asks: level('9') }));
    expect(sell.sentiment.votes).toMatchObject({ Trend: -1, Momentum: -1, Book: -1 });
    for (const { suggestedActions, sentiment } of [buy, sell]) {
      const { votes } = sentiment;
      const sum = Object.values(votes ?? {}).reduce((total, vote) => total + vote, 0);
      const expected = sum >= 2 ? 'Buy' : sum <= -2 ? 'Sell' : 'Hold';
      expect(suggestedActions).toMatchObject([{ action: expected, score: String(sum / 5) }]);
      const shares = Number(sentiment.buy) + Number(sentiment.neutral) + Number(sentiment.sell);
      expect(shares).toBeCloseTo(1);
    }
    expect([buy.sentiment.bookBids, sell.sentiment.bookBids]).toEqual(['0.9', '0.1']);
  });

  it('says nothing of too little, and is neutral then', () => {
    const few = recommend(basis(line(34, 1000, 3), { bids: level('9'), asks: level('1') }));
    expect(few).toMatchObject({
      forecast: null,
      sentiment: { buy: '0', neutral: '1', sell: '0', bookBids: '0.9', votes: null },
      triggers: [],
      metrics: { lastPrice: '1099', rsi: null, averageRange: null },
    });
    expect(few.suggestedActions).toEqual([
      { action: 'Hold', score: '0', text: textsIn('en').tooFew },
    ]);
    expect(recommend(basis(line(35, 1000, 3))).forecast).not.toBeNull();
    expect(recommend(basis([])).basis).toMatchObject({ candles: 0, from: null, to: null });
  });

  it('is the same whenever it is asked, and never below the smallest price', () => {
    const crash = line(60, 700, -11.5);
    const answers = [1, 2].map(() => JSON.stringify(recommend(basis(crash))));
    expect(answers[0]).toBe(answers[1]);
    expect(recommend(basis(crash)).forecast).toMatchObject({ price: '0.01', low: '0.01' });
  });
});

describe('the texts', () => {
  it('are all there in every language, and differ between them', () => {
    for (const language of LANGUAGES) {
      const texts = Object.values(textsIn(language));
      expect(texts.every((text) => text.length > 10)).toBe(true);
      expect(Object.keys(textsIn(language))).toEqual(Object.keys(textsIn('en')));
      if (language !== 'en') expect(texts).not.toContain(textsIn('en').Buy);
    }
  });

  it.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['PT_br', 'pt'],
    ['EN', 'en'],
    ['xx', 'en'],
    ['', 'en'],
    ['__proto__', 'en'],
    ['toString', 'en'],
  ])('of %s are %s', (tag, language) => {
    expect(languageOf(tag)).toBe(language);
  });
});

describe('the recommendation for guests', () => {
  const server = useServer();
  const ask = (marketId: string, query = ''): Promise<Answer<Recommendation>> =>
    server().anonymous().get(`/marketdata/api/v1/guest/ai-recommendation/${marketId}${query}`);

  beforeAll(async () => {
    const alice = await server().trader('alice');
    const bob = await server().trader('bob');
    await placed(bob, { side: 'Sell', requestedAmount: '0.03', requestedPrice: '50000' });
    await placed(alice, { side: 'Buy', requestedAmount: '0.02', requestedPrice: '50000' });
    await placed(alice, { side: 'Buy', requestedAmount: '0.03', requestedPrice: '49000' });
  });

  it('is made of what was traded and of the book, in the language asked for', async () => {
    const { status, body } = await ask('spot.btc_usdt', '?language=de-CH');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      marketId: 'spot.btc_usdt',
      language: 'de',
      basis: { timeframe: '1h', candles: 1 },
      forecast: null,
      sentiment: { bookBids: '0.75' },
      suggestedActions: [{ action: 'Hold', text: textsIn('de').tooFew }],
      metrics: {
        lastPrice: '50000',
        change24h: '0',
        high24h: '50000',
        low24h: '50000',
        baseVolume24h: '0.02',
        quoteVolume24h: '1000',
        spread: '1000',
        openInterest: null,
      },
      disclaimer: textsIn('de').disclaimer,
    });
  });

  it('of a market without a trade is neutral', async () => {
    const { status, body } = await ask('spot.eth_btc', '?language=klingon');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      language: 'en',
      basis: { candles: 0, from: null, to: null },
      metrics: { lastPrice: null, high24h: null, baseVolume24h: '0', spread: null },
    });
  });

  it('of a market that there is not is refused', async () => {
    for (const marketId of ['spot.no_pe', 'btc_usdt', 'constructor', 'SPOT.BTC_USDT']) {
      const { status, code, text } = await ask(marketId);
      expect({ marketId, status, code }).toEqual({ marketId, status: 400, code: 'TR0300' });
      expect(text).toContain('market');
    }
    expect((await ask('spot.btc_usdt', `?language=${'x'.repeat(36)}`)).code).toBe('TR0013');
    expect((await ask('spot.btc_usdt', '?lang=de')).code).toBe('TR0010');
  });
});
