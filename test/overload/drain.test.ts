import { expect, it } from 'vitest';
import { HttpServer } from '../../gateway/http/server.ts';
import { demoAuthoriser, demoRoutes } from '../http-foundation/support/demo.ts';
import { RawConnection } from '../http-foundation/support/raw.ts';

it('a server that closes does not wait for a client that dawdles', async () => {
  const limits = { drainMilliseconds: 20 };
  const server = new HttpServer({ routes: demoRoutes, authoriser: demoAuthoriser, limits });
  const port = await server.listen('127.0.0.1', 0);
  const post = demoRoutes.find(({ method, operation, body }) => {
    return method === 'POST' && operation === 'none' && body !== undefined;
  });
  const dawdler = await RawConnection.open(port);
  await dawdler.send(`POST ${post?.path} HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{`);
  await expect.poll(() => server.inFlight).toBe(1);
  // Left alone, the connection would live for ten seconds.
  const closing = server.close();
  expect(await dawdler.closed(5000)).toBe(true);
  await closing;
});
