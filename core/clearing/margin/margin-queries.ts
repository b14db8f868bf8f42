import { divide } from '../../fixed-point/index.ts';
import { Side } from '../../messages/enums.ts';
import type { MarginAnswer, PositionsAnswer, PositionView } from '../../messages/queries.ts';
import { greater } from '../charges.ts';
import { inRootCeiling } from '../rates.ts';
import type { ClearingState } from '../state.ts';
import { marginFiguresOf, positionsMargin, unrealizedAt } from './account-margin.ts';
import { NO_ROW } from './exposures.ts';
import { NO_POSITION } from './positions.ts';
import { tellable } from './room.ts';

/** The open positions of an account, oldest first. */
export function positionsOf(state: ClearingState, account: number): PositionsAnswer {
  const { exposures } = state;
  const views: PositionView[] = [];
  for (let row = exposures.firstOf(account); row !== NO_ROW; row = exposures.nextOf(row)) {
    let slot = exposures.firstPositions[row] as number;
    for (; slot !== NO_POSITION; slot = state.positions.nexts[slot] as number) {
      views.push(viewOf(state, slot));
    }
  }
  return { positions: views.sort((a, b) => a.positionId - b.positionId) };
}

export function marginOfAccount(state: ClearingState, account: number): MarginAnswer {
  const { level, ...figures } = marginFiguresOf(state, account);
  const collateral = [...state.collateral.of(account), state.rootAsset].sort((a, b) => a - b);
  return {
    marginBalance: tellable(figures.marginBalance),
    unrealized: tellable(figures.unrealized),
    equity: tellable(figures.equity),
    usedMargin: tellable(figures.usedMargin),
    freeMargin: tellable(figures.freeMargin),
    level: level === undefined ? null : tellable(level),
    collateral,
  };
}

function viewOf(state: ClearingState, slot: number): PositionView {
  const { positions } = state;
  const market = state.market(positions.markets[slot] as number);
  const side = positions.sides[slot] as number;
  const currentPrice = side === Side.Buy ? market.bestBid : market.bestAsk;
  return {
    positionId: positions.ids[slot] as number,
    market: market.index,
    side,
    quantity: positions.quantities[slot] as number,
    closing: positions.closings[slot] as number,
    openNotional: positions.openNotionals[slot] as bigint,
    openOrderId: positions.openOrderIds[slot] as number,
    openedAt: positions.openedAts[slot] as number,
    triggers: {
      stopLoss: positions.stopLosses[slot] as number,
      takeProfit: positions.takeProfits[slot] as number,
      trailingOffset: positions.trailingOffsets[slot] as number,
    },
    currentPrice,
    markPrice: market.margin?.markPrice ?? 0,
    unrealized: tellable(unrealizedAt(state, slot, currentPrice || market.lastPrice)),
    usedMargin: tellable(usedMarginOfPosition(state, slot)),
    margin: positions.margins[slot] as bigint,
  };
}

/** Root units: its own margin, or its share by opening notional of what its exposure's tier asks. */
function usedMarginOfPosition(state: ClearingState, slot: number): bigint {
  const { positions, exposures } = state;
  const market = state.market(positions.markets[slot] as number);
  const row = positions.rows[slot] as number;
  const all = positionsMargin(state, market, row);
  const open = (exposures.longNotionals[row] as bigint) + (exposures.shortNotionals[row] as bigint);
  const notional = positions.openNotionals[slot] as bigint;
  const share =
    all > (exposures.margins[row] as bigint) ? divide(all * notional, open, 'ceiling') : 0n;
  const margin = greater(share, positions.margins[slot] as bigint);
  return inRootCeiling(state.rates.ofQuote(market), margin);
}
