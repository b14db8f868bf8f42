/** When what did not arrive is sent again. */
export interface RetryPolicy {
  /** The pause behind the first attempt; each one after it is twice as long, up to an hour. */
  readonly firstPauseMs: number;
  /** How often it is sent at most. */
  readonly attemptsMax: number;
}

const PAUSE_MS_MAX = 60 * 60 * 1000;
/** Pauses differ by up to so much of themselves, so that what failed together is not tried together. */
const SPREAD = 0.25;

/** The pause behind the `attempt`th try, counted from 1; `random` is from 0 to 1. */
export function pauseAfter({ firstPauseMs }: RetryPolicy, attempt: number, random: number): number {
  const pause = Math.min(firstPauseMs * 2 ** Math.min(attempt - 1, 40), PAUSE_MS_MAX);
  return Math.round(pause * (1 - SPREAD + 2 * SPREAD * random));
}
