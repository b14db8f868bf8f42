import { connect, type Socket } from 'node:net';

/** A request as it goes on the wire. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** An answer as it came off the wire. Header names are in lower case. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The connection ended before the answer was whole: what became of the request is not known. */
export class ConnectionLost extends Error {}

interface Waiting {
  readonly isHead: boolean;
  resolve(answer: WireAnswer): void;
  reject(error: Error): void;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** One keep-alive connection that carries one request at a time: light enough for hundreds of them. */
export class Connection {
  private readonly socket: Socket;
  private received: Buffer = Buffer.alloc(0);
  private waiting: Waiting | undefined;
  isOpen = true;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk) => this.take(chunk));
    socket.on('close', () => this.lost());
    // A reset is one way for a server to close; 'close' follows.
    socket.on('error', () => undefined);
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1').setNoDelay(true);
      const failed = () => reject(new ConnectionLost(`nobody listens on port ${port}`));
      socket.once('error', failed);
      socket.once('connect', () => {
        socket.off('error', failed);
        resolve(new Connection(socket));
      });
    });
  }

  get isIdle(): boolean {
    return this.isOpen && this.waiting === undefined;
  }

  exchange(request: WireRequest): Promise<WireAnswer> {
    if (this.waiting !== undefined) throw new Error('a request is under way on this connection');
    return new Promise((resolve, reject) => {
      if (!this.isOpen) return reject(new ConnectionLost('the connection is closed'));
      this.waiting = { isHead: request.method === 'HEAD', resolve, reject };
      this.socket.write(toBytes(request));
    });
  }

  destroy(): void {
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    const { waiting } = this;
    if (waiting === undefined) return;
    const headEnd = this.received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const { status, headers } = parseHead(this.received.toString('latin1', 0, headEnd));
    const start = headEnd + HEAD_END.length;
    const length = waiting.isHead ? 0 : Number(headers['content-length'] ?? 0);
    if (this.received.length < start + length) return;
    const text = this.received.toString('utf8', start, start + length);
    this.received = this.received.subarray(start + length);
    this.waiting = undefined;
    waiting.resolve({ status, headers, text });
  }

  private lost(): void {
    this.isOpen = false;
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.reject(new ConnectionLost('the connection was closed before the answer'));
  }
}

/** The bytes of a request; Host and Content-Length are added. */
export function toBytes({ method, path, headers = {}, body }: WireRequest): Buffer {
  const payload = body === undefined ? undefined : Buffer.from(body);
  const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1'];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (payload !== undefined) lines.push(`content-length: ${payload.length}`);
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
  return payload === undefined ? head : Buffer.concat([head, payload]);
}

function parseHead(text: string): { status: number; headers: Record<string, string> } {
  const [statusLine = '', ...lines] = text.split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return { status: Number(statusLine.split(' ')[1]), headers };
}
