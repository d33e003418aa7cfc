/** The metrics of a process, which exist only where somebody reads them. */
import type { Config } from '../../config/config.ts';
import type { Metrics } from './metrics.ts';
import type { ObservedFolders } from './process-metrics.ts';

/** Without a METRICS_PORT no metric is registered, and the library for them is not loaded: it takes 3 MB. */
export async function openMetrics(
  config: Pick<Config, 'METRICS_PORT'> & ObservedFolders,
  version: string,
): Promise<Metrics> {
  if (config.METRICS_PORT === null) return NO_OP_METRICS;
  const { createMetrics } = await import('./metrics.ts');
  const metrics = createMetrics();
  metrics.observeProcess(version, config);
  return metrics;
}

const nothing = () => undefined;

const NO_OP_METRICS: Metrics = {
  routerFailures: () => ({ inc: nothing }),
  observeProcess: nothing,
  observeRequests: nothing,
  observeConnections: nothing,
  observeSnapshot: nothing,
  observeFollowed: nothing,
  observeRelay: nothing,
  expectDatabase: nothing,
  observeDatabase: nothing,
  observeLimits: nothing,
  observeWorker: () => ({ onStart: nothing, onRuns: nothing, onJob: nothing }),
  observeBilling: nothing,
  webhooks: nothing,
  deliveries: nothing,
  observeSiteRefusals: nothing,
  observeDumps: nothing,
  observeBackups: nothing,
  text: async () => '',
  json: async () => [],
};
