import type { Refused } from './refused.ts';
import type { Route } from './route.ts';

/** Where a request comes from, as far as is known. */
export interface CallerOrigin {
  /** The caller's address: the peer's, or what a trusted proxy says in its place. */
  readonly address: string;
  /** Upper-case ISO 3166 code; undefined where nobody trusted says one. */
  readonly country: string | undefined;
}

/** Knows who stands behind a proxy, and who is turned away for where they are. */
export interface CallerGate {
  /** `header` answers '' for a header that is not there. */
  originOf(peerAddress: string, header: (name: string) => string): CallerOrigin;
  judge(route: Route, origin: CallerOrigin): Refused | undefined;
}
