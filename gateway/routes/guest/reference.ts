import { Type } from '@sinclair/typebox';
import { whenThere } from '../../directory-answer.ts';
import { Refused } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import type { RouteContext } from '../context.ts';
import { KeptAnswers } from '../kept-answers.ts';
import { Asset, assetForm } from '../reference/assets.ts';
import { categoryMembers } from '../reference/category-members.ts';
import { Info, infoForm, TimeZone } from '../reference/info.ts';
import { marketItem, tradingParameters } from '../reference/market-forms.ts';
import { MarketItemV4, TradingParameters } from '../reference/market-schemas.ts';
import { GroupFilter } from '../reference/markets.ts';
import type { TimeZones } from '../reference/time-zones.ts';
import { GUEST } from './guest.ts';
import { forGuests, guestMarkets } from './guest-markets.ts';

/** Assets, markets and server time for whoever has no token. */
export function guestReferenceRoutes(context: RouteContext, zones: TimeZones): Route[] {
  return [
    listAssets(context),
    readInfo(context),
    listTimeZones(zones),
    listMarkets(context),
    readMarket(context),
  ];
}

function listAssets({ venue }: RouteContext): Route {
  return route({
    ...GUEST,
    method: 'GET',
    path: '/frontoffice/api/v3/guest/assets',
    summary: "The assets of the platform's own record.",
    responses: { 200: Type.Array(Asset) },
    handler: () =>
      venue.reference.assets.filter(({ source }) => source === 'Internal').map(assetForm),
  });
}

function readInfo(context: RouteContext): Route {
  return route({
    ...GUEST,
    method: 'GET',
    path: '/frontoffice/api/v3/guest/info',
    summary: "The server's time and the platform's time zone.",
    responses: { 200: Info },
    handler: ({ now }) => infoForm(context, now),
  });
}

function listTimeZones(zones: TimeZones): Route {
  return route({
    ...GUEST,
    method: 'GET',
    path: '/frontoffice/api/v3/guest/info/time-zones',
    summary: 'Every IANA time zone with its offset of now.',
    responses: { 200: Type.Array(TimeZone) },
    handler: ({ now }) => zones.list(now),
  });
}

function listMarkets(context: RouteContext): Route {
  const { reference } = context.venue;
  const answer = Type.Array(MarketItemV4);
  const kept = new KeptAnswers(reference, answer);
  const itemsOf = (members?: ReadonlySet<string>) =>
    guestMarkets(reference, members).map(marketItem);
  return route({
    ...GUEST,
    method: 'GET',
    path: '/frontoffice/api/v5/guest/markets',
    summary: 'Active, well-configured markets, by display name.',
    query: Type.Object({ categoryId: GroupFilter() }),
    responses: { 200: answer },
    handler: ({ query: { categoryId } }) => {
      if (categoryId === undefined) return kept.get('all', itemsOf);
      return whenThere(categoryMembers(context, categoryId), itemsOf);
    },
  });
}

function readMarket({ venue: { reference } }: RouteContext): Route {
  const kept = new KeptAnswers(reference, TradingParameters);
  return route({
    ...GUEST,
    method: 'GET',
    path: '/frontoffice/api/v5/guest/markets/{marketId}',
    summary: 'The trading parameters of a market.',
    responses: { 200: TradingParameters },
    handler: ({ params: { marketId } }) => {
      const market = forGuests(reference.marketOf(marketId), 'marketId', marketId);
      if (market instanceof Refused) return market;
      return kept.get(marketId, () => tradingParameters(market));
    },
  });
}
