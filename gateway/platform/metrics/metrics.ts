import { collectDefaultMetrics, Registry } from 'prom-client';
import type { ViewsClient } from '../../../persistence/views/index.ts';
import type { Route } from '../../http/route.ts';
import type { HttpServer } from '../../http/server.ts';
import type { Clock } from '../../http/server-state.ts';
import type { Venue } from '../../venue/venue.ts';
import { AuditMetrics } from './audit-metrics.ts';
import { HttpMetrics } from './http-metrics.ts';
import { gauge, JournalGauges } from './journal-metrics.ts';

/** The media type of `Metrics.text`. */
export const METRICS_MEDIA_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

export interface MetricsParts {
  readonly venue: Venue;
  readonly views: ViewsClient;
  readonly clock: Clock;
}

/** Everything that the venue tells of itself in figures, in the text form of Prometheus. */
export class Metrics {
  readonly journal = new JournalGauges();
  private readonly registry = new Registry();
  private readonly audit: AuditMetrics;

  constructor({ venue, views, clock }: MetricsParts) {
    const { registry } = this;
    this.audit = new AuditMetrics(venue, clock);
    // Event-loop lag, memory, garbage collection.
    collectDefaultMetrics({ register: registry });
    this.journal.register(registry);
    this.audit.register(registry);
    gauge(
      registry,
      'matchbox_pending_requests',
      'Requests on their way through clearing, books and journal.',
      () => venue.pendingCount,
    );
    gauge(
      registry,
      'matchbox_durable_sequence',
      'The last event that is durable and released.',
      () => venue.durableSequence,
    );
    gauge(
      registry,
      'matchbox_views_lag_events',
      'Durable events that lists and history do not show; a reader waits for them.',
      () => venue.durableSequence - Math.max(0, views.projectedSequence),
    );
    gauge(
      registry,
      'matchbox_views_pending_reads',
      'Reads of lists and history under way.',
      () => views.pendingReads,
    );
  }

  /** The observer for a server with these routes. */
  observe(routes: readonly Route[]): HttpMetrics {
    const http = new HttpMetrics(routes);
    http.register(this.registry);
    return http;
  }

  watch(server: HttpServer): void {
    gauge(
      this.registry,
      'matchbox_http_in_flight',
      'Requests that wait for their body, their answer or their reader.',
      () => server.inFlight,
    );
  }

  async text(): Promise<string> {
    await this.audit.refresh();
    return await this.registry.metrics();
  }
}
