import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LoadClient, LoadRequest, LoadResult } from './load.ts';

export function hasWrk(): boolean {
  return spawnSync('wrk', ['--version']).error === undefined;
}

/** One thread: the client should take as little as it can of the machine that it shares. */
export const wrk: LoadClient = {
  name: 'wrk',
  async run(load) {
    const directory = mkdtempSync(join(tmpdir(), 'matchbox-wrk-'));
    try {
      const script = join(directory, 'load.lua');
      writeFileSync(script, luaScript(load));
      const { stdout } = await promisify(execFile)('wrk', [
        '--threads=1',
        `--connections=${load.connections}`,
        `--duration=${load.seconds}s`,
        '--timeout=10s',
        `--script=${script}`,
        `http://127.0.0.1:${load.port}`,
      ]);
      return readResult(stdout);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

/** JSON strings of printable ASCII, CR and LF are strings of Lua as well. */
function luaScript({ requests }: LoadRequest): string {
  return `local requests = {
${requests.map((request) => JSON.stringify(request)).join(',\n')}
}
local count = #requests
local at = 0
function request()
  at = at + 1
  if at > count then at = 1 end
  return requests[at]
end
function done(summary, latency, requests)
  local e = summary.errors
  io.write(string.format(
    '\\nRESULT {"requests":%d,"micros":%d,"p50":%d,"p99":%d,"max":%d,"errors":%d}\\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    latency.max, e.connect + e.read + e.write + e.status + e.timeout))
end
`;
}

function readResult(stdout: string): LoadResult {
  const line = /^RESULT (\{.*\})$/m.exec(stdout)?.[1];
  if (line === undefined) throw new Error(`wrk printed no result:\n${stdout}`);
  const result = JSON.parse(line) as Record<
    'requests' | 'micros' | 'p50' | 'p99' | 'max' | 'errors',
    number
  >;
  const { requests, micros, p50, p99, max, errors } = result;
  return { requests, seconds: micros / 1e6, latencyMicros: { p50, p99, max }, errors };
}
