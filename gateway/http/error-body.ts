import { STATUS_CODES } from 'node:http';
import { refusalCode } from '../../core/messages/refusals.ts';
import type { Refused } from './refused.ts';
import type { Area } from './route.ts';

/** Error bodies: each part of the interface has a shape of its own for the same refusals. */

/** Values in messages are cut here: a message explains, it does not echo. */
const SHOWN_LENGTH_MAX = 64;

function shown(value: string | number | bigint | undefined): string {
  const text = value === undefined ? '' : String(value);
  return text.length <= SHOWN_LENGTH_MAX ? text : `${text.slice(0, SHOWN_LENGTH_MAX)}…`;
}

/** The catalogue's message with its placeholders filled in. */
export function describe({ refusal, details }: Refused): string {
  return refusal.message.replace(
    /\{(field|value|limit)\}/g,
    (_, name: 'field' | 'value' | 'limit') =>
      name === 'limit' ? String(details.limit ?? '') : shown(details[name]),
  );
}

type Shape = (refused: Refused, message: string) => object;

function fieldMessages({ details }: Refused, message: string): Record<string, string[]> {
  return details.field === undefined ? {} : { [details.field]: [message] };
}

const tradingShape: Shape = ({ refusal }, message) => ({
  code: refusalCode(refusal),
  description: message,
});

/** The code of RFC 6749 or its registry that comes closest. */
function oauthCode(status: number): string {
  if (status === 401) return 'invalid_client';
  if (status === 429) return 'slow_down';
  if (status === 503) return 'temporarily_unavailable';
  return status === 500 ? 'server_error' : 'invalid_request';
}

const SHAPES: Readonly<Record<Area, Shape>> = {
  trading: tradingShape,
  public: tradingShape,
  operations: tradingShape,
  identity: ({ refusal, details }, message) => ({
    error: {
      message: STATUS_CODES[refusal.status] ?? '',
      code: refusal.code,
      details: [{ issue: message, field: details.field ?? '' }],
    },
  }),
  oauth: ({ refusal }, message) => ({
    error: oauthCode(refusal.status),
    error_description: message.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?'),
  }),
  partner: (refused, message) => ({ message, errors: fieldMessages(refused, message) }),
  export: (refused, message) => ({
    message,
    code: refusalCode(refused.refusal),
    errors: fieldMessages(refused, message),
    details: [{ field: refused.details.field ?? '', issue: message }],
  }),
  signed: ({ refusal }, message) => ({ errors: [{ code: refusalCode(refusal), message }] }),
};

/** The body of this refusal in this area, as JSON text. */
export function errorBody(area: Area, refused: Refused): string {
  return JSON.stringify(refused.details.body ?? SHAPES[area](refused, describe(refused)));
}
