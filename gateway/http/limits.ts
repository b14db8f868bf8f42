import type { Rate } from './rate-limiter.ts';
import type { RateClass } from './route.ts';

/** Every bound of the HTTP edge, with its default. */
export interface HttpLimits {
  /** Names and values of all headers of one request. */
  readonly headerBytesMax: number;
  /** Path and query. */
  readonly targetBytesMax: number;
  /** A request body, where its route says nothing else. */
  readonly bodyBytesMax: number;
  /** A response body; beyond it the caller is told to ask for less. */
  readonly answerBytesMax: number;
  /** Requests that wait for their answer; beyond it 503 at once. */
  readonly inFlightMax: number;
  /** Requests that wait for their body; beyond it 503 for those that do not have it at once. */
  readonly receivingMax: number;
  /** How long a server that closes waits for bodies that do not come and answers that nobody reads. */
  readonly drainMilliseconds: number;
  /** Budgets a caller: an authenticated user, or an address where there is no token. */
  readonly rates: Readonly<Record<Exclude<RateClass, 'none'>, Rate>>;
  /** Failed authentications an address; beyond it 429 instead of another look at the token. */
  readonly failures: Rate;
}

/**
 * A single user may take all that the venue can carry: what protects the venue is the bound on
 * requests in flight. A venue that many share lowers the first four.
 */
export const DEFAULT_LIMITS: HttpLimits = {
  headerBytesMax: 16_384,
  targetBytesMax: 8192,
  bodyBytesMax: 65_536,
  answerBytesMax: 16_777_216,
  inFlightMax: 8192,
  receivingMax: 2048,
  drainMilliseconds: 5000,
  rates: {
    read: { perSecond: 200_000, burst: 200_000 },
    write: { perSecond: 200_000, burst: 200_000 },
    cancel: { perSecond: 200_000, burst: 200_000 },
    history: { perSecond: 20_000, burst: 20_000 },
    guest: { perSecond: 200, burst: 1000 },
    identity: { perSecond: 100, burst: 500 },
  },
  failures: { perSecond: 100, burst: 1000 },
};
