import type { AccountEntry, Reference } from '../venue/reference.ts';

const MAIN = 'Main';

/** The account that a user's keys are for unless they say otherwise: `Main`, or else the oldest. */
export function mainAccountOf(reference: Reference, userId: string): AccountEntry | undefined {
  const accounts = reference.accountsOwnedBy(userId);
  return accounts.find(({ configuration }) => configuration.accountName === MAIN) ?? accounts[0];
}
