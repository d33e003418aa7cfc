/** Metrics of the batches in which the database decides on limits. */
import type { Registry } from 'prom-client';
import type { BatchCounts } from '../../telemetry/batch-counts.ts';
import { registerCounter, registerHistogram } from './scraped-metrics.ts';

export function registerLimits(registry: Registry, batches: BatchCounts): void {
  const all = Object.entries(batches);
  const labelNames = ['limit'];
  registerHistogram(
    registry,
    { name: 'pompa_limit_batch_size', help: 'Requests decided on in one statement, by limit.', labelNames },
    () => all.map(([limit, { sizes }]) => [{ limit }, sizes]),
  );
  registerHistogram(
    registry,
    {
      name: 'pompa_limit_batch_duration_seconds',
      help: 'How long the database takes for such a statement.',
      labelNames,
    },
    () => all.map(([limit, { seconds }]) => [{ limit }, seconds]),
  );
  registerCounter(
    registry,
    {
      name: 'pompa_limit_batch_failures_total',
      help: 'Such statements that failed or took too long: their requests were decided without the database, or refused.',
      labelNames,
    },
    () => all.map(([limit, { failures }]) => [{ limit }, failures]),
  );
}
