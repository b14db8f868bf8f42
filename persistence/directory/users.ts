import { type Administration, recordAudit } from './audit.ts';
import type { DirectoryDatabase } from './database.ts';
import { type RevocationReason, revokeFamiliesOfUser } from './refresh-token-families.ts';
import { endSignInsOfUser } from './sign-in-ends.ts';

/**
 * Active: full access. Halted: may withdraw, may not trade. Frozen: read-only. Terminated: may not
 * even sign in, and that for good.
 */
export type UserStatus = 'Active' | 'Halted' | 'Frozen' | 'Terminated';

export interface User {
  readonly id: string;
  readonly email: string;
  readonly nickname: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly countryId: string | null;
  readonly status: UserStatus;
  readonly isEmailConfirmed: boolean;
  readonly isPhoneConfirmed: boolean;
  readonly canDeposit: boolean;
  readonly canWithdraw: boolean;
  readonly twoFactorEnabled: boolean;
  readonly roles: readonly string[];
  /** UTC milliseconds, as all times here. */
  readonly lastSignInAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What a sign-in needs. The hash is a PHC string and never leaves the identity component. */
export interface UserCredentials {
  readonly user: User;
  readonly passwordHash: string;
}

export interface NewUser {
  readonly id: string;
  readonly email: string;
  readonly nickname: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly passwordHash: string;
  readonly isEmailConfirmed: boolean;
  readonly roles: readonly string[];
}

export type CreateUserResult =
  | { readonly outcome: 'created'; readonly user: User }
  | { readonly outcome: 'email-taken' };

export type ChangeUserResult = 'changed' | 'unknown-user';

/** The form under which an address is unique. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}

export const userOperations = {
  /** An unknown role is a programming error and throws; nothing is written then. */
  create(database: DirectoryDatabase, input: NewUser & Administration): CreateUserResult {
    return database.transaction(() => {
      if (findByEmail(database, input.email) !== null) return { outcome: 'email-taken' };
      insertUser(database, input);
      insertRoles(database, input.id, input.roles);
      recordAudit(database, input, {
        action: 'user.create',
        entity: 'user',
        entityId: input.id,
        details: { email: input.email, roles: input.roles },
      });
      return { outcome: 'created', user: requireUser(database, input.id) };
    });
  },

  get: getUser,

  findByEmail,

  findCredentials(database: DirectoryDatabase, email: string): UserCredentials | null {
    const row = database
      .statement<UserRow>('SELECT * FROM users WHERE email_key = ?')
      .get(emailKey(email));
    if (row === undefined) return null;
    return { user: toUser(database, row), passwordHash: row.password_hash };
  },

  /** `rehashedPassword` replaces the stored hash of the same password when its cost was raised. */
  recordSignIn(
    database: DirectoryDatabase,
    input: { readonly userId: string; readonly at: number; readonly rehashedPassword?: string },
  ): void {
    database
      .statement(
        `UPDATE users SET last_sign_in_at = ?, password_hash = coalesce(?, password_hash)
          WHERE id = ?`,
      )
      .run(input.at, input.rehashedPassword ?? null, input.userId);
  },

  /** Ends every session of the user: whoever knew the old password holds no refresh token after. */
  changePassword(
    database: DirectoryDatabase,
    input: Administration & { readonly userId: string; readonly passwordHash: string },
  ): ChangeUserResult {
    return changeUser(database, input, 'user.change-password', {}, () => {
      database
        .statement('UPDATE users SET password_hash = ? WHERE id = ?')
        .run(input.passwordHash, input.userId);
      endAllOfUser(database, input, 'password-changed');
    });
  },

  setStatus(
    database: DirectoryDatabase,
    input: Administration & { readonly userId: string; readonly status: UserStatus },
  ): ChangeUserResult {
    const { userId, status } = input;
    return changeUser(database, input, 'user.set-status', { status }, () => {
      database.statement('UPDATE users SET status = ? WHERE id = ?').run(status, userId);
      if (status === 'Terminated') endAllOfUser(database, input, 'user-terminated');
      if (status === 'Frozen') endAllOfUser(database, input, 'user-frozen');
    });
  },

  /** Takes effect when the user's access tokens are next refreshed. An unknown role throws. */
  setRoles(
    database: DirectoryDatabase,
    input: Administration & { readonly userId: string; readonly roles: readonly string[] },
  ): ChangeUserResult {
    const { userId, roles } = input;
    return changeUser(database, input, 'user.set-roles', { roles }, () => {
      database.statement('DELETE FROM user_roles WHERE user_id = ?').run(userId);
      insertRoles(database, userId, roles);
    });
  },
};

interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly nickname: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly country_id: string | null;
  readonly password_hash: string;
  readonly status: UserStatus;
  readonly is_email_confirmed: number;
  readonly is_phone_confirmed: number;
  readonly can_deposit: number;
  readonly can_withdraw: number;
  readonly two_factor_enabled: number;
  readonly last_sign_in_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

/** Also what a token refresh reads: the roles and the status of the moment. */
export function getUser(database: DirectoryDatabase, userId: string): User | null {
  const row = database.statement<UserRow>('SELECT * FROM users WHERE id = ?').get(userId);
  return row === undefined ? null : toUser(database, row);
}

function findByEmail(database: DirectoryDatabase, email: string): User | null {
  const row = database
    .statement<UserRow>('SELECT * FROM users WHERE email_key = ?')
    .get(emailKey(email));
  return row === undefined ? null : toUser(database, row);
}

function requireUser(database: DirectoryDatabase, userId: string): User {
  const user = getUser(database, userId);
  if (user === null) throw new Error(`directory: user ${userId} vanished`);
  return user;
}

function toUser(database: DirectoryDatabase, row: UserRow): User {
  const roles = database
    .statement<{ role: string }>('SELECT role FROM user_roles WHERE user_id = ? ORDER BY role')
    .all(row.id);
  return {
    id: row.id,
    email: row.email,
    nickname: row.nickname,
    firstName: row.first_name,
    lastName: row.last_name,
    countryId: row.country_id,
    status: row.status,
    isEmailConfirmed: row.is_email_confirmed === 1,
    isPhoneConfirmed: row.is_phone_confirmed === 1,
    canDeposit: row.can_deposit === 1,
    canWithdraw: row.can_withdraw === 1,
    twoFactorEnabled: row.two_factor_enabled === 1,
    roles: roles.map(({ role }) => role),
    lastSignInAt: row.last_sign_in_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function insertUser(database: DirectoryDatabase, input: NewUser & Administration): void {
  database
    .statement(
      `INSERT INTO users (id, email, email_key, nickname, first_name, last_name, password_hash,
                          is_email_confirmed, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      input.id,
      input.email,
      emailKey(input.email),
      input.nickname,
      input.firstName ?? null,
      input.lastName ?? null,
      input.passwordHash,
      input.isEmailConfirmed ? 1 : 0,
      input.at,
      input.at,
    );
}

function insertRoles(database: DirectoryDatabase, userId: string, roles: readonly string[]): void {
  const insert = database.statement('INSERT INTO user_roles (user_id, role) VALUES (?, ?)');
  for (const role of new Set(roles)) insert.run(userId, role);
}

/** No token is refreshed, no code redeemed and no cookie believed after it. */
function endAllOfUser(
  database: DirectoryDatabase,
  { userId, at }: { readonly userId: string; readonly at: number },
  reason: RevocationReason,
): void {
  revokeFamiliesOfUser(database, { userId, at, reason });
  endSignInsOfUser(database, userId);
}

function changeUser(
  database: DirectoryDatabase,
  input: Administration & { readonly userId: string },
  action: string,
  details: Readonly<Record<string, unknown>>,
  change: () => void,
): ChangeUserResult {
  return database.transaction(() => {
    const touched = database
      .statement('UPDATE users SET updated_at = ? WHERE id = ?')
      .run(input.at, input.userId);
    if (touched.changes === 0) return 'unknown-user';
    change();
    recordAudit(database, input, { action, entity: 'user', entityId: input.userId, details });
    return 'changed';
  });
}
