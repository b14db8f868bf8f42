import { MAX_UNITS } from '../../fixed-point/index.ts';
import { greater, lesser } from '../charges.ts';

/**
 * What profits, losses and compensations may bring a ledger of root units to, either way. Prices of an
 * empty book are anybody's: two accounts can trade with each other at any, again and again, so that no
 * bound on a single position bounds the sum. The other half of what a ledger counts is left to deposits,
 * commissions, swaps and funding.
 */
const ROOM = MAX_UNITS / 2n;

/** What of `amount` a ledger with this total has room for; all of it at any sum of money that exists. */
export function fitting(total: bigint, amount: bigint): bigint {
  return amount > 0n
    ? lesser(amount, greater(0n, ROOM - total))
    : greater(amount, lesser(0n, -ROOM - total));
}

/** A figure that is told and not booked, as far as it can be written down. */
export function tellable(units: bigint): bigint {
  return lesser(greater(units, -MAX_UNITS), MAX_UNITS);
}
