import { sideOf } from '../order-table.ts';
import type { ClearingState } from '../state.ts';
import { Exposures, NO_ROW } from './exposures.ts';
import { NO_POSITION, Positions } from './positions.ts';

/**
 * How many exposures and positions differ from what open positions and orders make when they are added
 * up anew, and how many netting accounts have two positions in one market.
 */
export function marginMismatches(state: ClearingState): number {
  const positions = new Positions();
  positions.load(state.positions.save());
  const expected = new Exposures(positions);
  let mismatches = 0;
  for (let slot = 0; slot < positions.slotCount; slot++) {
    if (positions.ids[slot] === 0) continue;
    expected.link(slot);
    const sound = (positions.quantities[slot] as number) > 0 && isLinked(state, slot);
    if (!sound) mismatches++;
    const isSecond = positions.nexts[slot] !== NO_POSITION;
    if (isSecond && state.accounts.isNetting(positions.accounts[slot] as number)) mismatches++;
  }
  mismatches += addOrders(state, expected, positions);
  for (let slot = 0; slot < positions.slotCount; slot++) {
    if (positions.ids[slot] === 0) continue;
    if (positions.closings[slot] !== state.positions.closings[slot]) mismatches++;
  }
  return mismatches + exposureMismatches(state.exposures, expected);
}

function isLinked({ positions, exposures }: ClearingState, slot: number): boolean {
  if (positions.find(positions.ids[slot] as number) !== slot) return false;
  const row = positions.rows[slot] as number;
  let linked = exposures.firstPositions[row] as number;
  while (linked !== NO_POSITION && linked !== slot) linked = positions.nexts[linked] as number;
  return linked === slot;
}

/** Returns how many orders hold another margin than their share. */
function addOrders(state: ClearingState, exposures: Exposures, positions: Positions): number {
  let mismatches = 0;
  for (const { index, orders, margin } of state.markets) {
    if (margin === undefined) continue;
    for (let slot = 0; slot < orders.slotCount; slot++) {
      if (orders.orderIds[slot] === 0) continue;
      const remaining = orders.remainings[slot] as number;
      const positionId = margin.terms.positionIds[slot] as number;
      if (positionId === 0) {
        const row = exposures.open(orders.accounts[slot] as number, index);
        const side = sideOf(orders.traits[slot] as number);
        const whole = orders.quantities[slot] as number;
        const held = orders.holds[slot] as bigint;
        exposures.pendingChanged(row, side, remaining, held);
        // An amend tells what the rest needs, and the whole order's margin is rounded up from it.
        const excess = margin.terms.marginOfRest(slot, remaining, whole) - held;
        if (excess !== 0n && excess !== 1n) mismatches++;
        continue;
      }
      const position = positions.find(positionId);
      if (position === NO_POSITION) continue;
      positions.closings[position] = (positions.closings[position] as number) + remaining;
    }
  }
  return mismatches;
}

function exposureMismatches(live: Exposures, expected: Exposures): number {
  let mismatches = 0;
  for (let row = 0; row < live.size; row++) {
    const other = expected.find(live.accounts[row] as number, live.markets[row] as number);
    const same = other === NO_ROW ? isEmpty(live, row) : isEqual(live, row, expected, other);
    if (!same) mismatches++;
  }
  for (let row = 0; row < expected.size; row++) {
    const account = expected.accounts[row] as number;
    if (live.find(account, expected.markets[row] as number) === NO_ROW) mismatches++;
  }
  return mismatches;
}

/** Everything that an exposure counts. */
function countsOf(exposures: Exposures, row: number): readonly (number | bigint | undefined)[] {
  return [
    exposures.longQuantities[row],
    exposures.shortQuantities[row],
    exposures.longNotionals[row],
    exposures.shortNotionals[row],
    exposures.margins[row],
    exposures.pendingBuys[row],
    exposures.pendingSells[row],
    exposures.pendingBuyMargins[row],
    exposures.pendingSellMargins[row],
  ];
}

function isEmpty(exposures: Exposures, row: number): boolean {
  return countsOf(exposures, row).every((count) => count === 0 || count === 0n);
}

function isEqual(live: Exposures, row: number, expected: Exposures, other: number): boolean {
  const counts = countsOf(expected, other);
  if (live.isActive(row) !== (live.firstPositions[row] !== NO_POSITION)) return false;
  return countsOf(live, row).every((value, at) => value === counts[at]);
}
