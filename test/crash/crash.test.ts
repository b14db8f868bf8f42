import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RequestLedger } from '../support/request-ledger.ts';
import { randomSource, seed } from '../support/seed.ts';
import { TestServer } from '../support/server.ts';
import { cancelAll } from '../support/trading.ts';
import { TradingLoad } from '../support/trading-load.ts';
import { checkAcknowledged, checkRepeats, checkUnanswered } from './order-checks.ts';

const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 10);
const REPEATS = 300;
const random = randomSource(seed);

let server: TestServer;

beforeAll(async () => {
  process.stdout.write(`SEED=${seed} CRASH_ROUNDS=${ROUNDS}\n`);
  server = await TestServer.start();
});
afterAll(() => server.cleanup());

it(
  'loses nothing that was acknowledged when it is killed under load',
  async () => {
    const traders = [await server.trader('alice'), await server.trader('bob')];
    const totals = { acknowledged: 0, unknown: 0, refused: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const ledger = new RequestLedger();
      const load = new TradingLoad({
        port: server.port,
        traders,
        connections: 8 + Math.floor(random() * 25),
        seed: seed + round,
        name: `r${round}`,
        ledger,
      });
      load.start();
      await sleep(50 + random() * 750);
      await server.kill('SIGKILL');
      await load.lost();
      await server.restart();
      expect(ledger.unexpected).toEqual([]);
      totals.acknowledged += ledger.acknowledged;
      totals.refused += ledger.refused;
      totals.unknown += ledger.with('unknown').length;
      expect(await checkAcknowledged(ledger.placed)).toEqual([]);
      const unknown = ledger.with('unknown');
      expect(await checkUnanswered(unknown)).toEqual([]);
      expect(await checkRepeats(ledger.placed.slice(-REPEATS))).toEqual([]);
      for (const trader of traders) await cancelAll(trader);
    }
    process.stdout.write(`${ROUNDS} kills: ${JSON.stringify(totals)}\n`);
    expect(totals.acknowledged).toBeGreaterThan(0);
  },
  ROUNDS * 20_000,
);
