import { afterAll, beforeAll } from 'vitest';
import type { HttpLimits } from '../../../gateway/http/limits.ts';
import { HttpServer } from '../../../gateway/http/server.ts';
import { demoAuthoriser, demoRoutes } from './demo.ts';

export interface Observation {
  readonly route: number;
  readonly status: number;
  readonly milliseconds: number;
}

/** A demo server for the tests of one file. */
export interface Running {
  server: HttpServer;
  port: number;
  base: string;
  readonly observations: Observation[];
  readonly errors: unknown[];
}

export function runServer(limits: Partial<HttpLimits> = {}): Running {
  const observations: Observation[] = [];
  const errors: unknown[] = [];
  const server = new HttpServer({
    routes: demoRoutes,
    authoriser: demoAuthoriser,
    limits,
    observer: {
      observe: (route, status, milliseconds) => observations.push({ route, status, milliseconds }),
    },
    onError: (error) => errors.push(error),
  });
  const running: Running = { server, port: 0, base: '', observations, errors };
  beforeAll(async () => {
    running.port = await server.listen('127.0.0.1', 0);
    running.base = `http://127.0.0.1:${running.port}`;
  });
  afterAll(() => server.close());
  return running;
}
