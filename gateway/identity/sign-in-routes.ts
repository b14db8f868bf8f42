import { type Static, Type } from '@sinclair/typebox';
import { Refusals } from '../../core/messages/refusals.ts';
import { orBusy } from '../directory-answer.ts';
import { SIGNED_IN } from '../http/authorisation.ts';
import { Refused, refuse } from '../http/refused.ts';
import { reply } from '../http/reply.ts';
import { type Route, route } from '../http/route.ts';
import { TextOutput } from '../http/schema.ts';
import { type AuthorizationEndpoint, AuthorizationRefusal } from './authorization-endpoint.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import type { BrowserSignIn, FirstStepResult, LastStepResult } from './browser-sign-in.ts';
import {
  AuthorizeQuery,
  CookieHeader,
  IdentityErrorResponse,
  SignInBody,
  SignInResponse,
} from './identity-schemas.ts';
import { mailFailed, NO_STORE, tooMany, unauthorised } from './route-parts.ts';
import { SIGN_IN_DONE_PAGE, SIGN_IN_DONE_PATH } from './sign-in-done-page.ts';
import type { TokenService } from './token-service.ts';

type SignInFields = Static<typeof SignInBody>;

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
    summary: 'Signs a browser in: by email and password, then by a code where that is required',
    headers: CookieHeader,
    body: SignInBody,
    example: { body: { email: 'alice@example.com', password: 'a long password' } },
    responseHeaders: NO_STORE,
    responses: {
      200: SignInResponse,
      401: IdentityErrorResponse,
      429: IdentityErrorResponse,
      503: IdentityErrorResponse,
    },
    handler: async ({ body, headers, now, remoteAddress }) => {
      const step = readStep(body);
      if (step instanceof Refused) return step;
      const caller = { cookies: headers.cookie, remoteAddress, now };
      const work =
        step.provider === undefined
          ? signIn.attempt({ ...step, ...caller })
          : signIn.secondStep({ ...step, ...caller });
      const result = await orBusy<FirstStepResult | LastStepResult>(work);
      return result instanceof Refused ? result : signInAnswer(result);
    },
  });
}

/** Which of the two steps a body is; neither is refused by the field that it lacks. */
function readStep({ email, password, provider, VerificationCode: code }: SignInFields) {
  if (provider === undefined && code === undefined) {
    if (email === undefined) return refuse(Refusals.FieldMissing, { field: 'email' });
    if (password === undefined) return refuse(Refusals.FieldMissing, { field: 'password' });
    return { email, password };
  }
  const extra = email === undefined ? 'password' : 'email';
  if ((email ?? password) !== undefined) return refuse(Refusals.UnknownField, { field: extra });
  if (provider === undefined) return refuse(Refusals.FieldMissing, { field: 'provider' });
  if (code === undefined) return refuse(Refusals.FieldMissing, { field: 'VerificationCode' });
  return { provider, code };
}

function signInAnswer(result: FirstStepResult | LastStepResult) {
  switch (result.outcome) {
    case 'signed-in':
      return reply(200, { secondFactorRequired: false }, { 'set-cookie': result.setCookie });
    case 'second-factor-required': {
      const { message, provider, setCookie } = result;
      const body = { secondFactorRequired: true, message, provider };
      return reply(200, body, { 'set-cookie': setCookie });
    }
    case 'wrong-credentials':
      return unauthorised('email', 'The email or the password is wrong.');
    case 'wrong-code':
      return unauthorised('VerificationCode', 'The code is wrong or not valid any more.');
    case 'too-many-attempts':
      return tooMany('attempts', result.retryAfterSeconds);
    case 'too-many-mails':
      return tooMany('mails', result.retryAfterSeconds);
    case 'mail-failed':
      return mailFailed();
  }
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
      const answer = await orBusy(endpoint.answer(request));
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
      const refused = await orBusy(revoked);
      if (refused instanceof Refused) return refused;
      const setCookie = await orBusy(sessions.end(headers.cookie, userId));
      if (setCookie instanceof Refused) return setCookie;
      return setCookie === null ? undefined : reply(200, null, { 'set-cookie': setCookie });
    },
  });
}
