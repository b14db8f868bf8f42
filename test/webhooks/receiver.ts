import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A call as it came in. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

type Answering = (response: ServerResponse, call: Received) => void;

const TAKEN: Answering = (response) => response.writeHead(204).end();

/** A real HTTP server that is called back; over TLS where it has a key and a certificate. */
export class Receiver {
  readonly calls: Received[] = [];
  /** How calls are answered; changed by tests. */
  answer: Answering = TAKEN;
  private readonly server: Server;
  private readonly scheme: string;

  constructor(tls?: { readonly key: string; readonly cert: string }) {
    const take: RequestListener = async (request, response) => {
      let text = '';
      for await (const chunk of request.setEncoding('utf8')) text += chunk;
      const call = { path: request.url ?? '', headers: request.headers, text };
      this.calls.push(call);
      this.answer(response, call);
    };
    this.server = tls === undefined ? createServer(take) : createSecureServer(tls, take);
    this.scheme = tls === undefined ? 'http' : 'https';
  }

  async listen(port = 0): Promise<void> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(path: string): string {
    return `${this.scheme}://127.0.0.1:${this.port}${path}`;
  }

  /** The calls to one path. */
  callsTo(path: string): Received[] {
    return this.calls.filter((call) => call.path === path);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** What Standard Webhooks asks of a receiver, written down anew. */
export function isSignedWith(secret: string, call: Received | undefined): boolean {
  if (call === undefined) return false;
  const { headers, text } = call;
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(expected);
}
