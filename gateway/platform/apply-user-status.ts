import type { AccountStatusName } from '../../core/messages/enums.ts';
import type { UserStatus } from '../../persistence/directory/index.ts';
import { Refused } from '../http/refused.ts';
import type { Venue } from '../venue/venue.ts';

/** An account has no status for good: one of a terminated user stays frozen. */
const ACCOUNT_STATUS: Readonly<Record<UserStatus, AccountStatusName>> = {
  Active: 'Active',
  Halted: 'Halted',
  Frozen: 'Frozen',
  Terminated: 'Frozen',
};

/** Gives all accounts of a user the user's status, through the journal like everything else. */
export function applyUserStatus(venue: Venue) {
  return async (userId: string, status: UserStatus, now: number): Promise<Refused | undefined> => {
    const accountStatus = ACCOUNT_STATUS[status];
    for (const { configuration } of venue.reference.accountsOwnedBy(userId)) {
      const { accountId } = configuration;
      const command = { type: 'SetAccountStatus', accountId, status: accountStatus } as const;
      const answer = await venue.cold(now, command);
      if (answer instanceof Refused) return answer;
    }
    return undefined;
  };
}
