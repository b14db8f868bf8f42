import { Refusals } from '../../../core/messages/refusals.ts';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import { PAGE_LIMITS, type Timeframe } from '../../../persistence/views/index.ts';
import { type Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import type { RouteContext } from '../context.ts';
import { History, readHistory, WindowQuery } from '../market-data/candles.ts';
import { GUEST } from './guest.ts';
import { isGuestVisible } from './guest-markets.ts';

const DAY_MS = 86_400_000;
/** How far into the future a window may end. */
const FUTURE_MS = 60_000;
const YEARS_MAX = 5;

/** How long a window may be, by the length of a candle: days, or years of the calendar. */
const DAYS_MAX: Readonly<Partial<Record<Timeframe, number>>> = {
  '1m': 30,
  '5m': 30,
  '15m': 30,
  '30m': 30,
  '1h': 365,
  '4h': 365,
  '12h': 365,
};

/** Candles for whoever has no token: the same ones, of a window that is named and bounded. */
export function guestCandleRoutes(context: RouteContext): Route[] {
  return [
    route({
      ...GUEST,
      method: 'GET',
      path: '/marketdata/api/v4/guest/instruments/{marketSymbol}/history',
      summary:
        'Candles of a market, oldest first: up to 30 days of minutes, 365 days of hours, 5 years of days and more.',
      query: WindowQuery,
      responses: { 200: History },
      handler: async ({ params, query, now }) => {
        const { type, startDate, endDate } = query;
        const refused = checkWindow(type, startDate, endDate, now);
        if (refused !== undefined) return refused;
        const window = {
          timeframe: type,
          from: startDate,
          to: endDate,
          count: PAGE_LIMITS.candles,
        };
        return await readHistory(context, params.marketSymbol, window, isGuestVisible);
      },
    }),
  ];
}

/** Both bounds are inclusive: a window of exactly thirty days, an end of exactly now and a minute. */
function checkWindow(
  timeframe: Timeframe,
  startDate: number,
  endDate: number,
  now: number,
): Refused | undefined {
  if (endDate > now + FUTURE_MS) {
    return outOfRange(endDate, 'at most one minute in the future');
  }
  const days = DAYS_MAX[timeframe];
  const latest = days === undefined ? yearsLater(startDate) : startDate + days * DAY_MS;
  if (endDate <= latest) return undefined;
  const most = days === undefined ? `${YEARS_MAX} years` : `${days} days`;
  return outOfRange(endDate, `at most ${most} after startDate`);
}

function yearsLater(time: number): number {
  const date = new Date(time);
  return date.setUTCFullYear(date.getUTCFullYear() + YEARS_MAX);
}

function outOfRange(endDate: number, limit: string): Refused {
  return refuse(Refusals.OutOfRange, { field: 'endDate', value: formatTimestamp(endDate), limit });
}
