import { STATUS_CODES } from 'node:http';
import type { HttpResponse } from './uws.ts';

/** An answer as it goes out. */
export interface Answer {
  readonly status: number;
  /** '' for an answer without a body. */
  readonly contentType: string;
  readonly payload: string | Uint8Array;
  readonly headers: Headers;
  /** Close the connection behind it. */
  readonly close: boolean;
}

export type Headers = readonly (readonly [name: string, value: string])[];

const STATUS_LINES = new Map(
  Object.entries(STATUS_CODES).map(([code, text]) => [Number(code), `${code} ${text}`]),
);

/**
 * Writes an answer; false when the client has not taken all of it yet. The caller corks, and has seen
 * to it that the response is still valid.
 *
 * Payloads go through `tryEnd`, which leaves in our memory what the client does not read. `end` would
 * put it into the socket's buffer, and a client that sends requests and never reads could fill that
 * without limit. (Of an answer without a payload the head alone can still pile up.)
 */
export function writeAnswer(response: HttpResponse, answer: Answer, isHead: boolean): boolean {
  const { status, payload, close } = answer;
  writeHead(response, answer);
  if (isHead) endHead(response, answer);
  else if (status === 204 || status === 304) response.endWithoutBody();
  else if (payload.length === 0 || close) response.end(payload, close);
  else return response.tryEnd(payload, byteLength(payload))[1];
  return true;
}

function byteLength(payload: string | Uint8Array): number {
  return typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length;
}

/** `endWithoutBody` is given no length: it would wait for the body that a HEAD never gets. */
function endHead(response: HttpResponse, { payload, close }: Answer): void {
  if (close) response.end('', close);
  else response.writeHeader('content-length', String(byteLength(payload))).endWithoutBody();
}

function writeHead(response: HttpResponse, { status, contentType, headers }: Answer): void {
  if (status !== 200) response.writeStatus(STATUS_LINES.get(status) ?? String(status));
  if (contentType !== '') response.writeHeader('content-type', contentType);
  if (headers.length === 0) return;
  for (const [name, value] of headers) response.writeHeader(name, value);
}

/** Writes the rest of a payload as the client reads on; then calls `finished`. */
export function writeRest(response: HttpResponse, answer: Answer, finished: () => void): void {
  const { payload: whole } = answer;
  const payload = typeof whole === 'string' ? Buffer.from(whole) : whole;
  response.onWritable((offset) => {
    const [isTaken, isDone] = response.tryEnd(payload.subarray(offset), payload.length);
    if (isDone) finished();
    return isTaken;
  });
}
