import { Type } from '@sinclair/typebox';
import { Refused } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { DecimalOutput, OneOf } from '../../http/schema.ts';
import type { RouteContext } from '../context.ts';
import type { DepthReader } from '../market-data/depth.ts';
import { changeOf, type DayFigures, DayReader } from './day-figures.ts';
import { isFrozen, pairOf } from './pairs.ts';
import { PUBLIC } from './public.ts';

const Frozen = OneOf(['0', '1'], { description: '0 working, 1 suspended.' });

const Summary = Type.Object({
  id: Type.Integer(),
  last: DecimalOutput({ description: 'The price of the last trade; 0 if there was none.' }),
  lowestAsk: DecimalOutput({ description: '0 if there is none.' }),
  highestBid: DecimalOutput({ description: '0 if there is none.' }),
  percentChange: DecimalOutput({
    description:
      'From the first to the last trade, as a fraction: 0.01 is 1 %. Eight places, rounded half up.',
  }),
  baseVolume: DecimalOutput(),
  quoteVolume: DecimalOutput(),
  isFrozen: Frozen,
  high24hr: DecimalOutput(),
  low24hr: DecimalOutput(),
});

const Ticker = Type.Object({
  base_name: Type.String(),
  quote_name: Type.String(),
  last_price: DecimalOutput(),
  base_volume: DecimalOutput(),
  quote_volume: DecimalOutput(),
  isFrozen: Frozen,
});

/** The last 24 hours of every pair, from its trades. */
export function publicSummaryRoutes(context: RouteContext, depth: DepthReader): Route[] {
  const days = new DayReader(context);
  return [readSummary(days, depth), readTicker(days)];
}

function readSummary(days: DayReader, depth: DepthReader): Route {
  return route({
    ...PUBLIC,
    method: 'GET',
    path: '/public/summary',
    summary: 'What was traded in the last 24 hours, and the best prices of now, by pair.',
    responses: { 200: Type.Record(Type.String(), Summary) },
    handler: async ({ now }) => {
      const figures = await days.read(now);
      if (figures instanceof Refused) return figures;
      const books = await Promise.all(figures.map(({ market }) => depth.read(market, 1, now)));
      const summaries: [string, ReturnType<typeof summaryOf>][] = [];
      for (const [at, each] of figures.entries()) {
        const book = books[at];
        if (book instanceof Refused) return book;
        const lowestAsk = book?.asks[0]?.price ?? '0';
        const highestBid = book?.bids[0]?.price ?? '0';
        summaries.push([pairOf(each.market), summaryOf(each, lowestAsk, highestBid)]);
      }
      return Object.fromEntries(summaries);
    },
  });
}

function readTicker(days: DayReader): Route {
  return route({
    ...PUBLIC,
    method: 'GET',
    path: '/public/ticker',
    summary: 'The last price and the volumes of the last 24 hours, by pair.',
    responses: { 200: Type.Record(Type.String(), Ticker) },
    handler: async ({ now }) => {
      const figures = await days.read(now);
      if (figures instanceof Refused) return figures;
      return Object.fromEntries(figures.map((each) => [pairOf(each.market), tickerOf(each)]));
    },
  });
}

function summaryOf({ market, window }: DayFigures, lowestAsk: string, highestBid: string) {
  return {
    id: market.index,
    last: window.last,
    lowestAsk,
    highestBid,
    percentChange: changeOf(window),
    baseVolume: window.baseVolume,
    quoteVolume: window.quoteVolume,
    isFrozen: isFrozen(market),
    high24hr: window.high,
    low24hr: window.low,
  };
}

function tickerOf({ market, window }: DayFigures) {
  return {
    base_name: market.base.name,
    quote_name: market.quote.name,
    last_price: window.last,
    base_volume: window.baseVolume,
    quote_volume: window.quoteVolume,
    isFrozen: isFrozen(market),
  };
}
