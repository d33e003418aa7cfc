/** Metrics of what is served: the snapshot, the sources behind it, the files of open data. */
import type { Registry } from 'prom-client';
import type { DumpManifest } from '../../dumps/manifest.ts';
import { freshness } from '../../snapshot/freshness.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { SnapshotCounts } from '../../telemetry/snapshot-counts.ts';
import { registerCounter, registerGauge, registerHistogram, single } from './scraped-metrics.ts';

/** What the metrics read of the snapshot in service. */
export type SnapshotReading = SnapshotCounts & {
  readonly snapshot: () => Snapshot;
  /** Epoch ms. */
  readonly clock: () => number;
};

export function registerSnapshot(registry: Registry, { snapshot, builds, reads, clock }: SnapshotReading): void {
  // Of several processes the one that is behind counts.
  const gauge = (name: string, help: string, read: (served: Snapshot) => number | null) =>
    registerGauge(registry, { name, help, aggregator: 'min' }, () => single(read(snapshot())));
  gauge('pompa_snapshot_version', 'The publication that is served; 0 = none yet.', ({ version }) => version);
  gauge('pompa_snapshot_built_timestamp_seconds', 'When the served snapshot was judged.', ({ now }) => now / 1000);
  gauge('pompa_prices_updated_timestamp_seconds', 'When a price source last delivered; absent if none has.', (served) =>
    inSeconds(served.updatedAt),
  );
  gauge('pompa_healthy', 'Whether GET /api/v1/health answers 200: 1 or 0.', (served) =>
    freshness(served, clock()).isFresh ? 1 : 0,
  );
  gauge('pompa_records', 'Records served: one per station and fuel.', ({ counts }) => counts.records);
  gauge('pompa_records_with_price', 'Records that have a price.', ({ counts }) => counts.recordsWithPrice);
  gauge('pompa_stations', 'Stations served.', ({ counts }) => counts.stations);
  gauge('pompa_stations_with_price', 'Stations with a price.', ({ counts }) => counts.stationsWithPrice);
  const bySource = (name: string, help: string, of: 'deliveredAt' | 'downloadedAt') =>
    registerGauge(registry, { name, help, labelNames: ['source'], aggregator: 'min' }, () =>
      [...snapshot().sources, ...snapshot().locators].flatMap((times) => {
        const at = inSeconds(times[of]);
        return at === null ? [] : [[{ source: times.name }, at] as const];
      }),
    );
  bySource('pompa_source_delivered_timestamp_seconds', 'When a source in service last delivered.', 'deliveredAt');
  bySource(
    'pompa_source_downloaded_timestamp_seconds',
    'When what a source delivered last was downloaded.',
    'downloadedAt',
  );
  registerHistogram(
    registry,
    { name: 'pompa_snapshot_build_duration_seconds', help: 'From the facts of a publication to serving its snapshot.' },
    () => [[{}, builds]],
  );
  registerCounter(
    registry,
    {
      name: 'pompa_publication_reads_total',
      help: 'Publications, or their statistics, that were read from the primary database, from its replica, or from the followed server.',
      labelNames: ['from'],
    },
    () => Object.entries(reads).map(([from, count]) => [{ from }, count]),
  );
}

export function registerDumps(registry: Registry, read: () => Pick<DumpManifest, 'madeAt' | 'updatedAt'> | null): void {
  // Every process that serves knows the same files.
  const gauge = (name: string, help: string, of: 'madeAt' | 'updatedAt') =>
    registerGauge(registry, { name, help, aggregator: 'max' }, () => single(inSeconds(read()?.[of] ?? null)));
  gauge('pompa_dumps_made_timestamp_seconds', 'When the published files of open data were made.', 'madeAt');
  gauge('pompa_dumps_data_timestamp_seconds', 'When the sources of the data in them were last read.', 'updatedAt');
}

const inSeconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);
