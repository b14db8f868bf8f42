import { type Static, Type } from '@sinclair/typebox';
import {
  OrderSource,
  OrderType,
  SelfTradePrevention,
  TimeInForce,
} from '../../../core/messages/enums.ts';
import { Refused } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { DecimalInput, Nullable } from '../../http/schema.ts';
import { closingSide, type LivePosition } from '../../venue/live-positions.ts';
import type { MarketEntry } from '../../venue/reference.ts';
import type { RouteContext } from '../context.ts';
import { byKeyOf } from '../orders/by-key.ts';
import { type MarginCommand, triggerUnits } from '../orders/margin-order-command.ts';
import { placedForm } from '../orders/margin-placement.ts';
import { inMarginOrder, inTriggers } from '../orders/refusal-fields.ts';
import { ClientOrderId, OrderResult, StopLoss, TakeProfit } from '../orders/schemas.ts';
import { DEFAULT_SELF_TRADE_PREVENTION } from '../orders/spot-order-command.ts';
import { lotUnits } from '../orders/units.ts';
import { PositionRead } from './position-form.ts';
import { positionUnknown, readPositionId } from './position-id.ts';
import { PositionReader } from './position-reader.ts';

const CloseOrder = Type.Object({
  requestedLotAmount: Type.Optional(
    Nullable(DecimalInput({ description: 'Left out or null: all that no other order closes.' })),
  ),
  clientOrderId: Type.Optional(Nullable(ClientOrderId)),
});
type CloseOrder = Static<typeof CloseOrder>;

/** What owners do to positions. */
export function positionChangeRoutes(context: RouteContext): Route[] {
  return [closePosition(context), setTriggers(context)];
}

function closePosition(context: RouteContext): Route {
  const { venue } = context;
  const positions = new PositionReader(context);
  return route({
    method: 'POST',
    path: '/frontoffice/api/v4/positions/{positionId}/close',
    area: 'trading',
    operation: 'trading-ui',
    account: true,
    extension: true,
    summary: 'Closes a position, or a part of it, by a Market order that takes what there is.',
    body: Type.Object({ order: Type.Optional(Nullable(CloseOrder)) }),
    responses: { 200: OrderResult },
    handler: async ({ params, body, account, session, now }) => {
      const positionId = readPositionId(params.positionId);
      if (positionId instanceof Refused) return positionId;
      // Also of a position that is closed: a repeat of the request that closed it is answered again.
      const position = await positions.openOrClosed(account.index, positionId, now);
      if (position instanceof Refused) return position;
      if (position === undefined) return positionUnknown(positionId);
      const market = venue.reference.market(position.market);
      const byKey = byKeyOf(session);
      const command = closingCommand(body.order ?? {}, market, position, positionId, byKey);
      if (command instanceof Refused) return command;
      const placed = await venue.placeOnMargin({ ...command, account: account.index, time: now });
      if (!(placed instanceof Refused)) {
        const { type } = market.configuration;
        return placedForm(context, placed, account.index, { type, named: body.order ?? {} });
      }
      const refused = inMarginOrder<never>(placed);
      return positions.explain(refused, account.index, positionId);
    },
  });
}

function closingCommand(
  order: CloseOrder,
  { index, configuration }: MarketEntry,
  position: Pick<LivePosition, 'side'>,
  positionId: number,
  byKey: number,
): Omit<MarginCommand, 'account' | 'time'> | Refused {
  const { priceScale, amountScale, margin } = configuration;
  const asked = order.requestedLotAmount ?? null;
  const field = 'order.requestedLotAmount';
  const quantity = asked === null ? 0 : lotUnits(asked, amountScale, margin?.lotStep ?? 1, field);
  if (typeof quantity !== 'number') return quantity;
  return {
    market: index,
    side: closingSide(position),
    type: OrderType.Market,
    timeInForce: TimeInForce.Ioc,
    source: OrderSource.Manual,
    byKey,
    postOnly: 0,
    selfTradePrevention: SelfTradePrevention[DEFAULT_SELF_TRADE_PREVENTION],
    isTrailing: 0,
    priceScale,
    amountScale,
    leverage: 0,
    price: 0,
    quantity,
    expiresAt: 0,
    activationPrice: 0,
    stopLoss: 0,
    takeProfit: 0,
    positionId,
    clientOrderId: order.clientOrderId ?? '',
    comment: '',
  };
}

function setTriggers(context: RouteContext): Route {
  const { venue } = context;
  const positions = new PositionReader(context);
  return route({
    method: 'PUT',
    path: '/frontoffice/api/v4/positions/{positionId}/triggers',
    area: 'trading',
    operation: 'trading-ui',
    account: true,
    extension: true,
    summary: 'Sets the stop-loss and the take-profit of a position; one that is left out ends.',
    body: Type.Object({
      stopLoss: Type.Optional(Nullable(StopLoss)),
      takeProfit: Type.Optional(Nullable(TakeProfit)),
    }),
    responses: { 200: Type.Object({ position: PositionRead }) },
    handler: async ({ params, body, account, now }) => {
      const positionId = readPositionId(params.positionId);
      if (positionId instanceof Refused) return positionId;
      const position = await positions.openOrClosed(account.index, positionId, now);
      if (position instanceof Refused) return position;
      if (position === undefined) return positionUnknown(positionId);
      const { priceScale } = venue.reference.market(position.market).configuration;
      const triggers = triggerUnits(body, priceScale, '');
      if (triggers instanceof Refused) return triggers;
      const { stopLoss, takeProfit, isTrailing } = triggers;
      const set = await venue.cold<object>(now, {
        type: 'SetPositionTriggers',
        accountId: account.accountId,
        positionId,
        priceScale,
        stopLoss,
        takeProfit,
        isTrailing: isTrailing === 1,
      });
      if (set instanceof Refused) {
        return positions.explain(inTriggers<never>(set), account.index, positionId);
      }
      const changed = await positions.find(account.index, positionId, now);
      if (changed instanceof Refused) return changed;
      const form = await positions.form(changed, account.index);
      return form instanceof Refused ? form : { position: form };
    },
  });
}
