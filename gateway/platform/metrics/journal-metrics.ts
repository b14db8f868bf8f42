import { Counter, Gauge, type Registry } from 'prom-client';
import type { JournalMetrics } from '../../../persistence/journal/index.ts';
import { TabledHistogram } from './tabled-histogram.ts';

const MICROSECONDS = 1e-6;
/** Batches of 2^n to 2^(n+1) - 1 events share a bucket; the last is open-ended. */
const BATCH_BOUNDS = Array.from({ length: 23 }, (_, bucket) => 2 ** (bucket + 1) - 1);

/** What the journal thread last told of its commits. */
export class JournalGauges {
  private latest: JournalMetrics | undefined;

  update(metrics: JournalMetrics): void {
    this.latest = metrics;
  }

  register(registry: Registry): void {
    const read = (figure: (metrics: JournalMetrics) => number) => () =>
      this.latest === undefined ? 0 : figure(this.latest);
    counter(
      registry,
      'matchbox_journal_bytes_total',
      'Bytes of events committed.',
      read(({ bytes }) => bytes),
    );
    counter(
      registry,
      'matchbox_journal_commit_seconds_total',
      'Time spent in commits.',
      read(({ commitMicroseconds }) => commitMicroseconds * MICROSECONDS),
    );
    counter(
      registry,
      'matchbox_journal_checkpoints_total',
      'Checkpoints of the write-ahead log.',
      read(({ checkpoints }) => checkpoints),
    );
    counter(
      registry,
      'matchbox_journal_checkpoint_seconds_total',
      'Time spent in checkpoints.',
      read(({ checkpointMicroseconds }) => checkpointMicroseconds * MICROSECONDS),
    );
    gauge(
      registry,
      'matchbox_journal_commit_seconds_max',
      'The longest commit.',
      read(({ longestCommitMicroseconds }) => longestCommitMicroseconds * MICROSECONDS),
    );
    gauge(
      registry,
      'matchbox_journal_checkpoint_seconds_max',
      'The longest checkpoint.',
      read(({ longestCheckpointMicroseconds }) => longestCheckpointMicroseconds * MICROSECONDS),
    );
    new TabledHistogram({
      name: 'matchbox_journal_commit_events',
      help: 'Events in a commit.',
      bounds: BATCH_BOUNDS,
      registry,
      read: () => {
        const { batchSizes = [], events = 0 } = this.latest ?? {};
        return [{ labels: {}, counts: batchSizes, sum: events }];
      },
    });
  }
}

/** A counter that is counted elsewhere. */
function counter(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

/** A gauge that is read when it is asked for. */
export function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}
