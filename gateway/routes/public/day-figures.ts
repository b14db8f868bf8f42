import { formatQuotient, parseDecimal, powerOfTen } from '../../../core/fixed-point/index.ts';
import { parseJson, type TradeWindowView } from '../../../persistence/views/index.ts';
import { Refused } from '../../http/refused.ts';
import type { MarketEntry } from '../../venue/reference.ts';
import { textOf } from '../../venue/views-read.ts';
import type { RouteContext } from '../context.ts';
import { SharedReads } from '../shared-reads.ts';
import { publicMarkets } from './pairs.ts';
import { dayBefore } from './public.ts';

/** A change is a fraction with at most so many places. */
const CHANGE_SCALE = 8;

const NOTHING_TRADED: TradeWindowView = {
  open: '0',
  last: '0',
  high: '0',
  low: '0',
  baseVolume: '0',
  quoteVolume: '0',
};

/** A market and what was traded in it in the last 24 hours; zeros where nothing was. */
export interface DayFigures {
  readonly market: MarketEntry;
  readonly window: TradeWindowView;
}

/** Reads what was traded in the last 24 hours in every public market. */
export class DayReader {
  private readonly context: Pick<RouteContext, 'venue' | 'views'>;
  private readonly shared = new SharedReads<readonly DayFigures[] | Refused>();

  constructor(context: Pick<RouteContext, 'venue' | 'views'>) {
    this.context = context;
  }

  /** Everything that had been acknowledged when the request came in counts. */
  read(now: number): Promise<readonly DayFigures[] | Refused> {
    const { durableSequence } = this.context.venue;
    return this.shared.read(`${durableSequence}/${now}`, () => this.ask(now, durableSequence));
  }

  private async ask(now: number, atLeast: number): Promise<readonly DayFigures[] | Refused> {
    const { venue, views } = this.context;
    const markets = publicMarkets(venue.reference);
    const request = { markets: markets.map(({ index }) => index), from: dayBefore(now) };
    const text = textOf(await views.tradeWindows(request, atLeast));
    if (text instanceof Refused) return text;
    const windows = text === undefined ? [] : parseJson(text);
    return markets.map((market, at) => ({ market, window: windows[at] ?? NOTHING_TRADED }));
  }
}

/** (last - open) / open: a fraction, rounded half up (ties away from zero); 0 where nothing was traded. */
export function changeOf({ open, last }: Pick<TradeWindowView, 'open' | 'last'>): string {
  const [from, to] = [parseDecimal(open), parseDecimal(last)];
  if (from === undefined || to === undefined || from.coefficient === 0n) return '0';
  const scale = Math.max(from.scale, to.scale);
  const before = from.coefficient * powerOfTen(scale - from.scale);
  const after = to.coefficient * powerOfTen(scale - to.scale);
  return formatQuotient(after - before, before, CHANGE_SCALE, 'half-up');
}
