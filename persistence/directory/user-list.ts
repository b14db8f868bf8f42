import type { DirectoryDatabase } from './database.ts';
import { emailKey, getUser, type User, type UserStatus } from './users.ts';

/** What a user must be to be listed; what is not named is not asked. */
export interface UserFilter {
  /** Part of the email or the nickname, whatever its case. */
  readonly search?: string | undefined;
  readonly status?: UserStatus | undefined;
  /** Any status but this. */
  readonly statusNot?: UserStatus | undefined;
  /** Any of these roles. */
  readonly roles?: readonly string[] | undefined;
  readonly hasRoles?: boolean | undefined;
  readonly isEmailConfirmed?: boolean | undefined;
  /** UTC milliseconds, both ends included. */
  readonly createdFrom?: number | undefined;
  readonly signedInFrom?: number | undefined;
  readonly signedInTo?: number | undefined;
  /** Of each of these lists one of those named or, where not `isAny`, none of them. */
  readonly among?:
    | readonly { readonly userIds: readonly string[]; readonly isAny: boolean }[]
    | undefined;
}

export interface UserPage {
  /** How many users fit, on all pages. */
  readonly total: number;
  readonly users: readonly User[];
}

type Value = string | number;

export const userListOperations = {
  /** The users that fit, oldest first. */
  page(
    database: DirectoryDatabase,
    input: { readonly filter: UserFilter; readonly limit: number; readonly offset: number },
  ): UserPage {
    const { condition, values } = conditionOf(input.filter);
    return database.transaction(() => {
      const counted = database
        .statement<{ total: number }>(`SELECT count(*) AS total FROM users WHERE ${condition}`)
        .get(...values);
      const rows = database
        .statement<{ id: string }>(
          `SELECT id FROM users WHERE ${condition} ORDER BY created_at, id LIMIT ? + 0 OFFSET ? + 0`,
        )
        .all(...values, input.limit, input.offset);
      const users = rows.map(({ id }) => getUser(database, id)).filter((user) => user !== null);
      return { total: counted?.total ?? 0, users };
    });
  },
};

function conditionOf(filter: UserFilter): { condition: string; values: Value[] } {
  const parts: string[] = ['1'];
  const values: Value[] = [];
  const add = (part: string, ...more: Value[]): void => {
    parts.push(part);
    values.push(...more);
  };
  const { search, roles } = filter;
  if (search !== undefined) {
    const text = emailKey(search);
    add('(instr(email_key, ?) > 0 OR instr(lower(nickname), ?) > 0)', text, text);
  }
  if (filter.status !== undefined) add('status = ?', filter.status);
  if (filter.statusNot !== undefined) add('status <> ?', filter.statusNot);
  const ofUser = 'FROM user_roles WHERE user_id = users.id';
  if (filter.hasRoles !== undefined)
    add(`EXISTS (SELECT 1 ${ofUser}) = ?`, Number(filter.hasRoles));
  if (roles !== undefined) {
    const among = 'role IN (SELECT value FROM json_each(?))';
    add(`EXISTS (SELECT 1 ${ofUser} AND ${among})`, JSON.stringify(roles));
  }
  if (filter.isEmailConfirmed !== undefined) {
    add('is_email_confirmed = ?', Number(filter.isEmailConfirmed));
  }
  if (filter.createdFrom !== undefined) add('created_at >= ?', filter.createdFrom);
  if (filter.signedInFrom !== undefined) add('last_sign_in_at >= ?', filter.signedInFrom);
  if (filter.signedInTo !== undefined) add('last_sign_in_at <= ?', filter.signedInTo);
  for (const { userIds, isAny } of filter.among ?? []) {
    const not = isAny ? '' : 'NOT ';
    add(`id ${not}IN (SELECT value FROM json_each(?))`, JSON.stringify(userIds));
  }
  return { condition: parts.join(' AND '), values };
}
