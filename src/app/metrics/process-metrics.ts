/** Metrics of the process: those of prom-client, what runs, and how busy its event loop is. */
import { statfs } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import type { Config } from '../../config/config.ts';
import { existingHome } from '../../store/embedded/root-data-dir.ts';
import { registerGauge } from './scraped-metrics.ts';

export type ObservedFolders = Pick<Config, 'DATA_DIR' | 'DATABASE_URL' | 'BACKUP_DIR'>;

/** From then on the process measures its event loop and its garbage collection, which costs little but not nothing. */
export function registerProcess(registry: Registry, version: string, folders: ObservedFolders): void {
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
      name: 'pompa_folder_free_bytes',
      help: 'What is free for this user on the disk of a folder; absent before the folder exists.',
      labelNames: ['folder'],
      aggregator: 'min',
    },
    async () => {
      const free = await Promise.all(
        foldersOf(folders).map(async ([folder, path]) => [folder, await freeBytes(path)] as const),
      );
      return free.flatMap(([folder, bytes]) => (bytes === null ? [] : [[{ folder }, bytes]]));
    },
  );
}

/** The folders that grow, by their names in metrics. */
function foldersOf({ DATA_DIR, DATABASE_URL, BACKUP_DIR }: ObservedFolders): (readonly [string, string])[] {
  // Run by root, the embedded database lies outside of DATA_DIR.
  const database = DATABASE_URL === null ? homeOf(DATA_DIR) : null;
  return [
    ['data', DATA_DIR],
    ...(database === null ? [] : [['database', database] as const]),
    ...(BACKUP_DIR === null ? [] : [['backups', BACKUP_DIR] as const]),
  ];
}

function homeOf(dataDir: string): string | null {
  try {
    return existingHome(dataDir);
  } catch {
    // Doctor reports a descriptor that cannot be read.
    return null;
  }
}

async function freeBytes(folder: string): Promise<number | null> {
  const disk = await statfs(folder).catch(() => null);
  return disk === null ? null : disk.bavail * disk.bsize;
}
