import type { ChildServer } from './child-servers.ts';
import { measureFlush } from './disk.ts';
import type { LoadClient, LoadResult } from './load.ts';
import type { BenchOptions } from './options.ts';
import { median } from './statistics.ts';
import { threadShares, threadTimes } from './thread-cpu.ts';

const FLUSHES_A_ROUND = 500;

export interface Scenario {
  readonly name: string;
  readonly connections: number;
  readonly measure: 'rate' | 'latency';
  /** What the venue itself is asked for in place of the bare server, as its measure. */
  readonly reference?: () => readonly string[];
  /** A share of the bare server's rate, or a multiple of the least latency; null: only reported. */
  readonly aim: number | null;
  /** Asked for after `prepare`, which runs before each measurement. */
  readonly requests: () => readonly string[];
  readonly prepare: () => Promise<void>;
}

export interface Measurement {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface ScenarioResult {
  readonly name: string;
  readonly connections: number;
  readonly measure: 'rate' | 'latency';
  readonly aim: number | null;
  readonly bare: Measurement;
  readonly ours: Measurement;
  /** The median of one appended and flushed block, µs. */
  readonly flushMicros: number;
  readonly ratio: number;
  readonly errors: number;
  readonly threads: readonly { readonly thread: string; readonly share: number }[];
}

export interface Bench {
  readonly options: BenchOptions;
  readonly client: LoadClient;
  readonly venue: ChildServer;
  readonly bare: ChildServer;
  readonly dataDirectory: string;
}

/** Reference, ours, reference, ours: what else the machine does meanwhile meets both. */
export async function runScenario(bench: Bench, scenario: Scenario): Promise<ScenarioResult> {
  const { options, client, venue, bare, dataDirectory } = bench;
  const { connections, requests, reference = requests } = scenario;
  const load = (port: number, seconds: number, requests: readonly string[]) =>
    client.run({ port, connections, seconds, requests });
  const compared = (seconds: number) =>
    load(scenario.reference === undefined ? bare.port : venue.port, seconds, reference());
  await scenario.prepare();
  await compared(options.warmUpSeconds);
  const warmUp = await load(venue.port, options.warmUpSeconds, requests());

  const bareResults: LoadResult[] = [];
  const ourResults: LoadResult[] = [];
  const flushes: number[] = [];
  let threads: { thread: string; share: number }[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    await scenario.prepare();
    flushes.push(measureFlush(dataDirectory, FLUSHES_A_ROUND));
    bareResults.push(await compared(options.seconds));
    const before = threadTimes(venue.pid);
    const result = await load(venue.port, options.seconds, requests());
    threads = threadShares(before, threadTimes(venue.pid), result.seconds);
    ourResults.push(result);
  }

  const ours = summarise(ourResults);
  const compare = summarise(bareResults);
  const flushMicros = median(flushes);
  return {
    name: scenario.name,
    connections: scenario.connections,
    measure: scenario.measure,
    aim: scenario.aim,
    bare: compare,
    ours,
    flushMicros,
    ratio:
      scenario.measure === 'rate'
        ? ours.rate / compare.rate
        : ours.p50 / (compare.p50 + flushMicros),
    errors: [warmUp, ...ourResults, ...bareResults].reduce((sum, { errors }) => sum + errors, 0),
    threads,
  };
}

function summarise(results: readonly LoadResult[]): Measurement {
  const of = (pick: (result: LoadResult) => number) => median(results.map(pick));
  return {
    rate: of(({ requests, seconds }) => requests / seconds),
    p50: of(({ latencyMicros }) => latencyMicros.p50),
    p99: of(({ latencyMicros }) => latencyMicros.p99),
    max: of(({ latencyMicros }) => latencyMicros.max),
  };
}
