import { Type } from '@sinclair/typebox';
import { HOUSE_ACCOUNT } from '../../../core/clearing/index.ts';
import type { AccountConfiguration } from '../../../core/messages/configuration.ts';
import { ACCOUNT_STATUSES, ACCOUNT_TYPES } from '../../../core/messages/enums.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { orBusy } from '../../directory-answer.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { OneOf, UuidInput } from '../../http/schema.ts';
import { accountStatusOf, isWider } from '../../venue/account-status.ts';
import type { RouteContext } from '../context.ts';

const PATH = '/back-api/backoffice/v2/accounts';
const NAME_LENGTH_MAX = 64;

const UserId = UuidInput();
const AccountForm = Type.Object({
  accountId: Type.String(),
  publicAccountId: Type.Integer(),
  accountName: Type.String(),
  accountType: OneOf(ACCOUNT_TYPES),
  accountStatus: OneOf(ACCOUNT_STATUSES),
  userId: Type.String(),
  isCopyTradingAccount: Type.Boolean(),
});

/** The trading accounts of users. */
export function backOfficeAccountRoutes(context: RouteContext): Route[] {
  return [openAccount(context), listAccounts(context), setStatus(context)];
}

function openAccount({ venue, directory, rights }: RouteContext): Route {
  return route({
    method: 'POST',
    path: PATH,
    area: 'trading',
    operation: 'manage-users',
    extension: true,
    summary: "Opens an account for a user; it is empty and has its owner's status.",
    body: Type.Object({
      userId: UserId,
      accountName: Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX }),
      accountType: OneOf(ACCOUNT_TYPES),
    }),
    responses: { 201: AccountForm },
    handler: async ({ body, session, now }) => {
      const { userId, accountName, accountType } = body;
      const owner = await orBusy(rights.over(session, userId));
      if (owner instanceof Refused) return owner;
      if (owner.status === 'Terminated') {
        const limit = 'the user is terminated';
        return refuse(Refusals.ConfigurationInvalid, { field: 'userId', value: userId, limit });
      }
      const configuration = {
        accountName,
        accountType,
        accountStatus: accountStatusOf(owner.status),
        ownerUserId: owner.id,
        isCopyTradingAccount: false,
      } as const;
      const command = { type: 'OpenAccount', configuration } as const;
      const opened = await venue.cold<{ account: number }>(now, command);
      if (opened instanceof Refused) return opened;
      const refused = await narrow({ venue, directory }, opened.account, now);
      return refused ?? accountForm(venue.reference.account(opened.account).configuration);
    },
  });
}

/** The owner's status may have changed since it was read, before the account was there to follow. */
async function narrow(
  { venue, directory }: Pick<RouteContext, 'venue' | 'directory'>,
  account: number,
  now: number,
): Promise<Refused | undefined> {
  const { accountId, accountStatus, ownerUserId } = venue.reference.account(account).configuration;
  const owner = await orBusy(directory.users.get(ownerUserId));
  if (owner instanceof Refused) return owner;
  const status = owner === null ? accountStatus : accountStatusOf(owner.status);
  if (!isWider(accountStatus, status)) return undefined;
  const answer = await venue.cold(now, { type: 'SetAccountStatus', accountId, status });
  return answer instanceof Refused ? answer : undefined;
}

function listAccounts({ venue }: RouteContext): Route {
  return route({
    method: 'GET',
    path: PATH,
    area: 'trading',
    operation: 'view-users',
    extension: true,
    summary: "A user's accounts, oldest first.",
    query: Type.Object({ userId: UserId }),
    responses: { 200: Type.Array(AccountForm) },
    handler: ({ query }) =>
      venue.reference
        .accountsOwnedBy(query.userId)
        .map(({ configuration }) => accountForm(configuration)),
  });
}

function setStatus({ venue, directory, rights }: RouteContext): Route {
  return route({
    method: 'PUT',
    path: `${PATH}/{accountId}/status`,
    area: 'trading',
    operation: 'manage-users',
    extension: true,
    summary:
      "Halted loses its open orders and trades no more; Frozen is read-only. Never wider than its owner's.",
    body: Type.Object({ status: OneOf(ACCOUNT_STATUSES) }),
    responses: { 200: AccountForm },
    handler: async ({ params, body, session, now }) => {
      const { accountId } = params;
      const named = { field: 'accountId', value: accountId };
      const account = venue.reference.accountOf(accountId);
      if (account === undefined || account.index === HOUSE_ACCOUNT) {
        return refuse(Refusals.TransferAccount, named);
      }
      const { ownerUserId } = account.configuration;
      const owner = await orBusy(rights.overAnother(session, ownerUserId, named));
      if (owner instanceof Refused) return owner;
      const { status } = body;
      if (isWider(status, accountStatusOf(owner.status))) {
        const limit = `its owner is ${owner.status}`;
        return refuse(Refusals.ConfigurationInvalid, { field: 'status', value: status, limit });
      }
      const answer = await venue.cold(now, { type: 'SetAccountStatus', accountId, status });
      if (answer instanceof Refused) return answer;
      const refused = await narrow({ venue, directory }, account.index, now);
      return refused ?? accountForm(venue.reference.account(account.index).configuration);
    },
  });
}

function accountForm(account: AccountConfiguration) {
  return {
    accountId: account.accountId,
    publicAccountId: account.publicAccountId,
    accountName: account.accountName,
    accountType: account.accountType,
    accountStatus: account.accountStatus,
    userId: account.ownerUserId,
    isCopyTradingAccount: account.isCopyTradingAccount,
  };
}
