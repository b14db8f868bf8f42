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

/** A histogram whose counts are kept elsewhere, in whatever is cheap to count into. */
export class TabledHistogram extends Histogram {
  private readonly series: string;
  private readonly bounds: readonly number[];
  private readonly read: () => Iterable<Distribution>;

  constructor({ name, help, bounds, registry, read }: TabledHistogramOptions) {
    super({ name, help, registers: [registry] });
    this.series = name;
    this.bounds = bounds;
    this.read = read;
  }

  override async get(): ReturnType<Histogram['get']> {
    const values = [...this.read()].flatMap((distribution) => this.valuesOf(distribution));
    return { ...(await super.get()), values };
  }

  /** What the registry asks for when it prints. */
  getForPromString(): ReturnType<Histogram['get']> {
    return this.get();
  }

  private valuesOf({ labels, counts, sum }: Distribution) {
    let total = 0;
    const bucket = (le: string, count: number) => {
      total += count;
      return { metricName: `${this.series}_bucket`, labels: { ...labels, le }, value: total };
    };
    const { bounds } = this;
    const buckets = bounds.map((bound, index) => bucket(String(bound), counts[index] ?? 0));
    return [
      ...buckets,
      bucket('+Inf', counts[bounds.length] ?? 0),
      { metricName: `${this.series}_sum`, labels, value: sum },
      { metricName: `${this.series}_count`, labels, value: total },
    ];
  }
}
