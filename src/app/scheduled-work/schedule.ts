/** Creates the parts that several commands share. */

import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { alertMessage } from '../api/rendering/alert-message.ts';
import { createPushSender } from '../clients/web-push.ts';
import { type Config, publicUrl } from '../config/config.ts';
import { hasNoDatabase } from '../config/follower-settings.ts';
import type { CollectionSettings } from '../domain/prices/collection-settings.ts';
import { dumpFolder } from '../dumps/published/dump-folder.ts';
import { loadGazetteer } from '../geodata/load-gazetteer.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../store/connection/database.ts';
import { type DirectOptions, openDirectDatabase } from '../store/connection/direct-database.ts';
import { InitialConnection } from '../store/connection/initial-connection.ts';
import type { Schema } from '../store/connection/schema.ts';
import { DatabaseMisconfigured } from '../store/database-errors.ts';
import { migrationState } from '../store/migrations/applied-migrations.ts';
import { migrate } from '../store/migrations/apply-migrations.ts';
import { type AlertRunner, createAlertRunner } from '../worker/alerts/alert-job.ts';
import { ChangeTeller } from '../worker/changes/change-teller.ts';
import type { Collector } from '../worker/collection/collect.ts';
import { createDumpRunner } from '../worker/dumps/dump-job.ts';
import type { Schedule } from '../worker/scheduler.ts';
import type { WebhookJob } from '../worker/webhooks/deliver-webhooks.ts';
import { createNightlyBackups } from './backups/nightly-backups.ts';
import { createScheduledBilling, type EventCounts } from './billing/scheduled-billing.ts';
import type { CommandCall } from './command.ts';
import { configuredSources, userAgentOf } from './configured-sources.ts';
import type { DumpTask } from './dumps/dump-task.ts';
import { runDumpProcess } from './dumps/run-dump-process.ts';
import { createLog } from './log/process-log.ts';
import { version } from './version.ts';
import { createWebhookRunner } from './webhooks/webhook-runner.ts';

/** Opens the configured database without migrating it, with at most `connections` connections. */
export async function openUnmigrated(
  config: Config,
  log: Logger,
  signal?: AbortSignal,
  connections?: number,
): Promise<Database<Schema>> {
  return openDatabase<Schema>({
    ...databaseAddresses(config),
    log,
    ...(signal && { signal }),
    ...(connections && { connections }),
  });
}

/** Opens the configured database, past a pooler, for work that needs a session, `a backup` for example. */
export async function openDirect(
  config: Config,
  log: Logger,
  options: Pick<DirectOptions, 'work' | 'isAlone' | 'connections' | 'signal'>,
): Promise<Database<Schema>> {
  return openDirectDatabase({ ...databaseAddresses(config), log, ...options });
}

function databaseAddresses(config: Config): Pick<DatabaseOptions, 'databaseUrl' | 'directUrl' | 'dataDir'> {
  if (hasNoDatabase(config))
    throw new DatabaseMisconfigured(
      'FOLLOW_URL is set and DATABASE_URL is not: this installation uses no database; run the command where there is one, or set DATABASE_URL',
    );
  return {
    databaseUrl: config.DATABASE_URL ?? undefined,
    directUrl: config.DATABASE_DIRECT_URL ?? undefined,
    dataDir: config.DATA_DIR,
  };
}

/** Opens the configured database and applies pending migrations. */
export async function openMigrated(config: Config, log: Logger, signal?: AbortSignal): Promise<Database<Schema>> {
  const database = await openUnmigrated(config, log, signal);
  try {
    const applied = await migrateConfigured(config, log, database, signal);
    if (applied.length > 0) log.info(`migrations applied: ${applied.join(', ')}`);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Applies the migrations that the configured database needs, past a pooler where an address leads there. */
export async function migrateConfigured(
  config: Config,
  log: Logger,
  database: Database<Schema>,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  if (config.DATABASE_DIRECT_URL === null) return migrate(database);
  if ((await migrationState(database)).pending.length === 0) return [];
  const direct = await openDirect(config, log, { work: 'a migration', connections: 2, ...(signal && { signal }) });
  return migrate(direct).finally(() => direct.close());
}

/**
 * The configured database, migrated, for a process that starts without waiting for it: `connect` connects in the
 * background. `prepare` reads what must be known before the database is used.
 */
export function createDatabaseConnection(
  config: Config,
  log: Logger,
  signal: AbortSignal,
  prepare: (database: Database<Schema>) => Promise<void> = async () => undefined,
): InitialConnection {
  return new InitialConnection({ open: () => openMigrated(config, log, signal), prepare, log, signal });
}

/** Opens the migrated database for some work, and closes it when the work ends or fails. */
export async function withDatabase<T>(call: CommandCall, work: (database: Database<Schema>) => Promise<T>): Promise<T> {
  const database = await openMigrated(call.config, createLog(call.config), call.signal);
  return work(database).finally(() => database.close());
}

/** The settings by which collections are judged and served. */
export function collectionSettingsOf(config: Config): CollectionSettings {
  return {
    ranges: config.PRICE_RANGES,
    gazetteer: loadGazetteer(),
    inService: config.SOURCES.length === 0 ? null : config.SOURCES,
  };
}

/** The parts of a collection, with every source that this program knows. */
export function createCollector(config: Config, database: Database<Schema>, log: Logger): Collector {
  return {
    database,
    dataDir: config.DATA_DIR,
    settings: collectionSettingsOf(config),
    configuredSources: configuredSources(config),
    clock: Date.now,
    holder: `${hostname()}:${process.pid}`,
    leaseMs: LEASE_MS,
    deadlineMs: COLLECTION_DEADLINE_MS,
    warn: (message) => log.warn(message),
  };
}

/** A collector that does not renew its lease for this long loses it. */
const LEASE_MS = 30_000;
const COLLECTION_DEADLINE_MS = 45 * 60_000;

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
  readonly work?: Pick<Schedule, 'onRuns' | 'onJob'>;
  /** Whether the data are simulated, which the files of open data then state; they are not backed up. */
  readonly simulated?: boolean;
};

/** The scheduled work for the sources in service. */
export function createSchedule(
  config: Config,
  collector: Collector,
  log: Logger,
  { counts, onWebhook, work, simulated = false }: ScheduleOptions = {},
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
