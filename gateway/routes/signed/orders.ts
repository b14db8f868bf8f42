import { Type } from '@sinclair/typebox';
import { Refusals } from '../../../core/messages/refusals.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { JsonText } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { BY_KEY } from '../orders/by-key.ts';
import { readOrderId } from '../orders/order-id.ts';
import type { SpotOrder } from '../orders/schemas.ts';
import { SpotOrderCommands } from '../orders/spot-order-command.ts';
import type { SignedContext } from './context.ts';
import { FRESHNESS, NewOrder, OrderObject, PREFIXES } from './forms.ts';
import { instrumentOf } from './instruments.ts';
import { orderObject } from './order-object.ts';

const NO_UUID = '00000000-0000-0000-0000-000000000000';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const OrderAnswer = Type.Object({ order: OrderObject });

/** What the fields of a Spot order are called here. */
const LEGACY_NAMES: Readonly<Record<string, string>> = {
  marketId: 'order.instrument',
  requestedAmount: 'order.amount',
  requestedPrice: 'order.price',
  clientOrderId: 'order.clientOrderId',
};

/** Placing and cancelling orders with a signature. */
export function signedOrderRoutes(context: SignedContext): Route[] {
  return PREFIXES.flatMap((prefix) => [place(context, prefix), cancel(context, prefix)]);
}

function place(context: SignedContext, prefix: (typeof PREFIXES)[number]): Route {
  const { gate, venue, timeZone } = context;
  const commands = new SpotOrderCommands(venue.reference, timeZone);
  return route({
    method: 'POST',
    path: `${prefix}/frontoffice/api/order`,
    area: 'signed',
    operation: 'trading-ui',
    summary: 'Places a Spot order; the answer shows it as it is by then.',
    wideIntegers: ['nonce'],
    body: Type.Object({ ...FRESHNESS, order: NewOrder }),
    example: {
      body: {
        ts: '2026-01-15T09:30:00.0',
        nonce: 1768469400000,
        order: {
          instrument: 'btc_usdt',
          type: 'buy',
          amount: 0.01,
          price: 65000,
          isLimit: true,
          isStop: false,
          isFok: false,
        },
      },
    },
    responses: { 200: OrderAnswer },
    handler: async ({ body, session, now }) => {
      const refused = refusalOf(body.order);
      if (refused !== undefined) return refused;
      const account = await gate.admit(session, body, now);
      if (account instanceof Refused) return account;
      const order = spotOrder(body.order);
      const market = commands.market(order.marketId);
      if (market instanceof Refused) return inLegacyNames(market);
      const command = commands.command(order, market, account.index, now, BY_KEY);
      if (command instanceof Refused) return inLegacyNames(command);
      const placed = await venue.placeNamed(command);
      if (placed instanceof Refused) return inLegacyNames(placed);
      return await answerOf(context, account.index, placed.orderId);
    },
  });
}

function cancel(context: SignedContext, prefix: (typeof PREFIXES)[number]): Route {
  const { gate, venue, orders } = context;
  return route({
    method: 'DELETE',
    path: `${prefix}/frontoffice/api/orders/{id}`,
    area: 'signed',
    operation: 'trading-ui',
    rateClass: 'cancel',
    summary: 'Cancels an open order, named by its orderId or its clientOrderId.',
    query: Type.Object(FRESHNESS),
    responses: { 200: OrderAnswer },
    handler: async ({ params: { id }, query, session, now }) => {
      const account = await gate.admit(session, query, now);
      if (account instanceof Refused) return account;
      const isNamed = UUID.test(id);
      const orderId = isNamed ? 0 : readOrderId(id);
      if (orderId instanceof Refused) return orderId;
      const clientOrderId = isNamed ? id.toLowerCase() : '';
      const command = { time: now, account: account.index, orderId, clientOrderId };
      const state = await venue.cancel(command);
      if (!(state instanceof Refused)) return answerOf(context, account.index, state.orderId);
      return isNamed ? state : await orders.explain(state, account.index, orderId);
    },
  });
}

/** What no order may ask for here, whatever the market. */
function refusalOf({ isStop, clientOrderId }: NewOrder): Refused | undefined {
  if (isStop === true) return refuse(Refusals.StopOrdersUnsupported, { field: 'order.isStop' });
  if (clientOrderId !== NO_UUID) return undefined;
  const limit = 'a UUID that is not all zeros';
  return refuse(Refusals.BadFormat, { field: 'order.clientOrderId', value: clientOrderId, limit });
}

/** The same order in the words of the trading interface. */
function spotOrder(order: NewOrder): SpotOrder {
  const { instrument, type, amount, price, isLimit = false, isFok = false } = order;
  const rest = isLimit ? 'Gtc' : 'Ioc';
  return {
    marketId: `spot.${instrument}`,
    side: type === 'buy' ? 'Buy' : 'Sell',
    orderType: isLimit ? 'Limit' : 'Market',
    timeInForce: isFok ? 'Fok' : rest,
    requestedAmount: amount,
    requestedPrice: isLimit ? (price ?? null) : null,
    clientOrderId: order.clientOrderId?.toLowerCase() ?? null,
  };
}

async function answerOf(
  { orders, venue }: SignedContext,
  account: number,
  orderId: number,
): Promise<JsonText | Refused> {
  const order = await orders.find(account, orderId);
  if (order instanceof Refused) return order;
  const instrument = instrumentOf(venue.reference.market(order.market));
  return new JsonText(`{"order":${orderObject(order, instrument)}}`);
}

function inLegacyNames({ refusal, details }: Refused): Refused {
  const field = LEGACY_NAMES[details.field?.split('.').at(-1) ?? ''] ?? details.field;
  return refuse(refusal, { ...details, field });
}
