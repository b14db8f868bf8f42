import { Connection, type WireAnswer, type WireRequest } from './connection.ts';

/** An answer with its body parsed; `code` is the `TRnnnn` of a refusal, else ''. */
export interface Answer<T = unknown> extends WireAnswer {
  /** The JSON value of the body, null where there is none; text that is no JSON stays text. */
  readonly body: T;
  readonly code: string;
}

/** The server closes idle connections after ten seconds: one that is about to go is not used again. */
const IDLE_MS_MAX = 5000;

/** Who sends a request, beyond what the request itself says. */
export interface Credentials {
  readonly token?: string;
  readonly accountId?: string;
}

export interface SendOptions extends Credentials {
  readonly headers?: Readonly<Record<string, string>>;
}

/** Throws where an answer is not what it should be, whatever the test wants of it. */
export type AnswerCheck = (method: string, path: string, answer: WireAnswer) => void;

/**
 * A client of the HTTP interface: keeps as many connections as it has requests at once, and sends its
 * token and account with each request. It follows the server across restarts to another port.
 */
export class ApiClient {
  private readonly port: () => number;
  private readonly credentials: Credentials;
  readonly check: AnswerCheck;
  private readonly idle: { readonly connection: Connection; readonly since: number }[] = [];

  constructor(
    port: () => number,
    credentials: Credentials = {},
    check: AnswerCheck = () => undefined,
  ) {
    this.port = port;
    this.credentials = credentials;
    this.check = check;
  }

  /** The same caller with other credentials. */
  with(credentials: Credentials): ApiClient {
    return new ApiClient(this.port, { ...this.credentials, ...credentials }, this.check);
  }

  get accountId(): string {
    return this.credentials.accountId ?? '';
  }

  get token(): string {
    return this.credentials.token ?? '';
  }

  get<T = unknown>(path: string, options?: SendOptions): Promise<Answer<T>> {
    return this.send('GET', path, undefined, options);
  }

  /** `body` is sent as JSON; text and bytes go as they are. */
  post<T = unknown>(path: string, body?: unknown, options?: SendOptions): Promise<Answer<T>> {
    return this.send('POST', path, body, options);
  }

  patch<T = unknown>(path: string, body?: unknown, options?: SendOptions): Promise<Answer<T>> {
    return this.send('PATCH', path, body, options);
  }

  del<T = unknown>(path: string, options?: SendOptions): Promise<Answer<T>> {
    return this.send('DELETE', path, undefined, options);
  }

  async send<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    options: SendOptions = {},
  ): Promise<Answer<T>> {
    const answer = await this.exchange(this.request(method, path, body, options));
    this.check(method, path, answer);
    return parsed<T>(answer);
  }

  /** The request as this client would send it. */
  request(method: string, path: string, body?: unknown, options: SendOptions = {}): WireRequest {
    const { token = this.token, accountId = this.accountId } = options;
    const headers: Record<string, string> = {};
    if (token !== '') headers['authorization'] = `Bearer ${token}`;
    if (accountId !== '') headers['accountid'] = accountId;
    if (body === undefined) return { method, path, headers: { ...headers, ...options.headers } };
    headers['content-type'] = 'application/json';
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const payload = raw ? body : JSON.stringify(body);
    return { method, path, headers: { ...headers, ...options.headers }, body: payload };
  }

  async exchange(request: WireRequest): Promise<WireAnswer> {
    const connection = await this.takeConnection();
    const answer = await connection.exchange(request);
    if (answer.headers['connection'] === 'close') connection.destroy();
    else this.idle.push({ connection, since: performance.now() });
    return answer;
  }

  close(): void {
    for (const { connection } of this.idle.splice(0)) connection.destroy();
  }

  private async takeConnection(): Promise<Connection> {
    for (let kept = this.idle.pop(); kept !== undefined; kept = this.idle.pop()) {
      const { connection, since } = kept;
      if (connection.isIdle && performance.now() - since < IDLE_MS_MAX) return connection;
      connection.destroy();
    }
    return Connection.open(this.port());
  }
}

export function parsed<T>(answer: WireAnswer): Answer<T> {
  return {
    ...answer,
    body: parseBody(answer.text) as T,
    code: answer.headers['x-error-code'] ?? '',
  };
}

function parseBody(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
