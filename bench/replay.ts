import { median } from './core/median.ts';
import { ReplayVenue } from './core/replay-venue.ts';
import { readWorkload } from './core/workload-file.ts';

const RUNS = 5;

const workload = readWorkload(process.argv[2] ?? '');
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
