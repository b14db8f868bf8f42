import type { Verification } from './verify.ts';

const count = (value: number): string => value.toLocaleString('en');

/** A verification for a person to read, one line a check. */
export function reportOf(verification: Verification): string[] {
  const { events, batches, rematched, stateHash, snapshots, views } = verification;
  const { state, counts } = rematched;
  const open = count(state.orderIndex.count);
  const seen =
    views.kind === 'absent'
      ? `not compared: ${views.reason}`
      : `compared at ${count(views.sequence)}`;
  return [
    `chain      ${count(events)} events in ${count(batches)} batches, intact up to the mark`,
    `replay     state ${stateHash}: ${count(state.accounts.count)} accounts, ${open} open orders`,
    `rematch    ${count(counts.orders)} orders, ${count(counts.trades)} trades, ${count(counts.starts)} starts`,
    `snapshots  ${count(snapshots)} compared`,
    `ledgers    ${state.assets.length} assets against their transfers, holds against open orders`,
    `views      ${seen}`,
    ...verification.differences.map((difference) => `DIFFERENT  ${difference}`),
  ];
}
