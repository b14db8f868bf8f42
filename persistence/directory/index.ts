export type { Actor } from './audit.ts';
export type { CodeRedemptionRefusal } from './authorization-codes.ts';
export { type Directory, DirectoryBusyError, openDirectory } from './directory.ts';
export type { OauthClient } from './oauth-clients.ts';
export type { RefreshRefusal } from './refresh-tokens.ts';
export type { RoleDefinition } from './roles.ts';
export type { SecondFactorProvider } from './second-factor-provider.ts';
export { emailKey, type User } from './users.ts';
