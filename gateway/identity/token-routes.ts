import { Type } from '@sinclair/typebox';
import { Refusals } from '../../core/messages/refusals.ts';
import { formatTimestamp } from '../../core/messages/timestamp.ts';
import { orBusy } from '../directory-answer.ts';
import { Refused } from '../http/refused.ts';
import { reply } from '../http/reply.ts';
import { type Route, route } from '../http/route.ts';
import type { IssuedToken } from './access-tokens.ts';
import {
  IdentityErrorResponse,
  OauthErrorResponse,
  TokenForm,
  TokenPairResponse,
  TokenResponse,
} from './identity-schemas.ts';
import { OAUTH_ERROR_STATUS, OauthRefusal } from './oauth-error.ts';
import { NO_STORE } from './route-parts.ts';
import type { TokenEndpoint } from './token-endpoint.ts';
import type { TokenService, TokenSet } from './token-service.ts';

const FORM_BYTES_MAX = 8_192;
const CHALLENGE = { 'www-authenticate': 'Basic realm="identity", charset="UTF-8"' };

/** Where tokens are got and renewed. */
export function tokenRoutes(endpoint: TokenEndpoint, tokens: TokenService): Route[] {
  return [
    tokenRoute(endpoint),
    refreshRoute('/api/v2/refresh', tokens),
    refreshRoute('/api/v2/my/refresh', tokens),
  ];
}

function tokenRoute(endpoint: TokenEndpoint): Route {
  return route({
    method: 'POST',
    path: '/identity/connect/token',
    area: 'oauth',
    operation: 'none',
    summary: 'Tokens for a code, a password or a refresh token (OAuth 2.0)',
    rateClass: 'identity',
    bodyFormat: 'form',
    bodyBytesMax: FORM_BYTES_MAX,
    body: TokenForm,
    example: {
      body: {
        grant_type: 'authorization_code',
        code: 'kQ9v2mXc3Z',
        code_verifier: 'dBjftJeZ4CVP-mBtI9-7oEDcPPNSqbY8mSrTA0JmVd0',
        redirect_uri: 'https://id.example.com/identity/sign-in-done',
      },
    },
    responseHeaders: NO_STORE,
    responses: {
      200: TokenResponse,
      400: OauthErrorResponse,
      401: OauthErrorResponse,
      429: OauthErrorResponse,
      503: OauthErrorResponse,
    },
    handler: async ({ authorization, body, now, remoteAddress }) => {
      const request = { authorization, form: body, remoteAddress, now };
      const answer = await endpoint.answer(request);
      return answer instanceof OauthRefusal ? oauthError(answer) : tokenResponse(answer);
    },
  });
}

function refreshRoute(path: string, tokens: TokenService): Route {
  return route({
    method: 'POST',
    path,
    area: 'identity',
    operation: 'none',
    summary: 'A new pair of tokens for a refresh token',
    rateClass: 'identity',
    body: Type.Object({ refreshToken: Type.String({ minLength: 1 }) }),
    responseHeaders: NO_STORE,
    responses: { 200: TokenPairResponse, 401: IdentityErrorResponse },
    handler: async ({ body, now }) => {
      const { refreshToken } = body;
      const refresh = tokens.refresh({ refreshToken, clientId: null, scopes: null, now });
      const result = await orBusy(refresh);
      if (result instanceof Refused) return result;
      if (result.outcome !== 'refreshed') return reply(401, refreshTokenRefused);
      return {
        accessToken: tokenOf(result.tokens.accessToken),
        refreshToken: tokenOf(result.tokens.refreshToken),
      };
    },
  });
}

const refreshTokenRefused = {
  error: {
    message: 'Unauthorized',
    code: Refusals.Unauthorised.code,
    details: [{ issue: 'The refresh token is not valid any more.', field: 'refreshToken' }],
  },
};

function tokenResponse({ accessToken, refreshToken, scopes, idToken }: TokenSet) {
  return {
    access_token: accessToken.token,
    expires_in: (accessToken.expiresAt - accessToken.createdAt) / 1_000,
    token_type: 'Bearer' as const,
    ...(refreshToken === null ? {} : { refresh_token: refreshToken.token }),
    scope: scopes.join(' '),
    ...(idToken === undefined ? {} : { id_token: idToken }),
  };
}

function tokenOf({ token, createdAt, expiresAt }: IssuedToken) {
  return {
    token,
    createdAt: formatTimestamp(createdAt),
    expiresAt: formatTimestamp(expiresAt),
  };
}

function oauthError({ error, description, retryAfterSeconds }: OauthRefusal) {
  const body = { error, error_description: description };
  const status = OAUTH_ERROR_STATUS[error];
  if (retryAfterSeconds !== null) {
    return reply(status, body, { 'retry-after': String(retryAfterSeconds) });
  }
  return status === 401 ? reply(status, body, CHALLENGE) : reply(status, body);
}
