import {
  formatUnits,
  NOT_A_DECIMAL,
  OFF_STEP,
  parseUnits,
  TOO_LARGE,
} from '../../../core/fixed-point/index.ts';
import { endOfDay } from '../../../core/market/index.ts';
import type { PlaceOrder } from '../../../core/messages/commands.ts';
import {
  OrderSource,
  OrderType,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../../core/messages/enums.ts';
import { type Refusal, Refusals } from '../../../core/messages/refusals.ts';
import { type Refused, refuse } from '../../http/refused.ts';
import type { MarketEntry, Reference } from '../../venue/reference.ts';
import type { Ticketless } from '../../venue/venue.ts';
import type { SpotOrder } from './schemas.ts';

/** What a decimal with an exponent beyond all measure is told. */
const DECIMAL_FORM = 'a decimal with an exponent of at most 400';

/** What a client may leave out. */
const DEFAULT_SELF_TRADE_PREVENTION = 'EXPIRE_TAKER';

/** Turns the bodies of Spot orders into commands: names into indexes, decimals into units. */
export class SpotOrderCommands {
  private readonly reference: Reference;
  private readonly timeZone: string;
  /** The end of the platform's day, as long as it lasts. */
  private dayEnd = 0;

  constructor(reference: Reference, timeZone: string) {
    this.reference = reference;
    this.timeZone = timeZone;
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
  ): Ticketless<PlaceOrder> | Refused {
    const { priceScale, amountScale } = market.configuration;
    const quantity = amountUnits(order.requestedAmount, amountScale, 'order.requestedAmount');
    if (typeof quantity !== 'number') return quantity;
    const asked = order.requestedPrice;
    const price =
      asked === undefined || asked === null
        ? 0
        : priceUnits(asked, priceScale, 'order.requestedPrice');
    if (typeof price !== 'number') return price;
    return {
      time: now,
      account,
      market: market.index,
      side: Side[order.side],
      type: OrderType[order.orderType],
      timeInForce: TimeInForce[order.timeInForce],
      source: OrderSource.Manual,
      postOnly: order.postOnly === true ? 1 : 0,
      selfTradePrevention:
        SelfTradePrevention[order.selfTradePrevention ?? DEFAULT_SELF_TRADE_PREVENTION],
      priceScale,
      amountScale,
      price,
      quantity,
      expiresAt: this.expiry(order, now),
      clientOrderId: order.clientOrderId ?? '',
      comment: order.comment ?? '',
    };
  }

  private expiry(order: SpotOrder, now: number): number {
    if (order.timeInForce === 'Gtd') return order.cancellationDate ?? 0;
    if (order.timeInForce !== 'Day') return 0;
    if (now > this.dayEnd || now < this.dayEnd - 86_400_000) {
      this.dayEnd = endOfDay(now, this.timeZone);
    }
    return this.dayEnd;
  }
}

interface UnitRefusals {
  readonly notPositive: Refusal;
  readonly offStep: Refusal;
  readonly tooLarge: Refusal;
}

const AMOUNT: UnitRefusals = {
  notPositive: Refusals.AmountNotPositive,
  offStep: Refusals.AmountOffStep,
  tooLarge: Refusals.AmountTooLarge,
};
const PRICE: UnitRefusals = {
  notPositive: Refusals.PriceNotPositive,
  offStep: Refusals.PriceOffStep,
  tooLarge: Refusals.PriceTooLarge,
};

/** An amount in steps of 10^-scale, at least one. */
export function amountUnits(text: string, scale: number, field: string): number | Refused {
  return positiveUnits(text, scale, field, AMOUNT);
}

/** A price in ticks of 10^-scale, at least one. */
export function priceUnits(text: string, scale: number, field: string): number | Refused {
  return positiveUnits(text, scale, field, PRICE);
}

function positiveUnits(
  text: string,
  scale: number,
  field: string,
  refusals: UnitRefusals,
): number | Refused {
  const units = parseUnits(text, scale);
  if (units > 0) return units;
  if (units === OFF_STEP) {
    return refuse(refusals.offStep, { field, value: text, limit: formatUnits(1, scale) });
  }
  if (units === TOO_LARGE) {
    const limit = formatUnits(Number.MAX_SAFE_INTEGER, scale);
    return refuse(refusals.tooLarge, { field, value: text, limit });
  }
  if (units === NOT_A_DECIMAL) {
    return refuse(Refusals.BadFormat, { field, value: text, limit: DECIMAL_FORM });
  }
  return refuse(refusals.notPositive, { field, value: text });
}
