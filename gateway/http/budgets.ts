import { Refusals } from '../../core/messages/refusals.ts';
import { addressPrefix } from './address-prefix.ts';
import type { HttpLimits } from './limits.ts';
import { RateLimiter, rateLimitHeaders } from './rate-limiter.ts';
import { type Refused, refuse } from './refused.ts';
import type { RateClass } from './route.ts';

/** Whose budget a request is taken from: the user, or the address where nobody is signed in. */
export interface Caller {
  readonly session: { readonly userId: string } | undefined;
  readonly remoteAddress: string;
}

/** The rate limits of the server: one limiter for each class of routes and one for failures. */
export class Budgets {
  private readonly classes: Readonly<Record<Exclude<RateClass, 'none'>, RateLimiter>>;
  private readonly failures: RateLimiter;

  constructor({ rates, failures }: Pick<HttpLimits, 'rates' | 'failures'>) {
    this.classes = {
      read: new RateLimiter(rates.read),
      write: new RateLimiter(rates.write),
      cancel: new RateLimiter(rates.cancel),
      history: new RateLimiter(rates.history),
      guest: new RateLimiter(rates.guest),
      identity: new RateLimiter(rates.identity),
    };
    this.failures = new RateLimiter(failures);
  }

  /** Takes one request at monotonic time `now`; a refusal when the budget is spent. */
  take(rateClass: RateClass, caller: Caller, now: number): Refused | undefined {
    if (rateClass === 'none') return undefined;
    const limiter = this.classes[rateClass];
    const wait = limiter.take(callerKey(caller), now);
    return wait === 0 ? undefined : tooMany(limiter, wait);
  }

  /** The headers that tell a caller what is left of its budget. */
  left(rateClass: Exclude<RateClass, 'none'>, caller: Caller, now: number): Record<string, string> {
    const limiter = this.classes[rateClass];
    const key = callerKey(caller);
    return rateLimitHeaders(limiter.rate, limiter.untilFull(key, now), limiter.remaining(key, now));
  }

  /** Counts a failed authentication: the refusal it gets, or 429 for an address with too many. */
  countFailure(refused: Refused, caller: Caller, now: number): Refused {
    if (refused.refusal !== Refusals.Unauthorised) return refused;
    const wait = this.failures.take(addressPrefix(caller.remoteAddress), now);
    return wait === 0 ? refused : tooMany(this.failures, wait);
  }
}

function tooMany({ rate }: RateLimiter, wait: number): Refused {
  const seconds = Math.ceil(wait / 1000);
  return refuse(Refusals.TooManyRequests, {
    limit: seconds,
    retryAfterSeconds: seconds,
    headers: rateLimitHeaders(rate, wait),
  });
}

/** The address is asked for only where it counts: that costs more than the rest of the check. */
function callerKey(caller: Caller): string {
  return caller.session?.userId ?? addressPrefix(caller.remoteAddress);
}
