import type { PlaceOrder } from '../../../core/messages/commands.ts';
import {
  OrderSource,
  OrderType,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../../core/messages/enums.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { type Refused, refuse } from '../../http/refused.ts';
import type { MarketEntry, Reference } from '../../venue/reference.ts';
import type { Ticketless } from '../../venue/venue.ts';
import { OrderExpiry } from './order-expiry.ts';
import type { SpotOrder } from './schemas.ts';
import { amountUnits, priceUnitsOrNone } from './units.ts';

/** What a client may leave out. */
export const DEFAULT_SELF_TRADE_PREVENTION = 'EXPIRE_TAKER';

/** Turns the bodies of Spot orders into commands: names into indexes, decimals into units. */
export class SpotOrderCommands {
  private readonly reference: Reference;
  private readonly expiry: OrderExpiry;

  constructor(reference: Reference, timeZone: string) {
    this.reference = reference;
    this.expiry = new OrderExpiry(timeZone);
  }

  /** The market that a Spot order names, with or without its `spot.`. */
  market(marketId: string): MarketEntry | Refused {
    const full = marketId.startsWith('spot.') ? marketId : `spot.${marketId}`;
    const market = this.reference.marketOf(full);
    if (market !== undefined && market.configuration.hidden !== true) return market;
    return refuse(Refusals.MarketUnknown, { field: 'order.marketId', value: marketId });
  }

  command(
    order: SpotOrder,
    market: MarketEntry,
    account: number,
    now: number,
    byKey: number,
  ): Ticketless<PlaceOrder> | Refused {
    const { priceScale, amountScale } = market.configuration;
    const quantity = amountUnits(order.requestedAmount, amountScale, 'order.requestedAmount');
    if (typeof quantity !== 'number') return quantity;
    const price = priceUnitsOrNone(order.requestedPrice, priceScale, 'order.requestedPrice');
    if (typeof price !== 'number') return price;
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
      priceScale,
      amountScale,
      price,
      quantity,
      expiresAt: this.expiry.of(order, now),
      clientOrderId: order.clientOrderId ?? '',
      comment: order.comment ?? '',
    };
  }
}
