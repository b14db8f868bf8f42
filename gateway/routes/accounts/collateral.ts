import { Type } from '@sinclair/typebox';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import type { MarginAnswer } from '../../../core/messages/queries.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import type { AccountReference, Session } from '../../http/authorisation.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { DecimalOutput } from '../../http/schema.ts';
import type { RouteContext } from '../context.ts';
import { amounts } from './balance-forms.ts';
import { balancesOf } from './balances.ts';

const PATH = '/frontoffice/api/v4/account-margin-settings/assets';
/** A margin ratio counts in 10^-4. */
const MARGIN_RATIO_SCALE = 4;

const AccountHeader = Type.Object({
  accountid: Type.Optional(
    Type.String({ description: "The caller's oldest account where none is named." }),
  ),
});
const MarginAsset = Type.Object({
  assetId: Type.String(),
  assetName: Type.String(),
  ...amounts,
  marginRatio: DecimalOutput({ description: 'Share that counts as collateral, 0 to 1.' }),
  isSelected: Type.Boolean(),
});
const Nothing = Type.Object({});

/** Which assets of an account serve as collateral for its positions. */
export function collateralRoutes(context: RouteContext): Route[] {
  return [readMarginAssets(context), selectAsset(context), deselectAsset(context)];
}

function readMarginAssets(context: RouteContext): Route {
  const { venue } = context;
  const { reference } = venue;
  return route({
    method: 'GET',
    path: PATH,
    area: 'trading',
    operation: 'trading-ui',
    summary: 'The assets of an account and whether they serve as collateral.',
    headers: AccountHeader,
    responses: { 200: Type.Object({ assets: Type.Array(MarginAsset) }) },
    handler: async ({ headers, session, now }) => {
      const account = await namedOrOldest(context, session, headers.accountid);
      if (account instanceof Refused) return account;
      const query = { type: 'Margin', account: account.index } as const;
      const asked = venue.cold<MarginAnswer>(now, query);
      const balances = await balancesOf(venue, account.index, now);
      if (balances instanceof Refused) return balances;
      const margin = await asked;
      if (margin instanceof Refused) return margin;
      const selected = new Set(margin.collateral);
      const assets = balances.map(({ assetId, total, available }, index) => {
        const { name, marginRatio } = reference.asset(index);
        return {
          assetId,
          assetName: name,
          available,
          total,
          marginRatio: formatUnits(marginRatio, MARGIN_RATIO_SCALE),
          isSelected: marginRatio > 0 && selected.has(index),
        };
      });
      return { assets };
    },
  });
}

function selectAsset(context: RouteContext): Route {
  return route({
    method: 'POST',
    path: `${PATH}/{assetId}`,
    area: 'trading',
    operation: 'trading-ui',
    summary: 'Makes an asset serve as collateral; its margin ratio must be above 0.',
    headers: AccountHeader,
    responses: { 200: Nothing },
    handler: ({ params, headers, session, now }) =>
      select(context, params.assetId, session, headers.accountid, true, now),
  });
}

function deselectAsset(context: RouteContext): Route {
  return route({
    method: 'DELETE',
    path: `${PATH}/{assetId}`,
    area: 'trading',
    operation: 'trading-ui',
    summary: 'Has an asset serve as collateral no more; the root asset always does.',
    headers: AccountHeader,
    responses: { 200: Nothing },
    handler: ({ params, headers, session, now }) =>
      select(context, params.assetId, session, headers.accountid, false, now),
  });
}

async function select(
  context: RouteContext,
  assetId: string,
  session: Session,
  accountId: string | undefined,
  selected: boolean,
  now: number,
): Promise<Record<string, never> | Refused> {
  const account = await namedOrOldest(context, session, accountId);
  if (account instanceof Refused) return account;
  const command = { accountId: account.accountId, assetId, selected };
  const answer = await context.venue.cold(now, { type: 'SelectCollateral', ...command });
  return answer instanceof Refused ? answer : {};
}

async function namedOrOldest(
  { venue, resolveAccount }: RouteContext,
  session: Session,
  accountId: string | undefined,
): Promise<AccountReference | Refused> {
  const named = accountId ?? session.accountId;
  if (named !== undefined) return resolveAccount(session, named);
  const [oldest] = venue.reference.accountsOwnedBy(session.userId);
  if (oldest === undefined) return refuse(Refusals.AccountMissing, { field: 'accountId' });
  return { accountId: oldest.configuration.accountId, index: oldest.index };
}
