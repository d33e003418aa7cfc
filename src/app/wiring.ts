/** The parts that several commands are composed of. */

import { hostname } from 'node:os';
import { type Logger, pino } from 'pino';
import { alertMessage } from '../api/rendering/alert-message.ts';
import { createPushSender } from '../clients/web-push.ts';
import type { Config } from '../config/config.ts';
import type { PricingRules } from '../domain/prices/rules.ts';
import { loadGazetteer } from '../geodata/load-gazetteer.ts';
import { type Database, openDatabase } from '../store/connection/database.ts';
import { migrate } from '../store/connection/migrations.ts';
import { RetryingConnection } from '../store/connection/retrying-connection.ts';
import type { Schema } from '../store/connection/schema.ts';
import { type AlertRunner, createAlertRunner } from '../worker/alerts/alert-job.ts';
import type { Collector } from '../worker/collection/collect.ts';
import type { Schedule } from '../worker/scheduler.ts';
import type { CommandCall } from './command.ts';
import { feedsOf, userAgentOf } from './feeds.ts';

/** Logs to stderr, one JSON object a line. */
export function createLog(config: Config): Logger {
  return pino({ level: config.LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));
}

/** Opens the database of the settings as it is, with that many connections at most. */
export function openUnmigrated(
  config: Config,
  log: Logger,
  signal?: AbortSignal,
  connections?: number,
): Promise<Database<Schema>> {
  return openDatabase<Schema>({
    databaseUrl: config.DATABASE_URL ?? undefined,
    dataDir: config.DATA_DIR,
    log,
    ...(signal && { signal }),
    ...(connections && { connections }),
  });
}

/** Opens the database of the settings and brings its tables up to date. */
export async function openMigrated(config: Config, log: Logger, signal?: AbortSignal): Promise<Database<Schema>> {
  const database = await openUnmigrated(config, log, signal);
  try {
    const applied = await migrate(database);
    if (applied.length > 0) log.info(`migrations applied: ${applied.join(', ')}`);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * The database of the settings, migrated, for a process that starts without waiting for it: `connect` connects in the
 * background. `prepare` reads what must be known before the database is used.
 */
export function createDatabaseConnection(
  config: Config,
  log: Logger,
  signal: AbortSignal,
  prepare: (database: Database<Schema>) => Promise<void> = async () => undefined,
): RetryingConnection {
  return new RetryingConnection({ open: () => openMigrated(config, log, signal), prepare, log, signal });
}

/** Opens the store of a call for some work, and closes it however that ends. */
export async function withDatabase<T>(call: CommandCall, work: (database: Database<Schema>) => Promise<T>): Promise<T> {
  const database = await openMigrated(call.config, createLog(call.config), call.signal);
  return work(database).finally(() => database.close());
}

/** The rules that prices are judged by, as set. */
export function pricingRulesOf(config: Config): PricingRules {
  return {
    ranges: config.PRICE_RANGES,
    gazetteer: loadGazetteer(),
    inService: config.SOURCES.length === 0 ? null : config.SOURCES,
  };
}

/** What collects: with the feeds of every source this program knows. */
export function createCollector(config: Config, database: Database<Schema>, log: Logger): Collector {
  return {
    database,
    dataDir: config.DATA_DIR,
    rules: pricingRulesOf(config),
    feeds: feedsOf(config),
    clock: Date.now,
    holder: `${hostname()}:${process.pid}`,
    leaseMs: LEASE_MS,
    deadlineMs: COLLECTION_DEADLINE_MS,
    warn: (message) => log.warn(message),
  };
}

/** A collector that is not heard of for so long has lost its lease. */
const LEASE_MS = 30_000;
const COLLECTION_DEADLINE_MS = 45 * 60_000;

/** Judges and sends price alerts; `undefined` = push is not configured. */
function createAlerts(config: Config, database: Database<Schema>, log: Logger): AlertRunner | undefined {
  if (config.vapid === null) return undefined;
  const sender = createPushSender({ vapid: config.vapid, hosts: config.PUSH_HOSTS, userAgent: userAgentOf(config) });
  const job = {
    db: database.kysely,
    rules: pricingRulesOf(config),
    holder: `${hostname()}:${process.pid}`,
    leaseMs: PUSH_LEASE_MS,
    clock: Date.now,
    renderMessage: alertMessage,
    send: sender.send,
    log,
  };
  return createAlertRunner(job, sender.close);
}

/** A sender that is not heard of for so long has lost its lease. */
const PUSH_LEASE_MS = 15_000;

/** The scheduled work over the sources in service. */
export function createSchedule(config: Config, collector: Collector, log: Logger): Schedule {
  const alerts = createAlerts(config, collector.database, log);
  return {
    collector,
    ...(alerts && { alerts }),
    sources: config.SOURCES.filter((name) => name !== 'manual'),
    collectEveryMs: config.COLLECT_EVERY,
    log,
  };
}
