export type { ApiKey } from './api-keys.ts';
export type { Actor } from './audit.ts';
export type { CodeRedemptionRefusal } from './authorization-codes.ts';
export { type Directory, DirectoryBusyError, openDirectory } from './directory.ts';
export type { MarketCategory } from './market-categories.ts';
export type { OauthClient } from './oauth-clients.ts';
export {
  APP_GRANT,
  type Attempt,
  CHAIN_NODES_MAX,
  EXPORT_FORMATS,
  EXPORT_STATUSES,
  EXPORT_SUBJECTS,
  type ExportFormat,
  type ExportPool,
  type ExportResult,
  openExportPool,
  type PartnerRecord,
  type PartnerResourceName,
  REASSIGNMENT_STATUSES,
  REASSIGNMENT_TYPES,
  RELATIONS_A_STEP,
  type Violation,
} from './partners/index.ts';
export type { RefreshRefusal } from './refresh-tokens.ts';
export type { RoleDefinition } from './roles.ts';
export type { SecondFactorProvider } from './second-factor-provider.ts';
export type { SignedKey } from './signed-keys.ts';
export type { UsedNonce } from './signed-nonces.ts';
export type { UserContact } from './user-contacts.ts';
export type { UserFilter } from './user-list.ts';
export { emailKey, type User, type UserStatus } from './users.ts';
export {
  type DueWebhook,
  type NewWebhookDelivery,
  type SealedWebhookSecret,
  WEBHOOK_STATUSES,
} from './webhooks.ts';
