/**
 * Told once of every request that was answered or given up. `route` is the index in the route table,
 * -1 where no route fitted; `status` is 499 for a client that went away before its answer. It is
 * called on the hot path: count into arrays, build no labels.
 */
export interface RequestObserver {
  observe(route: number, status: number, milliseconds: number): void;
}

export const CLIENT_WENT_AWAY = 499;

export const silentObserver: RequestObserver = { observe: () => undefined };
