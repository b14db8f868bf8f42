import type { DirectoryDatabase } from './database.ts';

/** How a user appears beside a trade. */
export interface UserContact {
  readonly id: string;
  readonly email: string;
  readonly roles: readonly string[];
}

export const userContactOperations = {
  /** Those of the users named that exist. */
  of(database: DirectoryDatabase, userIds: readonly string[]): UserContact[] {
    return database
      .statement<{ id: string; email: string; roles: string }>(
        `SELECT id, email,
                (SELECT json_group_array(role ORDER BY role) FROM user_roles
                  WHERE user_id = users.id) AS roles
           FROM users WHERE id IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify(userIds))
      .map((row) => ({ ...row, roles: JSON.parse(row.roles) }));
  },
};
