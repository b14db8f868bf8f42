import { Counter, type Registry } from 'prom-client';
import type { RequestObserver } from '../../http/observer.ts';
import type { Route } from '../../http/route.ts';
import { type Distribution, TabledHistogram } from './tabled-histogram.ts';

/** Upper bounds in milliseconds. */
const BOUNDS_MS = [
  0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000,
] as const;
const BUCKETS = BOUNDS_MS.length + 1;

/** Statuses 100 to 599. */
const STATUS_FIRST = 100;
const STATUSES = 500;

/** Requests by route and status, and how long they took. Observing adds to arrays, nothing else. */
export class HttpMetrics implements RequestObserver {
  private readonly names: readonly string[];
  /** By route, then status; the first row is for requests that no route fitted. */
  private readonly counts: Float64Array;
  private readonly buckets: Float64Array;
  private readonly sums: Float64Array;

  constructor(routes: readonly Route[]) {
    this.names = ['unmatched', ...routes.map(({ method, path }) => `${method} ${path}`)];
    this.counts = new Float64Array(this.names.length * STATUSES);
    this.buckets = new Float64Array(this.names.length * BUCKETS);
    this.sums = new Float64Array(this.names.length);
  }

  observe(route: number, status: number, milliseconds: number): void {
    const row = route + 1;
    const count = row * STATUSES + status - STATUS_FIRST;
    this.counts[count] = (this.counts[count] ?? 0) + 1;
    let bucket = 0;
    while (bucket < BOUNDS_MS.length && milliseconds > (BOUNDS_MS[bucket] as number)) bucket++;
    const at = row * BUCKETS + bucket;
    this.buckets[at] = (this.buckets[at] ?? 0) + 1;
    this.sums[row] = (this.sums[row] ?? 0) + milliseconds;
  }

  register(registry: Registry): void {
    const { names, counts } = this;
    new Counter({
      name: 'matchbox_http_requests_total',
      help: 'Requests answered, by route and status; 499 is a client that went away.',
      labelNames: ['route', 'status'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [index, count] of counts.entries()) {
          if (count === 0) continue;
          const route = names[Math.floor(index / STATUSES)] ?? '';
          this.inc({ route, status: (index % STATUSES) + STATUS_FIRST }, count);
        }
      },
    });
    new TabledHistogram({
      name: 'matchbox_http_request_duration_seconds',
      help: 'From the head of a request to its answer, by route.',
      bounds: BOUNDS_MS.map((bound) => bound / 1000),
      registry,
      read: () => this.distributions(),
    });
  }

  private *distributions(): Iterable<Distribution> {
    for (const [row, route] of this.names.entries()) {
      const counts = this.buckets.subarray(row * BUCKETS, (row + 1) * BUCKETS);
      if (counts.every((count) => count === 0)) continue;
      yield { labels: { route }, counts, sum: (this.sums[row] ?? 0) / 1000 };
    }
  }
}
