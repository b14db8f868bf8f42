import { formatUnits } from '../../fixed-point/index.ts';
import type { OrderReplaced } from '../../messages/book-results.ts';
import { OrderType } from '../../messages/enums.ts';
import { MarginOrderAmended } from '../../messages/margin-events.ts';
import { Refusals } from '../../messages/refusals.ts';
import { type Denial, deny } from '../denial.ts';
import type { Market } from '../market.ts';
import { sideOf } from '../order-table.ts';
import type { Recorder } from '../recorder.ts';
import type { Reservations } from '../reservations.ts';
import type { ClearingState } from '../state.ts';
import { checkLotStep, checkRoom, marginPrice } from './margin-admission.ts';
import { checkMargin } from './margin-limits.ts';
import type { MarketMargin } from './market-margin.ts';
import { requirementOf } from './requirement.ts';

/** What an amend on margin needs and brings; when it takes effect, the book decides (amendment.ts). */
export class MarginAmendment {
  private readonly state: ClearingState;
  private readonly recorder: Recorder;
  private readonly reservations: Reservations;
  /** What the rest of an order will need once its amend is through, quote units. */
  private readonly margins = new Map<number, bigint>();
  private readonly event = MarginOrderAmended.blank();

  constructor(state: ClearingState, recorder: Recorder, reservations: Reservations) {
    this.state = state;
    this.recorder = recorder;
    this.reservations = reservations;
  }

  /** Reserves what the order will need beyond what it does until the book has answered. */
  reserve(market: Market, slot: number, price: number, quantity: number): Denial | undefined {
    const { orders } = market;
    const { terms } = market.margin as MarketMargin;
    const account = orders.accounts[slot] as number;
    const orderId = orders.orderIds[slot] as number;
    const remaining = orders.remainings[slot] as number;
    const more = quantity - (orders.quantities[slot] as number);
    const side = sideOf(orders.traits[slot] as number);
    const closes = terms.positionIds[slot] !== 0;
    if (closes && more > 0) {
      const value = formatUnits(quantity, market.configuration.amountScale);
      return deny(Refusals.AmendClosing, 'requestedAmount', value);
    }
    const denial = checkLotStep(market, quantity);
    if (denial !== undefined) return denial;
    if (closes) {
      this.margins.set(orderId, 0n);
      return undefined;
    }
    const required = requirementOf(
      this.state,
      market,
      {
        account,
        side,
        price: marginPrice(market, { type: OrderType.Limit, side, price }),
        quantity: remaining + more,
        leverage: terms.leverages[slot] as number,
      },
      { quantity: remaining, margin: orders.holds[slot] as bigint },
    );
    if ('refusal' in required) return required;
    const growth = required.growth > 0n ? required.growth : 0n;
    const lack =
      (more > 0 ? checkRoom(this.state, market, account, side, more) : undefined) ??
      (growth > 0n ? checkMargin(this.state, this.reservations, account, growth, 0n) : undefined);
    if (lack !== undefined) return lack;
    this.margins.set(orderId, required.margin);
    this.reservations.reserve(orderId, account, growth);
    return undefined;
  }

  /** The book changed the order; `quantity` is its whole amount now. */
  replaced(market: Market, replaced: OrderReplaced, quantity: number, now: number): void {
    const { slot, remaining, limit } = replaced;
    const { orders } = market;
    const { event } = this;
    const orderId = orders.orderIds[slot] as number;
    const margin = this.margins.get(orderId);
    if (margin === undefined) throw new Error(`no amend of order ${orderId} is under way`);
    this.abandoned(orderId);
    event.time = now;
    event.orderId = orderId;
    event.account = orders.accounts[slot] as number;
    event.market = market.index;
    event.slot = slot;
    event.keptPriority = replaced.keptPriority;
    event.priority = replaced.priority;
    event.price = limit;
    event.quantity = quantity;
    event.remaining = remaining;
    event.margin = margin;
    this.recorder.marginOrderAmended(event);
  }

  abandoned(orderId: number): void {
    this.margins.delete(orderId);
    this.reservations.release(orderId);
  }
}
