import { type Static, Type } from '@sinclair/typebox';
import { orBusy, whenThere } from '../../directory-answer.ts';
import { Refused } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import type { MarketEntry } from '../../venue/reference.ts';
import type { RouteContext } from '../context.ts';
import { KeptAnswers } from '../kept-answers.ts';
import { categoryMembers } from './category-members.ts';
import { commissionSettings, profileOfUser } from './commission-settings.ts';
import { marketDetail, marketDetailV4, marketItem } from './market-forms.ts';
import { MarketDetail, MarketDetailV4, MarketItem, MarketItemV4 } from './market-schemas.ts';
import { visibleMarket, visibleMarkets } from './visible-markets.ts';

const FILTER_LENGTH_MAX = 128;

/** Names a group of markets in a query. */
export function GroupFilter() {
  return Type.Optional(Type.String({ maxLength: FILTER_LENGTH_MAX }));
}

/** Markets and their trading parameters. */
export function marketRoutes(context: RouteContext): Route[] {
  return [listMarkets(context), readMarket(context), listMarketsV4(context), readMarketV4(context)];
}

const ListFilter = Type.Object({
  categoryId: GroupFilter(),
  dynamicCommissionGroupId: GroupFilter(),
  isFavorite: Type.Optional(Type.Boolean({ description: 'true: favorites only.' })),
});

function listMarkets(context: RouteContext): Route {
  const { reference } = context.venue;
  const answer = Type.Array(MarketItem);
  /** By the array that a user's favorites are in. */
  const kept = new KeptAnswers(reference, answer);
  return route({
    method: 'GET',
    path: '/frontoffice/api/v6/markets',
    area: 'trading',
    operation: 'trading-ui',
    summary: 'Every market, by display name.',
    query: ListFilter,
    responses: { 200: answer },
    handler: ({ query, session }) => {
      const { categoryId, dynamicCommissionGroupId, isFavorite } = query;
      return whenThere(favoritesOf(context, session.userId), (marked) => {
        const itemsOf = (members?: ReadonlySet<string>) => {
          const markets = visibleMarkets(reference, members, dynamicCommissionGroupId);
          return markedItems(markets, marked, isFavorite === true);
        };
        if (categoryId !== undefined) {
          return whenThere(categoryMembers(context, categoryId), itemsOf);
        }
        const isWhole = dynamicCommissionGroupId === undefined && isFavorite !== true;
        return isWhole ? kept.get(marked, itemsOf) : itemsOf();
      });
    },
  });
}

function readMarket(context: RouteContext): Route {
  const { reference } = context.venue;
  const kept = new KeptAnswers(reference, MarketDetail);
  return route({
    method: 'GET',
    path: '/frontoffice/api/v6/markets/{marketId}',
    area: 'trading',
    operation: 'trading-ui',
    summary: 'The trading parameters of a market.',
    responses: { 200: MarketDetail },
    handler: ({ params: { marketId }, session: { userId } }) =>
      whenThere(favoritesOf(context, userId), (marked) => {
        const market = visibleMarket(reference, marketId, 'marketId');
        if (market instanceof Refused) return market;
        const profile = profileOfUser(reference, userId);
        const isFavorite = marked.includes(marketId);
        return kept.get(`${isFavorite} ${profile.profileId} ${marketId}`, () => {
          const rootScale = reference.rootAsset?.scale ?? 0;
          const commissions = commissionSettings(reference, market, profile);
          return marketDetail(market, rootScale, commissions, isFavorite);
        });
      }),
  });
}

function listMarketsV4(context: RouteContext): Route {
  const { reference } = context.venue;
  const answer = Type.Array(MarketItemV4);
  const kept = new KeptAnswers(reference, answer);
  const itemsOf = (members?: ReadonlySet<string>) =>
    visibleMarkets(reference, members).map(marketItem);
  return route({
    method: 'GET',
    path: '/frontoffice/api/v4/markets',
    area: 'trading',
    operation: 'trading-ui',
    summary: 'Every market, by display name, without favorites.',
    query: Type.Object({ categoryId: GroupFilter() }),
    responses: { 200: answer },
    handler: ({ query: { categoryId } }) => {
      if (categoryId === undefined) return kept.get('all', itemsOf);
      return whenThere(categoryMembers(context, categoryId), itemsOf);
    },
  });
}

function readMarketV4(context: RouteContext): Route {
  const { reference } = context.venue;
  const kept = new KeptAnswers(reference, MarketDetailV4);
  return route({
    method: 'GET',
    path: '/frontoffice/api/v4/markets/{marketId}',
    area: 'trading',
    operation: 'trading-ui',
    summary: 'The trading parameters of a market, with its leverage in two fields.',
    responses: { 200: MarketDetailV4 },
    handler: ({ params: { marketId }, session }) =>
      whenThere(favoritesOf(context, session.userId), (marked) => {
        const market = visibleMarket(reference, marketId, 'marketId');
        if (market instanceof Refused) return market;
        const isFavorite = marked.includes(marketId);
        return kept.get(`${isFavorite} ${marketId}`, () => marketDetailV4(market, isFavorite));
      }),
  });
}

/** At once where they are in memory. */
function favoritesOf(
  { favorites }: RouteContext,
  userId: string,
): readonly string[] | Refused | Promise<readonly string[] | Refused> {
  return favorites.known(userId) ?? orBusy(favorites.list(userId));
}

function markedItems(
  markets: readonly MarketEntry[],
  marked: readonly string[],
  favoritesOnly: boolean,
): Static<typeof MarketItem>[] {
  const isMarked = new Set(marked);
  const items = markets.map((market) => ({
    ...marketItem(market),
    isFavorite: isMarked.has(market.configuration.marketId),
  }));
  return favoritesOnly ? items.filter(({ isFavorite }) => isFavorite) : items;
}
