import { Type } from '@sinclair/typebox';
import { parseJson } from '../../../persistence/views/index.ts';
import { Refused } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import {
  RECOMMENDATION_CANDLES,
  RECOMMENDATION_LEVELS,
  Recommendation,
  type RecommendationBasis,
  recommend,
} from '../../recommendation/recommendation.ts';
import { LANGUAGES, languageOf } from '../../recommendation/texts.ts';
import type { MarketEntry } from '../../venue/reference.ts';
import { textOf } from '../../venue/views-read.ts';
import type { RouteContext } from '../context.ts';
import type { DepthReader } from '../market-data/depth.ts';
import { changeOf } from '../public/day-figures.ts';
import { dayBefore } from '../public/public.ts';
import { SharedReads } from '../shared-reads.ts';
import { GUEST } from './guest.ts';
import { forGuests } from './guest-markets.ts';

const LANGUAGE_LENGTH_MAX = 35;

/** What a recommendation is computed of, but for the language. */
type Basis = Omit<RecommendationBasis, 'language'>;

/** What the venue's own trades make of a market, for whoever asks. */
export function guestRecommendationRoutes(context: RouteContext, depth: DepthReader): Route[] {
  const shared = new SharedReads<Basis | Refused>();
  return [
    route({
      ...GUEST,
      method: 'GET',
      path: '/marketdata/api/v1/guest/ai-recommendation/{marketId}',
      summary: 'A recommendation for a market, computed by fixed rules from its own trades.',
      query: Type.Object({
        language: Type.String({
          maxLength: LANGUAGE_LENGTH_MAX,
          default: 'en',
          description: `Of the texts: ${LANGUAGES.join(', ')}, with or without a region; any other is answered in English.`,
        }),
      }),
      responses: { 200: Recommendation },
      handler: async ({ params: { marketId }, query, now }) => {
        const named = context.venue.reference.marketOf(marketId);
        const market = forGuests(named, 'marketId', marketId);
        if (market instanceof Refused) return market;
        const key = `${market.index}/${context.venue.durableSequence}`;
        const basis = await shared.read(key, () => readBasis(context, depth, market, now));
        if (basis instanceof Refused) return basis;
        return recommend({ ...basis, language: languageOf(query.language) });
      },
    }),
  ];
}

async function readBasis(
  { views, venue }: RouteContext,
  depth: DepthReader,
  market: MarketEntry,
  now: number,
): Promise<Basis | Refused> {
  const { index, configuration } = market;
  const atLeast = venue.durableSequence;
  const window = { market: index, from: null, to: null, ...RECOMMENDATION_CANDLES };
  const isSpot = configuration.type === 'Spot';
  const [candles, days, interest, book] = await Promise.all([
    views.candles(window, atLeast).then(textOf),
    views.tradeWindows({ markets: [index], from: dayBefore(now) }, atLeast).then(textOf),
    isSpot ? undefined : views.openInterest(index, atLeast).then(textOf),
    depth.read(market, RECOMMENDATION_LEVELS, now),
  ]);
  if (candles instanceof Refused) return candles;
  if (days instanceof Refused) return days;
  if (interest instanceof Refused) return interest;
  if (book instanceof Refused) return book;
  const day = days === undefined ? null : (parseJson(days)[0] ?? null);
  return {
    marketId: configuration.marketId,
    priceScale: configuration.priceScale,
    candles: candles === undefined ? [] : parseJson(candles),
    bids: book.bids,
    asks: book.asks,
    day: day === null ? null : { ...day, change: changeOf(day) },
    openInterest: interest === undefined ? null : parseJson(interest).amount,
  };
}
