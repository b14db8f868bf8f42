import { ACCOUNT_STATUSES, type AccountStatusName } from '../../core/messages/enums.ts';
import type { UserStatus } from '../../persistence/directory/index.ts';

/** An account has no status for good: one of a terminated user stays frozen. */
const OF_USER: Readonly<Record<UserStatus, AccountStatusName>> = {
  Active: 'Active',
  Halted: 'Halted',
  Frozen: 'Frozen',
  Terminated: 'Frozen',
};

/** What the accounts of a user have at least, by the user's status. */
export function accountStatusOf(status: UserStatus): AccountStatusName {
  return OF_USER[status];
}

/** Whether an account with this status may do something that one with the other may not. */
export function isWider(status: AccountStatusName, than: AccountStatusName): boolean {
  return ACCOUNT_STATUSES.indexOf(status) < ACCOUNT_STATUSES.indexOf(than);
}
