import type { Directory } from '../../persistence/directory/index.ts';
import { orBusy } from '../directory-answer.ts';
import { SIGNED_IN } from '../http/authorisation.ts';
import { Refused } from '../http/refused.ts';
import { type Route, route } from '../http/route.ts';
import {
  IdentityErrorResponse,
  SecondFactorBegin,
  SecondFactorBegun,
  SecondFactorConfirm,
  SecondFactorDisable,
  SecondFactorState,
} from './identity-schemas.ts';
import { mailFailed, NO_STORE, tooMany, unauthorised } from './route-parts.ts';
import type {
  ConfirmResult,
  DisableResult,
  EnrolmentResult,
  SecondFactorEnrolments,
} from './second-factor-enrolment.ts';

const PATH = '/identity/second-factor';
/** How users turn a second factor on and off for themselves. */
export function secondFactorRoutes(
  enrolments: SecondFactorEnrolments,
  directory: Directory,
): Route[] {
  return [
    stateRoute(directory),
    beginRoute(enrolments),
    confirmRoute(enrolments),
    disableRoute(enrolments),
  ];
}

function stateRoute(directory: Directory): Route {
  return route({
    method: 'GET',
    path: PATH,
    area: 'identity',
    operation: SIGNED_IN,
    extension: true,
    summary: 'Whether the user signs in with a second factor, and with which',
    responses: { 200: SecondFactorState },
    handler: async ({ session }) => {
      const factor = await orBusy(directory.secondFactors.get(session.userId));
      if (factor instanceof Refused) return factor;
      return { twoFactorEnabled: factor !== null, provider: factor?.provider ?? null };
    },
  });
}

function beginRoute(enrolments: SecondFactorEnrolments): Route {
  return route({
    method: 'POST',
    path: PATH,
    area: 'identity',
    operation: SIGNED_IN,
    extension: true,
    summary: 'Begins with a second factor: mails a code, or gives the seed of an authenticator',
    body: SecondFactorBegin,
    responseHeaders: NO_STORE,
    responses: {
      200: SecondFactorBegun,
      401: IdentityErrorResponse,
      429: IdentityErrorResponse,
      503: IdentityErrorResponse,
    },
    handler: async ({ body, session, remoteAddress, now }) => {
      const { provider, password, VerificationCode: code } = body;
      const proof = { userId: session.userId, password, code, remoteAddress, now };
      const result = await orBusy(enrolments.begin(proof, provider));
      if (result instanceof Refused) return result;
      return result.outcome === 'begun' ? result : refusalOf(result);
    },
  });
}

function confirmRoute(enrolments: SecondFactorEnrolments): Route {
  return route({
    method: 'POST',
    path: `${PATH}/confirm`,
    area: 'identity',
    operation: SIGNED_IN,
    extension: true,
    summary: 'Puts the second factor into effect, by its first code',
    body: SecondFactorConfirm,
    responses: {
      200: null,
      401: IdentityErrorResponse,
      429: IdentityErrorResponse,
      503: IdentityErrorResponse,
    },
    handler: async ({ body, session, now }) => {
      const { VerificationCode: code } = body;
      const result = await orBusy(enrolments.confirm(session.userId, code, now));
      if (result instanceof Refused) return result;
      return result.outcome === 'confirmed' ? undefined : refusalOf(result);
    },
  });
}

function disableRoute(enrolments: SecondFactorEnrolments): Route {
  return route({
    method: 'POST',
    path: `${PATH}/disable`,
    area: 'identity',
    operation: SIGNED_IN,
    extension: true,
    summary: 'Takes the second factor away; where there is none, nothing changes',
    body: SecondFactorDisable,
    responses: {
      200: null,
      401: IdentityErrorResponse,
      429: IdentityErrorResponse,
      503: IdentityErrorResponse,
    },
    handler: async ({ body, session, remoteAddress, now }) => {
      const { password, VerificationCode: code } = body;
      const proof = { userId: session.userId, password, code, remoteAddress, now };
      const result = await orBusy(enrolments.disable(proof));
      if (result instanceof Refused) return result;
      const isDone = result.outcome === 'disabled' || result.outcome === 'not-enabled';
      return isDone ? undefined : refusalOf(result);
    },
  });
}

type Refusing = Exclude<
  EnrolmentResult | ConfirmResult | DisableResult,
  { readonly outcome: 'begun' | 'confirmed' | 'disabled' | 'not-enabled' }
>;

function refusalOf(result: Refusing) {
  switch (result.outcome) {
    case 'wrong-credentials':
      return unauthorised('password', 'The password is wrong.');
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
