import { Type } from '@sinclair/typebox';
import { ACCOUNT_STATUSES, ACCOUNT_TYPES } from '../../../core/messages/enums.ts';
import type { ValuationsAnswer } from '../../../core/messages/queries.ts';
import { Refused } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { DecimalOutput, OneOf } from '../../http/schema.ts';
import type { RouteContext } from '../context.ts';

const Account = Type.Object({
  accountId: Type.String(),
  publicAccountId: Type.Integer(),
  accountName: Type.String(),
  accountType: OneOf(ACCOUNT_TYPES),
  accountStatus: OneOf(ACCOUNT_STATUSES),
  totalBalanceInRAT: DecimalOutput({
    description:
      "All assets at the venue's rates of this moment (without a rate an asset counts 0) and the unrealised profit or loss of positions.",
  }),
  isCopyTradingAccount: Type.Boolean(),
});

/** The caller's accounts. */
export function accountRoutes({ venue }: RouteContext): Route[] {
  return [
    route({
      method: 'GET',
      path: '/frontoffice/api/v3/accounts',
      area: 'trading',
      operation: 'trading-ui',
      summary: "The caller's trading accounts, oldest first.",
      responses: { 200: Type.Array(Account) },
      handler: async ({ session, now }) => {
        const owned = venue.reference.accountsOwnedBy(session.userId);
        const accounts = owned.map(({ index }) => index);
        const valued = await venue.cold<ValuationsAnswer>(now, { type: 'Valuations', accounts });
        if (valued instanceof Refused) return valued;
        return owned.map(({ configuration }, position) => ({
          accountId: configuration.accountId,
          publicAccountId: configuration.publicAccountId,
          accountName: configuration.accountName,
          accountType: configuration.accountType,
          accountStatus: configuration.accountStatus,
          totalBalanceInRAT: valued.totals[position] ?? '0',
          isCopyTradingAccount: configuration.isCopyTradingAccount,
        }));
      },
    }),
  ];
}
