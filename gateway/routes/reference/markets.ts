import { Type } from '@sinclair/typebox';
import { Refused } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import type { RouteContext } from '../context.ts';
import { orBusy } from '../directory-answer.ts';
import { categoryMembers } from './category-members.ts';
import { commissionSettings } from './commission-settings.ts';
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

function listMarkets(context: RouteContext): Route {
  const { favorites, venue } = context;
  const { reference } = venue;
  return route({
    method: 'GET',
    path: '/frontoffice/api/v6/markets',
    area: 'trading',
    operation: 'trading-ui',
    summary: 'Every market, by display name.',
    query: Type.Object({
      categoryId: GroupFilter(),
      dynamicCommissionGroupId: GroupFilter(),
      isFavorite: Type.Optional(Type.Boolean({ description: 'true: favorites only.' })),
    }),
    responses: { 200: Type.Array(MarketItem) },
    handler: async ({ query, session }) => {
      const marked = await orBusy(favorites.list(session.userId));
      if (marked instanceof Refused) return marked;
      const isMarked = new Set(marked);
      const { categoryId, dynamicCommissionGroupId } = query;
      const members = await categoryMembers(context, categoryId);
      if (members instanceof Refused) return members;
      const markets = visibleMarkets(reference, members, dynamicCommissionGroupId);
      const items = markets.map((market) => ({
        ...marketItem(market),
        isFavorite: isMarked.has(market.configuration.marketId),
      }));
      return query.isFavorite === true ? items.filter(({ isFavorite }) => isFavorite) : items;
    },
  });
}

function readMarket({ venue, favorites }: RouteContext): Route {
  const { reference } = venue;
  return route({
    method: 'GET',
    path: '/frontoffice/api/v6/markets/{marketId}',
    area: 'trading',
    operation: 'trading-ui',
    summary: 'The trading parameters of a market.',
    responses: { 200: MarketDetail },
    handler: async ({ params, session }) => {
      const market = visibleMarket(reference, params.marketId, 'marketId');
      if (market instanceof Refused) return market;
      const marked = await orBusy(favorites.list(session.userId));
      if (marked instanceof Refused) return marked;
      const rootScale = reference.rootAsset?.scale ?? 0;
      const commissions = commissionSettings(reference, market, session.userId);
      return marketDetail(market, rootScale, commissions, marked.includes(params.marketId));
    },
  });
}

function listMarketsV4(context: RouteContext): Route {
  return route({
    method: 'GET',
    path: '/frontoffice/api/v4/markets',
    area: 'trading',
    operation: 'trading-ui',
    summary: 'Every market, by display name, without favorites.',
    query: Type.Object({ categoryId: GroupFilter() }),
    responses: { 200: Type.Array(MarketItemV4) },
    handler: async ({ query }) => {
      const members = await categoryMembers(context, query.categoryId);
      if (members instanceof Refused) return members;
      return visibleMarkets(context.venue.reference, members).map(marketItem);
    },
  });
}

function readMarketV4({ venue, favorites }: RouteContext): Route {
  return route({
    method: 'GET',
    path: '/frontoffice/api/v4/markets/{marketId}',
    area: 'trading',
    operation: 'trading-ui',
    summary: 'The trading parameters of a market, with its leverage in two fields.',
    responses: { 200: MarketDetailV4 },
    handler: async ({ params, session }) => {
      const market = visibleMarket(venue.reference, params.marketId, 'marketId');
      if (market instanceof Refused) return market;
      const marked = await orBusy(favorites.list(session.userId));
      if (marked instanceof Refused) return marked;
      return marketDetailV4(market, marked.includes(params.marketId));
    },
  });
}
