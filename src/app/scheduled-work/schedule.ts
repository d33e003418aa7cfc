/** Composes the scheduled work: collections, alerts, webhooks, dumps, backups, billing. */
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { alertMessage } from '../../api/rendering/alert-message.ts';
import { createPushSender } from '../../clients/web-push.ts';
import { type Config, publicUrl } from '../../config/config.ts';
import { dumpFolder } from '../../dumps/published/dump-folder.ts';
import type { Database } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { type AlertRunner, createAlertRunner } from '../../worker/alerts/alert-job.ts';
import { ChangeTeller } from '../../worker/changes/change-teller.ts';
import type { Collector } from '../../worker/collection/collect.ts';
import type { CollectionEstimate } from '../../worker/collection/collection-estimate.ts';
import { createDumpRunner } from '../../worker/dumps/dump-job.ts';
import type { Schedule } from '../../worker/scheduler.ts';
import type { WebhookJob } from '../../worker/webhooks/deliver-webhooks.ts';
import { createNightlyBackups } from '../backups/nightly-backups.ts';
import { createScheduledBilling, type EventCounts } from '../billing/scheduled-billing.ts';
import type { DumpTask } from '../dumps/dump-task.ts';
import { runDumpProcess } from '../dumps/run-dump-process.ts';
import { collectionSettingsOf, userAgentOf } from '../settings/derived-settings.ts';
import { version } from '../settings/version.ts';
import { createWebhookRunner } from '../webhooks/webhook-runner.ts';

/** Judges and sends price alerts; `undefined` = push is not configured. */
function createAlerts(config: Config, database: Database<Schema>, log: Logger): AlertRunner | undefined {
  if (config.vapid === null) return undefined;
  const sender = createPushSender({ vapid: config.vapid, hosts: config.PUSH_HOSTS, userAgent: userAgentOf(config) });
  const job = {
    db: database.kysely,
    settings: collectionSettingsOf(config),
    holder: `${hostname()}:${process.pid}`,
    leaseMs: PUSH_LEASE_MS,
    clock: Date.now,
    renderMessage: alertMessage,
    send: sender.send,
    log,
  };
  return createAlertRunner(job, sender.close);
}

/** A sender that does not renew its lease for this long loses it. */
const PUSH_LEASE_MS = 15_000;

/** Makes the dumps; `undefined` = no source may be dumped. */
function createDumps(
  config: Config,
  { database, clock, holder }: Collector,
  log: Logger,
  simulated: boolean,
): Schedule['dumps'] {
  const { DATABASE_URL, DATA_DIR, DUMP_SOURCES: allowed } = config;
  if (allowed.length === 0) return undefined;
  const folder = dumpFolder(DATA_DIR);
  const { ranges, inService } = collectionSettingsOf(config);
  const task: DumpTask = {
    ...{ databaseUrl: DATABASE_URL, dataDir: DATA_DIR, folder, allowed, inService, ranges, simulated },
    publicUrl: publicUrl(config, config.PORT),
  };
  const make = (signal: AbortSignal) => runDumpProcess(task, signal);
  return createDumpRunner({ database, holder, folder, allowed, clock, make, log });
}

export type ScheduleOptions = {
  /** Counts the events of Stripe that are looked at. */
  readonly counts?: EventCounts;
  /** Told how each try of a webhook ended. */
  readonly onWebhook?: WebhookJob['onTry'];
  /** Counts runs of sources and rounds of jobs. */
  readonly work?: Pick<Schedule, 'onStart' | 'onRuns' | 'onJob'>;
  /** Whether the data are simulated, which the files of open data then state; they are not backed up. */
  readonly simulated?: boolean;
  /** Follows each collection under way. */
  readonly estimate?: CollectionEstimate;
};

/** The scheduled work for the sources in service. */
export function createSchedule(
  config: Config,
  collector: Collector,
  log: Logger,
  { counts, onWebhook, work, estimate, simulated = false }: ScheduleOptions = {},
): Schedule {
  const alerts = createAlerts(config, collector.database, log);
  const billing = createScheduledBilling(config, collector.database, log, counts);
  const dumps = createDumps(config, collector, log, simulated);
  // Simulated data must never replace backups of real ones.
  const backups = simulated
    ? undefined
    : createNightlyBackups(config, collector.settings, { ...collector, program: version(), log });
  return {
    collector,
    ...(backups && { backups }),
    ...(dumps && { dumps }),
    ...(alerts && { alerts }),
    ...(billing && { billing }),
    ...(estimate && { estimate }),
    webhooks: createWebhookRunner({
      ...{ allowedOrigins: config.WEBHOOK_ORIGINS, userAgent: userAgentOf(config), onTry: onWebhook, log },
      ...{ db: collector.database.kysely, holder: collector.holder, leaseMs: PUSH_LEASE_MS, clock: collector.clock },
    }),
    changes: new ChangeTeller({
      database: collector.database,
      settings: collector.settings,
      clock: collector.clock,
      log,
    }),
    sources: config.SOURCES.filter((name) => name !== 'manual'),
    collectEveryMs: config.COLLECT_EVERY,
    ...work,
    log,
  };
}
