import { Bench } from 'tinybench';
import { generateWorkload } from './generate-workload.ts';
import { memoryInUse } from './memory.ts';
import { ReplayVenue } from './replay-venue.ts';

const SLICE = 20_000;
const ITERATIONS = 40;
const WARM_UP = 10;
/** The bench calls a task once more to see whether it is asynchronous. */
const PROBES = 1;

export interface BookCost {
  readonly resting: number;
  /** Nanoseconds a command of the mixed flow, the median of many slices. */
  readonly nsPerCommand: number;
}

/** What a command costs in a book of each size. */
export async function bookCosts(sizes: readonly number[]): Promise<BookCost[]> {
  const costs: BookCost[] = [];
  for (const resting of sizes) costs.push({ resting, nsPerCommand: await bookCost(resting) });
  return costs;
}

async function bookCost(resting: number): Promise<number> {
  const commands = SLICE * (ITERATIONS + WARM_UP + PROBES);
  const workload = generateWorkload({ resting, commands });
  const venue = new ReplayVenue(workload);
  venue.run(workload.words, 0, resting);
  let next = resting;
  const bench = new Bench({
    time: 0,
    iterations: ITERATIONS,
    warmup: true,
    warmupTime: 0,
    warmupIterations: WARM_UP,
  });
  const task = 'mixed flow';
  bench.add(task, () => {
    venue.run(workload.words, next, next + SLICE);
    next += SLICE;
  });
  await bench.run();
  const result = bench.getTask(task)?.result;
  if (result === undefined || !('latency' in result)) throw new Error('the bench has no result');
  return (result.latency.p50 * 1e6) / SLICE;
}

/** Bytes a resting order takes in a book of this size; needs a process with `--expose-gc`. */
export function bookMemory(resting: number): number {
  const workload = generateWorkload({ resting, commands: 0 });
  const before = memoryInUse();
  const venue = new ReplayVenue(workload);
  venue.run(workload.words, 0, resting);
  const after = memoryInUse();
  if (venue.checksums.resting !== resting) throw new Error('not every order rests');
  return (after - before) / resting;
}
