import { type Administration, recordAudit } from './audit.ts';
import type { DirectoryDatabase } from './database.ts';

export interface RoleDefinition {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly string[];
}

export interface Role extends RoleDefinition {
  readonly isPreconfigured: boolean;
}

export type ChangeRoleResult = 'changed' | 'unknown-role' | 'preconfigured';

export const roleOperations = {
  /**
   * Makes the preconfigured roles exactly what the program's own table says; custom roles stay as
   * they are. Answers the names of the roles that changed.
   */
  synchronisePreconfigured(
    database: DirectoryDatabase,
    input: Administration & { readonly roles: readonly RoleDefinition[] },
  ): string[] {
    return database.transaction(() => {
      const existing = new Map(listRoles(database).map((role) => [role.name, role]));
      const changed = input.roles.filter((role) => !isSame(existing.get(role.name), role));
      for (const role of changed) writeRole(database, input, role, true);
      return changed.map((role) => role.name);
    });
  },

  list: listRoles,

  /** Makes a custom role; false and no change where the name is taken. */
  create(database: DirectoryDatabase, input: Administration & RoleDefinition): boolean {
    return database.transaction(() => {
      if (findRole(database, input.name) !== undefined) return false;
      writeRole(database, input, input, false);
      return true;
    });
  },

  /** Gives a custom role other operations: its users' tokens follow when they are next refreshed. */
  update(database: DirectoryDatabase, input: Administration & RoleDefinition): ChangeRoleResult {
    return database.transaction(() => {
      const role = findRole(database, input.name);
      if (role === undefined) return 'unknown-role';
      if (role.isPreconfigured) return 'preconfigured';
      writeRole(database, input, input, false);
      return 'changed';
    });
  },

  /** Removes a custom role that nobody has. */
  remove(
    database: DirectoryDatabase,
    input: Administration & { readonly name: string },
  ): ChangeRoleResult | 'in-use' {
    return database.transaction(() => {
      const role = findRole(database, input.name);
      if (role === undefined) return 'unknown-role';
      if (role.isPreconfigured) return 'preconfigured';
      const holder = database
        .statement<{ found: number }>('SELECT 1 AS found FROM user_roles WHERE role = ? LIMIT 1')
        .get(input.name);
      if (holder !== undefined) return 'in-use';
      database.statement('DELETE FROM roles WHERE name = ?').run(input.name);
      recordAudit(database, input, {
        action: 'role.remove',
        entity: 'role',
        entityId: input.name,
        details: { operations: role.operations },
      });
      return 'changed';
    });
  },
};

function findRole(database: DirectoryDatabase, name: string): Role | undefined {
  return listRoles(database).find((role) => role.name === name);
}

function listRoles(database: DirectoryDatabase): Role[] {
  const roles = database
    .statement<{ name: string; description: string; isPreconfigured: number }>(
      'SELECT name, description, is_preconfigured AS isPreconfigured FROM roles ORDER BY name',
    )
    .all();
  const operations = database.statement<{ operation: string }>(
    'SELECT operation FROM role_operations WHERE role = ? ORDER BY operation',
  );
  return roles.map((role) => ({
    name: role.name,
    description: role.description,
    isPreconfigured: role.isPreconfigured === 1,
    operations: operations.all(role.name).map((row) => row.operation),
  }));
}

function isSame(existing: Role | undefined, wanted: RoleDefinition): boolean {
  return (
    existing?.isPreconfigured === true &&
    existing.description === wanted.description &&
    existing.operations.join(' ') === [...wanted.operations].sort().join(' ')
  );
}

function writeRole(
  database: DirectoryDatabase,
  administration: Administration,
  role: RoleDefinition,
  isPreconfigured: boolean,
): void {
  database
    .statement(
      `INSERT INTO roles (name, description, is_preconfigured) VALUES (?, ?, ?)
       ON CONFLICT (name) DO UPDATE
         SET description = excluded.description, is_preconfigured = excluded.is_preconfigured`,
    )
    .run(role.name, role.description, isPreconfigured ? 1 : 0);
  database.statement('DELETE FROM role_operations WHERE role = ?').run(role.name);
  const insert = database.statement('INSERT INTO role_operations (role, operation) VALUES (?, ?)');
  for (const operation of new Set(role.operations)) insert.run(role.name, operation);
  recordAudit(database, administration, {
    action: 'role.define',
    entity: 'role',
    entityId: role.name,
    details: { operations: role.operations },
  });
}
