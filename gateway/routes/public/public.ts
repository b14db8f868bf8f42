/** What the declarations of public information have in common: open to anyone, at the rate of guests. */
export const PUBLIC = { area: 'public', operation: 'none', rateClass: 'guest' } as const;

const DAY_MS = 86_400_000;

/**
 * From when on trades are of the last 24 hours at `now`, inclusive: a trade counts for 24 hours, and
 * one that is exactly that old counts no more.
 */
export function dayBefore(now: number): number {
  return now - DAY_MS + 1;
}
