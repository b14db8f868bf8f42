import { afterAll, afterEach, beforeAll } from 'vitest';
import { type Environment, TestServer } from './server.ts';

/** One server for all tests of a file; its log is printed where one of them fails. */
export function useServer(environment: Environment = {}): () => TestServer {
  let server: TestServer | undefined;
  let hasFailed = false;
  beforeAll(async () => {
    server = await TestServer.start(environment);
  });
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') hasFailed = true;
  });
  afterAll(async () => {
    if (hasFailed && server !== undefined) process.stdout.write(`server log:\n${server.logTail}\n`);
    await server?.cleanup();
  });
  return () => {
    if (server === undefined) throw new Error('the server runs during tests only');
    return server;
  };
}
