import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { LoadClient, LoadResult } from './load.ts';

/** Stands in where wrk is not installed: plain sockets, and just enough HTTP to find answers' ends. */
export const socketClient: LoadClient = {
  name: 'own client',
  async run({ port, connections, seconds, requests }) {
    const buffers = requests.map((request) => Buffer.from(request));
    const measured: number[] = [];
    let errors = 0;
    let next = 0;
    const started = performance.now();
    const deadline = started + seconds * 1000;
    const loops = Array.from({ length: connections }, async () => {
      const connection = await Connection.open(port);
      while (performance.now() < deadline) {
        const request = buffers[next++ % buffers.length];
        if (request === undefined) break;
        const sent = performance.now();
        const status = await connection.exchange(request);
        measured.push((performance.now() - sent) * 1000);
        if (status < 200 || status > 299) errors += 1;
      }
      connection.close();
    });
    await Promise.all(loops);
    return summarise(measured, (performance.now() - started) / 1000, errors);
  },
};

class Connection {
  readonly #socket: Socket;
  #received = '';
  #answered: ((status: number) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  static async open(port: number): Promise<Connection> {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    await once(socket, 'connect');
    return new Connection(socket);
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.#take(text));
    socket.on('error', (error) => this.#failed?.(error));
    socket.on('close', () => this.#failed?.(new Error('the server closed the connection')));
  }

  exchange(request: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#failed = reject;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#failed = undefined;
    this.#socket.destroy();
  }

  #take(text: string): void {
    this.#received += text;
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = this.#received.slice(0, headEnd);
    const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
    if (this.#received.length < headEnd + 4 + length) return;
    this.#received = '';
    this.#answered?.(Number(head.slice(9, 12)));
  }
}

function summarise(micros: number[], seconds: number, errors: number): LoadResult {
  micros.sort((a, b) => a - b);
  const at = (share: number) => Math.round(micros[Math.floor(micros.length * share)] ?? 0);
  return {
    requests: micros.length,
    seconds,
    latencyMicros: { p50: at(0.5), p99: at(0.99), max: Math.round(micros.at(-1) ?? 0) },
    errors,
  };
}
