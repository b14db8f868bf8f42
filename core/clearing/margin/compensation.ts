import { HOUSE_ACCOUNT } from '../ledger.ts';
import type { Recorder } from '../recorder.ts';
import type { ClearingState } from '../state.ts';
import { fitting } from './room.ts';
import { propertyOf } from './worth.ts';

/**
 * The house covers what an account without positions owes beyond everything that it owns, where the
 * venue protects its clients from negative balances.
 */
export function compensate(
  state: ClearingState,
  recorder: Recorder,
  account: number,
  now: number,
): void {
  if (!needsCompensation(state, account)) return;
  const amount = coverage(state, account);
  recorder.cold(now, { type: 'NegativeBalanceCompensated', account, amount });
}

export function needsCompensation(state: ClearingState, account: number): boolean {
  if (!state.marginSettings.negativeBalanceProtection) return false;
  const root = state.ledger.total(state.ledger.find(account, state.rootAsset));
  if (root >= 0n || state.exposures.hasPosition(account)) return false;
  return coverage(state, account) > 0n;
}

/** What the account owes beyond all that it owns, as far as the house has room for it. */
function coverage(state: ClearingState, account: number): bigint {
  const { ledger, rootAsset } = state;
  const house = ledger.total(ledger.find(HOUSE_ACCOUNT, rootAsset));
  return -fitting(house, propertyOf(state, account).total);
}
