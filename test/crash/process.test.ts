import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { RequestLedger } from '../support/request-ledger.ts';
import { randomSource, seed } from '../support/seed.ts';
import { type Environment, TestServer } from '../support/server.ts';
import { cancelAll, ordersOf, place, placed, stateOf } from '../support/trading.ts';
import { TradingLoad } from '../support/trading-load.ts';
import { checkAudit } from './books-checks.ts';
import { checkAcknowledged, checkUnanswered } from './order-checks.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let server: TestServer;
let traders: ApiClient[];

beforeAll(async () => {
  server = await TestServer.start();
  traders = [await server.trader('alice'), await server.trader('bob')];
  for (let order = 0; order < 20; order++) {
    const side = order % 2 === 0 ? 'Buy' : 'Sell';
    await placed(traders[order % 3 === 0 ? 0 : 1] as ApiClient, { side });
  }
});
afterAll(() => server.cleanup());

async function everything(): Promise<unknown> {
  const histories = traders.map((trader) => ordersOf(trader, {}));
  return [await stateOf(traders), await Promise.all(histories)];
}

/** Starts it although it cannot start: what it says and how it ends. */
async function failingStart(environment: Environment = {}, of = server) {
  const before = of.log.length;
  await of.spawn(environment);
  const { code } = await of.exit();
  return { code, log: of.log.slice(before) };
}

describe('what it keeps besides the journal', () => {
  it.each([
    ['the views', ['views.db', 'views.db-wal', 'views.db-shm']],
    ['the snapshots', ['snapshots.db', 'snapshots.db-wal', 'snapshots.db-shm']],
  ])('(%s) can be taken away: it is computed anew', async (_, files) => {
    const before = await everything();
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    for (const file of files) rmSync(join(server.dataDir, file), { force: true });
    await server.restart();
    expect(await everything()).toEqual(before);
    expect(await checkAudit(server)).toEqual([]);
  });
});

describe('a start that cannot be right', () => {
  it('is refused while another process has the data directory, which goes on', async () => {
    const environment = { DATA_DIR: server.dataDir };
    const other = TestServer.unstarted();
    try {
      const { code, log } = await failingStart(environment, other);
      expect(code).toBe(1);
      expect(log).toContain('JOURNAL_IN_USE');
      expect((await place(traders[0] as ApiClient)).status).toBe(201);
    } finally {
      await other.cleanup();
    }
  });

  it('is refused where the port is taken', async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => listener.once('listening', resolve));
    const address = listener.address();
    const other = TestServer.unstarted();
    try {
      other.port = typeof address === 'object' && address !== null ? address.port : 0;
      const { code, log } = await failingStart({}, other);
      expect(code).toBe(1);
      expect(log).toContain(String(other.port));
    } finally {
      listener.close();
      await other.cleanup();
    }
  });

  it.each([
    ['HOST', '999.1.1.1'],
    ['LOG_LEVEL', 'loud'],
    ['DEMO', 'maybe'],
    ['MARKET_WORKERS', '-1'],
    ['PENDING_MAX', '3'],
    ['LIVE_ORDERS', 'many'],
    ['ACCESS_TOKEN_SECONDS', '0'],
    ['SNAPSHOT_EVENTS', '1e99'],
    ['PLATFORM_TIME_ZONE', 'Nowhere/Never'],
    ['JOURNAL_ARCHIVE', 'yes'],
  ])('is refused with %s=%s, by name', async (name, value) => {
    const other = TestServer.unstarted();
    try {
      const { code, log } = await failingStart({ [name]: value }, other);
      expect(code).toBe(1);
      expect(log).toContain(name === 'HOST' ? value : `${name}=${value}`);
    } finally {
      await other.cleanup();
    }
  });
});

describe('a damaged journal', () => {
  /** Starts on files changed so, tells whether it refused, and puts the files back. */
  const startOn = async (change: (dataDir: string) => void): Promise<string> => {
    const { dataDir } = server;
    const copy = `${dataDir}-copy`;
    cpSync(dataDir, copy, { recursive: true });
    change(dataDir);
    const before = server.log.length;
    await server.spawn();
    const started = server.ready().then(
      () => 'started',
      () => 'refused',
    );
    let outcome = await started;
    if (outcome === 'started') {
      outcome = JSON.stringify(await everything()) === expected ? 'nothing lost' : 'SILENT LOSS';
      await server.kill('SIGKILL');
    } else {
      const { code } = await server.exit();
      const named = /"code":"(JOURNAL|SQLITE)_/.test(server.log.slice(before));
      outcome = code === 1 && named ? 'refused by name' : `ended with ${code}`;
    }
    rmSync(dataDir, { recursive: true });
    renameSync(copy, dataDir);
    return outcome;
  };
  let expected = '';

  it('is refused by name, or does not matter; nothing is lost in silence', async () => {
    for (let order = 0; order < 60; order++) await placed(traders[0] as ApiClient);
    expected = JSON.stringify(await everything());
    await server.kill('SIGKILL');
    const random = randomSource(seed);
    const outcomes: string[] = [];
    for (let flip = 0; flip < 6; flip++) {
      const file = flip % 2 === 0 ? 'journal.db' : 'journal.db-wal';
      const share = random();
      const outcome = await startOn((dataDir) => {
        rewrite(join(dataDir, file), (bytes) => flipped(bytes, share));
      });
      outcomes.push(`${file} at ${share}: ${outcome}`);
    }
    process.stdout.write(`${outcomes.join('\n')}\n`);
    for (const outcome of outcomes) expect(outcome).toMatch(/: (refused by name|nothing lost)$/);
  });

  it.each([
    ['that is gone', (dataDir: string) => removeFiles(dataDir, 'journal.db')],
    ['without what was written last', (dataDir: string) => removeFiles(dataDir, 'journal.db-wal')],
    [
      'of zeros',
      (dataDir: string) => {
        for (const file of ['journal.db', 'journal.db-wal']) {
          rewrite(join(dataDir, file), (bytes) => bytes.fill(0, 4096));
        }
      },
    ],
  ])('(%s) is refused by name', async (_, change) => {
    expect(await startOn(change)).toBe('refused by name');
  });

  it('put back as it was starts as before', async () => {
    await server.restart();
    expect(JSON.stringify(await everything())).toBe(expected);
  });
});

function rewrite(path: string, change: (bytes: Buffer) => Buffer): void {
  writeFileSync(path, change(readFileSync(path)));
}

/** One bit, at this share of what is not zeros at the end. */
function flipped(bytes: Buffer, share: number): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  const at = Math.floor(share * end);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
}

function removeFiles(dataDir: string, prefix: string): void {
  for (const file of readdirSync(dataDir)) {
    if (file.startsWith(prefix)) rmSync(join(dataDir, file));
  }
}

describe('a disk that takes no more', () => {
  it('stops the venue; with room again it has all that it had acknowledged', async () => {
    const ledger = new RequestLedger();
    const load = new TradingLoad({
      port: server.port,
      traders,
      connections: 16,
      seed,
      name: 'full',
      ledger,
    });
    load.start();
    await sleep(300);
    execFileSync('prlimit', ['--pid', String(server.pid), '--fsize=65536:65536']);
    const { code, signal } = await server.exit();
    expect({ code, signal }).not.toEqual({ code: 0, signal: null });
    await load.lost();
    await server.restart();
    expect(ledger.acknowledged).toBeGreaterThan(0);
    expect(await checkAudit(server)).toEqual([]);
    expect(await checkAcknowledged(ledger.placed)).toEqual([]);
    expect(await checkUnanswered(ledger.with('unknown'))).toEqual([]);
  });
});

describe('told to stop while it starts', () => {
  it('it comes up, stops in order, and starts again as if nothing had been', async () => {
    const other = TestServer.unstarted();
    try {
      await other.spawn();
      while (!existsSync(other.dataDir)) await sleep(1);
      expect(await other.kill('SIGTERM')).toEqual({ code: 0, signal: null });
      await other.restart();
      expect((await place(await other.trader('alice'))).status).toBe(201);
    } finally {
      await other.cleanup();
    }
  });
});

describe('in the end', () => {
  it('everything is verified', async () => {
    for (const trader of traders) await cancelAll(trader);
    expect(await server.kill('SIGINT')).toEqual({ code: 0, signal: null });
    const { code, output } = await server.verify();
    expect(code, output).toBe(0);
  });
});
