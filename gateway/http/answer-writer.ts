import { STATUS_CODES } from 'node:http';
import type { HttpResponse } from './uws.ts';

/** An answer as it goes out. */
export interface Answer {
  readonly status: number;
  /** '' for an answer without a body. */
  readonly contentType: string;
  readonly payload: string;
  readonly headers: Headers;
  /** Close the connection behind it. */
  readonly close: boolean;
}

export type Headers = readonly (readonly [name: string, value: string])[];

/** Longer payloads go out as the client reads, instead of lying in the socket's buffer. */
export const STREAMED_LENGTH_MIN = 65_536;

const STATUS_LINES = new Map(
  Object.entries(STATUS_CODES).map(([code, text]) => [Number(code), `${code} ${text}`]),
);

/**
 * Writes an answer. The caller corks, and has seen to it that the response is still valid.
 * `endWithoutBody` is given no length: it would then wait for the body that a HEAD never gets.
 */
export function writeAnswer(response: HttpResponse, answer: Answer, isHead: boolean): void {
  const { status, payload, close } = answer;
  writeHead(response, answer);
  if (status === 204 || status === 304) response.endWithoutBody();
  else if (!isHead) response.end(payload, close);
  else if (close) response.end('', close);
  else response.writeHeader('content-length', String(Buffer.byteLength(payload))).endWithoutBody();
}

function writeHead(response: HttpResponse, { status, contentType, headers }: Answer): void {
  if (status !== 200) response.writeStatus(STATUS_LINES.get(status) ?? String(status));
  if (contentType !== '') response.writeHeader('content-type', contentType);
  if (headers.length === 0) return;
  for (const [name, value] of headers) response.writeHeader(name, value);
}

/** Writes as much as the client takes and the rest when it reads on; then calls `finished`. */
export function streamAnswer(response: HttpResponse, answer: Answer, finished: () => void): void {
  const payload = Buffer.from(answer.payload);
  writeHead(response, answer);
  const [, isDone] = response.tryEnd(payload, payload.length);
  if (isDone) return finished();
  response.onWritable((offset) => {
    const [isTaken, isDoneNow] = response.tryEnd(payload.subarray(offset), payload.length);
    if (isDoneNow) finished();
    return isTaken;
  });
}
