import { apiKeyOperations } from './api-keys.ts';
import { auditOperations } from './audit.ts';
import { authorizationCodeOperations } from './authorization-codes.ts';
import type { DirectoryDatabase } from './database.ts';
import { favoriteOperations } from './favorites.ts';
import { marketCategoryOperations } from './market-categories.ts';
import { metaOperations } from './meta.ts';
import { oauthClientOperations } from './oauth-clients.ts';
import { partnerOperations } from './partners/operations.ts';
import { refreshTokenOperations } from './refresh-tokens.ts';
import { roleOperations } from './roles.ts';
import { secondFactorChallengeOperations } from './second-factor-challenges.ts';
import { secondFactorOperations } from './second-factors.ts';
import { signInSessionOperations } from './sign-in-sessions.ts';
import { signedKeyOperations } from './signed-keys.ts';
import { signedNonceOperations } from './signed-nonces.ts';
import { userContactOperations } from './user-contacts.ts';
import { userListOperations } from './user-list.ts';
import { userOperations } from './users.ts';
import { webhookOperations } from './webhooks.ts';

/**
 * All that can be asked of the directory, by group. An operation takes the database and at most one
 * plain input, reads no clock and draws no random number, and answers plain data: it runs in the
 * directory's own thread. Outcomes that a caller must expect are results; only faults are thrown.
 */
const directoryOperations = {
  apiKeys: apiKeyOperations,
  audit: auditOperations,
  authorizationCodes: authorizationCodeOperations,
  favorites: favoriteOperations,
  marketCategories: marketCategoryOperations,
  meta: metaOperations,
  oauthClients: oauthClientOperations,
  ...partnerOperations,
  refreshTokens: refreshTokenOperations,
  roles: roleOperations,
  secondFactorChallenges: secondFactorChallengeOperations,
  secondFactors: secondFactorOperations,
  signedKeys: signedKeyOperations,
  signedNonces: signedNonceOperations,
  signInSessions: signInSessionOperations,
  userContacts: userContactOperations,
  userLists: userListOperations,
  users: userOperations,
  webhooks: webhookOperations,
};

type Operations = typeof directoryOperations;

/** The same operation as its callers see it, from another thread. */
type Remote<Operation> = Operation extends (
  database: DirectoryDatabase,
  ...input: infer Input
) => infer Result
  ? (...input: Input) => Promise<Result>
  : never;

/** Every operation under its group: `directory.users.create({...})`. */
export type DirectoryCalls = {
  readonly [Group in keyof Operations]: {
    readonly [Name in keyof Operations[Group]]: Remote<Operations[Group][Name]>;
  };
};

/** A call on its way to the thread that owns the database. */
export interface DirectoryRequest {
  readonly group: string;
  readonly name: string;
  readonly input: readonly unknown[];
}

type UntypedOperation = (database: DirectoryDatabase, ...input: readonly unknown[]) => unknown;

/** Types are forgotten between the threads and only there; `createDirectoryCalls` is the other end. */
const table: Readonly<Record<string, Readonly<Record<string, unknown>>>> = directoryOperations;

/** Carries out a call. Throws for an operation that does not exist. */
export function executeDirectoryRequest(
  database: DirectoryDatabase,
  request: DirectoryRequest,
): unknown {
  const operation = table[request.group]?.[request.name];
  if (typeof operation !== 'function') {
    throw new Error(`directory: no operation ${request.group}.${request.name}`);
  }
  return (operation as UntypedOperation)(database, ...request.input);
}

/** The typed calls over whatever carries a request to the database and its answer back. */
export function createDirectoryCalls(
  execute: (request: DirectoryRequest) => Promise<unknown>,
): DirectoryCalls {
  const groups = Object.entries(table).map(([group, operations]) => {
    const calls = Object.keys(operations).map((name) => [
      name,
      (...input: unknown[]) => execute({ group, name, input }),
    ]);
    return [group, Object.fromEntries(calls)];
  });
  return Object.fromEntries(groups) as DirectoryCalls;
}
