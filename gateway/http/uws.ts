import uws, {
  type HttpRequest,
  type HttpResponse,
  type TemplatedApp,
  type us_listen_socket,
} from 'uWebSockets.js';

/**
 * The one file that imports uWebSockets.js. The package is an alias in package.json; it is native
 * where there is a binary for this Node.js and falls back to JavaScript elsewhere.
 */
export type { HttpRequest, HttpResponse, us_listen_socket as ListenSocket };

/** What the native application has beyond the package's own declarations. */
export type App = Omit<TemplatedApp, 'listen'> & {
  listen(
    host: string,
    port: number,
    options: number,
    listening: (socket: us_listen_socket | false) => void,
  ): unknown;
  /** Closes the listen socket and every connection. The JavaScript fallback has no such thing. */
  close?(): void;
};

/** Fails when the port is taken instead of sharing it. */
export const EXCLUSIVE_PORT = 1;

export const implementation: 'native' | 'javascript' = String(uws.App).includes('[native code]')
  ? 'native'
  : 'javascript';

/** A new application that does not name its server software in a header. */
export function createApp(): App {
  if (implementation === 'native') uws._cfg('silent');
  return uws.App() as unknown as App;
}

export function portOf(socket: us_listen_socket): number {
  return uws.us_socket_local_port(socket);
}

export function closeListenSocket(socket: us_listen_socket): void {
  uws.us_listen_socket_close(socket);
}
