import { Type } from '@sinclair/typebox';
import { Refusals } from '../../../core/messages/refusals.ts';
import { TIMEFRAMES, type Timeframe } from '../../../persistence/views/index.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { JsonText } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { Int32, OneOf, TimestampInput, TimestampOutput } from '../../http/schema.ts';
import type { MarketEntry } from '../../venue/reference.ts';
import { textOf } from '../../venue/views-read.ts';
import type { RouteContext } from '../context.ts';
import { isVisible } from '../reference/visible-markets.ts';
import { marketOfSymbol } from './symbol.ts';

/** How many candles come where neither `startDate` nor `count` says. */
const COUNT_DEFAULT = 1000;
const COUNT_MAX = 20_000;

const Candle = Type.Object({
  instrument: Type.String(),
  start: TimestampOutput(),
  end: TimestampOutput(),
  low: Type.String(),
  high: Type.String(),
  open: Type.String(),
  close: Type.String(),
  volume: Type.String({ description: 'Extension. In the base asset.' }),
  quoteVolume: Type.String({ description: 'Extension. In the quote asset.' }),
});

/** UTC milliseconds, both ends inclusive; null leaves an end open. */
export interface CandleWindow {
  readonly timeframe: Timeframe;
  readonly from: number | null;
  readonly to: number | null;
  readonly count: number;
}

export const History = Type.Object({ data: Type.Array(Candle) });

const type = { description: 'The length of a candle: minutes, hours, days, weeks, months.' };
const startDate = TimestampInput({ description: 'The earliest start of a candle.' });
const endDate = TimestampInput({ description: 'The latest start of a candle.' });

const HistoryQuery = Type.Object({
  type: OneOf(TIMEFRAMES, { ...type, default: '1m' }),
  startDate: Type.Optional(startDate),
  endDate: Type.Optional(endDate),
  count: Type.Optional(
    Int32({
      minimum: 1,
      maximum: COUNT_MAX,
      description: `The newest so many of them. By default ${COUNT_DEFAULT} without startDate and ${COUNT_MAX} with it.`,
    }),
  ),
});

/** The query of whoever must name a window. */
export const WindowQuery = Type.Object({ type: OneOf(TIMEFRAMES, type), startDate, endDate });

/** Candles of real trades, oldest first. A period without a trade has none. */
export function candleRoutes(context: RouteContext): Route[] {
  return [
    route({
      method: 'GET',
      path: '/marketdata/api/v4/instruments/{marketSymbol}/history',
      area: 'trading',
      operation: 'trading-ui',
      rateClass: 'history',
      summary: 'Candles of a market, oldest first, the running one included.',
      query: HistoryQuery,
      responses: { 200: History },
      handler: ({ params, query }) => {
        const { startDate = null, endDate = null } = query;
        const count = query.count ?? (startDate === null ? COUNT_DEFAULT : COUNT_MAX);
        const window = { timeframe: query.type, from: startDate, to: endDate, count };
        return readHistory(context, params.marketSymbol, window, isVisible);
      },
    }),
  ];
}

/** The candles of a window; of a market that the caller does not see there are none. */
export async function readHistory(
  { venue, views }: RouteContext,
  marketSymbol: string,
  window: CandleWindow,
  isSeen: (market: MarketEntry) => boolean,
): Promise<JsonText | Refused> {
  const market = marketOfSymbol(venue.reference, marketSymbol);
  if (market instanceof Refused) return market;
  const { from, to } = window;
  if (from !== null && to !== null && from > to) {
    return refuse(Refusals.WindowReversed, { field: 'startDate', limit: 'endDate' });
  }
  if (!isSeen(market)) return new JsonText('{"data":[]}');
  const request = { ...window, market: market.index };
  const text = textOf(await views.candles(request, venue.durableSequence));
  return text instanceof Refused ? text : new JsonText(`{"data":${text ?? '[]'}}`);
}
