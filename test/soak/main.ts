import { setTimeout as sleep } from 'node:timers/promises';
import { checkAudit } from '../crash/books-checks.ts';
import { RequestLedger } from '../support/request-ledger.ts';
import { TestServer } from '../support/server.ts';
import { TradingLoad } from '../support/trading-load.ts';
import { readOptions, type SoakOptions } from './options.ts';
import { type Sample, takeSample } from './sampling.ts';
import { judge } from './verdict.ts';

/**
 * Trades at a constant rate against the real server for as long as it is told, samples what the
 * server uses, and fails where something grows without bound: `npm run soak -- --minutes 60`.
 */
const SAMPLE_MS = 5000;
/** Small windows, so that what is bounded by them has its full size soon. */
const ENVIRONMENT = {
  LIVE_ORDERS: '8192',
  CLIENT_ORDER_ID_WINDOW: '8192',
  SNAPSHOT_EVENTS: '50000',
  LOG_LEVEL: 'error',
};

async function soak(options: SoakOptions): Promise<string[]> {
  const server = await TestServer.start(ENVIRONMENT);
  try {
    const ledger = new RequestLedger(false);
    const load = new TradingLoad({
      ...options,
      port: server.port,
      traders: [await server.trader('alice'), await server.trader('bob')],
      name: 'soak',
      ledger,
    });
    const samples: Sample[] = [];
    const started = performance.now();
    const elapsed = () => (performance.now() - started) / 1000;
    load.start();
    while (elapsed() < options.minutes * 60) {
      await sleep(SAMPLE_MS);
      const answers = ledger.acknowledged + ledger.refused + ledger.turnedAway;
      const sample = await takeSample(server, elapsed(), answers);
      samples.push(sample);
      write(row(sample));
    }
    await load.stop();
    const problems = [...judge(samples), ...(await checkAudit(server)), ...ledger.unexpected];
    const { code } = await server.kill('SIGTERM');
    if (code !== 0) problems.push(`the server ended with ${code}:\n${server.logTail}`);
    return problems;
  } finally {
    await server.cleanup();
  }
}

const COLUMNS: readonly (readonly [string, keyof Sample])[] = [
  ['s', 'seconds'],
  ['answers', 'answers'],
  ['rss MiB', 'residentMebibytes'],
  ['heap MiB', 'heapMebibytes'],
  ['fds', 'descriptors'],
  ['wal MiB', 'walMebibytes'],
  ['data MiB', 'dataMebibytes'],
  ['open', 'openOrders'],
  ['views lag', 'viewsLag'],
];

function row(sample: Sample): string {
  return COLUMNS.map(([title, name]) =>
    String(Math.round(sample[name])).padStart(Math.max(9, title.length)),
  ).join(' ');
}

function write(text: string): void {
  process.stdout.write(`${text}\n`);
}

const options = readOptions(process.argv.slice(2));
write(JSON.stringify(options));
write(COLUMNS.map(([title]) => title.padStart(Math.max(9, title.length))).join(' '));
const problems = await soak(options);
for (const problem of problems) write(`FAILED: ${problem}`);
write(problems.length === 0 ? 'nothing grows without bound' : `${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
