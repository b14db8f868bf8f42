import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ChildServer, startVenue } from './http/child-servers.ts';
import type { LoadResult } from './http/load.ts';
import { orderFlow, readFlow } from './http/order-flow.ts';
import { socketClient } from './http/socket-client.ts';
import { median } from './http/statistics.ts';
import { threadTimes } from './http/thread-cpu.ts';
import { Trader } from './http/trader.ts';
import { hasWrk, wrk } from './http/wrk.ts';

/**
 * `npm run bench:against -- --before PATH` loads this build and an earlier one in turn, with the same
 * orders and reads: what has a change cost? PATH is the other build's compiled `gateway/main.js`.
 *
 * Rates of this machine swing by more than most changes are worth, so each is compared with the one
 * measured right beside it, and the processor time of a request is told too: it swings less.
 */
const HELP = `Compares this build with an earlier one over HTTP, in turn.

  --before PATH     the other build's compiled server (needed)
  --rounds N        pairs of measurements of each scenario (8)
  --seconds N       of each measurement (3)
  --warm-up N       seconds of warm-up of each server (8)
  --connections N   at once (256)
`;

const READ_ORDERS = 1000;
const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    rounds: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '3' },
    'warm-up': { type: 'string', default: '8' },
    connections: { type: 'string', default: '256' },
    help: { type: 'boolean', default: false },
  },
});

interface Build {
  readonly server: ChildServer;
  readonly traders: readonly Trader[];
  readonly orders: readonly string[];
  readonly reads: readonly string[];
}

interface Sample {
  readonly rate: number;
  /** Of all threads of the server, µs a request. */
  readonly processorMicros: number;
  readonly errors: number;
}

interface Comparison {
  readonly name: string;
  readonly before: readonly Sample[];
  readonly now: readonly Sample[];
}

const connections = Number(values.connections);
const seconds = Number(values.seconds);
const client = hasWrk() ? wrk : socketClient;

async function start(entry: string, dataDirectory: string): Promise<Build> {
  const server = await startVenue(entry, dataDirectory);
  const makers = await Trader.signIn(server.port, 'alice@matchbox.test');
  const takers = await Trader.signIn(server.port, 'bob@matchbox.test');
  const orders = orderFlow(makers, takers);
  const reads = await readFlow(makers, READ_ORDERS);
  return { server, traders: [makers, takers], orders, reads };
}

function load({ server }: Build, requests: readonly string[], time: number): Promise<LoadResult> {
  return client.run({ port: server.port, connections, seconds: time, requests });
}

async function sample(build: Build, requests: readonly string[]): Promise<Sample> {
  for (const trader of build.traders) await trader.cancelAll();
  const processor = () =>
    threadTimes(build.server.pid).reduce((sum, { seconds }) => sum + seconds, 0);
  const before = processor();
  const result = await load(build, requests, seconds);
  return {
    rate: result.requests / result.seconds,
    processorMicros: ((processor() - before) * 1e6) / result.requests,
    errors: result.errors,
  };
}

/** before, now, now, before, …: neither is always the first after a rest. */
async function compare(
  name: string,
  before: Build,
  now: Build,
  requestsOf: (build: Build) => readonly string[],
): Promise<Comparison> {
  for (const build of [before, now]) {
    await load(build, requestsOf(build), Number(values['warm-up']));
  }
  const samples: { before: Sample[]; now: Sample[] } = { before: [], now: [] };
  for (let round = 0; round < Number(values.rounds); round++) {
    const order = round % 2 === 0 ? (['before', 'now'] as const) : (['now', 'before'] as const);
    for (const which of order) {
      const build = which === 'now' ? now : before;
      samples[which].push(await sample(build, requestsOf(build)));
    }
  }
  return { name, ...samples };
}

/** The median of what pairs measured side by side say. */
function ratioOf({ before, now }: Comparison, of: (sample: Sample) => number): number {
  return median(now.map((sample, index) => of(sample) / of(before[index] as Sample)));
}

function report(comparison: Comparison) {
  const rate = ({ rate }: Sample) => rate;
  const processor = ({ processorMicros }: Sample) => processorMicros;
  const { name, before, now } = comparison;
  return {
    name,
    beforeRate: Math.round(median(before.map(rate))),
    nowRate: Math.round(median(now.map(rate))),
    rateRatio: Number(ratioOf(comparison, rate).toFixed(3)),
    beforeProcessorMicros: Number(median(before.map(processor)).toFixed(1)),
    nowProcessorMicros: Number(median(now.map(processor)).toFixed(1)),
    processorRatio: Number(ratioOf(comparison, processor).toFixed(3)),
    errors: [...before, ...now].reduce((sum, { errors }) => sum + errors, 0),
  };
}

async function run(beforeEntry: string): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'matchbox-against-'));
  const builds: Build[] = [];
  try {
    const before = await start(beforeEntry, join(directory, 'before'));
    builds.push(before);
    const now = await start('dist/gateway/main.js', join(directory, 'now'));
    builds.push(now);
    const results = [
      report(await compare('place', before, now, ({ orders }) => orders)),
      report(await compare('read', before, now, ({ reads }) => reads)),
    ];
    console.table(results);
    const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
    console.log(JSON.stringify({ bench: 'against', machine, client: client.name, results }));
    return results.some(({ errors }) => errors > 0) ? 1 : 0;
  } finally {
    for (const { server } of builds) await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

if (values.help || values.before === undefined) {
  console.log(HELP);
  process.exitCode = values.help ? 0 : 2;
} else {
  process.exitCode = await run(values.before);
}
