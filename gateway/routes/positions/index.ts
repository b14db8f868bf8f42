import type { Route } from '../../http/route.ts';
import type { RouteContext } from '../context.ts';
import { positionChangeRoutes } from './changes.ts';
import { positionHistoryRoutes } from './history.ts';
import { openPositionRoutes } from './open-positions.ts';

/** Positions: reading, closing, their triggers and their history. */
export function positionRoutes(context: RouteContext): Route[] {
  return [
    ...openPositionRoutes(context),
    ...positionChangeRoutes(context),
    ...positionHistoryRoutes(context),
  ];
}
