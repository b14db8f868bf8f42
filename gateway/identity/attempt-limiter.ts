/** So many failures at once, and one more for each interval that has passed. */
export interface AttemptBudget {
  readonly burst: number;
  readonly intervalMs: number;
}

/**
 * Limits how often a password may be got wrong, by the generic cell rate algorithm: for each key one
 * number, the time at which its budget is whole again. An attempt takes from the budget before it is
 * judged, so that parallel guesses cannot pass together, and a right password gives back. Time is
 * monotonic milliseconds. The table is bounded; the key that was used least recently goes first.
 */
export class AttemptLimiter {
  readonly #budget: AttemptBudget;
  readonly #keysMax: number;
  readonly #wholeAgainAt = new Map<string, number>();

  constructor(budget: AttemptBudget, keysMax = 100_000) {
    this.#budget = budget;
    this.#keysMax = keysMax;
  }

  /** 0 when the attempt may go on, otherwise the milliseconds until one may. */
  take(key: string, now: number): number {
    const { burst, intervalMs } = this.#budget;
    const wholeAgainAt = Math.max(this.#wholeAgainAt.get(key) ?? now, now) + intervalMs;
    const waitMs = wholeAgainAt - now - burst * intervalMs;
    if (waitMs > 0) return waitMs;
    this.#store(key, wholeAgainAt);
    return 0;
  }

  giveBack(key: string): void {
    const wholeAgainAt = this.#wholeAgainAt.get(key);
    if (wholeAgainAt !== undefined) this.#store(key, wholeAgainAt - this.#budget.intervalMs);
  }

  #store(key: string, wholeAgainAt: number): void {
    this.#wholeAgainAt.delete(key);
    this.#wholeAgainAt.set(key, wholeAgainAt);
    if (this.#wholeAgainAt.size <= this.#keysMax) return;
    const oldest = this.#wholeAgainAt.keys().next();
    if (!oldest.done) this.#wholeAgainAt.delete(oldest.value);
  }
}
