import { type Static, Type } from '@sinclair/typebox';
import { ORDER_STATUSES, ORDER_TYPES, SIDES } from '../../../core/messages/enums.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import type { UserContact } from '../../../persistence/directory/index.ts';
import { type AccountTradeView, PAGE_LIMITS, parseJson } from '../../../persistence/views/index.ts';
import { orBusy } from '../../directory-answer.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import {
  DecimalInput,
  DecimalOutput,
  Int32,
  Nullable,
  OneOf,
  TimestampInput,
  TimestampOutput,
} from '../../http/schema.ts';
import { textOf } from '../../venue/views-read.ts';
import type { RouteContext } from '../context.ts';

/** With the slash, as described; clients that cut it off are served too. */
const ACCOUNT_TRADES = '/back-api/api/v2/account_trades/';
const WINDOW_MS_MAX = 10 * 60 * 1000;
const PAGE_SIZE = 100;
const PAGE_MAX = 1_000_000_000;
const MARKET_ID_LENGTH_MAX = 36;

const TradesQuery = Type.Object({
  from: TimestampInput({ examples: ['2026-01-15T09:30:00.000Z'] }),
  to: TimestampInput({
    description: 'After from, by at most 10 minutes; inclusive.',
    examples: ['2026-01-15T09:40:00.000Z'],
  }),
  market: Type.Optional(
    Type.String({
      maxLength: MARKET_ID_LENGTH_MAX,
      description: 'A Spot market, with or without its prefix.',
    }),
  ),
  minAmount: Type.Optional(DecimalInput({ description: 'Of the base asset, inclusive.' })),
  maxAmount: Type.Optional(DecimalInput({ description: 'Of the base asset, inclusive.' })),
  limit: Type.Optional(
    Int32({
      minimum: 1,
      maximum: PAGE_LIMITS.accountTrades,
      default: PAGE_LIMITS.accountTrades,
      description: 'Extension. The newest so many.',
    }),
  ),
  lastExecutionId: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Extension. Goes on behind this execution, the last of the page before.',
    }),
  ),
});

const LegacyTrade = Type.Object({
  id: Type.Integer({ description: 'The same as executionId.' }),
  executionId: Type.Integer(),
  tradeId: Type.Integer({ description: 'What both executions of a trade have in common.' }),
  orderId: Type.Integer(),
  userId: Type.String({ format: 'uuid' }),
  email: Type.String(),
  userRole: Nullable(Type.String({ description: 'The first of userRoles.' })),
  userRoles: Type.Array(Type.String()),
  marketId: Type.String(),
  side: OneOf(SIDES),
  makerOrTaker: OneOf(['Maker', 'Taker']),
  orderType: OneOf(ORDER_TYPES),
  orderStatus: OneOf([...ORDER_STATUSES, 'Reverted'], {
    description: 'Reverted where the execution was undone.',
  }),
  acceptedAt: TimestampOutput(),
  executedAt: TimestampOutput(),
  completedAt: Nullable(TimestampOutput()),
  executionPrice: DecimalOutput(),
  baseAmount: DecimalOutput(),
  quoteAmount: DecimalOutput({ description: 'executionPrice × baseAmount' }),
  commission: DecimalOutput(),
  commissionCurrency: Type.String(),
  commissionInRootAsset: DecimalOutput({ description: 'At the time of the execution.' }),
  commissionInRootAssetNow: DecimalOutput({ description: 'At the latest price.' }),
  rootAsset: Type.String(),
  remainingAmount: DecimalOutput({ description: 'Of the order, now.' }),
  totalBaseAmount: DecimalOutput({ description: 'What the order has traded so far.' }),
  totalQuoteAmount: DecimalOutput({ description: 'What it has traded that for.' }),
  totalCommission: DecimalOutput({ description: 'What it has paid so far.' }),
  IsApiKey: Type.Boolean({ description: 'Whether a program sent the order, with a key.' }),
});

const LastTrades = Type.Object({
  paging: Type.Object({ next: Nullable(Type.Integer()), prev: Nullable(Type.Integer()) }),
  data: Type.Array(
    Type.Object({
      email: Type.String(),
      executedAt: TimestampOutput(),
      executionId: Type.Integer(),
    }),
  ),
});

/** Everybody's executions in Spot markets, as the older back office knows them. */
export function legacyTradeRoutes(context: RouteContext): Route[] {
  return [
    accountTrades(context, ACCOUNT_TRADES),
    { ...accountTrades(context, ACCOUNT_TRADES.slice(0, -1)), extension: true },
    lastTrades(context),
  ];
}

function accountTrades({ venue, views, directory }: RouteContext, path: string): Route {
  return route({
    method: 'GET',
    path,
    area: 'trading',
    operation: 'view-trades',
    rateClass: 'history',
    summary:
      'Executions in Spot markets within ten minutes, newest first: both sides of each trade.',
    query: TradesQuery,
    responses: { 200: Type.Array(LegacyTrade) },
    handler: async ({ query }) => {
      const refused = refusalOf(query);
      if (refused !== undefined) return refused;
      const markets = marketsOf(venue.reference, query.market);
      if (markets instanceof Refused) return markets;
      const request = {
        markets,
        from: query.from,
        to: query.to,
        minAmount: query.minAmount ?? null,
        maxAmount: query.maxAmount ?? null,
        limit: query.limit ?? null,
        lastExecutionId: query.lastExecutionId ?? null,
      };
      const text = textOf(await views.accountTrades(request, venue.durableSequence));
      if (text instanceof Refused) return text;
      const trades = parseJson(text ?? '[]');
      const contacts = await contactsOf(directory, trades);
      if (contacts instanceof Refused) return contacts;
      return trades.map((trade) => legacyTrade(trade, contacts.get(trade.ownerUserId)));
    },
  });
}

function lastTrades({ venue, views, directory }: RouteContext): Route {
  return route({
    method: 'GET',
    path: '/back-api/api/v2/last_trades',
    area: 'trading',
    operation: 'view-trades',
    rateClass: 'history',
    summary: 'The latest executions in Spot markets, a page at a time.',
    query: Type.Object({
      cursor: Type.Optional(
        Int32({ minimum: 1, maximum: PAGE_MAX, default: 1, description: 'The page, from 1.' }),
      ),
    }),
    responses: { 200: LastTrades },
    handler: async ({ query: { cursor: page = 1 } }) => {
      const request = { page, size: PAGE_SIZE };
      const text = textOf(await views.lastTrades(request, venue.durableSequence));
      if (text instanceof Refused) return text;
      const { executions, hasMore } = parseJson(text ?? '{"executions":[],"hasMore":false}');
      const contacts = await contactsOf(directory, executions);
      if (contacts instanceof Refused) return contacts;
      return {
        paging: { next: hasMore ? page + 1 : null, prev: page > 1 ? page - 1 : null },
        data: executions.map(({ executionId, executedAt, ownerUserId }) => ({
          email: contacts.get(ownerUserId)?.email ?? '',
          executedAt,
          executionId,
        })),
      };
    },
  });
}

function refusalOf(query: Static<typeof TradesQuery>): Refused | undefined {
  const { from, to } = query;
  if (to <= from) return refuse(Refusals.WindowReversed, { field: 'from', limit: 'to' });
  if (to - from > WINDOW_MS_MAX) {
    const limit = 'at most 10 minutes after from';
    return refuse(Refusals.OutOfRange, { field: 'to', value: new Date(to).toISOString(), limit });
  }
  return undefined;
}

/** Indexes of the Spot market named, or of all. */
function marketsOf(
  reference: RouteContext['venue']['reference'],
  marketId: string | undefined,
): readonly number[] | Refused {
  if (marketId === undefined) {
    const spot = reference.markets.filter(({ configuration }) => configuration.type === 'Spot');
    return spot.map(({ index }) => index);
  }
  const market = reference.marketOf(marketId) ?? reference.marketOf(`spot.${marketId}`);
  if (market?.configuration.type === 'Spot') return [market.index];
  return refuse(Refusals.MarketUnknown, { field: 'market', value: marketId });
}

async function contactsOf(
  directory: RouteContext['directory'],
  owned: readonly { readonly ownerUserId: string }[],
): Promise<ReadonlyMap<string, UserContact> | Refused> {
  const userIds = [...new Set(owned.map(({ ownerUserId }) => ownerUserId))];
  const contacts = await orBusy(directory.userContacts.of(userIds));
  if (contacts instanceof Refused) return contacts;
  return new Map(contacts.map((contact) => [contact.id, contact]));
}

function legacyTrade(trade: AccountTradeView, contact: UserContact | undefined) {
  const { ownerUserId, ...shown } = trade;
  const userRoles = [...(contact?.roles ?? [])];
  return {
    ...shown,
    id: trade.executionId,
    userId: ownerUserId,
    email: contact?.email ?? '',
    userRole: userRoles[0] ?? null,
    userRoles,
  };
}
