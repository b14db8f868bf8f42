export type { AccessTokens } from './access-tokens.ts';
export { GateFullError } from './bounded-gate.ts';
export { authenticateClient } from './client-authentication.ts';
export { CountryGate } from './country-gate.ts';
export { createAdministrator } from './create-administrator.ts';
export { createClient } from './create-client.ts';
export { createUser } from './create-user.ts';
export {
  type BotCredentials,
  type DemoEmail,
  readBotCredentials,
  seedDemoDirectory,
} from './demo-directory.ts';
export { createIdentity, DIRECTORY_FILE, type Identity } from './identity.ts';
export { OauthRefusal } from './oauth-error.ts';
export type { PasswordHasher } from './password-hasher.ts';
export { digestToken, type RandomSource, systemRandom } from './random.ts';
export { revokeKeyRoute } from './revoke-key-route.ts';
export type { RoleTable } from './roles.ts';
export { loadSecretBox, type SecretBox } from './secret-box.ts';
export type { UserRights } from './user-rights.ts';
