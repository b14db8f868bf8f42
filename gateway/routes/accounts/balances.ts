import { Type } from '@sinclair/typebox';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import { Refused } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { DecimalOutput } from '../../http/schema.ts';
import type { Venue } from '../../venue/venue.ts';
import type { RouteContext } from '../context.ts';

/** What there is of an asset, and what of it is free. */
export const amounts = {
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
/** What an account owns. */
export function balanceRoutes(context: RouteContext): Route[] {
  return [readBalances(context)];
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
    handler: ({ account, now }) => balancesOf(venue, account.index, now),
  });
}

interface Amounts {
  readonly assetId: string;
  readonly total: string;
  readonly available: string;
  readonly locked: string;
}

/** One entry an asset, in the order of their indexes; zeros for what the account never had. */
export async function balancesOf(
  venue: Venue,
  account: number,
  now: number,
): Promise<Amounts[] | Refused> {
  const balances = await venue.balances(now, account);
  if (balances instanceof Refused) return balances;
  return venue.reference.assets.map(({ assetId, scale }, index) => {
    const { total = 0n, held = 0n } = balances[index] ?? {};
    const whole = formatUnits(total, scale);
    if (held === 0n) return { assetId, total: whole, available: whole, locked: '0' };
    const available = formatUnits(total - held, scale);
    return { assetId, total: whole, available, locked: formatUnits(held, scale) };
  });
}
