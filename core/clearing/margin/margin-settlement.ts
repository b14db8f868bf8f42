import { divide } from '../../fixed-point/index.ts';
import type { Fill } from '../../messages/book-results.ts';
import { Side } from '../../messages/enums.ts';
import { MarginExecution } from '../../messages/margin-events.ts';
import { greater, notionalOf } from '../charges.ts';
import type { Market } from '../market.ts';
import { sideOf } from '../order-table.ts';
import { inRootFloor } from '../rates.ts';
import type { Recorder } from '../recorder.ts';
import type { ClearingState } from '../state.ts';
import { marginOf, quoteFloor } from './account-margin.ts';
import { commissionOf } from './commission.ts';
import { Deductions } from './deductions.ts';
import { NO_ROW } from './exposures.ts';
import type { MarketMargin } from './market-margin.ts';
import { NO_POSITION } from './positions.ts';
import { fitting } from './room.ts';

/**
 * Turns fills of markets on margin into executions: what each side closes is settled in root units,
 * what it opens takes margin, and a commission is charged.
 */
export class MarginSettlement {
  private readonly state: ClearingState;
  private readonly recorder: Recorder;
  private readonly deductions: Deductions;
  private readonly execution = MarginExecution.blank();

  constructor(state: ClearingState, recorder: Recorder) {
    this.state = state;
    this.recorder = recorder;
    this.deductions = new Deductions(state, recorder);
  }

  /** `completed` is called with each order that the fill completes, before it leaves the table. */
  fill(
    market: Market,
    fill: Fill,
    now: number,
    completed: (slot: number, notional: bigint, commission: bigint) => void,
  ): void {
    const { price, quantity } = fill;
    const notional = notionalOf(price, quantity);
    for (const slot of [fill.taker, fill.maker]) {
      const execution = this.plan(market, slot, price, quantity, now);
      execution.isMaker = slot === fill.maker ? 1 : 0;
      if (execution.remaining === 0) completed(slot, notional, execution.commission);
      this.recorder.marginExecution(execution);
    }
    this.deductions.flush(now);
  }

  private plan(
    market: Market,
    slot: number,
    price: number,
    quantity: number,
    now: number,
  ): MarginExecution {
    const { execution, state } = this;
    const { orders } = market;
    const { terms } = market.margin as MarketMargin;
    const remaining = (orders.remainings[slot] as number) - quantity;
    execution.time = now;
    execution.executionId = state.nextExecutionId;
    execution.orderId = orders.orderIds[slot] as number;
    execution.account = orders.accounts[slot] as number;
    execution.market = market.index;
    execution.slot = slot;
    execution.side = sideOf(orders.traits[slot] as number);
    execution.reason = terms.reasons[slot] as number;
    execution.price = price;
    execution.quantity = quantity;
    execution.remaining = remaining;
    const whole = orders.quantities[slot] as number;
    execution.orderMargin = terms.marginOfRest(slot, remaining, whole);
    const rate = state.rates.ofQuote(market);
    execution.rate = rate.rate;
    const target = this.targetOf(market, slot);
    this.planClose(market, target);
    this.planOpen(market, slot, target);
    this.planCommission(market, slot);
    return execution;
  }

  /** The slot of the position that a fill of this order meets, or `NO_POSITION`. */
  private targetOf(market: Market, slot: number): number {
    const { positions, exposures, accounts } = this.state;
    const account = market.orders.accounts[slot] as number;
    if (accounts.isNetting(account)) {
      const row = exposures.find(account, market.index);
      return row === NO_ROW ? NO_POSITION : (exposures.firstPositions[row] as number);
    }
    const { terms } = market.margin as MarketMargin;
    const closes = terms.positionIds[slot] as number;
    return positions.find(closes !== 0 ? closes : (terms.openedPositionIds[slot] as number));
  }

  private planClose(market: Market, target: number): void {
    const { execution, state } = this;
    const { positions } = state;
    const closes = target !== NO_POSITION && positions.sides[target] !== execution.side;
    const held = closes ? (positions.quantities[target] as number) : 0;
    const closed = Math.min(held, execution.quantity);
    execution.closedPositionId = closed > 0 ? (positions.ids[target] as number) : 0;
    execution.closedQuantity = closed;
    execution.closedNotional = 0n;
    execution.closedMargin = 0n;
    execution.realized = 0n;
    execution.realizedInRoot = 0n;
    if (closed === 0) return;
    const opened = partOf(positions.openNotionals[target] as bigint, closed, held);
    const proceeds = notionalOf(execution.price, closed);
    const gain = execution.side === Side.Sell ? proceeds - opened : opened - proceeds;
    execution.closedNotional = opened;
    execution.closedMargin = partOf(positions.margins[target] as bigint, closed, held);
    execution.realized = quoteFloor(market, gain);
    execution.realizedInRoot = this.bookable(market, execution);
  }

  /** The profit or loss in root units, as far as both ledgers have room for it. */
  private bookable(market: Market, { account, realized }: MarginExecution): bigint {
    const { ledger, rates, rootAsset } = this.state;
    const inRoot = inRootFloor(rates.ofQuote(market), realized);
    const fits = fitting(ledger.total(ledger.find(account, rootAsset)), inRoot);
    return -fitting((market.margin as MarketMargin).settlement, -fits);
  }

  private planOpen(market: Market, slot: number, target: number): void {
    const { execution, state } = this;
    const opened = execution.quantity - execution.closedQuantity;
    execution.openedPositionId = 0;
    execution.openedQuantity = opened;
    execution.openedMargin = 0n;
    if (opened === 0) return;
    const { terms } = market.margin as MarketMargin;
    const adds = target !== NO_POSITION && state.positions.sides[target] === execution.side;
    execution.openedPositionId = adds
      ? (state.positions.ids[target] as number)
      : state.nextPositionId;
    const notional = notionalOf(execution.price, opened);
    execution.openedMargin = marginOf(market, notional, terms.leverages[slot] as number);
  }

  private planCommission(market: Market, slot: number): void {
    const { execution, state } = this;
    const { orders } = market;
    const { terms } = market.margin as MarketMargin;
    const fee = orders.feeTermsAt(slot);
    const come = commissionOf(
      market,
      state.rates.ofQuote(market),
      notionalOf(execution.price, execution.quantity),
      execution.quantity,
      fee.rate,
      terms.feesPerLot[slot] as bigint,
    );
    const accrued = (terms.accrued[slot] as bigint) + come;
    const due = greater(accrued, fee.minimum);
    execution.commissionAccrued = accrued;
    execution.commission = due - (orders.commissions[slot] as bigint);
    execution.commissionFromRoot = this.deductions.plan(
      execution.executionId,
      execution.account,
      execution.commission,
      execution.realizedInRoot,
    );
  }
}

/** floor(whole × part / quantity): the last part takes all that is left. */
function partOf(whole: bigint, part: number, quantity: number): bigint {
  if (part === quantity) return whole;
  return divide(whole * BigInt(part), BigInt(quantity), 'floor');
}
