import { type Static, Type } from '@sinclair/typebox';
import type { Directory, RoleDefinition, User } from '../../persistence/directory/index.ts';
import { orBusy } from '../directory-answer.ts';
import { Refused } from '../http/refused.ts';
import { created } from '../http/reply.ts';
import { type Route, route } from '../http/route.ts';
import { OneOf, UuidInput } from '../http/schema.ts';
import { ROLE_OPERATIONS } from './roles.ts';
import type { UserAdministration } from './user-administration.ts';

const ROLES = '/back-api/backoffice/v2/roles';
const USER = '/back-api/backoffice/v2/users/{userId}';
const STATUSES = ['Active', 'Halted', 'Frozen', 'Terminated'] as const;

const RoleName = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9 _-]{0,39}$' });
const Description = Type.String({ maxLength: 200 });
const Operations = Type.Array(OneOf(ROLE_OPERATIONS), { maxItems: 64 });
const RoleBody = Type.Object({ description: Description, operations: Operations });
const NewRole = Type.Object({ name: RoleName, description: Description, operations: Operations });
const RoleResponse = Type.Object({
  name: Type.String(),
  description: Type.String(),
  operations: Type.Array(Type.String()),
  isPreconfigured: Type.Boolean(),
});
const RoleParameters = Type.Object({ name: RoleName });
const UserParameters = Type.Object({ userId: UuidInput() });
const UserResponse = Type.Object({
  id: Type.String(),
  email: Type.String(),
  nickname: Type.String(),
  roles: Type.Array(Type.String()),
  status: OneOf(STATUSES),
  twoFactorEnabled: Type.Boolean(),
});

/** Roles of the venue's own, and what users are and may do. */
export function userAdministrationRoutes(
  administration: UserAdministration,
  directory: Directory,
): Route[] {
  return [
    listRolesRoute(directory),
    createRoleRoute(administration),
    updateRoleRoute(administration),
    removeRoleRoute(administration),
    setRolesRoute(administration),
    setStatusRoute(administration),
    resetSecondFactorRoute(administration),
  ];
}

function listRolesRoute({ roles }: Directory): Route {
  return route({
    method: 'GET',
    path: ROLES,
    area: 'trading',
    operation: 'view-users',
    extension: true,
    summary: 'All roles with their operations',
    responses: { 200: Type.Object({ roles: Type.Array(RoleResponse) }) },
    handler: async () => {
      const list = await orBusy(roles.list());
      return list instanceof Refused ? list : { roles: list.map(roleOf) };
    },
  });
}

function createRoleRoute(administration: UserAdministration): Route {
  return route({
    method: 'POST',
    path: ROLES,
    area: 'trading',
    operation: 'manage-users',
    extension: true,
    summary: 'Makes a role, of operations that the caller has',
    body: NewRole,
    responses: { 201: RoleResponse },
    handler: async ({ body, session, now }) => {
      const refused = await orBusy(administration.createRole(session, body, now));
      return refused ?? created({ ...definitionOf(body), isPreconfigured: false });
    },
  });
}

function updateRoleRoute(administration: UserAdministration): Route {
  return route({
    method: 'PUT',
    path: `${ROLES}/{name}`,
    area: 'trading',
    operation: 'manage-users',
    extension: true,
    summary: "Gives a role of the venue's own other operations",
    params: RoleParameters,
    body: RoleBody,
    responses: { 200: RoleResponse },
    handler: async ({ params, body, session, now }) => {
      const role = { ...params, ...body };
      const refused = await orBusy(administration.updateRole(session, role, now));
      return refused ?? { ...definitionOf(role), isPreconfigured: false };
    },
  });
}

function removeRoleRoute(administration: UserAdministration): Route {
  return route({
    method: 'DELETE',
    path: `${ROLES}/{name}`,
    area: 'trading',
    operation: 'manage-users',
    extension: true,
    summary: "Removes a role of the venue's own that nobody has",
    params: RoleParameters,
    responses: { 200: null },
    handler: ({ params, session, now }) =>
      orBusy(administration.removeRole(session, params.name, now)),
  });
}

function setRolesRoute(administration: UserAdministration): Route {
  return route({
    method: 'PUT',
    path: `${USER}/roles`,
    area: 'trading',
    operation: 'manage-users',
    extension: true,
    summary: 'Gives a user these roles and no others',
    params: UserParameters,
    body: Type.Object({ roles: Type.Array(RoleName, { maxItems: 32 }) }),
    responses: { 200: UserResponse },
    handler: async ({ params, body, session, now }) => {
      const changing = administration.setRoles(session, params.userId, body.roles, now);
      const user = await orBusy(changing);
      return user instanceof Refused ? user : userOf(user);
    },
  });
}

function setStatusRoute(administration: UserAdministration): Route {
  return route({
    method: 'PUT',
    path: `${USER}/status`,
    area: 'trading',
    operation: 'manage-users',
    extension: true,
    summary: "Changes what a user may do at all; the user's accounts follow",
    params: UserParameters,
    body: Type.Object({ status: OneOf(STATUSES) }),
    responses: { 200: UserResponse },
    handler: async ({ params, body, session, now }) => {
      const changing = administration.setStatus(session, params.userId, body.status, now);
      const user = await orBusy(changing);
      return user instanceof Refused ? user : userOf(user);
    },
  });
}

function resetSecondFactorRoute(administration: UserAdministration): Route {
  return route({
    method: 'DELETE',
    path: `${USER}/second-factor`,
    area: 'trading',
    operation: 'manage-users',
    extension: true,
    summary: "Takes a user's second factor away, for one whose authenticator is lost",
    params: UserParameters,
    responses: { 200: null },
    handler: ({ params, session, now }) =>
      orBusy(administration.resetSecondFactor(session, params.userId, now)),
  });
}

function roleOf(role: RoleDefinition & { readonly isPreconfigured: boolean }) {
  return { ...role, operations: [...role.operations] };
}

function definitionOf({ name, description, operations }: Static<typeof NewRole>) {
  return { name, description, operations: [...new Set(operations)].sort() };
}

function userOf({ id, email, nickname, roles, status, twoFactorEnabled }: User) {
  return { id, email, nickname, roles: [...roles], status, twoFactorEnabled };
}
