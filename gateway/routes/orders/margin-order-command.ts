import {
  type MarketTypeName,
  OrderSource,
  OrderType,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../../core/messages/enums.ts';
import type { PlaceMarginOrder } from '../../../core/messages/margin-commands.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { Refused, refuse } from '../../http/refused.ts';
import type { MarketEntry, Reference } from '../../venue/reference.ts';
import type { Ticketless } from '../../venue/venue.ts';
import { OrderExpiry } from './order-expiry.ts';
import type { MarginOrder } from './schemas.ts';
import { DEFAULT_SELF_TRADE_PREVENTION } from './spot-order-command.ts';
import { lotUnits, priceUnits, priceUnitsOrNone } from './units.ts';

export type MarginCommand = Ticketless<PlaceMarginOrder>;

/** Turns the bodies of orders in lots into commands: names into indexes, decimals into units. */
export class MarginOrderCommands {
  private readonly reference: Reference;
  private readonly type: MarketTypeName;
  private readonly expiry: OrderExpiry;

  /** For one type of market: that of the path. */
  constructor(reference: Reference, type: 'Cfd' | 'Perp', timeZone: string) {
    this.reference = reference;
    this.type = type;
    this.expiry = new OrderExpiry(timeZone);
  }

  /** The market that an order names, with or without its type; one of another type is refused. */
  market(marketId: string): MarketEntry | Refused {
    const full = marketId.includes('.') ? marketId : `${this.type.toLowerCase()}.${marketId}`;
    const market = this.reference.marketOf(full);
    const details = { field: 'order.marketId', value: marketId };
    if (market === undefined || market.configuration.hidden === true) {
      return refuse(Refusals.MarketUnknown, details);
    }
    if (market.configuration.type === this.type) return market;
    return refuse(Refusals.MarketTypeMismatch, { ...details, limit: this.type });
  }

  command(
    order: MarginOrder,
    market: MarketEntry,
    account: number,
    now: number,
    byKey: number,
  ): MarginCommand | Refused {
    const { priceScale, amountScale, margin } = market.configuration;
    const lotStep = margin?.lotStep ?? 1;
    const field = 'order.requestedLotAmount';
    const quantity = lotUnits(order.requestedLotAmount, amountScale, lotStep, field);
    if (typeof quantity !== 'number') return quantity;
    const price = priceUnitsOrNone(order.requestedPrice, priceScale, 'order.requestedPrice');
    if (typeof price !== 'number') return price;
    const triggers = triggerUnits(order, priceScale, 'order.');
    if (triggers instanceof Refused) return triggers;
    return {
      time: now,
      account,
      market: market.index,
      side: Side[order.side],
      type: OrderType[order.orderType],
      timeInForce: TimeInForce[order.timeInForce],
      source: OrderSource.Manual,
      byKey,
      postOnly: order.postOnly === true ? 1 : 0,
      selfTradePrevention:
        SelfTradePrevention[order.selfTradePrevention ?? DEFAULT_SELF_TRADE_PREVENTION],
      ...triggers,
      priceScale,
      amountScale,
      leverage: order.leverage ?? 0,
      price,
      quantity,
      expiresAt: this.expiry.of(order, now),
      activationPrice: 0,
      positionId: 0,
      clientOrderId: order.clientOrderId ?? '',
      comment: order.comment ?? '',
    };
  }
}

/** The prices of triggers in ticks, 0 for none. */
export function triggerUnits(
  { stopLoss, takeProfit }: Pick<MarginOrder, 'stopLoss' | 'takeProfit'>,
  priceScale: number,
  path: string,
): Pick<MarginCommand, 'stopLoss' | 'takeProfit' | 'isTrailing'> | Refused {
  const stop = priceUnitsOrNone(stopLoss?.price, priceScale, `${path}stopLoss.price`);
  if (typeof stop !== 'number') return stop;
  const profit = priceUnitsOrNone(takeProfit?.price, priceScale, `${path}takeProfit.price`);
  if (typeof profit !== 'number') return profit;
  return { stopLoss: stop, takeProfit: profit, isTrailing: stopLoss?.isTrailing === true ? 1 : 0 };
}

/** The same order, waiting for a price first. */
export function asStopOrder(
  command: MarginCommand | Refused,
  activationPrice: string,
  priceScale: number,
): MarginCommand | Refused {
  if (command instanceof Refused) return command;
  const price = priceUnits(activationPrice, priceScale, 'order.activationPrice');
  return typeof price === 'number' ? { ...command, activationPrice: price } : price;
}
