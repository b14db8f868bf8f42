import uws, { type HttpResponse } from 'uWebSockets.js';

/**
 * The yardstick: a uWebSockets.js server that parses the same bodies and answers the same bytes, and
 * does nothing else. The parent sends it the answers and is told the port.
 */
export interface BareAnswer {
  readonly status: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

export interface BareAnswers {
  readonly post: BareAnswer;
  readonly get: BareAnswer;
}

process.once('message', (answers: BareAnswers) => serve(answers));
process.once('disconnect', () => process.exit(0));

function serve({ post, get }: BareAnswers): void {
  uws
    .App()
    .post('/frontoffice/api/v3/orders', (response) => {
      const chunks: Buffer[] = [];
      let aborted = false;
      response.onAborted(() => {
        aborted = true;
      });
      response.onData((chunk, isLast) => {
        if (!isLast || chunks.length > 0) chunks.push(Buffer.from(chunk.slice(0)));
        if (!isLast || aborted) return;
        const body = chunks.length === 0 ? Buffer.from(chunk) : Buffer.concat(chunks);
        const { order } = JSON.parse(body.toString('utf8')) as { order?: unknown };
        if (order === undefined) throw new Error('the body has no order');
        answer(response, post);
      });
    })
    .get('/frontoffice/api/v4/orders/:orderId', (response, request) => {
      if (request.getParameter(0) === '') throw new Error('the path has no order id');
      answer(response, get);
    })
    .listen('127.0.0.1', 0, (socket) => {
      process.send?.({ port: uws.us_socket_local_port(socket) });
    });
}

function answer(response: HttpResponse, { status, headers, body }: BareAnswer): void {
  response.cork(() => {
    response.writeStatus(status);
    for (const [name, value] of headers) response.writeHeader(name, value);
    response.end(body);
  });
}
