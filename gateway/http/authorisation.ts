import type { Refused } from './refused.ts';

/** What a route may require of its caller; a role is a set of these. */
export const OPERATIONS = [
  'trading-ui',
  'view-common',
  'view-users',
  'view-trades',
  'manage-users',
  'manage-trades',
  'manage-transfers',
  'view-commission-rules',
  'manage-commission-rules',
  'manage-assets',
  'manage-markets',
  'hide-markets',
  'manage-markets-categories',
  'read',
  'write',
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Any caller with a valid token, whatever its operations. */
export const SIGNED_IN = 'signed-in';
export type RequiredOperation = Operation | typeof SIGNED_IN | 'none';

/** Who is calling. One object per access token, kept as long as the token is cached. */
export interface Session {
  readonly userId: string;
  readonly clientId: string;
  readonly operations: ReadonlySet<Operation>;
  /** UTC milliseconds. */
  readonly expiresAt: number;
  /** May change nothing: routes that do are refused. */
  readonly isReadOnly?: true;
  /** A program with a key of its user's, bearer or signed, and no person who signed in. */
  readonly isByKey?: true;
  /** The one account that these credentials are for, where they are bound to one. */
  readonly accountId?: string;
}

/** The trading account that a request acts for. `index` is the dense index that clearing gave. */
export interface AccountReference {
  readonly accountId: string;
  readonly index: number;
}

/**
 * Decides who is calling and for which account. The server calls it before the body is parsed.
 *
 * Both answer synchronously wherever they can (a token seen before, an account in memory): a promise
 * costs the request a tick. Refusals are returned, not thrown; a rejected promise is answered 500.
 */
export interface Authoriser {
  /**
   * `authorization` is the header as sent, '' when absent; `now` is UTC milliseconds. Refuses with
   * Unauthorised for a missing, malformed, expired or revoked token and with Forbidden for one that
   * lacks the operation. `caller` is asked for its address where that matters.
   */
  authorise(
    authorization: string,
    operation: Operation | typeof SIGNED_IN,
    now: number,
    caller?: { readonly remoteAddress: string },
  ): Session | Refused | Promise<Session | Refused>;

  /**
   * The account named by the accountId header (never '': the server refuses that itself). A foreign
   * account is refused exactly as one that does not exist. Whether it may trade (Active, Halted,
   * Frozen) is not judged here but in clearing.
   */
  resolveAccount(
    session: Session,
    accountId: string,
  ): AccountReference | Refused | Promise<AccountReference | Refused>;

  /**
   * The signed interface: `payload` is the body text of a POST, and the query string with its `?` of
   * a GET or DELETE, both as sent.
   */
  authoriseSigned(
    key: string,
    sign: string,
    payload: string,
    now: number,
  ): Session | Refused | Promise<Session | Refused>;
}
