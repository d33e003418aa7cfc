/** Metrics of the process: those of prom-client, what runs, and how busy its event loop is. */
import { statfs } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import { registerGauge } from './scraped-metrics.ts';

/** From then on the process measures its event loop and its garbage collection, which costs little but not nothing. */
export function registerProcess(registry: Registry, version: string, dataDir: string): void {
  collectDefaultMetrics({ register: registry });
  registerGauge(
    registry,
    {
      name: 'pompa_build_info',
      help: 'Always 1; the labels say what runs.',
      labelNames: ['version', 'node'],
      aggregator: 'max',
    },
    () => [[{ version, node: process.version }, 1]],
  );
  let last = performance.eventLoopUtilization();
  registerGauge(
    registry,
    {
      name: 'pompa_event_loop_utilization_ratio',
      help: 'The part of the time since the last scrape in which the event loop was busy: 0 to 1.',
      aggregator: 'max',
    },
    () => {
      const { utilization } = performance.eventLoopUtilization(last);
      last = performance.eventLoopUtilization();
      return [[{}, utilization]];
    },
  );
  registerGauge(
    registry,
    {
      name: 'pompa_data_dir_free_bytes',
      help: 'What is free on the disk of DATA_DIR for this user; absent before the folder exists.',
      aggregator: 'min',
    },
    async () => {
      const disk = await statfs(dataDir).catch(() => null);
      return disk === null ? [] : [[{}, disk.bavail * disk.bsize]];
    },
  );
}
