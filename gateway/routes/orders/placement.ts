import { Type } from '@sinclair/typebox';
import type { MarketConfiguration } from '../../../core/messages/configuration.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { DecimalInput, Nullable } from '../../http/schema.ts';
import type { RouteContext } from '../context.ts';
import { byKeyOf } from './by-key.ts';
import { SPOT_ORDER_EXAMPLE } from './examples.ts';
import { placedBefore } from './first-answers.ts';
import { creationForm, stateForm } from './forms.ts';
import { readOrderId } from './order-id.ts';
import { inMarginOrder, inOrder } from './refusal-fields.ts';
import { OrderForm, SpotOrder } from './schemas.ts';
import { SpotOrderCommands } from './spot-order-command.ts';
import { amountUnits, lotUnits, priceUnitsOrNone } from './units.ts';

const OrderAnswer = Type.Object({ order: OrderForm });

interface Amounts {
  readonly requestedAmount?: string | null;
  readonly requestedLotAmount?: string | null;
}

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
    example: { body: SPOT_ORDER_EXAMPLE },
    responses: { 201: OrderAnswer },
    handler: async ({ body, account, session, now }) => {
      const market = commands.market(body.order.marketId);
      if (market instanceof Refused) return market;
      const byKey = byKeyOf(session);
      const command = commands.command(body.order, market, account.index, now, byKey);
      if (command instanceof Refused) return command;
      const placed = inOrder(await venue.place(command));
      if (placed instanceof Refused) return placed;
      const found = orders.find(account.index, placed.orderId);
      let order = found instanceof Promise ? await found : found;
      if (placed.replayed) order = placedBefore(order, 'Spot', reference, body.order);
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
        requestedAmount: Type.Optional(Nullable(DecimalInput({ description: 'Spot only.' }))),
        requestedLotAmount: Type.Optional(
          Nullable(DecimalInput({ description: 'Cfd and Perp only.' })),
        ),
      }),
    }),
    responses: { 200: OrderAnswer },
    handler: async ({ params, body, account, now }) => {
      const orderId = readOrderId(params.orderId);
      if (orderId instanceof Refused) return orderId;
      const changes = body.order;
      const amount = changes.requestedLotAmount ?? changes.requestedAmount;
      if ((changes.requestedPrice ?? amount ?? null) === null) {
        return refuse(Refusals.NothingToAmend, { field: 'order.requestedPrice' });
      }
      const known = await orders.find(account.index, orderId);
      if (known instanceof Refused) return known;
      const { configuration } = reference.market(known.market);
      const { priceScale, amountScale } = configuration;
      const asked = changes.requestedPrice;
      const price = priceUnitsOrNone(asked, priceScale, 'order.requestedPrice');
      if (price instanceof Refused) return price;
      const quantity = changedQuantity(changes, configuration);
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
      if (!(state instanceof Refused)) {
        return { order: stateForm(state, reference.market(state.market)) };
      }
      const named = configuration.type === 'Spot' ? inOrder(state) : inMarginOrder(state);
      return orders.explain(named, account.index, orderId);
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
    summary: 'Cancels an open order, or a stop order that waits.',
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

/** 0 keeps what the order has. Amounts of Spot are base assets, those of other markets lots. */
function changedQuantity(
  { requestedAmount, requestedLotAmount }: Amounts,
  { type, amountScale, margin }: MarketConfiguration,
): number | Refused {
  const isSpot = type === 'Spot';
  const [amount, other] = isSpot
    ? [requestedAmount, requestedLotAmount]
    : [requestedLotAmount, requestedAmount];
  const names = ['order.requestedAmount', 'order.requestedLotAmount'] as const;
  const [field, otherField] = isSpot ? names : ([names[1], names[0]] as const);
  if (other !== undefined && other !== null) {
    return refuse(Refusals.FieldNotTaken, { field: otherField, limit: `a ${type} order` });
  }
  if (amount === undefined || amount === null) return 0;
  if (isSpot) return amountUnits(amount, amountScale, field);
  return lotUnits(amount, amountScale, margin?.lotStep ?? 1, field);
}
