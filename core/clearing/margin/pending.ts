import type { Market } from '../market.ts';
import { sideOf } from '../order-table.ts';
import type { Exposures } from './exposures.ts';
import { NO_POSITION, type Positions } from './positions.ts';

/** What open orders are counted in. */
interface PendingCounts {
  readonly exposures: Exposures;
  readonly positions: Positions;
}

/*
 * An open order on margin is pending on its side of its account's exposure, with its remaining quantity
 * and its margin. One that closes a position by its id claims its remaining quantity of that position
 * instead.
 */

/** Counts the open order at `slot` with what remains of it. */
export function notePending(counts: PendingCounts, market: Market, slot: number): void {
  const { remainings, holds } = market.orders;
  changePending(counts, market, slot, remainings[slot] as number, holds[slot] as bigint);
}

/** Takes off what is still counted of the order at `slot`. */
export function forgetPending(counts: PendingCounts, market: Market, slot: number): void {
  const { remainings, holds } = market.orders;
  changePending(counts, market, slot, -(remainings[slot] as number), -(holds[slot] as bigint));
}

/** What remains of the order at `slot`, and its margin, grew by so much, or shrank. */
export function changePending(
  counts: PendingCounts,
  market: Market,
  slot: number,
  quantity: number,
  margin: bigint,
): void {
  const { orders } = market;
  const positionId = market.margin?.terms.positionIds[slot] ?? 0;
  if (positionId === 0) {
    const row = counts.exposures.open(orders.accounts[slot] as number, market.index);
    const side = sideOf(orders.traits[slot] as number);
    return counts.exposures.pendingChanged(row, side, quantity, margin);
  }
  const { positions } = counts;
  const position = positions.find(positionId);
  if (position === NO_POSITION) return;
  positions.closings[position] = (positions.closings[position] as number) + quantity;
}
