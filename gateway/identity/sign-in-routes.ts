import { Type } from '@sinclair/typebox';
import { Refusals } from '../../core/messages/refusals.ts';
import { SIGNED_IN } from '../http/authorisation.ts';
import { Refused } from '../http/refused.ts';
import { reply } from '../http/reply.ts';
import { type Route, route } from '../http/route.ts';
import { TextOutput } from '../http/schema.ts';
import { type AuthorizationEndpoint, AuthorizationRefusal } from './authorization-endpoint.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import type { BrowserSignIn } from './browser-sign-in.ts';
import {
  AuthorizeQuery,
  CookieHeader,
  IdentityErrorResponse,
  SignInBody,
  SignInResponse,
} from './identity-schemas.ts';
import { NO_STORE, unlessBusy } from './route-parts.ts';
import { SIGN_IN_DONE_PAGE, SIGN_IN_DONE_PATH } from './sign-in-done-page.ts';
import type { TokenService } from './token-service.ts';

export interface SignInRouteParts {
  readonly signIn: BrowserSignIn;
  readonly sessions: BrowserSessions;
  readonly authorization: AuthorizationEndpoint;
  readonly tokens: TokenService;
}

/** Signing in with a browser, and out again. */
export function signInRoutes(parts: SignInRouteParts): Route[] {
  return [
    signInRoute(parts.signIn),
    authorizeRoute(parts.authorization),
    signInDoneRoute(),
    signOutRoute(parts.tokens, parts.sessions),
  ];
}

function signInRoute(signIn: BrowserSignIn): Route {
  return route({
    method: 'POST',
    path: '/identity/sign-in',
    area: 'identity',
    operation: 'none',
    summary: 'Signs a browser in to the identity component, by email and password',
    headers: CookieHeader,
    body: SignInBody,
    responseHeaders: NO_STORE,
    responses: { 200: SignInResponse, 401: IdentityErrorResponse, 429: IdentityErrorResponse },
    handler: async ({ body, headers, now, remoteAddress }) => {
      const attempt = { ...body, cookies: headers.cookie, remoteAddress, now };
      const result = await unlessBusy(signIn.attempt(attempt));
      if (result instanceof Refused) return result;
      switch (result.outcome) {
        case 'signed-in':
          return reply(200, { secondFactorRequired: false }, { 'set-cookie': result.setCookie });
        case 'wrong-credentials':
          return unauthorised('email', 'The email or the password is wrong.');
        case 'too-many-attempts':
          return tooMany(result.retryAfterSeconds);
      }
    },
  });
}

function authorizeRoute(endpoint: AuthorizationEndpoint): Route {
  return route({
    method: 'GET',
    path: '/identity/connect/authorize',
    area: 'identity',
    operation: 'none',
    summary: 'Sends a signed-in browser back to the application with a one-time code (PKCE)',
    query: AuthorizeQuery,
    headers: CookieHeader,
    responseHeaders: { ...NO_STORE, 'referrer-policy': 'no-referrer' },
    successStatus: 302,
    responses: { 302: null, 401: IdentityErrorResponse },
    handler: async ({ query, headers, now }) => {
      const request = { parameters: query, cookies: headers.cookie, now };
      const answer = await unlessBusy(endpoint.answer(request));
      if (answer instanceof Refused) return answer;
      if (answer instanceof AuthorizationRefusal) return unauthorised(answer.field, answer.issue);
      return reply(302, null, { location: answer });
    },
  });
}

function signInDoneRoute(): Route {
  return route({
    method: 'GET',
    path: SIGN_IN_DONE_PATH,
    area: 'identity',
    operation: 'none',
    extension: true,
    summary:
      'Where a browser ends up after signing in: a page for applications to read the code from',
    query: Type.Object({}, { additionalProperties: true }),
    responseHeaders: {
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'self'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
    responses: { 200: TextOutput('text/html; charset=utf-8') },
    handler: () => SIGN_IN_DONE_PAGE,
  });
}

function signOutRoute(tokens: TokenService, sessions: BrowserSessions): Route {
  return route({
    method: 'POST',
    path: '/identity/sign-out',
    area: 'identity',
    operation: SIGNED_IN,
    summary: 'Revokes one refresh token, or all that the user has with this client',
    headers: CookieHeader,
    body: Type.Object({ refresh_token: Type.Optional(Type.String({ minLength: 1 })) }),
    responses: { 200: null },
    handler: async ({ body, headers, session, now }) => {
      const { userId, clientId } = session;
      const revoked =
        body.refresh_token === undefined
          ? tokens.revokeAll(userId, clientId, now)
          : tokens.revoke(body.refresh_token, userId, clientId, now);
      const refused = await unlessBusy(revoked);
      if (refused instanceof Refused) return refused;
      const setCookie = await unlessBusy(sessions.end(headers.cookie, userId));
      if (setCookie instanceof Refused) return setCookie;
      return setCookie === null ? undefined : reply(200, null, { 'set-cookie': setCookie });
    },
  });
}

/** The scheme says that it is a cookie that would do. */
const CHALLENGE = { 'www-authenticate': 'Cookie realm="identity"' };

function unauthorised(field: string, issue: string) {
  const details = [{ issue, field, name: 'identity/unauthorized' }];
  const { code } = Refusals.Unauthorised;
  return reply(401, { error: { message: 'Unauthorized', code, details } }, CHALLENGE);
}

function tooMany(seconds: number) {
  const details = [{ issue: `Too many attempts; try again in ${seconds} s.`, field: '' }];
  const { code } = Refusals.TooManyRequests;
  const body = { error: { message: 'Too Many Requests', code, details } };
  return reply(429, body, { 'retry-after': String(seconds) });
}
