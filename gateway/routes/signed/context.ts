import type { SignedGate } from '../../signed/signed-gate.ts';
import type { RouteContext } from '../context.ts';

/** What the routes of the signed interface work with. */
export interface SignedContext
  extends Pick<RouteContext, 'venue' | 'orders' | 'views' | 'timeZone'> {
  readonly gate: SignedGate;
}
