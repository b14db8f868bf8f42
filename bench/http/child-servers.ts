import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { BareAnswers } from './bare-server.ts';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;

export interface ChildServer {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts the compiled server on a fresh demo data directory and waits until it is ready to trade. */
export async function startVenue(entry: string, dataDirectory: string): Promise<ChildServer> {
  const port = await freePort();
  const logFile = `${dataDirectory}.log`;
  const log = openSync(logFile, 'w');
  const child = spawn(process.execPath, [entry], {
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: join(dataDirectory),
      DEMO: 'quiet',
      ACCESS_TOKEN_SECONDS: '7200',
    },
  });
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!(await isHealthy(port))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`the server did not start:\n${readFileSync(logFile, 'utf8')}`);
    }
    await sleep(100);
  }
  return { port, pid: child.pid ?? 0, stop: () => stop(child) };
}

export async function startBareServer(answers: BareAnswers): Promise<ChildServer> {
  const child = fork(fileURLToPath(new URL('./bare-server.js', import.meta.url)), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.send(answers);
  const [message] = (await once(child, 'message')) as [{ readonly port: number }];
  return { port: message.port, pid: child.pid ?? 0, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const killing = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(killing);
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/health`);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
