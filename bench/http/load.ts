/** What a client measured. */
export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly latencyMicros: { readonly p50: number; readonly p99: number; readonly max: number };
  /** Answers that are no success, and connections that failed. */
  readonly errors: number;
}

export interface LoadRequest {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** Complete HTTP/1.1 requests, sent in turn, over and over. */
  readonly requests: readonly string[];
}

/** A closed loop: each connection sends its next request when the answer to the last has come. */
export interface LoadClient {
  readonly name: string;
  run(request: LoadRequest): Promise<LoadResult>;
}

export interface RawRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly token: string;
  readonly accountId: string;
  readonly body?: string;
}

/** The text of a request as any client would send it. */
export function rawRequest({ method, path, token, accountId, body }: RawRequest): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    `accountId: ${accountId}`,
  ];
  if (body !== undefined) {
    lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}
