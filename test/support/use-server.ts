import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { type Environment, TestServer } from './server.ts';

/** Servers start, die and start again within tests: a busy machine takes its time for that. */
const TIMEOUT_MS = 120_000;

/** One server for all tests of a file; its log is printed where one of them fails. */
export function useServer(environment: Environment = {}): () => TestServer {
  vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS });
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
