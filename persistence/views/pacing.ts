/** When the views take up new events. */
export interface ProjectionPolicy {
  /** Events in one transaction; one journal batch may exceed it. */
  readonly eventsPerCommit: number;
  /** While nobody waits: rest after a commit for this multiple of the time that it took, ... */
  readonly restFactor: number;
  /** ... but at least so long, so that a trickle of events is taken in handfuls; ms. */
  readonly restMin: number;
  /** Further behind than this many events there is no rest: a reader must never face more. */
  readonly lagMax: number;
}

export const PROJECTION_POLICY: ProjectionPolicy = {
  eventsPerCommit: 50_000,
  restFactor: 3,
  restMin: 100,
  lagMax: 200_000,
};

/**
 * How long to rest after a commit that took `took` ms. Reads decide how hard the views work: while a
 * reader waits they run at once and without rest; else they take a quarter of a core at most, until
 * they are `lagMax` behind.
 */
export function restAfter(
  policy: ProjectionPolicy,
  state: { readonly took: number; readonly lag: number; readonly wanted: boolean },
): number {
  if (state.wanted || state.lag > policy.lagMax) return 0;
  return Math.max(policy.restMin, state.took * policy.restFactor);
}
