/** The scheduled work: one process at a time runs the due jobs. */
import { WarnOnce } from '../concurrency/warn-once.ts';
import type { RunRecord } from '../domain/reports/run-record.ts';
import { LOCATOR_INTERVAL_MS, sourceKind } from '../domain/reports/source-kind.ts';
import { pruneArchives } from '../sources/archive/prune-archives.ts';
import { withIdleTimeout } from '../store/connection/idle-timeout.ts';
import { deliveryTimes, lastRunTimes, undeliveredRuns } from '../store/prices/runs.ts';
import type { AlertRunner } from './alerts/alert-job.ts';
import type { BillingWork } from './billing/billing-work.ts';
import type { ChangeTeller } from './changes/change-teller.ts';
import { type Collector, collect } from './collection/collect.ts';
import type { CollectionEstimate } from './collection/collection-estimate.ts';
import { LeaseTaken } from './collection/lease-errors.ts';
import { runMaintenance } from './maintenance/maintenance.ts';
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
  /** Told once which jobs are done from an instant on, in epoch ms, before any begins. */
  readonly onStart?: (jobs: readonly JobName[], sources: readonly string[], at: number) => void;
  /** Told of each round of a job. */
  readonly onJob?: (job: JobName, outcome: 'done' | 'failed', at: number) => void;
  /** Follows each collection under way. */
  readonly estimate?: CollectionEstimate;
};

/** The jobs as metrics name them. */
export type JobName =
  | 'collect'
  | 'maintenance'
  | 'changes'
  | 'alerts'
  | 'webhooks'
  | 'dumps'
  | 'backups'
  | 'stripe'
  | 'mails';

export type ScheduledWorker = { close(): Promise<void> };

/** Polling interval. */
const CHECK_INTERVAL_MS = 5_000;
/**
 * Reading the due jobs fails after this long without a response from the database. A stopping worker may wait longer:
 * 20 s for maintenance or the known units, and 65 s, or 315 s for its lock, for a publication.
 */
const SQL_IDLE_TIMEOUT_MS = 5_000;

/** Runs until closed; logs failures and retries the work when it is next due. */
export function startScheduler(schedule: Schedule): ScheduledWorker {
  const jobs = jobsOf(schedule, false);
  const names = jobs.map(({ name }) => name);
  schedule.onStart?.(names, schedule.sources, schedule.collector.clock());
  const loops = jobs.map((job) => startLoop(schedule, job));
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
      work: (signal) => collectDueSources(schedule, signal),
    },
    {
      name: 'maintenance',
      failureMessage: 'the maintenance of the database could not be done, and is tried again in ten minutes',
      work: (signal) => runMaintenance(schedule.collector, schedule.log, signal),
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
