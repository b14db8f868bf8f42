import { formatUnits } from '../../fixed-point/index.ts';
import type { StopOrder } from '../../messages/cold-events.ts';
import { OrderSource, OrderType, Reason } from '../../messages/enums.ts';
import type { PlaceMarginOrder } from '../../messages/margin-commands.ts';
import { Refusals } from '../../messages/refusals.ts';
import { checkAccount, checkForm, checkMarket, checkQuantity, checkScales } from '../admission.ts';
import { type Denial, deny } from '../denial.ts';
import type { Market } from '../market.ts';
import type { Placement } from '../placement.ts';
import type { ClearingState } from '../state.ts';
import { highestLeverage } from './leverage.ts';
import { checkLotStep, checkTriggers } from './margin-admission.ts';
import type { MarginPlacement } from './margin-placement.ts';
import type { RiskDesk } from './risk.ts';

/** Places the orders of the venue the way that those of clients are placed. */
export class PlacementDesk implements RiskDesk {
  private readonly state: ClearingState;
  private readonly spot: Placement;
  private readonly margin: MarginPlacement;

  constructor(state: ClearingState, spot: Placement, margin: MarginPlacement) {
    this.state = state;
    this.spot = spot;
    this.margin = margin;
  }

  closePosition(slot: number, reason: number, now: number): number {
    return this.margin.close(slot, reason, now);
  }

  repeat(command: PlaceMarginOrder, orderId: number): void {
    this.spot.repeat(command, orderId);
  }

  check(command: PlaceMarginOrder, now: number): Denial | undefined {
    const market = this.state.market(command.market);
    return (
      checkAccount(this.state, command.account) ??
      checkMarket(market, command.side, now) ??
      checkScales(market, command.priceScale, command.amountScale) ??
      checkForm(command, now) ??
      checkQuantity(market, command.quantity) ??
      checkPriceBounds(market, 'activationPrice', command.activationPrice) ??
      checkLimit(market, command) ??
      checkOnMargin(market, command) ??
      this.spot.checkOpenOrders(command.account)
    );
  }

  place(
    stopOrder: StopOrder,
    now: number,
    admitted: (orderId: number) => void,
  ): Denial | undefined {
    const market = this.state.market(stopOrder.market);
    const { priceScale, amountScale } = market.configuration;
    const origin = { ticket: 0, source: OrderSource.StopOrder, clientOrderId: '' };
    const order = { ...stopOrder, ...origin, priceScale, amountScale };
    if (market.margin === undefined) {
      const command = { ...order, time: now };
      const terms = this.spot.admit(command, now);
      if ('refusal' in terms) return terms;
      admitted(this.state.nextOrderId);
      this.spot.accept(command, terms, now);
      return undefined;
    }
    const { orderId } = stopOrder;
    const request = { ...order, reason: Reason.Trader, positionId: 0, stopOrderId: orderId };
    const admission = this.margin.admit(request, now);
    if ('refusal' in admission) return admission;
    admitted(this.state.nextOrderId);
    this.margin.accept(request, admission, now);
    return undefined;
  }
}

/** The collar is left to the moment when the order is placed: the price will be another one by then. */
function checkPriceBounds(market: Market, field: string, price: number): Denial | undefined {
  const { priceScale, minPrice = 0 } = market.configuration;
  const { maxPrice } = market.derived;
  if (price >= minPrice && price <= maxPrice) return undefined;
  const [refusal, bound] =
    price > maxPrice ? [Refusals.PriceTooLarge, maxPrice] : [Refusals.PriceTooSmall, minPrice];
  return deny(refusal, field, formatUnits(price, priceScale), formatUnits(bound, priceScale));
}

function checkLimit(market: Market, { type, price }: PlaceMarginOrder): Denial | undefined {
  return type === OrderType.Limit ? checkPriceBounds(market, 'requestedPrice', price) : undefined;
}

/** What only orders on margin have: lots, leverage, triggers. */
function checkOnMargin(market: Market, command: PlaceMarginOrder): Denial | undefined {
  const { leverage, type, price, activationPrice, side } = command;
  const profile = market.configuration.margin?.leverage;
  if (profile === undefined) return undefined;
  const most = highestLeverage(profile);
  if (leverage > most) return deny(Refusals.LeverageTooHigh, 'leverage', `${leverage}`, `${most}`);
  const reference = type === OrderType.Limit ? price : activationPrice;
  return checkLotStep(market, command.quantity) ?? checkTriggers(market, side, reference, command);
}
