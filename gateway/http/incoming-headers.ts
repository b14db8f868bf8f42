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
  authorization: string;
  accountId: string;
  contentType: string;
  contentLength: string;
  transferEncoding: string;
  host: string;
  key: string;
  sign: string;
  bytes: number;
  /** The first header that came twice and may not; '' when none did. */
  repeated: string;
  /** Names and values in turn, kept when the route declares headers of its own. */
  pairs: string[] | undefined;
}

type KeptHeader = Exclude<keyof IncomingHeaders, 'bytes' | 'repeated' | 'pairs'>;

export const incoming: IncomingHeaders = {
  authorization: '',
  accountId: '',
  contentType: '',
  contentLength: '',
  transferEncoding: '',
  host: '',
  key: '',
  sign: '',
  bytes: 0,
  repeated: '',
  pairs: undefined,
};

/** Name and value of a header also cost `: ` and the line end. */
const LINE_BYTES = 4;

let wanted: ReadonlySet<string> | undefined;

/** The field that a header is kept in. Looks at lengths first: most headers are none of these. */
function fieldOf(name: string): KeptHeader | undefined {
  switch (name.length) {
    case 3:
      return name === 'key' ? 'key' : undefined;
    case 4:
      if (name === 'host') return 'host';
      return name === 'sign' ? 'sign' : undefined;
    case 9:
      return name === 'accountid' ? 'accountId' : undefined;
    case 12:
      return name === 'content-type' ? 'contentType' : undefined;
    case 13:
      return name === 'authorization' ? 'authorization' : undefined;
    case 14:
      return name === 'content-length' ? 'contentLength' : undefined;
    case 17:
      return name === 'transfer-encoding' ? 'transferEncoding' : undefined;
    default:
      return undefined;
  }
}

function take(name: string, value: string): void {
  incoming.bytes += name.length + value.length + LINE_BYTES;
  if (wanted?.has(name)) {
    incoming.pairs ??= [];
    incoming.pairs.push(name, value);
  }
  const field = fieldOf(name);
  if (field === undefined) return;
  if (incoming[field] !== '') incoming.repeated = name;
  else incoming[field] = value;
}

/** Fills `incoming`; `declared` are the header names that the route reads, in lower case. */
export function readHeaders(request: HttpRequest, declared?: ReadonlySet<string>): void {
  incoming.authorization = '';
  incoming.accountId = '';
  incoming.contentType = '';
  incoming.contentLength = '';
  incoming.transferEncoding = '';
  incoming.host = '';
  incoming.key = '';
  incoming.sign = '';
  incoming.bytes = 0;
  incoming.repeated = '';
  incoming.pairs = undefined;
  wanted = declared;
  request.forEach(take);
}

/** Refuses, and closes the connection of, a message whose framing is in doubt. */
export function checkFraming(headerBytesMax: number): Refused | undefined {
  if (incoming.repeated !== '') {
    return refuse(Refusals.RepeatedHeader, { field: incoming.repeated, close: true });
  }
  if (incoming.transferEncoding !== '') {
    return refuse(Refusals.TransferEncodingRefused, { close: true });
  }
  if (incoming.bytes > headerBytesMax) {
    return refuse(Refusals.HeadersTooLarge, { limit: headerBytesMax, close: true });
  }
  return undefined;
}
