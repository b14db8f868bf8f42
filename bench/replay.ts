import { generateWorkload } from './core/generate-workload.ts';
import { median } from './core/median.ts';
import { ReplayVenue } from './core/replay-venue.ts';
import { readWorkload, type Workload, WorkloadError } from './core/workload-file.ts';

/**
 * `npm run --silent bench:replay -- FILE`: replays a file of 32-byte order records through the book
 * and prints one JSON line; without a file, a flow made here. One warm-up on a fresh book, then the
 * median of five.
 */
const RUNS = 5;

function load(path: string | undefined): Workload {
  if (path === undefined) return generateWorkload({ resting: 1_000, commands: 3_000_000 });
  try {
    return readWorkload(path);
  } catch (error) {
    if (!(error instanceof WorkloadError || (error as NodeJS.ErrnoException).code)) throw error;
    console.error(`${path}: ${(error as Error).message}`);
    process.exit(1);
  }
}

const workload = load(process.argv[2]);
const total = workload.prefillCount + workload.commandCount;
const times: number[] = [];
let venue = new ReplayVenue(workload);
for (let run = 0; run <= RUNS; run++) {
  venue = new ReplayVenue(workload);
  venue.run(workload.words, 0, workload.prefillCount);
  const start = process.hrtime.bigint();
  venue.run(workload.words, workload.prefillCount, total);
  const nanoseconds = Number(process.hrtime.bigint() - start);
  if (run > 0) times.push(nanoseconds / 1e9);
}
const seconds = median(times);
console.log(
  JSON.stringify({
    commands: workload.commandCount,
    seconds,
    opsPerSecond: Math.round(workload.commandCount / seconds),
    ...venue.checksums,
  }),
);
