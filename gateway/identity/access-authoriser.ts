import { Refusals } from '../../core/messages/refusals.ts';
import {
  type Authoriser,
  OPERATIONS,
  type Operation,
  type Session,
  SIGNED_IN,
} from '../http/authorisation.ts';
import { type Refused, refuse } from '../http/refused.ts';
import type { AccessTokens } from './access-tokens.ts';
import { API_KEY_PREFIX, type ApiKeySessions } from './api-key-sessions.ts';
import { appOperations, type RoleTable } from './roles.ts';
import { SessionCache } from './session-cache.ts';

const AUTHORIZATION_LENGTH_MAX = 4_096;
const SESSIONS_CACHED = 10_000;
/** A flood of invalid tokens must not fill the pool that signs and hashes for everybody else. */
const VERIFICATIONS_PENDING_MAX = 256;

const unauthorised = refuse(Refusals.Unauthorised);
const overloaded = refuse(Refusals.Overloaded, { retryAfterSeconds: 1 });
const forbidden = new Map<string, Refused>(
  [...OPERATIONS, SIGNED_IN].map((operation) => [
    operation,
    refuse(Refusals.Forbidden, {
      limit: operation,
      headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' },
    }),
  ]),
);

/** Judges Bearer tokens. One that was seen before costs a lookup; a new one its verification. */
export class AccessAuthoriser implements Pick<Authoriser, 'authorise'> {
  readonly #tokens: AccessTokens;
  readonly #roles: RoleTable;
  readonly #sessions = new SessionCache(SESSIONS_CACHED);
  readonly #apiKeys: ApiKeySessions;
  readonly #pending = new Map<string, Promise<Session | Refused>>();

  constructor(tokens: AccessTokens, roles: RoleTable, apiKeys: ApiKeySessions) {
    this.#tokens = tokens;
    this.#roles = roles;
    this.#apiKeys = apiKeys;
  }

  authorise(
    authorization: string,
    operation: Operation | typeof SIGNED_IN,
    now: number,
    caller?: { readonly remoteAddress: string },
  ): Session | Refused | Promise<Session | Refused> {
    const session = this.#sessions.get(authorization, now);
    if (session !== undefined) return permit(session, operation);
    return this.#verify(authorization, operation, now, caller);
  }

  #verify(
    authorization: string,
    operation: Operation | typeof SIGNED_IN,
    now: number,
    caller: { readonly remoteAddress: string } | undefined,
  ): Session | Refused | Promise<Session | Refused> {
    if (authorization === '') return unauthorised;
    if (authorization.length > AUTHORIZATION_LENGTH_MAX) return unauthorised;
    const token = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1];
    if (token === undefined) return unauthorised;
    if (token.startsWith(API_KEY_PREFIX)) {
      return this.#apiKeys.authorise(token, operation, now, caller?.remoteAddress ?? '');
    }
    let pending = this.#pending.get(authorization);
    if (pending === undefined) {
      if (this.#pending.size >= VERIFICATIONS_PENDING_MAX) return overloaded;
      pending = this.#openSession(authorization, token, now);
      this.#pending.set(authorization, pending);
    }
    return pending.then((outcome) => ('userId' in outcome ? permit(outcome, operation) : outcome));
  }

  async #openSession(
    authorization: string,
    token: string,
    now: number,
  ): Promise<Session | Refused> {
    try {
      const claims = await this.#tokens.verify(token, now);
      if (claims === null) return unauthorised;
      const session: Session = {
        userId: claims.userId,
        clientId: claims.clientId,
        operations: isApp(claims)
          ? appOperations(claims.scopes)
          : this.#roles.operationsOf(claims.roles, claims.scopes),
        expiresAt: claims.expiresAt,
      };
      this.#sessions.set(authorization, session);
      return session;
    } finally {
      this.#pending.delete(authorization);
    }
  }
}

/** Whether a program speaks for itself: it is no user, and has nothing that belongs to one. */
function isApp({ userId, clientId }: { readonly userId: string; readonly clientId: string }) {
  return userId === clientId;
}

function permit(session: Session, operation: Operation | typeof SIGNED_IN): Session | Refused {
  const isAllowed = operation === SIGNED_IN ? !isApp(session) : session.operations.has(operation);
  if (isAllowed) return session;
  return forbidden.get(operation) ?? unauthorised;
}
