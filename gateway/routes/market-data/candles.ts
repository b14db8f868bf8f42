import { Type } from '@sinclair/typebox';
import { Refusals } from '../../../core/messages/refusals.ts';
import { TIMEFRAMES } from '../../../persistence/views/index.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { JsonText } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { Int32, OneOf, TimestampInput, TimestampOutput } from '../../http/schema.ts';
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

const HistoryQuery = Type.Object({
  type: OneOf(TIMEFRAMES, {
    default: '1m',
    description: 'The length of a candle: minutes, hours, days, weeks, months.',
  }),
  startDate: Type.Optional(TimestampInput({ description: 'The earliest start of a candle.' })),
  endDate: Type.Optional(TimestampInput({ description: 'The latest start of a candle.' })),
  count: Type.Optional(
    Int32({
      minimum: 1,
      maximum: COUNT_MAX,
      description: `The newest so many of them. By default ${COUNT_DEFAULT} without startDate and ${COUNT_MAX} with it.`,
    }),
  ),
});

/** Candles of real trades, oldest first. A period without a trade has none. */
export function candleRoutes({ venue, views }: RouteContext): Route[] {
  return [
    route({
      method: 'GET',
      path: '/marketdata/api/v4/instruments/{marketSymbol}/history',
      area: 'trading',
      operation: 'trading-ui',
      rateClass: 'history',
      summary: 'Candles of a market, oldest first, the running one included.',
      query: HistoryQuery,
      responses: { 200: Type.Object({ data: Type.Array(Candle) }) },
      handler: async ({ params, query }) => {
        const market = marketOfSymbol(venue.reference, params.marketSymbol);
        if (market instanceof Refused) return market;
        const { startDate = null, endDate = null } = query;
        if (startDate !== null && endDate !== null && startDate > endDate) {
          return refuse(Refusals.WindowReversed, { field: 'startDate', limit: 'endDate' });
        }
        if (!isVisible(market)) return new JsonText('{"data":[]}');
        const request = {
          market: market.index,
          timeframe: query.type,
          from: startDate,
          to: endDate,
          count: query.count ?? (startDate === null ? COUNT_DEFAULT : COUNT_MAX),
        };
        const text = textOf(await views.candles(request, venue.durableSequence));
        if (text instanceof Refused) return text;
        return new JsonText(`{"data":${text ?? '[]'}}`);
      },
    }),
  ];
}
