/** Metrics of the database as a process uses it: its connections, waits and failures. */
import type { Registry } from 'prom-client';
import type { Database } from '../../store/connection/database.ts';
import { poolCounts } from '../../store/connection/pool-counts.ts';
import { registerCounter, registerGauge, registerHistogram } from './scraped-metrics.ts';

/** `reserved` decides on keys and limits, `shared` is for everything else. */
export function registerDatabase(registry: Registry, database: Pick<Database, 'pool' | 'reserved'>): void {
  const pools = [
    ['shared', database.pool],
    ['reserved', database.reserved.pool],
  ] as const;
  const counts = pools.map(([name, pool]) => [{ pool: name }, poolCounts(pool)] as const);
  const labelNames = ['pool'];
  registerGauge(
    registry,
    {
      name: 'pompa_database_connections',
      help: 'Connections to the database, by pool and whether they are in use.',
      labelNames: ['pool', 'state'],
      aggregator: 'sum',
    },
    () =>
      pools.flatMap(([name, { totalCount, idleCount }]) => [
        [{ pool: name, state: 'idle' }, idleCount] as const,
        [{ pool: name, state: 'busy' }, totalCount - idleCount] as const,
      ]),
  );
  registerGauge(
    registry,
    {
      name: 'pompa_database_waiting',
      help: 'Work that waits for a connection at this moment.',
      labelNames,
      aggregator: 'sum',
    },
    () => pools.map(([name, { waitingCount }]) => [{ pool: name }, waitingCount]),
  );
  registerHistogram(
    registry,
    {
      name: 'pompa_database_wait_seconds',
      help: 'How long work with a time limit waited for a connection.',
      labelNames,
    },
    () => counts.map(([labels, { waits }]) => [labels, waits]),
  );
  registerHistogram(
    registry,
    {
      name: 'pompa_database_work_duration_seconds',
      help: 'How long work with a time limit took on its connection: a statement, or a transaction.',
      labelNames,
    },
    () => counts.map(([labels, { work }]) => [labels, work]),
  );
  registerCounter(
    registry,
    {
      name: 'pompa_database_failures_total',
      help: 'Work with a time limit that failed: no answer in time (timeout), no server (unavailable).',
      labelNames: ['pool', 'reason'],
    },
    () =>
      counts.flatMap(([labels, { timeouts, unavailable }]) => [
        [{ ...labels, reason: 'timeout' }, timeouts] as const,
        [{ ...labels, reason: 'unavailable' }, unavailable] as const,
      ]),
  );
}
