import { Type } from '@sinclair/typebox';
import { type MarketTypeName, nameAt, ORDER_STATUSES } from '../../../core/messages/enums.ts';
import { Refused } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { openStatus } from '../../venue/live-orders.ts';
import type { Placed } from '../../venue/venue.ts';
import type { RouteContext } from '../context.ts';
import { byKeyOf } from './by-key.ts';
import { marginOrderExample, marginStopOrderExample, SPOT_STOP_ORDER_EXAMPLE } from './examples.ts';
import { type Naming, placedBefore, placedElsewhere } from './first-answers.ts';
import { asStopOrder, MarginOrderCommands } from './margin-order-command.ts';
import { inMarginOrder, inOrder } from './refusal-fields.ts';
import { MarginOrder, MarginStopOrder, OrderResult, SpotStopOrder } from './schemas.ts';
import { SpotOrderCommands } from './spot-order-command.ts';

/** The part of the path that stands for a type of market. */
export const MARGIN_PATHS = { Cfd: 'cfd', Perp: 'perpetual' } as const;
export type MarginType = keyof typeof MARGIN_PATHS;

/** Placing orders on margin, and stop orders. */
export function marginPlacementRoutes(context: RouteContext): Route[] {
  return [
    placeOnMargin(context, 'Cfd'),
    placeOnMargin(context, 'Perp'),
    placeStopOnMargin(context, 'Cfd'),
    placeStopOnMargin(context, 'Perp'),
    placeSpotStop(context),
  ];
}

function placeOnMargin(context: RouteContext, type: MarginType): Route {
  const { venue, timeZone } = context;
  const commands = new MarginOrderCommands(venue.reference, type, timeZone);
  return route({
    method: 'POST',
    path: `/frontoffice/api/${MARGIN_PATHS[type]}/v4/orders`,
    area: 'trading',
    operation: 'trading-ui',
    account: true,
    summary: `Places a ${type} order; the answer has its state when it was admitted.`,
    body: Type.Object({ order: MarginOrder }),
    example: { body: marginOrderExample(type) },
    responses: { 200: OrderResult },
    handler: async ({ body: { order }, account, session, now }) => {
      const market = commands.market(order.marketId);
      if (market instanceof Refused) return market;
      const command = commands.command(order, market, account.index, now, byKeyOf(session));
      if (command instanceof Refused) return command;
      const placed = inMarginOrder(await venue.placeOnMargin(command));
      if (placed instanceof Refused) return placed;
      return placedForm(context, placed, account.index, { type, named: order });
    },
  });
}

function placeStopOnMargin(context: RouteContext, type: MarginType): Route {
  const { venue, timeZone } = context;
  const commands = new MarginOrderCommands(venue.reference, type, timeZone);
  return route({
    method: 'POST',
    path: `/frontoffice/api/${MARGIN_PATHS[type]}/v4/stop-orders`,
    area: 'trading',
    operation: 'trading-ui',
    account: true,
    ...(type === 'Cfd' ? {} : ({ extension: true } as const)),
    summary: `Places a ${type} order that waits for a price; beyond that price it is placed at once.`,
    body: Type.Object({ order: MarginStopOrder }),
    example: { body: marginStopOrderExample(type) },
    responses: { 200: OrderResult },
    handler: async ({ body: { order }, account, session, now }) => {
      const market = commands.market(order.marketId);
      if (market instanceof Refused) return market;
      const { priceScale } = market.configuration;
      const limit = commands.command(order, market, account.index, now, byKeyOf(session));
      const command = asStopOrder(limit, order.activationPrice, priceScale);
      if (command instanceof Refused) return command;
      const placed = inMarginOrder(await venue.placeOnMargin(command));
      return placed instanceof Refused ? placed : stopForm(context, placed, account.index, order);
    },
  });
}

function placeSpotStop(context: RouteContext): Route {
  const { venue, timeZone } = context;
  const commands = new SpotOrderCommands(venue.reference, timeZone);
  return route({
    method: 'POST',
    path: '/frontoffice/api/v3/stop-orders',
    area: 'trading',
    operation: 'trading-ui',
    account: true,
    extension: true,
    summary: 'Places a Spot order that waits for a price; funds are held once it is reached.',
    body: Type.Object({ order: SpotStopOrder }),
    example: { body: SPOT_STOP_ORDER_EXAMPLE },
    responses: { 200: OrderResult },
    handler: async ({ body: { order }, account, session, now }) => {
      const market = commands.market(order.marketId);
      if (market instanceof Refused) return market;
      const spot = commands.command(order, market, account.index, now, byKeyOf(session));
      if (spot instanceof Refused) return spot;
      const { priceScale } = market.configuration;
      const onMargin = { ...spot, ...NOT_ON_MARGIN };
      const command = asStopOrder(onMargin, order.activationPrice, priceScale);
      if (command instanceof Refused) return command;
      const placed = inOrder(await venue.placeOnMargin(command));
      return placed instanceof Refused ? placed : stopForm(context, placed, account.index, order);
    },
  });
}

/** What a Spot order does not have. */
const NOT_ON_MARGIN = {
  leverage: 0,
  stopLoss: 0,
  takeProfit: 0,
  isTrailing: 0,
  positionId: 0,
  activationPrice: 0,
} as const;

/** The order as it was admitted: a repeat of the same request gets the same answer. */
export async function placedForm(
  { orders, venue }: RouteContext,
  { orderId, replayed }: Placed,
  account: number,
  { type, named }: { readonly type: MarketTypeName; readonly named: Naming },
): Promise<OrderResult | Refused> {
  const found = await orders.find(account, orderId);
  const order = replayed ? placedBefore(found, type, venue.reference, named) : found;
  if (order instanceof Refused) return order;
  const status = nameAt(ORDER_STATUSES, openStatus(order.type, order.timeInForce));
  return { order: { orderId: String(orderId), status } };
}

/** Stop orders have states of their own; here they are orders that have been taken. */
async function stopForm(
  { orders }: RouteContext,
  { orderId, replayed }: Placed,
  account: number,
  named: Naming,
): Promise<OrderResult | Refused> {
  const isStopOrder = !replayed || (await orders.isStopOrder(account, orderId));
  if (isStopOrder instanceof Refused) return isStopOrder;
  if (!isStopOrder) return placedElsewhere(named);
  return { order: { orderId: String(orderId), status: 'Started' } };
}
