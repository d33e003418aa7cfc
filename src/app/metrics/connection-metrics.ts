/** Metrics of connections. */
import type { Registry } from 'prom-client';
import type { ConnectionCounts } from '../../api/http/connection/connection-limiter.ts';
import { registerCounter, registerGauge, single } from './scraped-metrics.ts';

export function registerConnections(registry: Registry, counts: () => ConnectionCounts): void {
  registerGauge(
    registry,
    { name: 'pompa_connections', help: 'Connections of the API that are open.', aggregator: 'sum' },
    () => single(counts().open),
  );
  const byReason = (name: string, help: string, read: () => Readonly<Record<string, number>>) =>
    registerCounter(registry, { name, help, labelNames: ['reason'] }, () =>
      Object.entries(read()).map(([reason, count]) => [{ reason }, count]),
    );
  byReason(
    'pompa_connections_refused_total',
    'New connections refused, by what was used up: all connections, or the share of a client or a network.',
    () => counts().refused,
  );
  byReason(
    'pompa_connections_dropped_total',
    'Connections closed to make room for refused ones: nobody used them, or their clients did not read.',
    () => counts().dropped,
  );
}
