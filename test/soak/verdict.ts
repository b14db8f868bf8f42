import type { Sample } from './sampling.ts';

/** What a server under constant load may use more at the end than after it has warmed up. */
const RESIDENT_GROWTH_MAX = 0.25;
const HEAP_GROWTH_MEBIBYTES_MAX = 48;
const DESCRIPTOR_GROWTH_MAX = 16;
const WAL_MEBIBYTES_MAX = 512;

/** The middle of the values: collections make single samples of memory jump. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * Compares the last third of a run with the second: the first is for warming up. Answers what has
 * grown beyond all bounds, one sentence each.
 */
export function judge(samples: readonly Sample[]): string[] {
  const third = Math.floor(samples.length / 3);
  if (third < 2) return ['the run was too short to tell anything: there are too few samples'];
  const second = samples.slice(third, 2 * third);
  const last = samples.slice(2 * third);
  const of = (part: readonly Sample[], name: keyof Sample) => median(part.map((one) => one[name]));
  const problems: string[] = [];
  const check = (name: keyof Sample, most: number): void => {
    const [before, after] = [of(second, name), of(last, name)];
    if (after <= most) return;
    problems.push(`${name} grew from ${Math.round(before)} to ${Math.round(after)}`);
  };
  check('residentMebibytes', of(second, 'residentMebibytes') * (1 + RESIDENT_GROWTH_MAX));
  check('heapMebibytes', of(second, 'heapMebibytes') + HEAP_GROWTH_MEBIBYTES_MAX);
  check('descriptors', of(second, 'descriptors') + DESCRIPTOR_GROWTH_MAX);
  check('walMebibytes', WAL_MEBIBYTES_MAX);
  check('openOrders', of(second, 'openOrders') * 2 + 1000);
  return problems;
}
