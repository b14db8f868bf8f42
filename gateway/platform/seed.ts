import type { AdminCommand } from '../../core/messages/cold-commands.ts';
import type { ConfigurationAnswer } from '../../core/messages/queries.ts';
import { DEMO_MARKETS } from '../demo/markets.ts';
import { DEMO_ACCOUNTS, DEMO_ASSETS } from '../demo/venue.ts';
import { Refused } from '../http/refused.ts';
import type { DemoEmail } from '../identity/index.ts';
import type { Venue } from '../venue/venue.ts';

/**
 * Sets up the demo venue through the same road as everything else. It may be cut off at any point and
 * run again: what is there stays as it is, and deposits carry a deduplicationId.
 */
export async function seedDemoVenue(
  venue: Venue,
  userIds: ReadonlyMap<DemoEmail, string>,
  now: () => number,
): Promise<void> {
  const send = async (command: AdminCommand): Promise<void> => {
    const answer = await venue.cold(now(), command);
    if (answer instanceof Refused) {
      const { refusal, details } = answer;
      throw new Error(`demo ${command.type}: ${refusal.name} ${JSON.stringify(details)}`);
    }
  };
  const known = await venue.cold<ConfigurationAnswer>(now(), { type: 'Configuration' });
  if (known instanceof Refused) throw new Error('the venue does not answer');
  const assetIds = new Set(known.assets.map(({ assetId }) => assetId));
  for (const configuration of DEMO_ASSETS) {
    if (assetIds.has(configuration.assetId)) continue;
    await send({ type: 'ConfigureAsset', configuration });
  }
  const marketIds = new Set(known.markets.map(({ marketId }) => marketId));
  for (const configuration of DEMO_MARKETS) {
    if (marketIds.has(configuration.marketId)) continue;
    const times = { createdAt: now(), updatedAt: now() };
    await send({ type: 'ConfigureMarket', configuration: { ...configuration, ...times } });
  }
  for (const { ownerEmail, accountName, accountType, deposits } of DEMO_ACCOUNTS) {
    const ownerUserId = userIds.get(ownerEmail);
    if (ownerUserId === undefined) throw new Error(`demo user ${ownerEmail} is missing`);
    const find = () =>
      venue.reference
        .accountsOwnedBy(ownerUserId)
        .find(({ configuration }) => configuration.accountName === accountName);
    if (find() === undefined) {
      const accountStatus = 'Active';
      const account = { accountName, accountType, accountStatus, ownerUserId } as const;
      await send({
        type: 'OpenAccount',
        configuration: { ...account, isCopyTradingAccount: false },
      });
    }
    const accountId = find()?.configuration.accountId ?? '';
    for (const { assetId, amount } of deposits) {
      const deduplicationId = `demo-${accountId}-${assetId}`;
      await send({ type: 'Deposit', deduplicationId, accountId, assetId, amount });
    }
  }
}
