import type { Route } from '../http/route.ts';
import type { RouteContext } from './context.ts';
import { placementRoutes } from './orders/placement.ts';
import { readingRoutes } from './orders/reading.ts';

/** Every route of the trading interface, area by area. */
export function createRoutes(context: RouteContext): Route[] {
  return [...placementRoutes(context), ...readingRoutes(context)];
}
