import { join } from 'node:path';
import type { Directory, OauthClient } from '../../persistence/directory/index.ts';
import { createUser, type UserCreationParts } from './create-user.ts';
import { readIfPresent, writePrivately } from './private-file.ts';
import { digestToken } from './random.ts';
import { synchroniseRoles } from './roles.ts';
import { SIGN_IN_DONE_PATH } from './sign-in-done-page.ts';

/**
 * The people and programs of the demo venue. Their credentials are published, so they exist only in
 * data directories that were made for a demo.
 */
const DEMO_PASSWORD = 'Matchbox-1!';

const DEMO_USERS = [
  { email: 'admin@matchbox.test', nickname: 'admin', roles: ['Admin'] },
  { email: 'support@matchbox.test', nickname: 'support', roles: ['Support'] },
  { email: 'alice@matchbox.test', nickname: 'alice', roles: ['Trader'] },
  { email: 'bob@matchbox.test', nickname: 'bob', roles: ['Trader'] },
] as const;

/** The user that the liquidity bots trade as; nobody is told its password. */
const BOT_USER = {
  email: 'market-maker@matchbox.test',
  nickname: 'market-maker',
  roles: ['Trader'],
} as const;

const FRONT_OFFICE = ['openid', 'offline_access', 'FrontOffice'];
const BOTH_OFFICES = [...FRONT_OFFICE, 'BackOffice'];
const PASSWORD_GRANTS = ['password', 'refresh_token'];
const CODE_GRANTS = ['authorization_code', 'refresh_token'];

const DEMO_CLIENTS = [
  { clientId: 'tests', name: 'Tests', grantTypes: PASSWORD_GRANTS, scopes: BOTH_OFFICES },
  { clientId: 'lk', name: 'Trusted server', grantTypes: PASSWORD_GRANTS, scopes: BOTH_OFFICES },
  { clientId: 'spa', name: 'Trading terminal', grantTypes: CODE_GRANTS, scopes: FRONT_OFFICE },
  { clientId: 'spa_admin', name: 'Back office', grantTypes: CODE_GRANTS, scopes: BOTH_OFFICES },
];

const SEEDED_MARK = 'demo-directory';
const ACTOR = 'system:demo';
/** Where the bots find how to sign in; only the owner of the data directory can read it. */
const BOT_CREDENTIALS_FILE = 'demo-bots.json';

export type DemoEmail = (typeof DEMO_USERS)[number]['email'] | typeof BOT_USER.email;

/** How the liquidity bots sign in: by the password grant, as an ordinary client would. */
export interface BotCredentials {
  readonly email: string;
  readonly password: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface DemoSeedParts extends UserCreationParts {
  readonly dataDirectory: string;
  /** Where the identity component is: the applications' browsers come back to its own page. */
  readonly issuer: string;
  /** UTC milliseconds. */
  readonly now: number;
}

/**
 * Fills the directory of a demo data directory and answers the ids of its users. It may be cut off at
 * any point and run again; what is there already stays as it is, changed passwords included.
 */
export async function seedDemoDirectory(
  parts: DemoSeedParts,
): Promise<ReadonlyMap<DemoEmail, string>> {
  const { directory, now } = parts;
  await synchroniseRoles(directory, now);
  const isSeeded = (await directory.meta.get(SEEDED_MARK)) !== null;
  if (!isSeeded) {
    for (const client of DEMO_CLIENTS) await registerClient(directory, client, now);
    for (const user of DEMO_USERS) await ensureUser(parts, user, DEMO_PASSWORD);
  }
  await setRedirectUris(parts);
  await ensureBot(parts);
  if (!isSeeded) await directory.meta.set({ key: SEEDED_MARK, value: String(now) });
  return await userIds(directory);
}

/** The bots' way to sign in, from the file that the seeding left. Null outside a demo. */
export function readBotCredentials(dataDirectory: string): BotCredentials | null {
  const text = readIfPresent(join(dataDirectory, BOT_CREDENTIALS_FILE));
  return text === null ? null : JSON.parse(text);
}

async function registerClient(
  directory: Directory,
  client: Omit<OauthClient, 'secretHash' | 'redirectUris'>,
  now: number,
): Promise<void> {
  await directory.oauthClients.register({
    ...client,
    secretHash: digestToken(secretOf(client.clientId)),
    redirectUris: [],
    actor: ACTOR,
    at: now,
  });
}

/** At every start: a demo may be started on another port than before. */
async function setRedirectUris({ directory, issuer, now }: DemoSeedParts): Promise<void> {
  const redirectUris = loopbackNames(issuer).map((origin) => origin + SIGN_IN_DONE_PATH);
  for (const { clientId, grantTypes } of DEMO_CLIENTS) {
    if (grantTypes !== CODE_GRANTS) continue;
    await directory.oauthClients.setRedirectUris({ clientId, redirectUris, actor: ACTOR, at: now });
  }
}

/** A demo on this machine is visited under either name. */
function loopbackNames(issuer: string): string[] {
  const { origin, hostname, protocol, port } = new URL(issuer);
  if (hostname !== 'localhost' && hostname !== '127.0.0.1') return [origin];
  const suffix = port === '' ? '' : `:${port}`;
  return ['127.0.0.1', 'localhost'].map((name) => `${protocol}//${name}${suffix}`);
}

function secretOf(clientId: string): string {
  return `${clientId}-secret`;
}

async function ensureUser(
  parts: DemoSeedParts,
  user: { readonly email: string; readonly nickname: string; readonly roles: readonly string[] },
  password: string,
): Promise<void> {
  if ((await parts.directory.users.findByEmail(user.email)) !== null) return;
  await createUser(parts, {
    ...user,
    password,
    isEmailConfirmed: true,
    actor: ACTOR,
    at: parts.now,
  });
}

/**
 * A new user comes after the file, a new password before it: whatever is cut off, the file never says
 * what is not true for a user that exists.
 */
async function ensureBot(parts: DemoSeedParts): Promise<void> {
  const { directory, passwords, random, dataDirectory, now } = parts;
  const kept = readBotCredentials(dataDirectory);
  const user = await directory.users.findByEmail(BOT_USER.email);
  if (kept !== null && user !== null) return;
  const credentials = kept ?? {
    email: BOT_USER.email,
    password: random.token(),
    clientId: 'lk',
    clientSecret: secretOf('lk'),
  };
  if (user !== null) {
    const passwordHash = await passwords.hash(credentials.password);
    await directory.users.changePassword({ userId: user.id, passwordHash, actor: ACTOR, at: now });
  }
  if (kept === null) {
    const text = `${JSON.stringify(credentials, null, 2)}\n`;
    writePrivately(join(dataDirectory, BOT_CREDENTIALS_FILE), text);
  }
  if (user === null) await ensureUser(parts, BOT_USER, credentials.password);
}

async function userIds(directory: Directory): Promise<ReadonlyMap<DemoEmail, string>> {
  const ids = new Map<DemoEmail, string>();
  for (const { email } of [...DEMO_USERS, BOT_USER]) {
    const user = await directory.users.findByEmail(email);
    if (user === null) throw new Error(`demo user ${email} is missing`);
    ids.set(email, user.id);
  }
  return ids;
}
