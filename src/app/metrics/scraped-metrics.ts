/** Counts kept in plain numbers, as metrics of prom-client that are read at each scrape. */
import { type Aggregator, Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ValueCounts } from '../../telemetry/value-counts.ts';

type Labels = Readonly<Record<string, string | number>>;
type Naming = { readonly name: string; readonly help: string; readonly labelNames?: string[] };
/** How the values of several serving processes become one: what every process reads from one place is not a sum. */
type GaugeNaming = Naming & { readonly aggregator: Aggregator };
type Values = Iterable<readonly [Labels, number]>;

/** A histogram whose values somebody else counts. All have the same bounds. */
class CountedHistogram extends Histogram<string> {
  readonly #read: () => Iterable<readonly [Labels, ValueCounts]>;
  readonly #naming: Naming;

  constructor(registry: Registry, naming: Naming, read: () => Iterable<readonly [Labels, ValueCounts]>) {
    super({ ...naming, registers: [registry] });
    this.#naming = naming;
    this.#read = read;
  }

  override async get(): ReturnType<Histogram<string>['get']> {
    const { name, help } = this.#naming;
    const values = [...this.#read()].flatMap(([labels, counts]) => valuesOf(name, labels, counts));
    return { name, help, type: HISTOGRAM_TYPE, values, aggregator: 'sum' } as unknown as ReturnType<
      Histogram<string>['get']
    >;
  }

  /** The library reads its text from here. */
  getForPromString(): ReturnType<Histogram<string>['get']> {
    return this.get();
  }
}

const HISTOGRAM_TYPE = 'histogram';

function valuesOf(name: string, labels: Labels, { bounds, counts, sum }: ValueCounts) {
  let count = 0;
  const buckets = [...counts].map((inBound, at) => {
    count += inBound;
    return { metricName: `${name}_bucket`, labels: { le: bounds[at] ?? '+Inf', ...labels }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}

/** Registers a histogram of counts that are read at each scrape. */
export function registerHistogram(
  registry: Registry,
  naming: Naming,
  read: () => Iterable<readonly [Labels, ValueCounts]>,
): void {
  new CountedHistogram(registry, naming, read);
}

/** Registers a gauge that is read at each scrape; without any value it is absent. */
export function registerGauge(registry: Registry, naming: GaugeNaming, read: () => Values | Promise<Values>): void {
  new Gauge({
    ...naming,
    registers: [registry],
    async collect() {
      const values = await read();
      this.reset();
      // Without labels it would show 0 where nothing is known.
      if (naming.labelNames === undefined) this.remove();
      for (const [labels, value] of values) this.set(labels, value);
    },
  });
}

/** The value of a gauge without labels; `null` = it is not known. */
export function single(value: number | null): Values {
  return value === null ? [] : [[{}, value]];
}

/** Registers a counter whose counts are read at each scrape. */
export function registerCounter(registry: Registry, naming: Naming, read: () => Values): void {
  new Counter({
    ...naming,
    registers: [registry],
    collect() {
      this.reset();
      for (const [labels, count] of read()) this.inc(labels, count);
    },
  });
}
