import { connect, type Socket } from 'node:net';

/** Talks to a port byte by byte: what an HTTP library would never send. */
export class RawConnection {
  private readonly socket: Socket;
  private text = '';
  private isClosed = false;
  private readonly waiters = new Set<() => void>();

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk) => {
      this.text += chunk.toString('latin1');
      this.wake();
    });
    socket.on('close', () => {
      this.isClosed = true;
      this.wake();
    });
    // A reset is one way for a server to close.
    socket.on('error', () => undefined);
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect(port, '127.0.0.1').setNoDelay(true);
    const connection = new RawConnection(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    return connection;
  }

  /** Resolves when the bytes have been handed to the system. */
  send(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes, () =>
        resolve(),
      );
    });
  }

  get received(): string {
    return this.text;
  }

  /** Everything received once it fits, or the connection is closed, or time is up. */
  async until(fits: (text: string) => boolean, milliseconds = 5000): Promise<string> {
    const deadline = Date.now() + milliseconds;
    while (!fits(this.text) && !this.isClosed && Date.now() < deadline) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          this.waiters.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, deadline - Date.now());
        this.waiters.add(wake);
      });
    }
    return this.text;
  }

  /** `count` whole answers (with Content-Length), as status codes; fewer if the server closes. */
  async statuses(count: number, milliseconds?: number): Promise<number[]> {
    const text = await this.until((seen) => parseStatuses(seen).length >= count, milliseconds);
    return parseStatuses(text);
  }

  async closed(milliseconds = 5000): Promise<boolean> {
    await this.until(() => false, milliseconds);
    return this.isClosed;
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  destroy(): void {
    this.socket.destroy();
  }

  private wake(): void {
    for (const waiter of [...this.waiters]) waiter();
  }
}

/** The status codes of the whole answers at the start of this text. */
export function parseStatuses(text: string): number[] {
  const statuses: number[] = [];
  let rest = text;
  for (;;) {
    const head = /^HTTP\/1\.1 (\d{3})[^\r\n]*\r\n([\s\S]*?)\r\n\r\n/.exec(rest);
    if (head === null) return statuses;
    const length = Number(/^content-length: (\d+)/im.exec(head[2] ?? '')?.[1] ?? 0);
    const end = head[0].length + length;
    if (rest.length < end) return statuses;
    statuses.push(Number(head[1]));
    rest = rest.slice(end);
  }
}

/** Sends these bytes on a connection of their own: what came back, and whether it was closed. */
export async function once(
  port: number,
  bytes: string | Uint8Array,
  milliseconds = 1500,
): Promise<{ statuses: number[]; text: string; closed: boolean }> {
  const connection = await RawConnection.open(port);
  await connection.send(bytes);
  const text = await connection.until((seen) => parseStatuses(seen).length > 0, milliseconds);
  const closed = await connection.closed(100);
  connection.destroy();
  return { statuses: parseStatuses(text), text, closed };
}
