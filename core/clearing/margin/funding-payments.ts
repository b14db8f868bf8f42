import type { Exposures } from './exposures.ts';
import { NO_POSITION, type Positions } from './positions.ts';

/** What positions get, as FundingApplied and SwapsCharged carry it. */
export interface Payments {
  /** Position ids, f64 each. */
  readonly positions: Uint8Array;
  /** Root units, i64 each. */
  readonly amounts: Uint8Array;
}

/** The slots of all open positions of a market. */
export function positionsIn(exposures: Exposures, positions: Positions, market: number): number[] {
  const rows = exposures.activeRows(market);
  const slots: number[] = [];
  for (let at = 0; at < exposures.activeCount(market); at++) {
    let slot = exposures.firstPositions[rows[at] as number] as number;
    for (; slot !== NO_POSITION; slot = positions.nexts[slot] as number) slots.push(slot);
  }
  return slots;
}

/** Pairs positions with what they get. */
export function paymentsOf(
  positions: Positions,
  slots: readonly number[],
  amounts: BigInt64Array,
): Payments {
  const ids = Float64Array.from(slots, (slot) => positions.ids[slot] as number);
  return { positions: new Uint8Array(ids.buffer), amounts: new Uint8Array(amounts.buffer) };
}
