import type { UserStatus } from '../../persistence/directory/index.ts';
import { Refused } from '../http/refused.ts';
import { accountStatusOf } from '../venue/account-status.ts';
import type { Venue } from '../venue/venue.ts';

/** Gives all accounts of a user the user's status, through the journal like everything else. */
export function applyUserStatus(venue: Venue) {
  return async (userId: string, status: UserStatus, now: number): Promise<Refused | undefined> => {
    const accountStatus = accountStatusOf(status);
    for (const { configuration } of venue.reference.accountsOwnedBy(userId)) {
      const { accountId } = configuration;
      const command = { type: 'SetAccountStatus', accountId, status: accountStatus } as const;
      const answer = await venue.cold(now, command);
      if (answer instanceof Refused) return answer;
    }
    return undefined;
  };
}
