/** The scheduled work: one process at a time runs the due jobs. */
import { WarnOnce } from '../concurrency/warn-once.ts';
import { MAINTENANCE_HOURS } from '../domain/access/retention.ts';
import type { RunRecord } from '../domain/reports/run-record.ts';
import { LOCATOR_INTERVAL_MS, sourceKind } from '../domain/reports/source-kind.ts';
import { pruneArchives } from '../sources/archive/prune-archives.ts';
import { prunePushClients } from '../store/alerts/prune-push-clients.ts';
import { pruneBilling } from '../store/billing/prune-billing.ts';
import { withIdleTimeout } from '../store/connection/idle-timeout.ts';
import { type Lease, releaseLease, takeLease } from '../store/connection/leases.ts';
import { pruneDriverReports } from '../store/driver-reports/prune-driver-reports.ts';
import { pruneGermanAnswers } from '../store/germany/prune-german-answers.ts';
import { pruneKeys } from '../store/keys/prune-keys.ts';
import { rotateAddressKeys } from '../store/limits/address-keys.ts';
import { pruneLimits } from '../store/limits/prune-limits.ts';
import { pruneHistoryAndAlerts } from '../store/maintenance/prune-history.ts';
import { deliveryTimes, lastRunTimes, undeliveredRuns } from '../store/prices/runs.ts';
import { pruneReviews } from '../store/reviews/prune-reviews.ts';
import type { AlertRunner } from './alerts/alert-job.ts';
import type { BillingWork } from './billing/billing-work.ts';
import type { ChangeTeller } from './changes/change-teller.ts';
import { type Collector, collect } from './collection/collect.ts';
import type { CollectionEstimate } from './collection/collection-estimate.ts';
import { fillStatistics } from './collection/fill-statistics.ts';
import { LeaseTaken } from './collection/lease-errors.ts';
import type { WebhookRunner } from './webhooks/deliver-webhooks.ts';

export type Schedule = {
  readonly collector: Collector;
  /** The sources in service that are collected. */
  readonly sources: readonly string[];
  readonly collectEveryMs: number;
  readonly log: { info(message: string): void; warn(message: string): void };
  /** Price alerts, if push is configured. */
  readonly alerts?: AlertRunner;
  /** The feed of changes of what is served. */
  readonly changes?: ChangeTeller;
  /** What changed, posted to webhooks. */
  readonly webhooks?: WebhookRunner;
  /** Selling and mails, if mail is configured. */
  readonly billing?: BillingWork;
  /** Makes the dumps when they are due, if any source may be dumped. */
  readonly dumps?: (signal: AbortSignal) => Promise<void>;
  /** Makes and drills backups when they are due, if they have a folder. */
  readonly backups?: (signal: AbortSignal) => Promise<void>;
  readonly onRuns?: (runs: readonly RunRecord[]) => void;
  /** Told of each round of a job. */
  readonly onJob?: (job: JobName, outcome: 'done' | 'failed', at: number) => void;
  /** Follows each collection under way. */
  readonly estimate?: CollectionEstimate;
};

/** The jobs as metrics name them. */
export type JobName = 'collect' | 'changes' | 'alerts' | 'webhooks' | 'dumps' | 'backups' | 'stripe' | 'mails';

export type ScheduledWorker = { close(): Promise<void> };

/** Polling interval. */
const CHECK_INTERVAL_MS = 5_000;
const HOUR_MS = 3_600_000;
const MAINTENANCE_MS = MAINTENANCE_HOURS * HOUR_MS;
const DAY_MS = 24 * HOUR_MS;
/**
 * Reading the due jobs fails after this long without a response from the database. A stopping worker may wait longer:
 * 20 s for maintenance or the known units, and 65 s, or 315 s for its lock, for a publication.
 */
const SQL_IDLE_TIMEOUT_MS = 5_000;
/** Longer than any statement that holds a key. */
const ROTATION_TIMEOUT_MS = 10_000;
/** The names in the database are older than these; every version has to use the same. */
const DAILY_MAINTENANCE_LEASE = 'upkeep';
const HOURLY_MAINTENANCE_LEASE = 'counters';
const STATISTICS_LEASE = 'statistics';

/** Runs until closed; logs failures and retries the work when it is next due. */
export function startScheduler(schedule: Schedule): ScheduledWorker {
  const loops = jobsOf(schedule, false).map((job) => startLoop(schedule, job));
  schedule.changes?.start();
  const stop = async () => {
    await Promise.all(loops.map((loop) => loop.close()));
    await schedule.changes?.close();
    await schedule.alerts?.close();
    await schedule.webhooks?.close();
    schedule.billing?.close();
  };
  let closed: Promise<void> | undefined;
  return { close: () => (closed ??= stop()) };
}

type Job = {
  readonly name: JobName;
  readonly failureMessage: string;
  readonly work: (signal: AbortSignal) => Promise<void>;
};

/**
 * The jobs, of which none waits for another: alerts for what others publish during a long collection go out at once,
 * and mails while Stripe is away.
 */
function jobsOf(schedule: Schedule, isOnce: boolean): Job[] {
  const { alerts, backups, billing, changes, dumps, webhooks } = schedule;
  const jobs: Job[] = [
    {
      name: 'collect',
      failureMessage: 'the scheduled work could not be done',
      work: (signal) => collectAndMaintain(schedule, signal),
    },
  ];
  // Otherwise it is told of each publication itself.
  if (changes !== undefined && isOnce)
    jobs.push({
      name: 'changes',
      failureMessage: 'changes of served prices could not be told',
      work: () => changes.tell(),
    });
  if (alerts !== undefined)
    jobs.push({
      name: 'alerts',
      failureMessage: 'price alerts could not be sent',
      work: (signal) => alerts.run(signal, isOnce),
    });
  if (webhooks !== undefined)
    jobs.push({
      name: 'webhooks',
      failureMessage: 'webhooks could not be sent',
      work: (signal) => webhooks.run(signal),
    });
  if (dumps !== undefined) jobs.push({ name: 'dumps', failureMessage: 'the dumps could not be made', work: dumps });
  if (backups !== undefined)
    jobs.push({ name: 'backups', failureMessage: 'the backup could not be made', work: backups });
  if (billing !== undefined)
    jobs.push(
      { name: 'stripe', failureMessage: 'Stripe could not be asked', work: billing.sync },
      { name: 'mails', failureMessage: 'mails could not be sent', work: billing.sendMails },
    );
  return jobs;
}

function startLoop(
  { collector, collectEveryMs, log, onJob }: Schedule,
  { name, failureMessage, work }: Job,
): ScheduledWorker {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const failures = new WarnOnce({ warn: (why) => log.warn(`${failureMessage}: ${why}`) });
  const intervalMs = Math.min(CHECK_INTERVAL_MS, collectEveryMs / 4);
  const runOnce = async () => {
    try {
      await work(stop.signal);
      failures.succeeded();
      onJob?.(name, 'done', collector.clock());
    } catch (error) {
      if (!stop.signal.aborted) {
        failures.failed((error as Error).message);
        onJob?.(name, 'failed', collector.clock());
      }
    }
    if (!stop.signal.aborted) timer = setTimeout(runAgain, intervalMs);
  };
  let running = runOnce();
  const runAgain = () => {
    running = runOnce();
  };
  return {
    async close() {
      stop.abort(new Error('the worker is being stopped'));
      clearTimeout(timer);
      await running;
    },
  };
}

/**
 * Runs the due jobs and returns; skips those that another process is running. One that fails keeps no other from being
 * run; rejects afterwards with the first failure.
 */
export async function runDueWork(schedule: Schedule, signal: AbortSignal): Promise<void> {
  const errors: unknown[] = [];
  for (const { failureMessage, work } of jobsOf(schedule, true)) {
    if (signal.aborted) break;
    try {
      await work(signal);
    } catch (error) {
      if (!signal.aborted) schedule.log.warn(`${failureMessage}: ${(error as Error).message}`);
      errors.push(error);
    }
  }
  await schedule.alerts?.close();
  await schedule.webhooks?.close();
  schedule.billing?.close();
  if (errors.length > 0) throw errors[0];
}

async function collectAndMaintain(schedule: Schedule, signal: AbortSignal): Promise<void> {
  await collectDueSources(schedule, signal);
  if (!signal.aborted) await runMaintenance(schedule, signal);
}

async function collectDueSources(schedule: Schedule, signal: AbortSignal): Promise<void> {
  if ((await dueSources(schedule)).length === 0) return;
  try {
    const { runs } = await collect(schedule.collector, {
      // Check again under the lease: another worker may have collected in between.
      sources: () => dueSources(schedule),
      at: null,
      fromArchive: false,
      force: false,
      scheduled: true,
      waitMs: 0,
      onProgress: (source, progress) => schedule.estimate?.onProgress(source, progress),
      signal,
    });
    for (const run of runs) logRun(schedule, run);
    schedule.onRuns?.(runs);
    await pruneOwnArchives(schedule);
  } catch (error) {
    if (!(error instanceof LeaseTaken)) throw error;
  } finally {
    schedule.estimate?.clear();
  }
}

async function dueSources({ collector, sources, collectEveryMs }: Schedule): Promise<string[]> {
  const { kysely } = collector.database;
  const runs = await withIdleTimeout(SQL_IDLE_TIMEOUT_MS, () => lastRunTimes(kysely));
  const deliveries = await withIdleTimeout(SQL_IDLE_TIMEOUT_MS, () => deliveryTimes(kysely));
  const since = (times: ReadonlyMap<string, number | null>, source: string) =>
    collector.clock() - (times.get(source) ?? Number.NEGATIVE_INFINITY);
  return sources.filter((source) => {
    if (since(runs, source) < collectEveryMs) return false;
    return sourceKind(source) !== 'locator' || since(deliveries, source) >= LOCATOR_INTERVAL_MS;
  });
}

/** The process that collects has the archive on its own disk, so it prunes it. */
async function pruneOwnArchives({ collector, sources, log }: Schedule): Promise<void> {
  const { dataDir, clock, database } = collector;
  let files = 0;
  for (const source of sources) {
    const undelivered = await withIdleTimeout(SQL_IDLE_TIMEOUT_MS, () => undeliveredRuns(database.kysely, source));
    files += await pruneArchives(dataDir, source, { undelivered, now: clock() });
  }
  if (files > 0) log.info(`${files} archived runs removed: too old, or more than a source may keep`);
}

/**
 * Runs periodically, in whichever process comes first: the lease is not released, so it marks the work as done for its
 * period.
 */
async function runMaintenance({ collector, log }: Schedule, signal: AbortSignal): Promise<void> {
  const { database, holder, clock } = collector;
  let pruned = 0;
  if ((await takeLease(database.kysely, DAILY_MAINTENANCE_LEASE, holder, DAY_MS)) !== null)
    pruned += (await pruneHistoryAndAlerts(database.kysely, clock())) + (await pruneKeys(database.kysely));
  if ((await takeLease(database.kysely, HOURLY_MAINTENANCE_LEASE, holder, MAINTENANCE_MS)) !== null)
    pruned += await hourlyMaintenance(database);
  if (pruned > 0) log.info(`maintenance: ${pruned} expired rows removed`);
  const lease = await takeLease(database.kysely, STATISTICS_LEASE, holder, DAY_MS);
  if (lease !== null) await fillMissingStatistics({ collector, log }, lease, signal);
}

/** The lease is released only if the work did not end, so that another process continues it. */
async function fillMissingStatistics(
  { collector: { database, settings }, log }: Pick<Schedule, 'collector' | 'log'>,
  lease: Lease,
  signal: AbortSignal,
): Promise<void> {
  let finished = false;
  try {
    const days = await fillStatistics(database.kysely, settings.gazetteer, signal);
    if (days > 0) log.info(`maintenance: days whose statistics were computed: ${days}`);
    finished = !signal.aborted;
  } finally {
    if (!finished) await releaseLease(database.kysely, lease);
  }
}

/** Removes expired rows, and replaces the keys of hashes that are due. */
async function hourlyMaintenance(database: Collector['database']): Promise<number> {
  let pruned = 0;
  for (const prune of [pruneLimits, pruneGermanAnswers, pruneReviews, pruneDriverReports, prunePushClients])
    pruned += await prune(database.pool);
  pruned += await pruneBilling(database);
  await rotateAddressKeys(database, ROTATION_TIMEOUT_MS);
  return pruned;
}

function logRun({ log }: Schedule, run: RunRecord): void {
  const seconds = (run.finishedAt - run.startedAt) / 1000;
  if (run.outcome === 'delivered') {
    log.info(
      `${run.source}: ${run.rows} prices read in ${seconds} s, ${run.changed} changed, ${run.created} new stations`,
    );
  } else {
    log.warn(`${run.source}: ${run.outcome === 'failed' ? 'failed' : 'set aside'}: ${run.reason}`);
  }
}
