import { Refused } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import type { Venue } from '../../venue/venue.ts';
import type { RouteContext } from '../context.ts';
import { Balances, balancesForm } from './balance-forms.ts';
import { KeptBalances } from './kept-balances.ts';

/** What an account owns. */
export function balanceRoutes(context: RouteContext): Route[] {
  return [readBalances(context)];
}

function readBalances({ venue }: RouteContext): Route {
  const kept = new KeptBalances(venue.reference);
  return route({
    method: 'GET',
    path: '/frontoffice/api/v4/balances',
    area: 'trading',
    operation: 'trading-ui',
    account: true,
    extension: true,
    summary: "The account's balance of every asset.",
    responses: { 200: Balances },
    handler: async ({ account, now }) => {
      const packed = await venue.balances(now, account.index);
      return packed instanceof Refused ? packed : kept.answer(account.index, packed);
    },
  });
}

/** What an account owns, as routes tell of it. */
export async function balancesOf(
  venue: Venue,
  account: number,
  now: number,
): Promise<Balances | Refused> {
  const packed = await venue.balances(now, account);
  return packed instanceof Refused ? packed : balancesForm(venue.reference, packed);
}
