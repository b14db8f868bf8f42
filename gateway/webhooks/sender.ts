import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { hostOf, RefusedTarget, type Targets } from './targets.ts';

export interface Call {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How often it was tried before: another address of the same name each time. */
  readonly attempts: number;
}

/** What became of a call. */
export type CallResult =
  | { readonly kind: 'answered'; readonly status: number }
  /** It may not be made; trying again is no use. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

export interface SenderOptions {
  readonly targets: Targets;
  /** Every address of a name. */
  resolve(hostname: string): Promise<readonly string[]>;
  /** For everything, from the look-up to the end of the answer. */
  readonly timeoutMs: number;
}

const ANSWER_BYTES_MAX = 65_536;
const USER_AGENT = 'Matchbox-Webhooks/1';

/**
 * Makes calls to addresses that somebody else chose. A name is looked up once, all its addresses must
 * be open, and the connection goes to one of them, so that no second look-up can lead elsewhere. No
 * redirect is followed, and no connection is kept.
 */
export class WebhookSender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Resolves always; `signal` gives the call up. */
  async send(call: Call, signal: AbortSignal): Promise<CallResult> {
    const { targets, timeoutMs } = this.#options;
    const url = targets.parse(call.url);
    if (url instanceof RefusedTarget) return { kind: 'refused', reason: url.reason };
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const addresses = await aborting(this.#addressesOf(hostOf(url)), deadline);
      if (addresses.length === 0) return { kind: 'failed', reason: 'the name has no address' };
      if (!addresses.every((address) => targets.isOpen(address))) {
        return { kind: 'refused', reason: 'its host is not public' };
      }
      const address = addresses[call.attempts % addresses.length] ?? '';
      return { kind: 'answered', status: await post(call, url, address, deadline) };
    } catch (error) {
      const reason = deadline.aborted ? 'it took too long' : reasonOf(error);
      return { kind: 'failed', reason };
    }
  }

  async #addressesOf(host: string): Promise<readonly string[]> {
    return isIP(host) === 0 ? await this.#options.resolve(host) : [host];
  }
}

/** What goes wrong is told by its code alone: messages may name what is inside. */
function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'it failed';
}

function post(
  { body, headers }: Call,
  url: URL,
  address: string,
  signal: AbortSignal,
): Promise<number> {
  const isSecure = url.protocol === 'https:';
  const host = hostOf(url);
  const options: RequestOptions & { servername?: string } = {
    method: 'POST',
    host: address,
    port: url.port || (isSecure ? 443 : 80),
    path: `${url.pathname}${url.search}`,
    agent: false,
    signal,
    headers: {
      ...headers,
      host: url.host,
      'user-agent': USER_AGENT,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    },
    // The certificate is the name's, not the address's.
    ...(isSecure ? { servername: isIP(host) === 0 ? host : '' } : {}),
  };
  return new Promise((resolve, reject) => {
    const request = isSecure ? httpsRequest(options) : httpRequest(options);
    let status: number | undefined;
    request.on('error', (error) => (status === undefined ? reject(error) : resolve(status)));
    request.on('response', (answer) => {
      const answered = answer.statusCode ?? 0;
      status = answered;
      drain(answer, () => resolve(answered));
    });
    request.end(body);
  });
}

/** The status is the answer; what comes behind it is let pass, up to a bound. */
function drain(answer: IncomingMessage, done: () => void): void {
  let left = ANSWER_BYTES_MAX;
  answer.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) answer.destroy();
  });
  answer.on('error', done);
  answer.on('close', done);
}

/** Gives `work` up when the signal comes; its outcome is then nobody's. */
function aborting<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
