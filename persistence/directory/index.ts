export type { Actor, Administration, AuditEntry } from './audit.ts';
export {
  type Directory,
  DirectoryBusyError,
  DirectoryError,
  type DirectoryOptions,
  openDirectory,
} from './directory.ts';
export type { OauthClient } from './oauth-clients.ts';
export type { RefreshRefusal } from './refresh-tokens.ts';
export type { Role, RoleDefinition } from './roles.ts';
export { emailKey, type User, type UserCredentials, type UserStatus } from './users.ts';
