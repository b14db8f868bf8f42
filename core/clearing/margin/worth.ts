import { inRootFloor } from '../rates.ts';
import type { ClearingState } from '../state.ts';

/** Root units that `units` of an asset are worth at the venue's rate, rounded down; 0 without a rate. */
export function worthOf(state: ClearingState, asset: number, units: bigint): bigint {
  const rate = state.rates.fixed(asset);
  return rate === undefined ? 0n : inRootFloor(rate, units);
}

/**
 * Root units that all balances of an account are worth, pledged or not, with what it owes in the root
 * asset taken off; `held` the part of them that is held.
 */
export function propertyOf(
  state: ClearingState,
  account: number,
): { readonly total: bigint; readonly held: bigint } {
  const sums = { total: 0n, held: 0n };
  state.ledger.forEachOf(account, (asset, total, held) => {
    sums.total += worthOf(state, asset, total);
    sums.held += worthOf(state, asset, held);
  });
  return sums;
}
