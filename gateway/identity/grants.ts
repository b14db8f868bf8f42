import { createHash } from 'node:crypto';
import type { OauthClient } from '../../persistence/directory/index.ts';
import type { TokenFormFields } from './identity-schemas.ts';
import { missingParameter, OauthRefusal } from './oauth-error.ts';
import type { RoleTable } from './roles.ts';
import { resolveScopes, splitScopes } from './scopes.ts';
import type { SignIn } from './sign-in.ts';
import type { TokenService, TokenSet } from './token-service.ts';

/** What a grant works on: the authenticated client and the fields of the form. */
interface GrantRequest {
  readonly client: OauthClient;
  readonly form: TokenFormFields;
  readonly remoteAddress: string;
  readonly now: number;
}

/** RFC 7636, 4.1. */
const CODE_VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** Turns what a client presents into tokens. */
type Grant = (request: GrantRequest) => Promise<TokenSet | OauthRefusal>;

/** Every grant that the token endpoint knows, by its grant_type. */
export type GrantTable = ReadonlyMap<string, Grant>;

export function createGrants(parts: {
  readonly signIn: SignIn;
  readonly tokens: TokenService;
  readonly roles: RoleTable;
}): GrantTable {
  return new Map([
    ['authorization_code', codeGrant(parts.tokens)],
    ['password', passwordGrant(parts)],
    ['refresh_token', refreshTokenGrant(parts.tokens)],
  ]);
}

/** For a code that the authorization endpoint gave, with the verifier behind its challenge. */
function codeGrant(tokens: TokenService): Grant {
  return async ({ client, form, now }) => {
    const { code, code_verifier: verifier, redirect_uri: redirectUri } = form;
    if (code === undefined) return missingParameter('code');
    if (redirectUri === undefined) return missingParameter('redirect_uri');
    if (verifier === undefined) return missingParameter('code_verifier');
    if (!CODE_VERIFIER.test(verifier)) {
      return new OauthRefusal(
        'invalid_request',
        'code_verifier has 43 to 128 unreserved characters.',
      );
    }
    const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
    const { clientId } = client;
    const result = await tokens.redeem({ code, codeChallenge, redirectUri, clientId, now });
    if (result.outcome === 'redeemed') return result.tokens;
    return new OauthRefusal('invalid_grant', 'The code is not valid, or not for this request.');
  };
}

/** Between trusted servers only: the client sees the user's password, and there is no second factor. */
function passwordGrant({
  signIn,
  tokens,
  roles,
}: {
  readonly signIn: SignIn;
  readonly tokens: TokenService;
  readonly roles: RoleTable;
}): Grant {
  return async ({ client, form, remoteAddress, now }) => {
    const { username, password, scope } = form;
    if (username === undefined) return missingParameter('username');
    if (password === undefined) return missingParameter('password');
    const scopes = resolveScopes(client, scope);
    if (scopes instanceof OauthRefusal) return scopes;
    const result = await signIn.attempt({ email: username, password, remoteAddress, now });
    switch (result.outcome) {
      case 'signed-in': {
        const { user } = result;
        const limited = roles.limitScopes(user.roles, scopes);
        return await tokens.signIn(user, client.clientId, limited, now);
      }
      case 'wrong-credentials':
        return new OauthRefusal('invalid_grant', 'The username or the password is wrong.');
      case 'too-many-attempts':
        return new OauthRefusal(
          'slow_down',
          'Too many sign-in attempts.',
          result.retryAfterSeconds,
        );
    }
  };
}

function refreshTokenGrant(tokens: TokenService): Grant {
  return async ({ client, form, now }) => {
    const { refresh_token: refreshToken, scope } = form;
    if (refreshToken === undefined) return missingParameter('refresh_token');
    const requested = splitScopes(scope ?? '');
    const result = await tokens.refresh({
      refreshToken,
      clientId: client.clientId,
      scopes: requested.length === 0 ? null : requested,
      now,
    });
    if (result.outcome === 'refreshed') return result.tokens;
    if (result.outcome === 'scope-exceeded') {
      return new OauthRefusal('invalid_scope', 'The sign-in was not given all of these scopes.');
    }
    return new OauthRefusal('invalid_grant', 'The refresh token is not valid any more.');
  };
}
