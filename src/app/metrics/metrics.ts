/** Counters of a running service. */
import { Counter, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import type { SiteRefusals } from '../../api/access/site-limit.ts';
import type { ConnectionCounts } from '../../api/http/connection/connection-limiter.ts';
import type { WebhookOutcome } from '../../clients/webhook-sender.ts';
import type { DumpManifest } from '../../dumps/manifest.ts';
import type { BackupStatus } from '../../store/backup/backup-runs.ts';
import type { BillingStatus } from '../../store/billing/billing-status.ts';
import type { Database } from '../../store/connection/database.ts';
import type { BatchCounts } from '../../telemetry/batch-counts.ts';
import type { RequestCounts } from '../../telemetry/request-counts.ts';
import { registerBackups } from './backup-metrics.ts';
import { deliveryCounter, registerBilling, type StripeEventOutcome, webhookCounter } from './billing-metrics.ts';
import { registerConnections } from './connection-metrics.ts';
import { registerDatabase } from './database-metrics.ts';
import { type FollowedReading, registerFollowed, registerRelay } from './follower-metrics.ts';
import { registerLimits } from './limit-metrics.ts';
import { type ObservedFolders, registerProcess } from './process-metrics.ts';
import { registerDatabaseUp, registerQueues } from './queue-metrics.ts';
import { registerRequests, registerSiteRefusals } from './request-metrics.ts';
import { registerDumps, registerSnapshot, type SnapshotReading } from './snapshot-metrics.ts';
import { registerWorker, type WorkerCounts } from './worker-metrics.ts';

export type Metrics = {
  /** Counts the requests that a routing engine failed to answer. Exists from the first scrape on, starting at 0. */
  routerFailures(engine: string): { inc(): void };
  /** Shows the process: memory, CPU, files, event loop; measures it from now on. */
  observeProcess(version: string, folders: ObservedFolders): void;
  /** Shows the requests of the API; read at each scrape. */
  observeRequests(counts: RequestCounts): void;
  /** Shows the connections of the API from now on; read at each scrape. */
  observeConnections(counts: () => ConnectionCounts): void;
  /** Shows the snapshot in service and its sources; read at each scrape. */
  observeSnapshot(reading: SnapshotReading): void;
  /** Shows the followed server from now on; read at each scrape. */
  observeFollowed(followed: FollowedReading): void;
  /** Shows the followers of this process from now on; read at each scrape. */
  observeRelay(relay: { readonly waiting: number }): void;
  /** Shows that the database is away until `observeDatabase` is called, for a process that has one. */
  expectDatabase(): void;
  /** Shows how the database is used, and what waits in it; read at each scrape. */
  observeDatabase(database: Database): void;
  /** Shows the batches in which the database decides on limits; read at each scrape. */
  observeLimits(batches: BatchCounts): void;
  /** Counts what the scheduled work of this process does. */
  observeWorker(): WorkerCounts;
  /** Shows orders, mails and events as the database has them; read at each scrape, nothing while it is away. */
  observeBilling(read: () => Promise<BillingStatus>): void;
  /** Counts the requests to the webhook by what came of them. */
  webhooks(outcome: StripeEventOutcome): void;
  /** Counts the tries to deliver to a customer's webhook by how they ended. */
  deliveries(outcome: WebhookOutcome['kind']): void;
  /** Shows whom the limit of the site refused from now on; read at each scrape. */
  observeSiteRefusals(refusals: SiteRefusals): void;
  /** Shows the age of the dumps from now on; read at each scrape, nothing while there are none. */
  observeDumps(read: () => Pick<DumpManifest, 'madeAt' | 'updatedAt'> | null): void;
  /** Shows the newest backup and drill from now on; read at each scrape, nothing while the database is away. */
  observeBackups(read: () => Promise<BackupStatus>, about: { readonly areSent: boolean }): void;
  /** All counters as Prometheus text. */
  text(): Promise<string>;
  /** The same as values, for whoever adds up those of several processes. */
  json(): Promise<MetricObjectWithValues<MetricValue<string>>[]>;
};

/** Creates separate counters: two services in one process do not share them. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const routerFailures = new Counter({
    name: 'pompa_router_failures_total',
    help: 'Requests that the routing engine failed to answer; the built-in roads answered instead.',
    labelNames: ['engine'],
    registers: [registry],
  });
  let isDatabaseUp = async () => false;
  return {
    routerFailures: (engine) => {
      const counter = routerFailures.labels(engine);
      counter.inc(0);
      return counter;
    },
    observeProcess: (version, folders) => registerProcess(registry, version, folders),
    observeRequests: (counts) => registerRequests(registry, counts),
    observeSnapshot: (reading) => registerSnapshot(registry, reading),
    observeFollowed: (followed) => registerFollowed(registry, followed),
    observeRelay: (relay) => registerRelay(registry, relay),
    expectDatabase: () => registerDatabaseUp(registry, () => isDatabaseUp()),
    observeDatabase: (database) => {
      registerDatabase(registry, database);
      isDatabaseUp = registerQueues(registry, database, Date.now);
    },
    observeLimits: (batches) => registerLimits(registry, batches),
    observeWorker: () => registerWorker(registry),
    observeBilling: (read) => registerBilling(registry, read),
    webhooks: webhookCounter(registry),
    deliveries: deliveryCounter(registry),
    observeConnections: (counts) => registerConnections(registry, counts),
    observeSiteRefusals: (refusals) => registerSiteRefusals(registry, refusals),
    observeDumps: (read) => registerDumps(registry, read),
    observeBackups: (read, about) => registerBackups(registry, read, about),
    text: () => registry.metrics(),
    json: () => registry.getMetricsAsJSON(),
  };
}
