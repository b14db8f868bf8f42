import uws from 'uWebSockets.js';
import type { BareAnswer } from '../http/bare-server.ts';

/**
 * The yardstick: a uWebSockets.js server that reads whatever is asked and answers the bytes that the
 * parent sent it last. It tells its port, and says `ready` for each answer that it has taken.
 */
let current: BareAnswer = { status: '200 OK', headers: [], body: '' };

process.on('message', (answer: BareAnswer) => {
  current = answer;
  process.send?.('ready');
});
process.once('disconnect', () => process.exit(0));

function respond(response: uws.HttpResponse): void {
  const { status, headers, body } = current;
  response.cork(() => {
    response.writeStatus(status);
    for (const [name, value] of headers) response.writeHeader(name, value);
    response.end(body);
  });
}

uws
  .App()
  .get('/*', (response, request) => {
    if (request.getUrl() === '') throw new Error('there is no path');
    respond(response);
  })
  .post('/*', (response) => {
    response.onAborted(() => undefined);
    response.onData((chunk, isLast) => {
      if (!isLast) return;
      JSON.parse(Buffer.from(chunk).toString('utf8'));
      respond(response);
    });
  })
  .listen('127.0.0.1', 0, (socket) => {
    process.send?.({ port: uws.us_socket_local_port(socket) });
  });
