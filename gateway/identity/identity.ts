import { performance } from 'node:perf_hooks';
import type { Directory } from '../../persistence/directory/index.ts';
import type { Route } from '../http/route.ts';
import { systemClock } from '../http/server-state.ts';
import { AccessAuthoriser } from './access-authoriser.ts';
import { AccessTokens } from './access-tokens.ts';
import { apiKeyRoutes } from './api-key-routes.ts';
import { ApiKeySessions } from './api-key-sessions.ts';
import { AuthorizationEndpoint } from './authorization-endpoint.ts';
import { BrowserSessions } from './browser-sessions.ts';
import { BrowserSignIn } from './browser-sign-in.ts';
import { TokenCookie } from './cookies.ts';
import { discoveryRoutes } from './discovery-routes.ts';
import { createGrants } from './grants.ts';
import { IdTokens } from './id-tokens.ts';
import { createMailer, type Mailer } from './mailer.ts';
import { createPasswordHasher, type PasswordHasher } from './password-hasher.ts';
import { type RandomSource, systemRandom } from './random.ts';
import { RoleTable, synchroniseRoles } from './roles.ts';
import { SecondFactorChallenges } from './second-factor-challenge.ts';
import { SecondFactorCodes } from './second-factor-codes.ts';
import { SecondFactorEnrolments } from './second-factor-enrolment.ts';
import { SecondFactorMails } from './second-factor-mails.ts';
import { secondFactorRoutes } from './second-factor-routes.ts';
import { loadSecretBox } from './secret-box.ts';
import { SignIn, type SignInLimits } from './sign-in.ts';
import { signInRoutes } from './sign-in-routes.ts';
import { loadSigningKeys } from './signing-keys.ts';
import { TokenEndpoint } from './token-endpoint.ts';
import { tokenRoutes } from './token-routes.ts';
import { TokenService } from './token-service.ts';
import { type ApplyUserStatus, UserAdministration } from './user-administration.ts';
import { userAdministrationRoutes } from './user-administration-routes.ts';
import { UserRights } from './user-rights.ts';

/** The directory's name in a data directory. */
export const DIRECTORY_FILE = 'directory.db';

const DEFAULT_MAIL_FROM = 'Matchbox <no-reply@matchbox.test>';
const DAY_MS = 24 * 60 * 60 * 1_000;
const ACCESS_TOKEN_LIFETIME_MS = 30_000;
const APP_TOKEN_LIFETIME_MS = 10 * 60 * 1_000;
const REFRESH_TOKEN_LIFETIME_MS = 14 * DAY_MS;
const SIGN_IN_LIFETIME_MS = 90 * DAY_MS;
const BROWSER_SESSION_LIFETIME_MS = 8 * 60 * 60 * 1_000;
const CHALLENGE_LIFETIME_MS = 5 * 60 * 1_000;

export interface IdentityOptions {
  readonly directory: Directory;
  /** Where the signing keys are kept. */
  readonly dataDirectory: string;
  /** The address that tokens name as their issuer, for example `http://127.0.0.1:9000`. */
  readonly issuer: string;
  /** UTC milliseconds at start. */
  readonly now: number;
  /** 30 seconds by default. */
  readonly accessTokenLifetimeMs?: number;
  /** How long a refresh token lives unused: 14 days by default. */
  readonly refreshTokenLifetimeMs?: number;
  /** How long a sign-in lives, however often it is refreshed: 90 days by default. */
  readonly signInLifetimeMs?: number;
  readonly signInLimits?: SignInLimits;
  /** How codes are mailed; files in the data directory's outbox by default. */
  readonly mail?: { readonly smtpUrl: string | undefined; readonly from: string };
  /** Carries a user's status over to their trading accounts; by default there are none. */
  readonly applyUserStatus?: ApplyUserStatus;
  /** Told of mails that could not be sent. */
  readonly onMailError?: (error: unknown) => void;
  /** Made here when not given. */
  readonly passwords?: PasswordHasher;
  readonly random?: RandomSource;
  readonly monotonicNow?: () => number;
}

/** The identity component: who users are, what their tokens are worth. */
export interface Identity {
  readonly routes: readonly Route[];
  readonly authoriser: AccessAuthoriser;
  /** Tokens of apps; the subject of one is the app itself. */
  readonly appTokens: AccessTokens;
  readonly passwords: PasswordHasher;
  readonly roles: RoleTable;
  readonly rights: UserRights;
  /** Calls back after every change of a role, of the roles of a user or of a status. */
  onUserChange(listener: () => void): void;
}

/** Reads or makes the keys, writes the preconfigured roles, and puts the parts together. */
export async function createIdentity(options: IdentityOptions): Promise<Identity> {
  const { directory, dataDirectory, issuer, signInLimits } = options;
  const random = options.random ?? systemRandom;
  const monotonicNow = options.monotonicNow ?? (() => performance.now());
  const keys = await loadSigningKeys(dataDirectory);
  const passwords = options.passwords ?? (await createPasswordHasher());
  const roles = new RoleTable(directory);
  await synchroniseRoles(directory, options.now);
  await roles.reload();

  const accessTokens = new AccessTokens({
    keys,
    issuer,
    lifetimeMs: options.accessTokenLifetimeMs ?? ACCESS_TOKEN_LIFETIME_MS,
    random,
  });
  const tokens = new TokenService({
    directory,
    accessTokens,
    idTokens: new IdTokens(keys, issuer),
    random,
    refreshTokenLifetimeMs: options.refreshTokenLifetimeMs ?? REFRESH_TOKEN_LIFETIME_MS,
    signInLifetimeMs: options.signInLifetimeMs ?? SIGN_IN_LIFETIME_MS,
  });
  const signIn = new SignIn({
    directory,
    passwords,
    monotonicNow,
    ...(signInLimits === undefined ? {} : { limits: signInLimits }),
  });
  const sessions = new BrowserSessions(directory, random, sessionCookie(issuer));
  const authorization = new AuthorizationEndpoint({ directory, sessions, roles, random, issuer });
  const codes = new SecondFactorCodes(loadSecretBox(dataDirectory), monotonicNow);
  const mails = new SecondFactorMails({
    mailer: mailerOf(options),
    monotonicNow,
    onError: options.onMailError ?? (() => undefined),
  });
  const cookie = challengeCookie(issuer);
  const challenges = new SecondFactorChallenges({ directory, codes, mails, random, cookie });
  const enrolments = new SecondFactorEnrolments({ directory, codes, mails, signIn });
  const browserSignIn = new BrowserSignIn(signIn, sessions, challenges);
  const applyStatus = options.applyUserStatus ?? (async () => undefined);
  const apiKeys = new ApiKeySessions(directory, roles);
  const userListeners = [() => apiKeys.forget()];
  const rights = new UserRights(directory, roles);
  const administration = new UserAdministration({
    directory,
    roles,
    rights,
    applyStatus,
    onChange: () => {
      for (const listener of userListeners) listener();
    },
  });
  const grants = createGrants({ signIn, tokens, roles });
  return {
    routes: [
      ...discoveryRoutes(keys, issuer),
      ...signInRoutes({ signIn: browserSignIn, sessions, authorization, tokens }),
      ...secondFactorRoutes(enrolments, directory),
      ...apiKeyRoutes({ directory, sessions: apiKeys, random }),
      ...userAdministrationRoutes(administration, directory),
      ...tokenRoutes(new TokenEndpoint(directory, grants), tokens),
    ],
    authoriser: new AccessAuthoriser(accessTokens, roles, apiKeys),
    appTokens: new AccessTokens({ keys, issuer, lifetimeMs: APP_TOKEN_LIFETIME_MS, random }),
    passwords,
    roles,
    rights,
    onUserChange: (listener) => {
      userListeners.push(listener);
    },
  };
}

function mailerOf({ mail, dataDirectory }: IdentityOptions): Mailer {
  return createMailer({
    smtpUrl: mail?.smtpUrl,
    from: mail?.from ?? DEFAULT_MAIL_FROM,
    dataDirectory,
    now: systemClock.now,
  });
}

/** Lax: applications on other hosts send their users to the authorization endpoint. */
function sessionCookie(issuer: string): TokenCookie {
  return new TokenCookie({
    name: 'identity-session',
    path: '/identity',
    lifetimeMs: BROWSER_SESSION_LIFETIME_MS,
    isSecure: issuer.startsWith('https:'),
    sameSite: 'Lax',
  });
}

/** Between the two steps of a sign-in; no other site has any business in between. */
function challengeCookie(issuer: string): TokenCookie {
  return new TokenCookie({
    name: 'identity-second-factor',
    path: '/identity/sign-in',
    lifetimeMs: CHALLENGE_LIFETIME_MS,
    isSecure: issuer.startsWith('https:'),
    sameSite: 'Strict',
  });
}
