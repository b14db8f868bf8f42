import { createHash } from 'node:crypto';
import type { Directory, OauthClient } from '../../persistence/directory/index.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import type { AuthorizeParameters } from './identity-schemas.ts';
import { OauthRefusal } from './oauth-error.ts';
import { digestToken, type RandomSource } from './random.ts';
import type { RoleTable } from './roles.ts';
import { resolveScopes } from './scopes.ts';

/** How long a code waits to be redeemed. */
const CODE_LIFETIME_MS = 60_000;
const GRANT_TYPE = 'authorization_code';
const PARAMETER_LENGTH_MAX = 2_048;

export interface AuthorizationRequest {
  readonly parameters: AuthorizeParameters;
  /** The Cookie header. */
  readonly cookies: string | undefined;
  readonly now: number;
}

/** Why no code was issued: the parameter at fault ('' where nobody is signed in), and what is wrong. */
export class AuthorizationRefusal {
  readonly field: string;
  readonly issue: string;

  constructor(field: string, issue: string) {
    this.field = field;
    this.issue = issue;
  }
}

export interface AuthorizationEndpointOptions {
  readonly directory: Directory;
  readonly sessions: BrowserSessions;
  readonly roles: RoleTable;
  readonly random: RandomSource;
  readonly issuer: string;
}

interface CheckedRequest {
  readonly client: OauthClient;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly scopes: readonly string[];
}

/** The authorization endpoint (RFC 6749, 3.1) with PKCE, apart from HTTP. */
export class AuthorizationEndpoint {
  readonly #options: AuthorizationEndpointOptions;

  constructor(options: AuthorizationEndpointOptions) {
    this.#options = options;
  }

  /** The address to send the browser to, with its code. */
  async answer(request: AuthorizationRequest): Promise<string | AuthorizationRefusal> {
    const { directory, sessions, roles, random, issuer } = this.#options;
    const { parameters, cookies, now } = request;
    const checked = await this.#check(parameters);
    if (checked instanceof AuthorizationRefusal) return checked;
    const session = await sessions.find(cookies, now);
    if (session === null) return new AuthorizationRefusal('', 'Sign in first.');
    const { client, redirectUri, codeChallenge } = checked;
    const scopes = roles.limitScopes(session.user.roles, checked.scopes);
    const code = random.token();
    await directory.authorizationCodes.issue({
      codeHash: digestToken(code),
      clientId: client.clientId,
      userId: session.user.id,
      redirectUri,
      codeChallenge,
      scopes,
      nonce: parameters.nonce ?? null,
      authenticatedAt: session.authenticatedAt,
      at: now,
      expiresAt: now + CODE_LIFETIME_MS,
    });
    const address = new URL(redirectUri);
    const { searchParams } = address;
    searchParams.set('code', code);
    searchParams.set('scope', scopes.join(' '));
    if (parameters.state !== undefined) searchParams.set('state', parameters.state);
    const salt = random.token().slice(0, 16);
    searchParams.set('session_state', sessionState(client, address, session.browserId, salt));
    searchParams.set('iss', issuer);
    return address.href;
  }

  async #check(parameters: AuthorizeParameters): Promise<CheckedRequest | AuthorizationRefusal> {
    const tooLong = Object.entries(parameters).find(([, text]) => isTooLong(text));
    if (tooLong !== undefined) return refusal(tooLong[0], 'It is too long.');
    const client = await this.#options.directory.oauthClients.get(parameters.client_id ?? '');
    if (client === null || !client.grantTypes.includes(GRANT_TYPE)) {
      return refusal('client_id', 'No such client signs in here.');
    }
    const { redirect_uri: redirectUri = '' } = parameters;
    if (!URL.canParse(redirectUri)) {
      return refusal('redirect_uri', 'It must be an absolute address.');
    }
    if (!client.redirectUris.includes(redirectUri)) {
      return refusal('redirect_uri', 'It is none of the addresses of this client.');
    }
    const fault = faultOfFlow(parameters);
    if (fault !== null) return fault;
    const scopes = resolveScopes(client, parameters.scope);
    if (scopes instanceof OauthRefusal) return refusal('scope', scopes.description);
    return { client, redirectUri, codeChallenge: parameters.code_challenge ?? '', scopes };
  }
}

function refusal(field: string, issue: string): AuthorizationRefusal {
  return new AuthorizationRefusal(field, issue);
}

function isTooLong(text: unknown): boolean {
  return typeof text === 'string' && text.length > PARAMETER_LENGTH_MAX;
}

/** Only the code flow, its answer in the query, and always with an S256 challenge. */
function faultOfFlow(parameters: AuthorizeParameters): AuthorizationRefusal | null {
  if (parameters.response_type !== 'code') {
    return refusal('response_type', 'It must be code.');
  }
  if ((parameters.response_mode ?? 'query') !== 'query') {
    return refusal('response_mode', 'It must be query.');
  }
  if (parameters.code_challenge_method !== 'S256') {
    return refusal('code_challenge_method', 'It must be S256.');
  }
  if (!/^[\w-]{43}$/.test(parameters.code_challenge ?? '')) {
    return refusal('code_challenge', 'It must be base64url of a SHA-256 digest.');
  }
  if (parameters.request !== undefined || parameters.request_uri !== undefined) {
    return refusal('request', 'Request objects are not supported.');
  }
  return null;
}

/** OpenID Connect Session Management (3): the client can tell whether the browser's session changed. */
function sessionState(
  { clientId }: OauthClient,
  { origin }: URL,
  browserId: Uint8Array,
  salt: string,
): string {
  const digest = createHash('sha256')
    .update(`${clientId} ${origin} `)
    .update(browserId)
    .update(` ${salt}`)
    .digest('base64url');
  return `${digest}.${salt}`;
}
