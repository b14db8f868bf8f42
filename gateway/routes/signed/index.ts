import type { Route } from '../../http/route.ts';
import type { Signed } from '../../signed/signed.ts';
import { SignedGate } from '../../signed/signed-gate.ts';
import type { RouteContext } from '../context.ts';
import { signedHistoryRoutes } from './history.ts';
import { signedKeyRoutes } from './keys.ts';
import { signedOrderRoutes } from './orders.ts';

/** The signed interface, and where traders make its keys. */
export function signedRoutes(context: RouteContext, signed: Signed): Route[] {
  const gate = new SignedGate(signed.nonces, context.resolveAccount);
  const parts = { ...context, gate, signed };
  return [...signedOrderRoutes(parts), ...signedHistoryRoutes(parts), ...signedKeyRoutes(parts)];
}
