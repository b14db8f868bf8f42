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
      for (const role of changed) writePreconfigured(database, input, role);
      return changed.map((role) => role.name);
    });
  },

  list: listRoles,
};

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

function writePreconfigured(
  database: DirectoryDatabase,
  administration: Administration,
  role: RoleDefinition,
): void {
  database
    .statement(
      `INSERT INTO roles (name, description, is_preconfigured) VALUES (?, ?, 1)
       ON CONFLICT (name) DO UPDATE
         SET description = excluded.description, is_preconfigured = 1`,
    )
    .run(role.name, role.description);
  database.statement('DELETE FROM role_operations WHERE role = ?').run(role.name);
  const insert = database.statement('INSERT INTO role_operations (role, operation) VALUES (?, ?)');
  for (const operation of role.operations) insert.run(role.name, operation);
  recordAudit(database, administration, {
    action: 'role.define',
    entity: 'role',
    entityId: role.name,
    details: { operations: role.operations },
  });
}
