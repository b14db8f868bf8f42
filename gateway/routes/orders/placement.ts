import { Type } from '@sinclair/typebox';
import { Refusals } from '../../../core/messages/refusals.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { DecimalInput, Nullable } from '../../http/schema.ts';
import type { RouteContext } from '../context.ts';
import { creationForm, stateForm } from './forms.ts';
import { readOrderId } from './order-id.ts';
import { OrderForm, SpotOrder } from './schemas.ts';
import { amountUnits, priceUnits, SpotOrderCommands } from './spot-order-command.ts';

const OrderAnswer = Type.Object({ order: OrderForm });

/** Placing, changing and cancelling orders. */
export function placementRoutes(context: RouteContext): Route[] {
  return [placeOrder(context), amendOrder(context), cancelOrder(context), cancelAllOrders(context)];
}

function placeOrder({ venue, orders, timeZone }: RouteContext): Route {
  const { reference } = venue;
  const commands = new SpotOrderCommands(reference, timeZone);
  return route({
    method: 'POST',
    path: '/frontoffice/api/v3/orders',
    area: 'trading',
    operation: 'trading-ui',
    account: true,
    summary: 'Places a Spot order; the answer shows it as it was admitted.',
    body: Type.Object({ order: SpotOrder }),
    responses: { 201: OrderAnswer },
    handler: async ({ body, account, now }) => {
      const market = commands.market(body.order.marketId);
      if (market instanceof Refused) return market;
      const command = commands.command(body.order, market, account.index, now);
      if (command instanceof Refused) return command;
      const placed = await venue.place(command);
      if (placed instanceof Refused) return placed;
      const order = await orders.find(account.index, placed.orderId);
      if (order instanceof Refused) return order;
      return { order: creationForm(order, reference.market(order.market)) };
    },
  });
}

function amendOrder({ venue, orders }: RouteContext): Route {
  const { reference } = venue;
  return route({
    method: 'PATCH',
    path: '/frontoffice/api/v4/orders/{orderId}',
    area: 'trading',
    operation: 'trading-ui',
    account: true,
    extension: true,
    summary:
      'Changes price and amount; only a smaller amount at the same price keeps its priority.',
    body: Type.Object({
      order: Type.Object({
        requestedPrice: Type.Optional(Nullable(DecimalInput())),
        requestedAmount: Type.Optional(Nullable(DecimalInput())),
      }),
    }),
    responses: { 200: OrderAnswer },
    handler: async ({ params, body, account, now }) => {
      const orderId = readOrderId(params.orderId);
      if (orderId instanceof Refused) return orderId;
      const { requestedPrice, requestedAmount } = body.order;
      if ((requestedPrice ?? requestedAmount ?? null) === null) {
        return refuse(Refusals.NothingToAmend, { field: 'order.requestedPrice' });
      }
      const known = await orders.find(account.index, orderId);
      if (known instanceof Refused) return known;
      const { configuration } = reference.market(known.market);
      const { priceScale, amountScale } = configuration;
      const price = priceUnitsOrNone(requestedPrice, priceScale);
      if (price instanceof Refused) return price;
      const quantity = amountUnitsOrNone(requestedAmount, amountScale);
      if (quantity instanceof Refused) return quantity;
      const state = await venue.amend({
        time: now,
        account: account.index,
        orderId,
        priceScale,
        amountScale,
        price,
        quantity,
      });
      if (state instanceof Refused) return orders.explain(state, account.index, orderId);
      return { order: stateForm(state, reference.market(state.market)) };
    },
  });
}

function cancelOrder({ venue, orders }: RouteContext): Route {
  const { reference } = venue;
  return route({
    method: 'DELETE',
    path: '/frontoffice/api/v3/orders/{orderId}',
    area: 'trading',
    operation: 'trading-ui',
    account: true,
    rateClass: 'cancel',
    summary: 'Cancels an open order.',
    responses: { 200: OrderAnswer },
    handler: async ({ params, account, now }) => {
      const orderId = readOrderId(params.orderId);
      if (orderId instanceof Refused) return orderId;
      const command = { time: now, account: account.index, orderId, clientOrderId: '' };
      const state = await venue.cancel(command);
      if (state instanceof Refused) return orders.explain(state, account.index, orderId);
      return { order: stateForm(state, reference.market(state.market)) };
    },
  });
}

function cancelAllOrders({ venue }: RouteContext): Route {
  const { reference } = venue;
  return route({
    method: 'DELETE',
    path: '/frontoffice/api/v4/orders',
    area: 'trading',
    operation: 'trading-ui',
    account: true,
    extension: true,
    rateClass: 'cancel',
    summary: 'Cancels every open order of the account, or those of one market.',
    query: Type.Object({ marketId: Type.Optional(Type.String()) }),
    responses: { 200: Type.Object({ cancelledCount: Type.Integer() }) },
    handler: async ({ query, account, now }) => {
      const { marketId } = query;
      const market = marketId === undefined ? undefined : reference.marketOf(marketId);
      if (marketId !== undefined && market === undefined) {
        return refuse(Refusals.MarketUnknown, { field: 'marketId', value: marketId });
      }
      const cancelledCount = await venue.cancelAll(now, account.index, market?.index);
      return cancelledCount instanceof Refused ? cancelledCount : { cancelledCount };
    },
  });
}

/** 0 keeps what the order has. */
function priceUnitsOrNone(text: string | null | undefined, scale: number): number | Refused {
  if (text === undefined || text === null) return 0;
  return priceUnits(text, scale, 'order.requestedPrice');
}

function amountUnitsOrNone(text: string | null | undefined, scale: number): number | Refused {
  if (text === undefined || text === null) return 0;
  return amountUnits(text, scale, 'order.requestedAmount');
}
