import { Histogram, type Registry } from 'prom-client';

/** One distribution: how many fell into each bucket (not cumulated), the last one open-ended. */
export interface Distribution {
  readonly labels: Readonly<Record<string, string>>;
  readonly counts: ArrayLike<number>;
  readonly sum: number;
}

interface TabledHistogramOptions {
  readonly name: string;
  readonly help: string;
  /** Upper bounds of all buckets but the last. */
  readonly bounds: readonly number[];
  readonly registry: Registry;
  readonly read: () => Iterable<Distribution>;
}

/**
 * A histogram whose counts are kept elsewhere, in whatever is cheap to count into. The registry asks
 * `getForPromString` for what it prints, which is all that this class answers in its own way.
 */
export class TabledHistogram extends Histogram {
  private readonly options: TabledHistogramOptions;

  constructor(options: TabledHistogramOptions) {
    const { name, help, registry } = options;
    super({ name, help, registers: [registry] });
    this.options = options;
  }

  async getForPromString() {
    const { name, help, read } = this.options;
    const values = [...read()].flatMap((distribution) => this.valuesOf(distribution));
    return { name, help, type: 'histogram', aggregator: 'sum', values };
  }

  private valuesOf({ labels, counts, sum }: Distribution) {
    const { name, bounds } = this.options;
    let total = 0;
    const bucket = (le: string, count: number) => {
      total += count;
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: total };
    };
    const bounded = bounds.map((bound, index) => bucket(String(bound), counts[index] ?? 0));
    return [
      ...bounded,
      bucket('+Inf', counts[bounds.length] ?? 0),
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: total },
    ];
  }
}
