import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { RequestLedger } from '../support/request-ledger.ts';
import { randomSource, seed } from '../support/seed.ts';
import { type Environment, TestServer } from '../support/server.ts';
import { cancelAll } from '../support/trading.ts';
import { TradingLoad } from '../support/trading-load.ts';
import { checkAudit, checkBooks } from './books-checks.ts';
import { checkAcknowledged, checkRepeats, checkUnanswered } from './order-checks.ts';

/** CRASH_ROUNDS=100 npx vitest run test/crash/crash.test.ts for a longer run. */
const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 10);
const REPEATS = 200;
const random = randomSource(seed);

let server: TestServer;
let traders: ApiClient[];

beforeAll(async () => {
  process.stdout.write(`SEED=${seed} CRASH_ROUNDS=${ROUNDS}\n`);
  server = await TestServer.start();
  traders = [await server.trader('alice'), await server.trader('bob')];
});
afterAll(async () => {
  await server.cleanup();
});

/** Each life of the server is laid out in another way. */
function nextEnvironment(): Environment {
  const snapshots = random() < 0.5 ? '500' : '100000';
  return { MARKET_WORKERS: String(Math.floor(random() * 3)), SNAPSHOT_EVENTS: snapshots };
}

async function loadUntilKilled(name: string, milliseconds: number): Promise<RequestLedger> {
  const ledger = new RequestLedger();
  const load = new TradingLoad({
    port: server.port,
    traders,
    connections: 8 + Math.floor(random() * 25),
    seed: Math.floor(random() * 2 ** 31),
    name,
    ledger,
  });
  load.start();
  await sleep(milliseconds);
  await server.kill('SIGKILL');
  await load.lost();
  return ledger;
}

it(
  'killed under load, it loses nothing that it acknowledged and does nothing twice',
  async () => {
    const totals = { acknowledged: 0, unanswered: 0, refused: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const ledger = await loadUntilKilled(`r${round}`, 50 + random() * 750);
      await server.restart(nextEnvironment());
      expect(ledger.unexpected).toEqual([]);
      expect(await checkAudit(server)).toEqual([]);
      expect(await checkAcknowledged(ledger.placed)).toEqual([]);
      const unanswered = ledger.with('unknown');
      totals.acknowledged += ledger.acknowledged;
      totals.refused += ledger.refused;
      totals.unanswered += unanswered.length;
      expect(await checkUnanswered(unanswered)).toEqual([]);
      expect(await checkRepeats(ledger.placed.slice(-REPEATS))).toEqual([]);
      for (const trader of traders) await cancelAll(trader);
    }
    process.stdout.write(`${ROUNDS} kills: ${JSON.stringify(totals)}\n`);
    expect(totals.acknowledged).toBeGreaterThan(0);
    expect(await checkBooks(traders)).toEqual([]);
    expect(await checkAudit(server)).toEqual([]);
    // Of a venue that was killed: verifying needs no clean end.
    await server.kill('SIGKILL');
    const { code, output } = await server.verify();
    expect(code, output).toBe(0);
  },
  60_000 + ROUNDS * 20_000,
);
