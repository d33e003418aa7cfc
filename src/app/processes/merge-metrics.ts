/** Makes one page of metrics of those of several processes. */
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import type { SupervisorCounts } from './supervisor-counts.ts';
import type { ProcessMetrics } from './supervisor-messages.ts';

export type MetricsOfProcesses = {
  /** By number of the process. */
  readonly running: ReadonlyMap<number, ProcessMetrics>;
  /** What processes that have ended had counted, added up: else a counter would fall when one is replaced. */
  readonly ended: ProcessMetrics;
};

/**
 * Figures of a process: sums would hide the one whose memory is too high, and a minimum that one has an older
 * publication than the others.
 */
const OF_PROCESS = /^(process_|nodejs_|pompa_snapshot_version$)/;

/**
 * Adds up what processes have counted: of each metric as its `aggregator` says, by default the sum. Figures of a
 * process itself, and the publication that it serves, are kept apart, by the label `process`.
 */
export async function mergedMetrics({ running, ended }: MetricsOfProcesses, counts: SupervisorCounts): Promise<string> {
  const labelled = [...running].map(([number, metrics]) => metrics.map((metric) => withProcess(metric, number)));
  return AggregatorRegistry.aggregate([...labelled, ended, await countsAsMetrics(counts)]).metrics();
}

/** Adds up the counters and histograms, which must never fall. */
export function addCounts(parts: readonly ProcessMetrics[]): ProcessMetrics {
  const counted = parts.map((metrics) => metrics.filter(isCount));
  // Its metrics answer without waiting.
  const names = new Set(counted.flat().map(({ name }) => name));
  const registry = AggregatorRegistry.aggregate(counted);
  return [...names].flatMap((name) => (registry.getSingleMetric(name) as unknown as ProcessMetrics[number]) ?? []);
}

type Metric = ProcessMetrics[number];

function isCount({ name, type }: Metric): boolean {
  return !OF_PROCESS.test(name) && ['counter', 'histogram'].includes(String(type));
}

function withProcess(metric: Metric, number: number): Metric {
  if (!OF_PROCESS.test(metric.name)) return metric;
  const values = metric.values.map((value) => ({ ...value, labels: { ...value.labels, process: String(number) } }));
  return { ...metric, values, aggregator: 'sum' };
}

function countsAsMetrics({ configured, serving, replaced }: SupervisorCounts): Promise<ProcessMetrics> {
  const registry = new Registry();
  const registers = [registry];
  const help = 'Processes of serve that accept connections.';
  new Gauge({ name: 'pompa_processes_serving', help, registers }).set(serving);
  const configuredHelp = 'Processes of serve that there should be: --processes.';
  new Gauge({ name: 'pompa_processes_configured', help: configuredHelp, registers }).set(configured);
  const replacedHelp = 'Processes of serve that ended by themselves, or hung, and were replaced.';
  new Counter({ name: 'pompa_processes_replaced_total', help: replacedHelp, registers }).inc(replaced);
  return registry.getMetricsAsJSON();
}
