import { readdirSync, readFileSync } from 'node:fs';

/** Jiffies a second as /proc counts them on Linux. */
const TICKS_PER_SECOND = 100;

export interface ThreadTime {
  readonly thread: string;
  readonly seconds: number;
}

/** The processor time of every thread of a process so far; empty where there is no /proc. */
export function threadTimes(pid: number): ThreadTime[] {
  let threads: string[];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
  return threads.flatMap((id) => {
    try {
      return [readThread(pid, id)];
    } catch {
      // The thread has ended since.
      return [];
    }
  });
}

/** Shares of one core that threads took between two readings, the busiest first. */
export function threadShares(
  before: readonly ThreadTime[],
  after: readonly ThreadTime[],
  seconds: number,
): { thread: string; share: number }[] {
  const earlier = new Map(before.map(({ thread, seconds }) => [thread, seconds]));
  return after
    .map(({ thread, seconds: total }) => ({
      thread,
      share: (total - (earlier.get(thread) ?? 0)) / seconds,
    }))
    .filter(({ share }) => share >= 0.01)
    .sort((a, b) => b.share - a.share);
}

function readThread(pid: number, id: string): ThreadTime {
  const stat = readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8');
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  // Fields 14 and 15, counted from the third one, which follows the name.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  const thread = Number(id) === pid ? 'main' : `${name} +${Number(id) - pid}`;
  return { thread, seconds: ticks / TICKS_PER_SECOND };
}
