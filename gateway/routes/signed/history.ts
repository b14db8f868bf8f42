import { type Static, Type } from '@sinclair/typebox';
import { Side } from '../../../core/messages/enums.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import {
  orderFacts,
  PAGE_DEFAULT,
  PAGE_LIMITS,
  parseJson,
} from '../../../persistence/views/index.ts';
import type { Session } from '../../http/authorisation.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { JsonText } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { Int32, OneOf } from '../../http/schema.ts';
import { momentOf } from '../../signed/moment.ts';
import type { Freshness } from '../../signed/signed-gate.ts';
import { textOf } from '../../venue/views-read.ts';
import type { SignedContext } from './context.ts';
import {
  FRESHNESS,
  Instrument,
  LEGACY_SIDES,
  LEGACY_STATUSES,
  type LegacyStatus,
  Moment,
  OrderObject,
  PREFIXES,
  TradeObject,
} from './forms.ts';
import { instrumentOf, marketsOf } from './instruments.ts';
import { orderObject, withNumbers } from './order-object.ts';

const ID_MAX = Number.MAX_SAFE_INTEGER;

const FILTERS = {
  market: Type.Optional(Instrument()),
  side: Type.Optional(OneOf(LEGACY_SIDES)),
  startDate: Type.Optional(Moment('From here on: YYYY-MM-DDThh:mm:ss.s in UTC.')),
  endDate: Type.Optional(Moment('Up to here, inclusive, in the same form.')),
} as const;

const Limit = Type.Optional(
  Int32({
    minimum: 1,
    description: `Extension. ${PAGE_DEFAULT} by default; more than ${PAGE_LIMITS.orders} count as ${PAGE_LIMITS.orders}.`,
  }),
);

const OrdersQuery = Type.Object({
  ...FRESHNESS,
  ...FILTERS,
  status: Type.Optional(OneOf(LEGACY_STATUSES)),
  limit: Limit,
  lastOrderId: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: ID_MAX,
      description: 'Extension. Goes on behind this order, the last of the page before.',
    }),
  ),
});

const TradesQuery = Type.Object({
  ...FRESHNESS,
  ...FILTERS,
  orderId: Type.Optional(Type.Integer({ minimum: 1, maximum: ID_MAX })),
  limit: Limit,
  lastTradeSeq: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: ID_MAX,
      description: 'Extension. Goes on behind this trade, the last of the page before.',
    }),
  ),
});

const SIDES = { buy: Side.Buy, sell: Side.Sell } as const;

/** The statuses that each legacy one stands for. */
const STATUSES = {
  Working: ['Started', 'Pending', 'Working'],
  Rejected: ['Rejected'],
  Cancelled: ['Cancelled', 'Expired'],
  Completed: ['Completed'],
} as const satisfies Readonly<Record<LegacyStatus, readonly string[]>>;

/** The account's own past, newest first. */
export function signedHistoryRoutes(context: SignedContext): Route[] {
  return PREFIXES.flatMap((prefix) => [
    orderHistory(context, prefix),
    tradeHistory(context, prefix),
  ]);
}

function orderHistory(context: SignedContext, prefix: (typeof PREFIXES)[number]): Route {
  const { venue, views } = context;
  const { reference } = venue;
  return route({
    method: 'GET',
    path: `${prefix}/frontoffice/api/order_history`,
    area: 'signed',
    operation: 'trading-ui',
    rateClass: 'history',
    summary: 'Orders of Spot markets, newest first.',
    query: OrdersQuery,
    responses: { 200: Type.Array(OrderObject) },
    handler: async ({ query, session, now }) => {
      const asked = await askedOf(context, session, query, now);
      if (asked instanceof Refused) return asked;
      const request = {
        ...asked,
        statuses: query.status === undefined ? null : STATUSES[query.status],
        limit: query.limit ?? null,
        lastOrderId: query.lastOrderId ?? null,
      };
      const text = textOf(await views.orderHistory(request, venue.durableSequence));
      if (text instanceof Refused) return text;
      const orders = parseJson(text ?? '[]').map((record) =>
        orderObject(orderFacts(record), instrumentOf(reference.market(record.market))),
      );
      return new JsonText(`[${orders.join(',')}]`);
    },
  });
}

function tradeHistory(context: SignedContext, prefix: (typeof PREFIXES)[number]): Route {
  const { venue, views } = context;
  const { reference } = venue;
  return route({
    method: 'GET',
    path: `${prefix}/frontoffice/api/trade_history`,
    area: 'signed',
    operation: 'trading-ui',
    rateClass: 'history',
    summary: 'Executions in Spot markets, newest first.',
    query: TradesQuery,
    responses: { 200: Type.Array(TradeObject) },
    handler: async ({ query, session, now }) => {
      const asked = await askedOf(context, session, query, now);
      if (asked instanceof Refused) return asked;
      const request = {
        ...asked,
        orderId: query.orderId ?? null,
        limit: query.limit ?? null,
        lastExecutionId: query.lastTradeSeq ?? null,
      };
      const text = textOf(await views.tradeHistory(request, venue.durableSequence));
      if (text instanceof Refused) return text;
      const trades = parseJson(text ?? '[]').map((trade) => {
        const isBuy = trade.side === Side.Buy;
        const plain = {
          tradeSeq: trade.executionId,
          tradeTime: trade.executedAt,
          orderId: String(trade.orderId),
          instrument: instrumentOf(reference.market(trade.market)),
          type: isBuy ? 'buy' : 'sell',
          side: isBuy ? 0 : 1,
          isReverted: trade.isReverted,
        };
        const { amount, executionPrice, commission } = trade;
        return withNumbers(plain, { amount, executionPrice, commission });
      });
      return new JsonText(`[${trades.join(',')}]`);
    },
  });
}

interface Asked extends Freshness {
  readonly market?: Static<ReturnType<typeof Instrument>>;
  readonly side?: (typeof LEGACY_SIDES)[number];
  readonly startDate?: string;
  readonly endDate?: string;
}

/** Whose past, and what both histories take of it. */
async function askedOf(
  { gate, venue }: SignedContext,
  session: Session,
  query: Asked,
  now: number,
) {
  const account = await gate.admit(session, query, now);
  if (account instanceof Refused) return account;
  const markets = marketsOf(venue.reference, query.market);
  if (markets instanceof Refused) return markets;
  const from = edgeOf('startDate', query.startDate);
  if (from instanceof Refused) return from;
  const to = edgeOf('endDate', query.endDate);
  if (to instanceof Refused) return to;
  if (from !== null && to !== null && from > to) {
    return refuse(Refusals.WindowReversed, { field: 'startDate', limit: 'endDate' });
  }
  const side = query.side === undefined ? null : SIDES[query.side];
  return { account: account.index, markets, side, from, to };
}

function edgeOf(field: string, text: string | undefined): number | null | Refused {
  if (text === undefined) return null;
  const moment = momentOf(text);
  if (!Number.isNaN(moment)) return moment;
  return refuse(Refusals.BadFormat, { field, value: text, limit: 'YYYY-MM-DDThh:mm:ss.s' });
}
