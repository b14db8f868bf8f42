import { Replay, restoreState, takeSnapshot } from '../../core/clearing/index.ts';
import { ClearingVenue, type VenueSize } from './clearing-venue.ts';
import { memoryInUse } from './memory.ts';

export interface ClearingCost extends VenueSize {
  /** Nanoseconds a command: clearing, matching, settling and writing events, in one thread. */
  readonly nsPerCommand: number;
}

/** What a command costs at a size: the median of several runs of a flow that keeps the size. */
export function clearingCost(size: VenueSize, commands: number, rounds = 5): ClearingCost {
  const venue = new ClearingVenue(size);
  venue.run(venue.steadyFlow(commands));
  const costs = Array.from({ length: rounds }, () => venue.run(venue.steadyFlow(commands)));
  costs.sort((a, b) => a - b);
  return { ...size, nsPerCommand: costs[costs.length >> 1] ?? Number.NaN };
}

export interface SnapshotPause {
  readonly resting: number;
  /** How long clearing stands still while its state is copied out, milliseconds. */
  readonly firstMs: number;
  readonly laterMs: number;
  /** How long a restart takes to make a state of it. */
  readonly restoreMs: number;
}

export function snapshotPause(resting: number, rounds = 5): SnapshotPause {
  const venue = new ClearingVenue({ accounts: 1_000, resting });
  const { state } = venue.clearing;
  const pauses = Array.from({ length: rounds }, () => {
    venue.run(venue.steadyFlow(2_000));
    return timed(() => takeSnapshot(state));
  });
  const [first = Number.NaN, ...later] = pauses;
  const snapshot = takeSnapshot(state);
  const restoreMs = timed(() => restoreState(snapshot));
  return { resting, firstMs: first, laterMs: Math.max(...later), restoreMs };
}

export interface ReplaySpeed {
  readonly events: number;
  readonly eventsPerSecond: number;
}

/** How fast events of orders, trades and ends are applied, from memory. */
export function replaySpeed(commands: number): ReplaySpeed {
  const venue = new ClearingVenue({ accounts: 1_000, resting: 10_000 }, true);
  const start = venue.recorded.length;
  const snapshot = takeSnapshot(venue.clearing.state);
  venue.run(venue.steadyFlow(commands));
  const state = restoreState(snapshot);
  const replay = new Replay(state);
  let events = 0;
  const milliseconds = timed(() => {
    for (const batch of venue.recorded.slice(start)) {
      replay.apply(batch.firstSequence, batch.events);
      events += batch.count;
    }
  });
  return { events, eventsPerSecond: (events / milliseconds) * 1_000 };
}

export interface RestingMemory {
  readonly resting: number;
  /** Heap and array buffers, in the book and in clearing together. */
  readonly bytesPerOrder: number;
}

/** Needs a process with `--expose-gc`. */
export function restingMemory(resting: number): RestingMemory {
  const none = memoryOf(0);
  const all = memoryOf(resting);
  return { resting, bytesPerOrder: (all - none) / resting };
}

function memoryOf(resting: number): number {
  const before = memoryInUse();
  const venue = new ClearingVenue({ accounts: 1_000, resting });
  venue.forgetResting();
  const after = memoryInUse();
  const { openOrders } = venue;
  if (openOrders !== resting) throw new Error(`${openOrders} of ${resting} orders rest`);
  return after - before;
}

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}
