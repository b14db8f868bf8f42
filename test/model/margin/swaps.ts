import type { Calendar, SwapSettings } from '../../../core/messages/configuration.ts';
import { Side } from '../../../core/messages/enums.ts';
import { ceiling, type Exact, type Rational, tenTo, times } from './rational.ts';
import { inRoot, type MarketTerms, worth } from './terms.ts';

const MS_PER_DAY = 86_400_000;
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Whether the market has any session on a date `YYYY-MM-DD`. */
function tradesOn(calendar: Calendar | null, date: string): boolean {
  if (calendar === null) return true;
  const override = calendar.sessionOverrides.find((each) => each.date === date);
  if (override !== undefined) return (override.timeIntervals ?? []).length > 0;
  const day = DAYS[new Date(`${date}T00:00:00Z`).getUTCDay()];
  return calendar.tradingSessions.some(
    ({ dayOfWeek, timeIntervals }) => dayOfWeek === day && timeIntervals.length > 0,
  );
}

/** How many nights the end of `date` charges: until the next day on which the market trades. */
export function nights(calendar: Calendar | null, date: string): number {
  if (!tradesOn(calendar, date)) return 0;
  for (let count = 1; count < 400; count++) {
    const next = new Date(Date.parse(`${date}T00:00:00Z`) + count * MS_PER_DAY);
    if (tradesOn(calendar, next.toISOString().slice(0, 10))) return count;
  }
  return 1;
}

/** What the end of a day costs a position, root units; negative is paid to it. Exact. */
export function swapCost(
  terms: MarketTerms,
  settings: SwapSettings,
  position: { readonly side: number; readonly quantity: bigint },
  nightCount: number,
  prices: {
    /** Ticks at the end of the day. */
    readonly close: Exact;
    /** Root for quote, 10^-12. */
    readonly rate: bigint;
    /** Root for the asset of a FixPerLot size, 10^-12. */
    readonly sizeRate: bigint;
  },
): Rational {
  const { size } = position.side === Side.Buy ? settings.long : settings.short;
  const { quantity } = position;
  const fraction = times(size, tenTo(-8), nightCount);
  switch (settings.type) {
    case 'Percent': {
      const notional = worth(terms, times(prices.close, quantity));
      return times(inRoot(terms, notional, prices.rate), fraction);
    }
    case 'Points':
      return times(inRoot(terms, worth(terms, quantity), prices.rate), fraction);
    case 'FixPerLot': {
      const lots = times(quantity, tenTo(-terms.amountScale));
      return times(lots, fraction, prices.sizeRate, tenTo(-12), tenTo(terms.rootScale));
    }
  }
}

/** What the account gets: a charge rounded up, a rebate down. */
export function swapAmount(cost: Rational): bigint {
  return -ceiling(cost);
}
