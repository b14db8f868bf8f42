export { CountryGate } from './country-gate.ts';
export { createAdministrator } from './create-administrator.ts';
export { createClient } from './create-client.ts';
export {
  type BotCredentials,
  type DemoEmail,
  readBotCredentials,
  seedDemoDirectory,
} from './demo-directory.ts';
export { createIdentity, DIRECTORY_FILE, type Identity } from './identity.ts';
export { systemRandom } from './random.ts';
