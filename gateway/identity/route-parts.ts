import { Refusals } from '../../core/messages/refusals.ts';
import { reply } from '../http/reply.ts';

/** Headers of answers that carry tokens, codes or cookies. */
export const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** What would do is a cookie or the right words, no token: the scheme says so. */
const CHALLENGE = { 'www-authenticate': 'Cookie realm="identity"' };

/** 401 in the identity shape; `field` is what was wrong, '' where nobody is signed in. */
export function unauthorised(field: string, issue: string) {
  const details = [{ issue, field, name: 'identity/unauthorized' }];
  const { code } = Refusals.Unauthorised;
  return reply(401, { error: { message: 'Unauthorized', code, details } }, CHALLENGE);
}

/** 429 in the identity shape. */
export function tooMany(what: string, seconds: number) {
  const details = [{ issue: `Too many ${what}; try again in ${seconds} s.`, field: '' }];
  const { code } = Refusals.TooManyRequests;
  const body = { error: { message: 'Too Many Requests', code, details } };
  return reply(429, body, { 'retry-after': String(seconds) });
}

/** 503 in the identity shape. */
export function mailFailed() {
  const details = [{ issue: 'The code could not be mailed; try again later.', field: '' }];
  const { code } = Refusals.Overloaded;
  const body = { error: { message: 'Service Unavailable', code, details } };
  return reply(503, body, { 'retry-after': '30' });
}
