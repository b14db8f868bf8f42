import { Type } from '@sinclair/typebox';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import type { BalancesAnswer } from '../../../core/messages/cold.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import type { AccountReference, Session } from '../../http/authorisation.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { DecimalOutput } from '../../http/schema.ts';
import type { Venue } from '../../venue/venue.ts';
import type { RouteContext } from '../context.ts';

const amounts = {
  total: DecimalOutput({ description: 'Locked funds included.' }),
  available: DecimalOutput({ description: 'Total less locked.' }),
};
const Balance = Type.Object({
  assetId: Type.String(),
  ...amounts,
  locked: DecimalOutput({
    description: 'Held by open orders and by withdrawals that await confirmation.',
  }),
});
const MarginAsset = Type.Object({
  assetId: Type.String(),
  assetName: Type.String(),
  ...amounts,
  marginRatio: DecimalOutput({ description: 'Share that counts as collateral, 0 to 1.' }),
  isSelected: Type.Boolean(),
});

/** A margin ratio counts in 10^-4. */
const MARGIN_RATIO_SCALE = 4;

/** What an account owns. */
export function balanceRoutes(context: RouteContext): Route[] {
  return [readBalances(context), readMarginAssets(context)];
}

function readBalances({ venue }: RouteContext): Route {
  return route({
    method: 'GET',
    path: '/frontoffice/api/v4/balances',
    area: 'trading',
    operation: 'trading-ui',
    account: true,
    extension: true,
    summary: "The account's balance of every asset.",
    responses: { 200: Type.Array(Balance) },
    handler: async ({ account, now }) => {
      const balances = await balancesOf(venue, account.index, now);
      if (balances instanceof Refused) return balances;
      return balances.map(({ assetId, total, available, locked }) => ({
        assetId,
        total,
        available,
        locked,
      }));
    },
  });
}

function readMarginAssets(context: RouteContext): Route {
  const { venue } = context;
  const { reference } = venue;
  return route({
    method: 'GET',
    path: '/frontoffice/api/v4/account-margin-settings/assets',
    area: 'trading',
    operation: 'trading-ui',
    summary: 'The assets of an account and whether they serve as collateral.',
    headers: Type.Object({
      accountid: Type.Optional(
        Type.String({ description: "The caller's oldest account where none is named." }),
      ),
    }),
    responses: { 200: Type.Object({ assets: Type.Array(MarginAsset) }) },
    handler: async ({ headers, session, now }) => {
      const account = await namedOrOldest(context, session, headers.accountid);
      if (account instanceof Refused) return account;
      const balances = await balancesOf(venue, account.index, now);
      if (balances instanceof Refused) return balances;
      const assets = balances.map(({ assetId, total, available }, index) => {
        const { name, marginRatio } = reference.asset(index);
        return {
          assetId,
          assetName: name,
          available,
          total,
          marginRatio: formatUnits(marginRatio, MARGIN_RATIO_SCALE),
          // Every asset that can be collateral is, unless somebody says otherwise.
          isSelected: marginRatio > 0,
        };
      });
      return { assets };
    },
  });
}

async function namedOrOldest(
  { venue, resolveAccount }: RouteContext,
  session: Session,
  accountId: string | undefined,
): Promise<AccountReference | Refused> {
  if (accountId !== undefined) return resolveAccount(session, accountId);
  const [oldest] = venue.reference.accountsOwnedBy(session.userId);
  if (oldest === undefined) return refuse(Refusals.AccountMissing, { field: 'accountId' });
  return { accountId: oldest.configuration.accountId, index: oldest.index };
}

interface Amounts {
  readonly assetId: string;
  readonly total: string;
  readonly available: string;
  readonly locked: string;
}

/** One entry an asset, in the order of their indexes; zeros for what the account never had. */
async function balancesOf(
  venue: Venue,
  account: number,
  now: number,
): Promise<Amounts[] | Refused> {
  const answer = await venue.cold<BalancesAnswer>(now, { type: 'Balances', account });
  if (answer instanceof Refused) return answer;
  const held = new Map(answer.balances.map((balance) => [balance.asset, balance]));
  return venue.reference.assets.map(({ assetId, scale }, index) => {
    const { total = 0n, held: locked = 0n } = held.get(index) ?? {};
    return {
      assetId,
      total: formatUnits(total, scale),
      available: formatUnits(total - locked, scale),
      locked: formatUnits(locked, scale),
    };
  });
}
