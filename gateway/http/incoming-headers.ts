import { Refusals } from '../../core/messages/refusals.ts';
import { type Refused, refuse } from './refused.ts';
import type { HttpRequest } from './uws.ts';

/**
 * The headers of the request being looked at, taken in one pass: uWebSockets.js answers `getHeader`
 * with the first of several, and a message whose framing two readers could understand differently
 * must not get past here. One record serves all requests: what a request needs beyond its first
 * moment is copied out of it.
 */
export interface IncomingHeaders {
  authorization: string | undefined;
  accountId: string | undefined;
  contentType: string | undefined;
  contentLength: string | undefined;
  transferEncoding: string | undefined;
  host: string | undefined;
  key: string | undefined;
  sign: string | undefined;
  bytes: number;
  /** The first header that came twice and may not; '' when none did. */
  repeated: string;
  /** Names and values in turn, kept when the route declares headers of its own. */
  pairs: string[] | undefined;
}

export const incoming: IncomingHeaders = {
  authorization: undefined,
  accountId: undefined,
  contentType: undefined,
  contentLength: undefined,
  transferEncoding: undefined,
  host: undefined,
  key: undefined,
  sign: undefined,
  bytes: 0,
  repeated: '',
  pairs: undefined,
};

/** Name and value of a header also cost `: ` and the line end. */
const LINE_BYTES = 4;

let wanted: ReadonlySet<string> | undefined;

/** The value to keep; notes a header that comes a second time, an empty one too. */
function first(before: string | undefined, name: string, value: string): string {
  if (before === undefined) return value;
  incoming.repeated = name;
  return before;
}

/** Keeps the headers that every route looks at. Lengths first: most headers are none of these. */
function keep(name: string, value: string): void {
  switch (name.length) {
    case 3:
      if (name === 'key') incoming.key = first(incoming.key, name, value);
      break;
    case 4:
      if (name === 'host') incoming.host = first(incoming.host, name, value);
      else if (name === 'sign') incoming.sign = first(incoming.sign, name, value);
      break;
    case 9:
      if (name === 'accountid') incoming.accountId = first(incoming.accountId, name, value);
      break;
    case 12:
      if (name === 'content-type') incoming.contentType = first(incoming.contentType, name, value);
      break;
    case 13:
      if (name === 'authorization') {
        incoming.authorization = first(incoming.authorization, name, value);
      }
      break;
    case 14:
      if (name === 'content-length') {
        incoming.contentLength = first(incoming.contentLength, name, value);
      }
      break;
    case 17:
      if (name === 'transfer-encoding') {
        incoming.transferEncoding = first(incoming.transferEncoding, name, value);
      }
      break;
  }
}

function take(name: string, value: string): void {
  incoming.bytes += name.length + value.length + LINE_BYTES;
  if (wanted?.has(name)) {
    incoming.pairs ??= [];
    incoming.pairs.push(name, value);
  }
  keep(name, value);
}

/** Fills `incoming`; `declared` are the header names that the route reads, in lower case. */
export function readHeaders(request: HttpRequest, declared?: ReadonlySet<string>): void {
  incoming.authorization = undefined;
  incoming.accountId = undefined;
  incoming.contentType = undefined;
  incoming.contentLength = undefined;
  incoming.transferEncoding = undefined;
  incoming.host = undefined;
  incoming.key = undefined;
  incoming.sign = undefined;
  incoming.bytes = 0;
  incoming.repeated = '';
  incoming.pairs = undefined;
  wanted = declared;
  request.forEach(take);
}

/** Content-Length as a number, 0 when there is none. */
export function declaredLength(): number {
  return Number(incoming.contentLength ?? 0);
}

/** Refuses, and closes the connection of, a message whose framing is in doubt. */
export function checkFraming(headerBytesMax: number): Refused | undefined {
  if (incoming.repeated !== '') {
    return refuse(Refusals.RepeatedHeader, { field: incoming.repeated, close: true });
  }
  if (incoming.transferEncoding !== undefined) {
    return refuse(Refusals.TransferEncodingRefused, { close: true });
  }
  if (incoming.bytes > headerBytesMax) {
    return refuse(Refusals.HeadersTooLarge, { limit: headerBytesMax, close: true });
  }
  return undefined;
}
