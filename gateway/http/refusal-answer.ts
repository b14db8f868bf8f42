import { refusalCode } from '../../core/messages/refusals.ts';
import type { Answer } from './answer-writer.ts';
import { errorBody } from './error-body.ts';
import type { Refused } from './refused.ts';
import type { Area } from './route.ts';

/** The header that carries the code of every refusal, whatever its body looks like. */
const CODE_HEADER = 'x-error-code';

/** How a caller makes itself known, where that is not by a token. */
const SCHEMES: Readonly<Partial<Record<Area, string>>> = { signed: 'HMAC-SHA512' };

/** The answer that a refusal gets in this part of the interface. */
export function refusalAnswer(area: Area, refused: Refused): Answer {
  const { refusal, details } = refused;
  const headers: [string, string][] = [[CODE_HEADER, refusalCode(refusal)]];
  if (refusal.status === 401) headers.push(['www-authenticate', SCHEMES[area] ?? 'Bearer']);
  if (refusal.status === 429 || refusal.status === 503) {
    const seconds = Math.max(1, Math.ceil(details.retryAfterSeconds ?? 1));
    headers.push(['retry-after', String(seconds)]);
  }
  if (details.headers !== undefined) headers.push(...Object.entries(details.headers));
  return {
    status: refusal.status,
    contentType: 'application/json',
    payload: errorBody(area, refused),
    headers,
    close: details.close === true,
  };
}
