/** How much one caller may take of a class of routes. */
export interface Rate {
  /** Requests a second, in the long run. */
  readonly perSecond: number;
  /** Requests at once after a pause. */
  readonly burst: number;
}

/**
 * The generic cell rate algorithm: for each key one number, the time at which its budget would be
 * full again. Times are monotonic milliseconds. The table is bounded: beyond its bound the keys that
 * came first make room, whole budgets first, so that a flood of keys costs memory for `keysMax`.
 */
export class RateLimiter {
  readonly rate: Rate;
  private readonly interval: number;
  private readonly tolerance: number;
  private readonly keysMax: number;
  private readonly fullAt = new Map<string, number>();

  constructor(rate: Rate, keysMax = 65_536) {
    this.rate = rate;
    this.interval = 1000 / rate.perSecond;
    this.tolerance = this.interval * (rate.burst - 1);
    this.keysMax = keysMax;
  }

  /** Takes one request from this key's budget: 0, or the milliseconds until there is one to take. */
  take(key: string, now: number): number {
    const before = this.fullAt.get(key);
    if (before === undefined || before <= now) {
      if (before === undefined && this.fullAt.size >= this.keysMax) this.makeRoom(now);
      this.fullAt.set(key, now + this.interval);
      return 0;
    }
    const wait = before - now - this.tolerance;
    if (wait > 0) return wait;
    this.fullAt.set(key, before + this.interval);
    return 0;
  }

  /** Milliseconds until the whole burst of this key is there again. */
  untilFull(key: string, now: number): number {
    return Math.max(0, (this.fullAt.get(key) ?? now) - now);
  }

  /** How many requests this key could send at once. */
  remaining(key: string, now: number): number {
    return Math.max(0, Math.floor(this.rate.burst - this.untilFull(key, now) / this.interval));
  }

  get size(): number {
    return this.fullAt.size;
  }

  /** Looks at the oldest few keys and drops those with a whole budget; at least one goes. */
  private makeRoom(now: number): void {
    let looked = 0;
    for (const [key, fullAt] of this.fullAt) {
      if (fullAt <= now || looked === 0) this.fullAt.delete(key);
      if (++looked === 8) return;
    }
  }
}

/**
 * What a budget is and how much of it is left, in the form of the IETF draft: `remaining` requests, and
 * whole seconds until the rest is there again or, where nothing is left, until there is one.
 */
export function rateLimitHeaders(
  rate: Rate,
  waitMilliseconds: number,
  remaining = 0,
): Record<string, string> {
  const seconds = Math.ceil(waitMilliseconds / 1000);
  const window = Math.max(1, Math.ceil(rate.burst / rate.perSecond));
  return {
    'ratelimit-policy': `"default";q=${rate.burst};w=${window}`,
    ratelimit: `"default";r=${remaining};t=${seconds}`,
  };
}
