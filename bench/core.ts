import { cpus } from 'node:os';
import { bookCosts, bookMemory } from './core/book.ts';
import { clearingCost, replaySpeed, restingMemory, snapshotPause } from './core/clearing.ts';
import { engineSpeeds } from './core/engines.ts';
import { generateWorkload } from './core/generate-workload.ts';
import { readWorkload } from './core/workload-file.ts';

/**
 * `npm run bench:core [-- FILE]`: what commands cost in the book and in clearing as they grow, the
 * memory of resting orders, and the npm engines on the same flow (that of FILE, if one is given).
 */
const SIZES = [1_000, 100_000, 1_000_000];
const PAUSES = [100_000, 1_000_000];
const COMMANDS = 200_000;

const round = (value: number, digits = 1): number =>
  Math.round(value * 10 ** digits) / 10 ** digits;

console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}\n`);

console.log('order book, mixed flow');
console.table(
  (await bookCosts(SIZES)).map(({ resting, nsPerCommand }) => ({
    'resting orders': resting,
    'ns a command': round(nsPerCommand),
  })),
);

console.log('clearing, matching and settlement in one thread');
const venues = [
  ...SIZES.map((resting) => ({ accounts: 1_000, resting })),
  { accounts: 1_000_000, resting: 100_000 },
];
console.table(
  venues.map((size) => {
    const { accounts, resting, nsPerCommand } = clearingCost(size, COMMANDS);
    return { accounts, 'resting orders': resting, 'ns a command': round(nsPerCommand) };
  }),
);

console.log('memory of 1,000,000 resting orders, bytes an order');
console.table([
  { where: 'book', bytes: round(bookMemory(1_000_000)) },
  { where: 'book and clearing', bytes: round(restingMemory(1_000_000).bytesPerOrder) },
]);

console.log('snapshots: how long clearing stands still, ms');
console.table(
  PAUSES.map((resting) => {
    const { firstMs, laterMs } = snapshotPause(resting);
    return { 'resting orders': resting, first: round(firstMs), 'longest later': round(laterMs) };
  }),
);
const replay = replaySpeed(COMMANDS);
console.log(`replay from memory: ${Math.round(replay.eventsPerSecond)} events/s\n`);

const file = process.argv[2];
const workload =
  file === undefined
    ? generateWorkload({ resting: 1_000, commands: COMMANDS })
    : readWorkload(file);
const speeds = engineSpeeds(workload);
const [ours] = speeds;
console.log('the same flow through npm engines');
console.table(
  speeds.map(({ engine, opsPerSecond, fillQuantity }) => ({
    engine,
    'commands/s': opsPerSecond,
    'ours to it': round((ours?.opsPerSecond ?? 0) / opsPerSecond),
    'traded the same': fillQuantity === ours?.fillQuantity,
  })),
);
if (speeds.some(({ fillQuantity }) => fillQuantity !== ours?.fillQuantity)) process.exitCode = 1;
