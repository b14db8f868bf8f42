import { addUnits } from '../../fixed-point/index.ts';
import { Side } from '../../messages/enums.ts';
import type {
  CommissionDeducted,
  FundingApplied,
  MarginExecution,
  MarginOrderAccepted,
  MarginOrderAmended,
  SwapsCharged,
  TrailingStopsMoved,
} from '../../messages/margin-events.ts';
import { notionalOf } from '../charges.ts';
import { HOUSE_ACCOUNT } from '../ledger.ts';
import type { Market } from '../market.ts';
import type { ClearingState } from '../state.ts';
import { quoteFloor } from './account-margin.ts';
import type { MarketMargin } from './market-margin.ts';
import { changePending, notePending } from './pending.ts';
import { NO_POSITION } from './positions.ts';

export function applyMarginOrderAccepted(state: ClearingState, event: MarginOrderAccepted): void {
  state.advance(event.time);
  const market = state.market(event.market);
  state.openOrderAt(market, event, event.margin);
  market.orders.bind(event.slot, event.feeRate, event.feeRate, event.feeMinimum);
  marginOfMarket(market).terms.set(event.slot, event);
  notePending(state, market, event.slot);
}

export function applyMarginExecution(state: ClearingState, event: MarginExecution): void {
  state.advance(event.time);
  const market = state.market(event.market);
  const margin = marginOfMarket(market);
  const { orders } = market;
  const { slot, account, price, quantity } = event;
  const notional = notionalOf(price, quantity);
  changePending(state, market, slot, -quantity, event.orderMargin - (orders.holds[slot] as bigint));
  orders.holds[slot] = event.orderMargin;
  orders.remainings[slot] = event.remaining;
  orders.tradedNotionals[slot] = (orders.tradedNotionals[slot] as bigint) + notional;
  orders.commissions[slot] = (orders.commissions[slot] as bigint) + event.commission;
  margin.terms.accrued[slot] = event.commissionAccrued;
  if (event.closedQuantity > 0) closePart(state, event);
  if (event.openedQuantity > 0) openPart(state, margin, event);
  const root = state.ledger.open(account, state.rootAsset);
  state.ledger.credit(root, event.realizedInRoot - event.commissionFromRoot);
  state.ledger.credit(state.ledger.open(HOUSE_ACCOUNT, state.rootAsset), event.commissionFromRoot);
  margin.settlement = addUnits(margin.settlement, -event.realizedInRoot);
  margin.lastRate = event.rate;
  market.lastPrice = price;
  state.commissions.volumes.traded(market.quote.index, account, quoteFloor(market, notional));
  state.nextExecutionId = event.executionId + 1;
  if (event.remaining === 0) state.endOrder(market, slot);
}

function closePart(state: ClearingState, event: MarginExecution): void {
  const { positions, exposures } = state;
  const { closedPositionId, closedQuantity, closedNotional, closedMargin } = event;
  const position = positions.find(closedPositionId);
  if (position === NO_POSITION) throw new Error(`no position ${closedPositionId}`);
  positions.quantities[position] = (positions.quantities[position] as number) - closedQuantity;
  positions.openNotionals[position] =
    (positions.openNotionals[position] as bigint) - closedNotional;
  positions.margins[position] = (positions.margins[position] as bigint) - closedMargin;
  exposures.changed(position, -closedQuantity, -closedNotional, -closedMargin);
  if (positions.quantities[position] !== 0) return;
  exposures.unlink(position);
  positions.close(position);
}

function openPart(state: ClearingState, margin: MarketMargin, event: MarginExecution): void {
  const { positions, exposures } = state;
  const { openedPositionId, openedQuantity, openedMargin, slot, price } = event;
  const found = positions.find(openedPositionId);
  const position = found === NO_POSITION ? openPosition(state, event) : found;
  const notional = notionalOf(price, openedQuantity);
  positions.quantities[position] = (positions.quantities[position] as number) + openedQuantity;
  positions.openNotionals[position] = (positions.openNotionals[position] as bigint) + notional;
  positions.margins[position] = (positions.margins[position] as bigint) + openedMargin;
  exposures.changed(position, openedQuantity, notional, openedMargin);
  const { terms } = margin;
  if (terms.openedPositionIds[slot] === openedPositionId) return;
  // The order's first fill in this position: from here on its triggers are the position's.
  terms.openedPositionIds[slot] = openedPositionId;
  const stopLoss = terms.stopLosses[slot] as number;
  const takeProfit = terms.takeProfits[slot] as number;
  if (takeProfit !== 0) positions.takeProfits[position] = takeProfit;
  if (stopLoss === 0) return;
  positions.stopLosses[position] = stopLoss;
  positions.trailingOffsets[position] =
    terms.trailings[slot] === 1 ? Math.abs(price - stopLoss) : 0;
}

function openPosition(state: ClearingState, event: MarginExecution): number {
  const position = state.positions.open({
    id: event.openedPositionId,
    account: event.account,
    market: event.market,
    side: event.side,
    openOrderId: event.orderId,
    openedAt: event.time,
  });
  state.exposures.link(position);
  state.nextPositionId = event.openedPositionId + 1;
  return position;
}

export function applyCommissionDeducted(state: ClearingState, event: CommissionDeducted): void {
  state.advance(event.time);
  const { ledger } = state;
  ledger.debit(ledger.open(event.account, event.asset), event.amount);
  ledger.credit(ledger.open(HOUSE_ACCOUNT, event.asset), event.amount);
}

export function applyMarginOrderAmended(state: ClearingState, event: MarginOrderAmended): void {
  state.advance(event.time);
  const market = state.market(event.market);
  const { orders } = market;
  const { slot } = event;
  const quantity = event.remaining - (orders.remainings[slot] as number);
  changePending(state, market, slot, quantity, event.margin - (orders.holds[slot] as bigint));
  orders.holds[slot] = event.margin;
  marginOfMarket(market).terms.amended(slot, event);
  orders.prices[slot] = event.price;
  orders.quantities[slot] = event.quantity;
  orders.remainings[slot] = event.remaining;
  orders.priorities[slot] = event.priority;
}

/**
 * Where trailing stops go: of a long to bid - offset, of a short to ask + offset, but never back. A
 * price of 0 moves none.
 */
function trailedStop(stop: number, side: number, offset: number, price: number): number {
  if (price === 0 || offset === 0) return stop;
  if (side === Side.Buy) return Math.max(stop, price - offset);
  return stop === 0 ? price + offset : Math.min(stop, price + offset);
}

export function applyTrailingStopsMoved(state: ClearingState, event: TrailingStopsMoved): void {
  state.advance(event.time);
  const { positions, exposures } = state;
  const rows = exposures.activeRows(event.market);
  for (let at = exposures.activeCount(event.market) - 1; at >= 0; at--) {
    let slot = exposures.firstPositions[rows[at] as number] as number;
    for (; slot !== NO_POSITION; slot = positions.nexts[slot] as number) {
      const side = positions.sides[slot] as number;
      positions.stopLosses[slot] = trailedStop(
        positions.stopLosses[slot] as number,
        side,
        positions.trailingOffsets[slot] as number,
        side === Side.Buy ? event.bid : event.ask,
      );
    }
  }
}

export function applyFunding(state: ClearingState, event: FundingApplied): void {
  state.advance(event.time);
  const margin = marginOfMarket(state.market(event.market));
  const paid = pay(state, event.positions, event.amounts);
  margin.settlement = addUnits(margin.settlement, -paid);
  margin.fundingRate = event.fundingRate;
  margin.fundingDueAt = event.dueAt;
  margin.premiumSum = 0;
  margin.premiumCount = 0;
}

export function applySwaps(state: ClearingState, event: SwapsCharged): void {
  state.advance(event.time);
  const margin = marginOfMarket(state.market(event.market));
  const paid = pay(state, event.positions, event.amounts);
  state.ledger.debit(state.ledger.open(HOUSE_ACCOUNT, state.rootAsset), paid);
  margin.swapsDueAt = event.dueAt;
}

/** Credits each position's account with its amount of root units; returns their sum. */
function pay(state: ClearingState, positionIds: Uint8Array, amounts: Uint8Array): bigint {
  const { positions, ledger } = state;
  const ids = new DataView(positionIds.buffer, positionIds.byteOffset, positionIds.byteLength);
  const units = new DataView(amounts.buffer, amounts.byteOffset, amounts.byteLength);
  let sum = 0n;
  for (let at = 0; at < positionIds.byteLength; at += 8) {
    const position = positions.find(ids.getFloat64(at, true));
    const amount = units.getBigInt64(at, true);
    const account = positions.accounts[position] as number;
    ledger.credit(ledger.open(account, state.rootAsset), amount);
    sum += amount;
  }
  return sum;
}

function marginOfMarket(market: Market): MarketMargin {
  if (market.margin === undefined) throw new Error(`market ${market.index} is not on margin`);
  return market.margin;
}
